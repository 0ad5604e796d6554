internal import MediaContainers
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads an archive as a worker does, and what it says as the coordinator does.
enum ArchiveCheck {
  /// The entries whose content is read; each may inflate to a thousand times its length.
  private static let contents = 8

  static func check(_ source: ByteSource) {
    guard let archive = try? ZIPArchive(source) else { return }
    var entries: [ArchiveEntry] = []
    try? archive.forEachFile { entries.append($0) }
    MessageCheck.check(.entries(job: 1, entries))
    pair(entries.compactMap(\.path))
    for entry in entries.prefix(contents) { read(entry, of: archive) }
  }

  private static func pair(_ paths: [ItemPath]) {
    let names = paths.map { Array($0.name) }
    let sidecars = names.filter { TakeoutNames.isSidecar($0) }
    let media = names.filter { !TakeoutNames.isSidecar($0) }
    for name in media { _ = TakeoutNames.originalStem(of: name) }
    let described = TakeoutNames.pairs(sidecars: sidecars, media: media)
      .flatMap { [$0.owner] + $0.others }
    if Set(described).count != described.count { finding("a file is in two pairs") }
  }

  private static func read(_ entry: ArchiveEntry, of archive: ZIPArchive) {
    var length: Int64 = 0
    let isWhole = (try? archive.content(of: entry) { length += Int64($0.count) }) != nil
    if isWhole ? length != entry.size : length > entry.size {
      finding("\(length) bytes of an entry of \(entry.size)")
    }
  }
}
