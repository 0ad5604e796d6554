internal import Glibc
internal import MediaModel
internal import MediaSyntax

/// Finds sources and libraries that are the same folder, or lie one within the other.
///
/// This is the only part of the module that reads the file system: it follows links and reads device and
/// inode of folders, and opens no file.
package enum SourcesOverlap {
  /// Finds each pair of folders that overlap, whatever the status of a source is.
  ///
  /// Folders are compared by device and inode of every ancestor, after links were followed. One
  /// that is not there yet counts as what it would be: its nearest existing ancestor, and the names
  /// beneath it. A bind mount of a folder that lies deeper is not seen here: the pipeline compares
  /// places within file systems.
  ///
  /// - Parameters:
  ///   - manifest: The folders that it names, all of them.
  ///   - manifestFolder: What the manifest's paths are relative to, as bytes.
  ///   - answerStore: The path of the answer store, when there is one.
  /// - Returns: Mistakes at the places of the second of the two folders; empty when all are apart.
  ///
  /// Source: realpath(3), stat(2).
  package static func issues(
    manifest: Manifest,
    manifestFolder: [UInt8],
    answerStore: [UInt8]? = nil
  ) -> [ManifestIssue] {
    var folders: [Folder] = []
    for (source, declaration) in manifest.sources {
      guard let path = declaration.path, declaration.layout.isFolder else { continue }
      folders.append(
        Folder(
          name: "the \(source.displayName)",
          path: manifest.sources.jsonPath(of: source) + ".path",
          position: declaration.position,
          location: FolderLocation(Array(path.utf8), relativeTo: manifestFolder)
        )
      )
    }
    // Without a path, which is a mistake of its own, it would be the manifest's folder.
    if !manifest.output.isEmpty {
      folders.append(
        Folder(
          name: "the library that is written",
          path: "$.output.path",
          position: manifest.outputPosition,
          location: FolderLocation(Array(manifest.output.utf8), relativeTo: manifestFolder)
        )
      )
    }
    if let answerStore {
      folders.append(
        Folder(
          name: "the answer store",
          path: "$",
          position: .start,
          location: FolderLocation(answerStore, relativeTo: manifestFolder)
        )
      )
    }
    var issues: [ManifestIssue] = []
    for (index, second) in folders.enumerated() {
      for first in folders[..<index] {
        guard let how = relation(second, first) else { continue }
        issues.append(
          ManifestIssue(
            position: second.position,
            path: second.path,
            issue: ValueIssue(.sourcesOverlap, "\(how); each needs a folder of its own, beside the other")
          )
        )
      }
    }
    return issues
  }

  /// As ``issues(manifest:manifestFolder:answerStore:)``, for a folder whose name is UTF-8.
  package static func issues(manifest: Manifest, manifestFolder: String) -> [ManifestIssue] {
    issues(manifest: manifest, manifestFolder: Array(manifestFolder.utf8))
  }

  /// Whether a path is a folder's, or would lie within it, after links were followed.
  ///
  /// - Parameters:
  ///   - path: Something that would be written, absolute or relative to the working directory.
  ///   - folder: The folder, as an absolute path.
  /// - Returns: Whether writing there would change the folder.
  package static func isWithin(_ path: [UInt8], folder: [UInt8]) -> Bool {
    FolderLocation(path, relativeTo: []).isWithin(FolderLocation(folder, relativeTo: []))
  }

  private struct Folder {
    var name: String
    var path: String
    var position: TextPosition
    var location: FolderLocation
  }

  private static func relation(_ second: Folder, _ first: Folder) -> String? {
    switch (second.location.isWithin(first.location), first.location.isWithin(second.location)) {
    case (true, true): "\(second.name) is the same folder as \(first.name)"
    case (true, false): "\(second.name) lies within \(first.name)"
    case (false, true): "\(first.name) lies within \(second.name)"
    case (false, false): nil
    }
  }
}

/// The location of a folder that exists or would be created.
struct FolderLocation {
  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The existing folder and all folders above it.
  private var ancestors: Set<Identity> = []
  private var existing: Identity?
  /// The names beneath the existing folder that are not there yet.
  private var missing: [[UInt8]] = []

  init(_ path: [UInt8], relativeTo folder: [UInt8]) {
    let whole =
      path.first == .slash ? path : (folder.isEmpty ? [UInt8.dot] : folder) + [UInt8.slash] + path
    var resolved: [UInt8] =
      whole.first == .slash ? [UInt8.slash] : Self.resolve([UInt8.dot]) ?? [UInt8.slash]
    for name in whole.split(separator: UInt8.slash) where !name.elementsEqual(".".utf8) {
      if !missing.isEmpty {
        // A name that does not exist can be removed textually; a link cannot.
        if name.elementsEqual("..".utf8) {
          missing.removeLast()
        } else {
          missing.append(Array(name))
        }
      } else if let next = Self.resolve(resolved + [UInt8.slash] + name) {
        resolved = next
      } else if !name.elementsEqual("..".utf8) {
        missing.append(Array(name))
      }
    }
    existing = Self.identity(resolved)
    while true {
      if let identity = Self.identity(resolved) { ancestors.insert(identity) }
      guard let end = resolved.lastIndex(of: UInt8.slash), resolved.count > 1 else { break }
      resolved = end == 0 ? [UInt8.slash] : Array(resolved[..<end])
    }
  }

  /// Whether this is `other`, or lies within it.
  func isWithin(_ other: FolderLocation) -> Bool {
    guard let otherExisting = other.existing else { return false }
    if other.missing.isEmpty { return ancestors.contains(otherExisting) }
    return existing == otherExisting && missing.starts(with: other.missing)
  }

  /// The path without links, `.` and `..`, or nil when there is nothing.
  private static func resolve(_ path: [UInt8]) -> [UInt8]? {
    guard !path.contains(0) else { return nil }
    return path.map(CChar.init(bitPattern:)).withTerminator { pointer in
      guard let real = realpath(pointer, nil) else { return nil }
      defer { free(real) }
      return Array(UnsafeBufferPointer(start: real, count: strlen(real))).map(UInt8.init(bitPattern:))
    }
  }

  private static func identity(_ path: [UInt8]) -> Identity? {
    path.map(CChar.init(bitPattern:)).withTerminator { pointer in
      var status = stat()
      guard stat(pointer, &status) == 0 else { return nil }
      return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
  }
}

extension [CChar] {
  /// Calls `body` with a C string that lives as long as the call.
  fileprivate func withTerminator<Result>(
    _ body: (UnsafePointer<CChar>) -> Result?
  ) -> Result? {
    (self + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap(body)
    }
  }
}
