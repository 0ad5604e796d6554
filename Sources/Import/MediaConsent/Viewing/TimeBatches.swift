internal import Glibc
internal import MediaLibrary
internal import MediaModel
internal import MediaPicking

/// The files of a list whose capture times are read, in batches of which each has a worker of its own.
///
/// Of a batch one file is read at a time, so that a worker which ends costs no other file its time.
struct TimeBatches {
  /// The files of a batch: what a worker costs, some 10 ms, is divided by them, and a hostile file can change the
  /// times of no others.
  static let batchCount = 64
  /// The files that are read at most: a look at a large folder reads the headers of these alone.
  static let maximumCount = 5_000

  /// A file that is to be read.
  struct File: Hashable {
    /// Which candidate of the list it is.
    var index: Int
    var batch: Int
    var isLastOfBatch: Bool
  }

  private struct Batch {
    var number: Int
    /// The places in ``indexes`` of the files that are not begun.
    var ranks: Range<Int>
    var isBusy = false
  }

  /// The candidates that are read, those whose files changed last first.
  private let indexes: [Int]
  /// The most batches that are begun at once.
  private let width: Int
  /// The batches that are begun and not over.
  private var batches: [Batch] = []
  /// The number of files whose batch is begun.
  private var begunCount = 0

  /// Makes batches of the candidates that say no capture time.
  ///
  /// - Parameters:
  ///   - candidates: The whole list.
  ///   - width: The most batches that are begun at once.
  init(_ candidates: [PickCandidate], width: Int) {
    let times = candidates.map(\.modified)
    indexes = Array(
      candidates.indices.filter { candidates[$0].taken == nil }
        .sorted { (times[$0], $1) > (times[$1], $0) }
        .prefix(Self.maximumCount)
    )
    self.width = width
  }

  /// Whether no file is left, and none is being read.
  var isOver: Bool { batches.isEmpty && begunCount == indexes.count }

  /// Begins with the next file of a batch of which none is being read.
  ///
  /// - Parameter hasRoom: Whether there is a worker for a batch.
  /// - Returns: The file; nil when none can be read now.
  mutating func next(_ hasRoom: (_ batch: Int) -> Bool) -> File? {
    while batches.count < width, begunCount < indexes.count {
      let end = min(begunCount + Self.batchCount, indexes.count)
      batches.append(Batch(number: begunCount / Self.batchCount, ranks: begunCount..<end))
      begunCount = end
    }
    let free = batches.firstIndex { !$0.isBusy && hasRoom($0.number) }
    guard let free, let rank = batches[free].ranks.popFirst() else { return nil }
    batches[free].isBusy = true
    return File(
      index: indexes[rank],
      batch: batches[free].number,
      isLastOfBatch: batches[free].ranks.isEmpty
    )
  }

  /// Notes that a file was read, or cannot be.
  mutating func finish(_ file: File) {
    guard let index = batches.firstIndex(where: { $0.number == file.batch }) else { return }
    batches[index].isBusy = false
    if batches[index].ranks.isEmpty { batches.remove(at: index) }
  }
}

extension PickCandidate {
  /// When it was taken, as an import finds it without settings of its own: by the file, then by its name.
  ///
  /// - Parameter facts: What the first file says, with its description; nil where it cannot be read.
  /// - Returns: As ``MediaPicking/PickCandidate/taken``.
  func captureTime(by facts: Facts?) -> Int64? {
    guard let path = files.first else { return nil }
    let saved = Int64(Glibc.time(nil)) * 1_000_000
    var facts = facts ?? Facts(format: .jpeg)
    facts.description = facts.description ?? MediaDescription()
    let completed = facts.completed(path: path, modified: modified, saved: saved, rules: DateRules())
    // The clock's own time, wherever that was.
    return completed.creationDate?.localNanoseconds
  }
}
