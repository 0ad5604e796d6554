package import MediaFileSystem
package import MediaModel

/// The files of a folder, counted by their names alone: none is opened.
package struct FolderSurvey: Sendable, Hashable {
  /// The files whose name is that of media, by its kind.
  package private(set) var media: [MediaType: Int] = [:]
  /// Files that programs keep beside media.
  package private(set) var sidecars = 0
  package private(set) var others = 0
  /// Whether the folder is that of a camera's card: it holds `DCIM`. Source: JEITA CP-3461, DCF.
  package private(set) var isCameraCard = false
  /// The manifest's `kind` of a source with albums of its own, which names tell; nil for an ordinary folder.
  package private(set) var kind: SourceLayout?
  /// The zip files.
  package private(set) var archives = 0

  private static let sidecarExtensions: Set<String> = [
    "xmp", "aae", "thm", "json", "pp3", "dop", "lrv", "lrf", "srt", "gpx",
  ]

  private static let makers: [SourceLayout: String] = [
    .takeout: "a Google Takeout", .photosLibrary: "an Apple Photos library",
  ]

  /// Lists a folder and the folders beneath it.
  ///
  /// - Throws: `FileSystemError` when a folder cannot be listed.
  package init(_ folder: [UInt8]) throws(FileSystemError) {
    let root = try FileSystem.openFolder(folder)
    let folders = Set(try FileSystem.entries(of: root).filter { $0.kind == .folder }.map(\.name))
    isCameraCard = folders.contains([UInt8]("DCIM".utf8))
    if folders.isSuperset(of: ["database", "originals"].map { [UInt8]($0.utf8) }) {
      kind = .photosLibrary
    } else if folders.contains([UInt8]("Takeout".utf8)) {
      kind = .takeout
    }
    try FileSystem.forEachFile(beneath: root, [UInt8(ascii: ".")]) { count(ItemPath(bytes: $0)) }
  }

  private mutating func count(_ path: ItemPath) {
    let isHidden = path.name.first == UInt8(ascii: ".")
    if !isHidden, let format = MediaFormat(fileExtension: path.fileExtension) {
      media[format.mediaType, default: 0] += 1
    } else if Self.sidecarExtensions.contains(path.fileExtension) {
      sidecars += 1
      if kind == nil, path.text.hasSuffix(".supplemental-metadata.json") { kind = .takeout }
    } else if path.fileExtension == "zip" {
      archives += 1
      // Source: Google Takeout, takeout-20230801T120000Z-001.zip; in the folder itself alone are they read.
      if kind == nil, path.folder.allSatisfy({ $0 == UInt8(ascii: ".") }),
        path.name.starts(with: "takeout-".utf8)
      {
        kind = .takeout
      }
    } else {
      others += 1
    }
  }

  /// `3 pictures, 1 video`, without the kinds of which there is none, behind what made the folder.
  package var text: String {
    let maker = kind.map { "\(Self.makers[$0] ?? "") with " } ?? ""
    let counts = [
      (media[.image] ?? 0, "picture"), (media[.video] ?? 0, "video"),
      (media[.audio] ?? 0, "sound"), (sidecars, "sidecar"), (archives, "zip file"),
      (others, "other file"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    return maker + (parts.isEmpty ? "no files" : parts.joined(separator: ", "))
  }
}
