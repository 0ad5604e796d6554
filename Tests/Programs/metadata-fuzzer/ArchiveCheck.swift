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

  /// Takes a tar at once and in pieces, which must give the same.
  static func checkTAR(_ input: UnsafeRawBufferPointer) {
    let whole = files(input, pieces: max(1, input.count))
    if files(input, pieces: 333) != whole { finding("pieces of a tar have other files") }
    for entry in whole {
      guard entry.header >= 0, entry.size >= 0, entry.method != 0 || entry.header + entry.size <= input.count
      else {
        return finding("a file outside of the tar")
      }
    }
    if ArchiveEntry.overlap(whole) { finding("files of a tar overlap") }
    for entry in whole { MessageCheck.check(.entries(job: 1, [entry])) }
  }

  private static func files(_ input: UnsafeRawBufferPointer, pieces: Int) -> [ArchiveEntry] {
    var parser = TARParser()
    var entries: [ArchiveEntry] = []
    for start in stride(from: 0, to: input.count, by: pieces) {
      let piece = UnsafeRawBufferPointer(rebasing: input[start...].prefix(pieces))
      guard (try? parser.take(piece, { entries.append($0) })) != nil else { break }
    }
    return entries
  }

  /// Lists an archive, and reads some of its files from the points that the list has found.
  static func checkTGZ(_ source: ByteSource) {
    var entries: [ArchiveEntry] = []
    var points: [InflatePoint] = []
    let archive = TGZArchive(source)
    let isWhole =
      (try? archive.forEachFile {
        entries.append($0)
      } onPoint: {
        points.append($0)
      }) != nil
    for point in points { MessageCheck.check(.inflatePoint(job: 1, point)) }
    for entry in entries.filter({ $0.method == 0 }).prefix(contents) {
      var length: Int64 = 0
      let point = points.last { $0.output <= entry.header }
      let isRead = (try? archive.content(of: entry, from: point) { length += Int64($0.count) }) != nil
      if isWhole ? !isRead || length != entry.size : length > entry.size {
        finding("\(length) bytes of a file of \(entry.size)")
      }
    }
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
