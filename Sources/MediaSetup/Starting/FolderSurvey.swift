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

  private static let sidecarExtensions: Set<String> = [
    "xmp", "aae", "thm", "json", "pp3", "dop", "lrv", "lrf", "srt", "gpx",
  ]

  /// Lists a folder and the folders beneath it.
  ///
  /// - Throws: `FileSystemError` when a folder cannot be listed.
  package init(_ folder: [UInt8]) throws(FileSystemError) {
    let root = try FileSystem.openFolder(folder)
    isCameraCard = try FileSystem.entries(of: root)
      .contains { $0.kind == .folder && $0.name == [UInt8]("DCIM".utf8) }
    try FileSystem.forEachFile(beneath: root, [UInt8(ascii: ".")]) { count(ItemPath(bytes: $0)) }
  }

  private mutating func count(_ path: ItemPath) {
    let isHidden = path.name.first == UInt8(ascii: ".")
    if !isHidden, let format = MediaFormat(fileExtension: path.fileExtension) {
      media[format.mediaType, default: 0] += 1
    } else if Self.sidecarExtensions.contains(path.fileExtension) {
      sidecars += 1
    } else {
      others += 1
    }
  }

  /// `3 pictures, 1 video`, without the kinds of which there is none.
  package var text: String {
    let counts = [
      (media[.image] ?? 0, "picture"), (media[.video] ?? 0, "video"),
      (media[.audio] ?? 0, "sound"), (sidecars, "sidecar"), (others, "other file"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    return parts.isEmpty ? "no files" : parts.joined(separator: ", ")
  }
}
