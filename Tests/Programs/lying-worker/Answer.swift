internal import Glibc
internal import MediaDigest
internal import MediaModel
internal import MediaWorkerProtocol

/// The parts of an honest answer, so that a lie changes one and keeps the others.
///
/// The output is a copy of the source, and so is each thumbnail, which suits the test's small
/// JPEGs.
struct Answer {
  let job: Job
  let bytes: [UInt8]
  var facts = Facts(format: .jpeg, pixelSize: PixelSize(width: 64, height: 48))
  var digest: [UInt8]
  var accepted = true
  var isCut = false
  var operations: [EditOperation]
  /// Indexes and counts of the kinds of removed metadata.
  var removed: [(index: UInt32, count: UInt32)] = []

  init(_ job: Job, bytes: [UInt8]) {
    self.job = job
    self.bytes = bytes
    digest = SHA256.hash(bytes)
    operations = [.copy(offset: 0, length: UInt64(bytes.count))]
  }

  var identifier: UInt64 { job.identifier }
  var factsFrame: [UInt8] {
    WorkerMessage.facts(
      job: identifier,
      facts,
      sourceSHA256: digest,
      accepted: accepted,
      isCut: isCut
    ).frame
  }
  var editFrame: [UInt8] { WorkerMessage.edit(job: identifier, operations).frame }
  var editEndFrame: [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let head = [4] + bytes(identifier) + bytes(UInt32(removed.count))
    return (head + removed.flatMap { bytes($0.index) + bytes($0.count) }).framed
  }
  var editFrames: [[UInt8]] { job.wantsEditList ? [editFrame, editEndFrame] : [] }
  var thumbnailFrames: [[UInt8]] { job.thumbnails.map { thumbnail(of: $0) } }
  var doneFrame: [UInt8] { WorkerMessage.done(job: identifier).frame }
  var frames: [[UInt8]] { [factsFrame] + editFrames + thumbnailFrames + [doneFrame] }

  /// Returns one frame of a thumbnail; arguments that are not given are honest.
  func thumbnail(
    of spec: ThumbnailSpec,
    name: String? = nil,
    size: PixelSize? = nil,
    bytes: [UInt8]? = nil,
    isLast: Bool = true
  ) -> [UInt8] {
    WorkerMessage.thumbnail(
      job: identifier,
      name: name ?? spec.name,
      size: size ?? spec.size,
      bytes: bytes ?? self.bytes,
      isLast: isLast
    ).frame
  }
}

extension Array where Element == UInt8 {
  /// Returns the bytes with each occurrence of one text replaced by another of the same length.
  func replacing(_ text: String, with bytes: [UInt8]) -> [UInt8] {
    let wanted = Array(text.utf8)
    precondition(wanted.count == bytes.count)
    var result = self
    for start in 0...(count - wanted.count)
    where result[start..<(start + wanted.count)].elementsEqual(wanted) {
      result.replaceSubrange(start..<(start + wanted.count), with: bytes)
    }
    return result
  }

  /// Returns a content as a frame, with its length first.
  var framed: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + self
  }
}
