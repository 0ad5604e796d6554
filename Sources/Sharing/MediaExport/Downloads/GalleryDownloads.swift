internal import MediaDigest
internal import MediaFileSystem
internal import MediaGallery
internal import MediaModel

/// Makes "Download all" of a gallery: ZIPs of its originals, once these are in the folder.
struct GalleryDownloads {
  /// How much a ZIP has at most.
  struct Limits {
    /// Bytes of the whole file: less than the 2 GiB of programs that count with a sign, and than the 4 GB of FAT32.
    var bytes: Int64 = 2_000_000_000
    /// Without ZIP64 there are no more.
    var files = 65_535
  }

  /// An original, by its picture and its place among the downloads of that: there may be 100,000.
  private struct Item {
    var position: Int32
    var place: Int32
  }

  private struct Part {
    var items: [Item] = []
    var bytes = ZIPEntry.endLength
    /// The time of the newest file, in nanoseconds since 1970.
    var modified = Int64.min
    /// Of what it is made.
    var digest = SHA256()
  }

  private let folder: ExportFolder
  private let gathered: GatheredPictures
  private let limits: Limits
  private var parts: [Part] = []
  /// The originals that are too long for a ZIP.
  private var alone: [GalleryDownload] = []

  /// - Parameters:
  ///   - folder: The gallery's folder, in which the originals are.
  ///   - gathered: The pictures.
  ///   - limits: How much a ZIP has at most.
  /// - Throws: ``ExportError``, and `FileSystemError` when the pictures cannot be read.
  init(in folder: ExportFolder, _ gathered: GatheredPictures, limits: Limits = Limits()) throws {
    (self.folder, self.gathered, self.limits) = (folder, gathered, limits)
    let made = try folder.made()
    // In the order of saving, so that what is new is in the last one.
    for position in gathered.rows.indices.sorted(by: { gathered.rows[$0] < gathered.rows[$1] }) {
      for (place, download) in try gathered.pictures[position].downloads.enumerated() {
        guard let file = try made.file(at: Array(download.path.utf8)), !file.isLink else { continue }
        add(download, file, Item(position: Int32(position), place: Int32(place)))
      }
    }
    // One file has a download of its own.
    if parts.reduce(alone.count, { $0 + $1.items.count }) < 2 { (parts, alone) = ([], []) }
  }

  private mutating func add(
    _ download: (path: String, name: String),
    _ file: ExportList.File,
    _ item: Item
  ) {
    let entry = ZIPEntry(name: Array(download.name.utf8), size: file.size, modified: file.modified)
    guard entry.bytes + ZIPEntry.endLength <= limits.bytes else {
      alone.append(GalleryDownload(path: download.path, name: download.name, bytes: file.size))
      return
    }
    let isFull = parts.last.map { $0.bytes + entry.bytes > limits.bytes || $0.items.count == limits.files }
    if isFull ?? true { parts.append(Part()) }
    let last = parts.count - 1
    parts[last].items.append(item)
    parts[last].bytes += entry.bytes
    parts[last].modified = max(parts[last].modified, file.modified)
    parts[last].digest.update(Array("\(file.sha256) \(file.size) \(file.modified) \(download.name)\0".utf8))
  }

  /// Makes the ZIPs, and takes over those of which nothing has changed.
  ///
  /// - Parameters:
  ///   - title: That of the gallery, after which they are named.
  ///   - room: The bytes that there is room for; nil where that is not known.
  ///   - announce: Is told before anything is made how many bytes the new ones take, and how many they are.
  /// - Returns: The ZIPs, without one that the file system cannot hold, and the originals that are too long for one.
  /// - Throws: ``ExportError``, also when there is not so much room.
  func make(
    titled title: String,
    room: Int64?,
    announce: (_ bytes: Int64, _ count: Int) -> Void
  ) throws -> [GalleryDownload] {
    let paths = parts.indices.map { Array("downloads/pictures-\($0 + 1).zip".utf8) }
    let recipes = parts.map { part in
      var digest = part.digest
      digest.update(Array("zip 1".utf8))
      return Hexadecimal.text(digest.finalize())
    }
    var isThere = try parts.indices.map { try folder.keep(recipes[$0], at: paths[$0]) }
    let lacking = parts.indices.filter { !isThere[$0] }
    let bytes = lacking.reduce(0) { $0 + parts[$1].bytes }
    if !lacking.isEmpty { announce(bytes, lacking.count) }
    if let room, bytes > room { throw ExportError.noRoom(bytes, of: room, folder.shown) }
    for index in lacking {
      isThere[index] = try folder.write(
        to: paths[index],
        recipe: recipes[index],
        modified: parts[index].modified
      ) {
        try write(parts[index], to: $0)
      }
    }
    let name = DownloadNames.portable(title.isEmpty ? "Pictures" : title)
    return parts.indices.filter { isThere[$0] }.map { index in
      GalleryDownload(
        path: String(decoding: paths[index], as: UTF8.self),
        name: name + (parts.count > 1 ? " \(index + 1) of \(parts.count)" : "") + ".zip",
        bytes: parts[index].bytes,
        fileCount: parts[index].items.count
      )
    } + alone
  }

  private func write(_ part: Part, to zip: Descriptor) throws {
    var writer = ZIPWriter(to: zip)
    for item in part.items {
      let download = try gathered.pictures[Int(item.position)].downloads[Int(item.place)]
      let file = try folder.openMade(Array(download.path.utf8))
      let status = try file.status()
      let entry = ZIPEntry(name: Array(download.name.utf8), size: status.size, modified: status.modified)
      try writer.add(entry, from: file)
    }
    try writer.finish()
  }
}

extension ExportError {
  fileprivate static func noRoom(_ bytes: Int64, of room: Int64, _ shown: String) -> Self {
    Self(
      .failed,
      "\(shown) was not written: \"Download all\" takes \(ByteCount.text(bytes)), and there is room for "
        + "\(ByteCount.text(room)). Nothing was changed; make room and repeat the command, or leave it out by "
        + "--no-download-all."
    )
  }
}
