package import MediaFileSystem
internal import MediaManifest
package import MediaModel

/// The files of a folder, counted by their names alone: none is opened.
package struct FolderSurvey: Sendable, Hashable {
  /// The files whose name is that of media, by its kind.
  package private(set) var media: [MediaType: Int] = [:]
  /// Files that programs keep beside media.
  package private(set) var sidecars = 0
  package private(set) var others = 0
  /// Whether the folder is a camera's memory card or one of the folders that cameras make on it.
  package private(set) var isMemoryCard = false
  /// The manifest's `kind` of a source with albums of its own, which names tell; nil for an ordinary folder.
  package private(set) var kind: SourceLayout?
  /// The zip files and `.tgz` files.
  package private(set) var archives = 0
  private var areAllZIP = true
  /// The first Photos library within the folder, if there is one: nothing there says which of its originals are hidden.
  package private(set) var innerPhotosLibrary: ItemPath?

  private static let sidecarExtensions: Set<String> = [
    "xmp", "aae", "thm", "json", "pp3", "dop", "lrv", "lrf", "srt", "gpx",
  ]

  private static let makers: [SourceLayout: String] = [
    .takeout: "a Google Takeout", .photosLibrary: "an Apple Photos library",
    .iCloudExport: "an export of iCloud Photos",
  ]

  /// What made the folder, with its article; nil for an ordinary one.
  var maker: String? { kind.flatMap { Self.makers[$0] } ?? (isMemoryCard ? "a camera's memory card" : nil) }

  /// The folders that cameras make, in lower case: at the top of a card, or but for the first in its `PRIVATE`.
  ///
  /// Source: JEITA CP-3461 (DCF) for DCIM; AVCHD; XAVC S has M4ROOT, XAVC on XQD cards XDROOT.
  private static let cardFolders: Set<String> = ["dcim", "avchd", "m4root", "xdroot"]

  /// Lists a folder and the folders beneath it.
  ///
  /// - Throws: `FileSystemError` when a folder cannot be listed.
  package init(_ folder: [UInt8]) throws(FileSystemError) {
    let root = try FileSystem.openFolder(folder)
    let folders = try Self.folders(in: root)
    let ownName = folder.split(separator: UInt8.slash).last ?? []
    isMemoryCard = ([Array(ownName)] + folders).contains(where: Self.isOfCard)
    if !isMemoryCard, let name = folders.first(where: { Self.lowercased($0) == "private" }) {
      isMemoryCard = try Self.folders(
        in: FileSystem.openForReading(beneath: root, name, crossMounts: true, isFolder: true)
      ).contains(where: Self.isOfCard)
    }
    if folders.isSuperset(of: ["database", "originals"].map { [UInt8]($0.utf8) }) {
      kind = .photosLibrary
    } else if (folders + [Array(ownName)]).contains(where: Self.isFolderOfTakeout) {
      kind = .takeout
    } else if (folders + [Array(ownName)]).contains(where: Self.isOfICloudExport) {
      kind = .iCloudExport
    }
    let rules = IgnoreRules()
    try FileSystem.forEachFile(beneath: root, [UInt8.dot]) { path in
      // Behind "./"; a run leaves out by default what these rules do.
      let path = ItemPath(bytes: Array(path.dropFirst(2)))
      let isIgnored = rules.ignores(file: path) {
        (try? FileSystem.status(in: root, name: $0.bytes)) != nil
      }
      if isIgnored { return }
      count(path)
      if innerPhotosLibrary == nil { innerPhotosLibrary = Self.photosLibrary(holding: path, rules) }
    }
  }

  private static func folders(in folder: Descriptor) throws(FileSystemError) -> Set<[UInt8]> {
    Set(try FileSystem.entries(of: folder).filter { $0.kind == .folder }.map(\.name))
  }

  private static func photosLibrary(holding file: ItemPath, _ rules: IgnoreRules) -> ItemPath? {
    for (index, byte) in file.bytes.enumerated() where byte == .slash {
      let folder = ItemPath(bytes: Array(file.bytes[..<index]))
      if rules.isBundle(folder) { return folder }
    }
    return nil
  }

  private static func lowercased(_ name: [UInt8]) -> String {
    String(decoding: name, as: UTF8.self).lowercased()
  }

  private static func isOfCard(_ name: [UInt8]) -> Bool { cardFolders.contains(lowercased(name)) }

  /// Whether a name is that of a JSON file of a Takeout: `a.jpg.supplemental-metadata.json`, whose middle Google cuts
  /// where the name gets long.
  private static func isOfTakeout(_ path: ItemPath) -> Bool {
    let parts = path.name.split(separator: UInt8.dot)
    guard parts.count > 2, path.fileExtension == "json", let word = parts.dropLast().last else {
      return false
    }
    // Exports of before 2024 have a.jpg.json, as other programs do.
    return word.count > 4 && "supplemental-metadata".utf8.starts(with: word)
      || path.folder.split(separator: UInt8.slash).contains(where: isFolderOfTakeout)
  }

  /// Whether a name is that of a folder in each Takeout, or of a year in an English one.
  private static func isFolderOfTakeout(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let year = "Photos from "
    return ["Takeout", "Google Photos"].contains { name.elementsEqual($0.utf8) }
      || name.starts(with: year.utf8) && name.count == year.utf8.count + 4
        && name.suffix(4).allSatisfy(\.isASCIIDigit)
  }

  /// Whether a name is that of a part of an export of iCloud Photos, `iCloud Photos Part 1 of 2`, or of its CSV files,
  /// `Photo Details-1.csv`.
  private static func isOfICloudExport(_ name: some Collection<UInt8>) -> Bool {
    let name = lowercased(Array(name))
    return name.hasPrefix("icloud photos part ") || name.hasPrefix("photo details") && name.hasSuffix(".csv")
  }

  private mutating func count(_ path: ItemPath) {
    let isHidden = path.name.first == .dot
    if !isHidden, let format = MediaFormat(fileExtension: path.fileExtension) {
      media[format.mediaType, default: 0] += 1
    } else if Self.sidecarExtensions.contains(path.fileExtension) {
      sidecars += 1
      if kind == nil, Self.isOfTakeout(path) { kind = .takeout }
    } else if let format = ArchiveFormat(of: path) {
      archives += 1
      if format != .zip { areAllZIP = false }
      // Source: Google Takeout, takeout-20230801T120000Z-001.zip, or .tgz; in the folder itself alone are they read.
      if kind == nil, path.folder.isEmpty, path.name.starts(with: "takeout-".utf8) { kind = .takeout }
      if kind == nil, path.folder.isEmpty, Self.isOfICloudExport(path.name) { kind = .iCloudExport }
    } else {
      if kind == nil, Self.isOfICloudExport(path.name) { kind = .iCloudExport }
      others += 1
    }
  }

  /// `3 pictures, 1 video`, without the kinds of which there is none, behind what made the folder.
  package var text: String {
    let maker = maker.map { $0 + " with " } ?? ""
    let counts = [
      (media[.image] ?? 0, "picture"), (media[.video] ?? 0, "video"),
      (media[.audio] ?? 0, "sound"), (sidecars, "sidecar"), (archives, areAllZIP ? "zip file" : "archive"),
      (others, "other file"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    return maker + (parts.isEmpty ? "no files" : parts.joined(separator: ", "))
  }
}
