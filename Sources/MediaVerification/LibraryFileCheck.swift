internal import Glibc
package import MediaFileSystem
package import MediaLibrary
internal import MediaModel

/// Compares every file of a library with what its catalogue says; changes nothing.
///
/// A run may be writing the library meanwhile: what differs from the catalogue of one moment counts
/// only if it differs from that of a later moment too.
package struct LibraryFileCheck {
  package enum Kind: String, Sendable, CaseIterable {
    case missing
    case changed
    /// In the library's folders, and not in the catalogue.
    case unknown
    /// A batch that a run is working on, or left in the middle; that run or the next one finishes it.
    case unfinished
    /// To be removed by the next run.
    case superseded
  }

  package struct Finding: Sendable, Hashable {
    package var kind: Kind
    /// Below the library, escaped.
    package var path: String
    package var detail: String

    /// Whether this is a difference and no mere remark.
    package var isDifference: Bool { kind != .superseded && kind != .unfinished }
  }

  /// Files that were read and compared.
  package private(set) var files = 0
  package private(set) var bytes: Int64 = 0
  package private(set) var findings: [Finding] = []

  private let root: Descriptor
  /// What is said of a batch that is not done.
  private let unfinished: String
  /// Files that are not there or not what they were.
  private var damaged: [Catalogue.PublishedFile] = []
  /// Paths that the first look did not find in the catalogue.
  private var unknown: [[UInt8]] = []

  /// Reads every file of the library at `root` once.
  ///
  /// - Parameters:
  ///   - root: The library's folder.
  ///   - catalogue: What the catalogue said before.
  ///   - isHeld: Whether a run holds the library.
  ///   - laterCatalogue: Reads the catalogue anew; called when something differs.
  /// - Throws: `LibraryError` when the library cannot be read at all; a difference is a finding.
  package init(
    root: Descriptor,
    catalogue: CatalogueSnapshot,
    isHeld: Bool = false,
    laterCatalogue: () throws(LibraryError) -> CatalogueSnapshot
  ) throws(LibraryError) {
    self.root = root
    unfinished =
      isHeld ? "a run is working on it" : "a run was interrupted; the next one finishes it"
    for file in catalogue.published {
      do {
        guard let found = try digest(of: file) else {
          damaged.append(file)
          continue
        }
        files += 1
        bytes += found.bytes
        if found.sha256 != file.sha256 || found.bytes != file.bytes { damaged.append(file) }
      } catch {
        damaged.append(file)
      }
    }
    do {
      try lookAtFolders(catalogue)
      try lookAtStaging()
    } catch {
      throw LibraryError(error)
    }
    if !damaged.isEmpty || !unknown.isEmpty { try lookAgain(try laterCatalogue()) }
    damaged = []
    unknown = []
  }

  /// Adds the remark that files of batches which are not done have no outcome record yet.
  package mutating func noteUnrecorded(_ files: [Catalogue.PublishedFile]) {
    for file in files {
      report(.unfinished, file.path, "its record in the log follows: " + unfinished)
    }
  }

  private mutating func report(_ kind: Kind, _ path: String, _ detail: String) {
    findings.append(Finding(kind: kind, path: EscapedText.printable(path), detail: detail))
  }

  // MARK: The first look

  /// Reads a published file; nil when it is not there.
  private func digest(
    of file: Catalogue.PublishedFile
  ) throws(FileSystemError) -> (bytes: Int64, sha256: String)? {
    do {
      return try FileDigest.of([UInt8](file.path.utf8), beneath: root)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Notes the files that the catalogue does not have, and folders of a library that are not there.
  private mutating func lookAtFolders(_ catalogue: CatalogueSnapshot) throws(FileSystemError) {
    var expected: Set<[UInt8]> = []
    for file in catalogue.published { expected.insert([UInt8](file.path.utf8)) }
    for file in catalogue.superseded
    where expected.insert([UInt8](file.path.utf8)).inserted {
      report(.superseded, file.path, "the next run removes it")
    }
    for path in catalogue.unfinished.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where expected.insert(path).inserted {
      report(.unfinished, String(decoding: path, as: UTF8.self), unfinished)
    }
    for name in ["Originals", "Thumbnails"] {
      do {
        try FileSystem.forEachFile(beneath: root, [UInt8](name.utf8)) { path in
          if !expected.contains(path) { unknown.append(path) }
        }
      } catch  where error.isMissing {
        // The files that were in it are reported by themselves.
        report(.unfinished, name, "the folder is not there; the next run makes it")
      }
    }
  }

  private mutating func lookAtStaging() throws(FileSystemError) {
    let entries: [FileSystem.Entry]
    do {
      let staging = try FileSystem.openForReading(
        beneath: root,
        [UInt8](".staging".utf8),
        crossMounts: true,
        isFolder: true
      )
      entries = try FileSystem.entries(of: staging)
    } catch  where error.isMissing {
      report(.unfinished, ".staging", "the folder is not there; the next run makes it")
      return
    }
    for entry in entries {
      report(.unfinished, ".staging/" + EscapedText.percentEscaped(entry.name), unfinished)
    }
  }

  // MARK: The second look

  /// Reports what differs from the later catalogue too.
  ///
  /// A file is in its folder before its batch is `published`, and its batch is `staged` before that;
  /// it is superseded before it is removed, and removed before it is forgotten. So a catalogue that is
  /// read after a file was looked at knows of everything that a run did to it.
  private mutating func lookAgain(_ catalogue: CatalogueSnapshot) throws(LibraryError) {
    let suspects = Set(damaged.map(\.path))
    let current = Dictionary(
      catalogue.published.lazy.filter { suspects.contains($0.path) }.map { ($0.path, $0) }
    ) { $1 }
    for file in damaged {
      if let file = current[file.path] { compare(file) }
    }
    if unknown.isEmpty { return }
    var expected = catalogue.unfinished
    for file in catalogue.published + catalogue.superseded {
      expected.insert([UInt8](file.path.utf8))
    }
    for path in unknown where !expected.contains(path) && isThere(path) {
      report(.unknown, EscapedText.percentEscaped(path), "not in the catalogue")
    }
  }

  /// Reads a file once more, and reports what differs.
  private mutating func compare(_ file: Catalogue.PublishedFile) {
    do {
      guard let found = try digest(of: file) else {
        report(.missing, file.path, "in the catalogue, and not in its folder")
        return
      }
      if found.bytes != file.bytes {
        report(.changed, file.path, "\(found.bytes) bytes, \(file.bytes) expected")
      } else if found.sha256 != file.sha256 {
        report(.changed, file.path, "another SHA-256 than the catalogue's")
      }
    } catch {
      report(.changed, file.path, "\(error)")
    }
  }

  private func isThere(_ path: [UInt8]) -> Bool {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")),
      let folder = try? FileSystem.openForReading(
        beneath: root,
        [UInt8](path[..<slash]),
        crossMounts: true,
        isFolder: true
      )
    else { return false }
    return (try? FileSystem.status(in: folder, name: [UInt8](path[(slash + 1)...]))) != nil
  }
}
