package import MediaFileSystem
internal import MediaListing
package import MediaManifest
package import MediaModel

/// A track of a source, or a file of names of places.
package struct TrackFile {
  /// The absolute path: it need not lie within its source.
  package var path: ItemPath
  package var status: FileStatus
  /// The folder that it lies in, opened with O_PATH.
  package var folder: Descriptor
  package var name: ItemPath
  /// The SHA-256 that the manifest names, hexadecimal.
  package var sha256: String?
}

/// The files of a source's tracks, or that of names of places, by their names: none of them is opened here.
package struct TrackFiles {
  /// The most files of a source.
  private static let maximumCount = 10_000

  /// In the order of their paths.
  package private(set) var files: [TrackFile] = []
  /// What is not read, for a person.
  package private(set) var problems = TrackProblems()
  /// The patterns that match nothing.
  package private(set) var unmatched: [SelectionPattern] = []

  /// Looks for the files.
  ///
  /// - Parameters:
  ///   - patterns: Those of the manifest.
  ///   - folder: What they are relative to, absolute.
  ///   - refused: Absolute paths of folders that must not hold a track.
  /// - Throws: `RunError`, `sourcesOverlap`, when a folder of tracks is, or is in, one of `refused`.
  package init(
    _ patterns: [SelectionPattern],
    relativeTo folder: [UInt8],
    refused: [[UInt8]]
  ) throws(RunError) {
    var matched: Set<SelectionPattern> = []
    var subfolders: [[UInt8]] = []
    for subfolder in patterns.compactMap(\.folderOfFiles) where !subfolders.contains(subfolder) {
      subfolders.append(subfolder)
      let path = subfolder.isEmpty ? folder : folder + [UInt8.slash] + subfolder
      // A folder is no more found through a link than a file is.
      guard let base = try? FileSystem.openPath(folder),
        let root = subfolder.isEmpty ? base : try? FileSystem.openPath(beneath: base, subfolder)
      else { continue }
      try OpenedRoot.check(root, shown: path, of: .tracks, refused: refused)
      for name in Self.names(in: root) {
        let relative = subfolder.isEmpty ? name : subfolder + [UInt8.slash] + name
        let matching = patterns.filter { $0.matches(ItemPath(bytes: relative)) }
        if matching.isEmpty { continue }
        matched.formUnion(matching)
        add(name, in: root, path)
      }
    }
    files.sort { $0.path < $1.path }
    if files.count > Self.maximumCount {
      problems.append("Of \(files.count) tracks the first \(Self.maximumCount) are read.")
      files.removeLast(files.count - Self.maximumCount)
    }
    unmatched = patterns.filter { !matched.contains($0) }
  }

  /// Looks for the file of names of places.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - sha256: The SHA-256 that the file has to have, hexadecimal; nil for any.
  ///   - refused: Absolute paths of folders that must not hold it.
  /// - Throws: `RunError`, `sourcesOverlap`, when its folder is, or is in, one of `refused`.
  package init(placeNames path: [UInt8], sha256: String?, refused: [[UInt8]]) throws(RunError) {
    let shown = ItemPath(bytes: path)
    let folder = shown.folder.isEmpty ? [UInt8.slash] : Array(shown.folder)
    let name = Array(shown.name)
    guard let root = try? FileSystem.openPath(folder) else {
      problems.append(LocationData.placeNames.notUsed(shown, "its folder is not there"))
      return
    }
    try OpenedRoot.check(root, shown: folder, of: .placeNames, refused: refused)
    guard let status = try? FileSystem.status(in: root, name: name), status.kind == .regular else {
      problems.append(LocationData.placeNames.notUsed(shown, "it is not there, or is a link or a folder"))
      return
    }
    let file = ItemPath(bytes: name)
    files.append(TrackFile(path: shown, status: status, folder: root, name: file, sha256: sha256))
  }

  private static func names(in root: Descriptor) -> [[UInt8]] {
    guard
      let open = try? FileSystem.openForReading(
        beneath: root,
        [UInt8.dot],
        crossMounts: true,
        isFolder: true
      ), let entries = try? FolderEntries(of: open)
    else { return [] }
    return entries.map(\.name)
  }

  private mutating func add(_ name: [UInt8], in root: Descriptor, _ folder: [UInt8]) {
    let path = ItemPath(bytes: folder + [UInt8.slash] + name)
    guard let status = try? FileSystem.status(in: root, name: name), status.kind == .regular else {
      problems.append("\"\(path.text)\" is no track: links and folders are not read.")
      return
    }
    files.append(TrackFile(path: path, status: status, folder: root, name: ItemPath(bytes: name)))
  }
}
