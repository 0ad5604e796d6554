package import MediaModel

/// A worker's messages about a job, in the order `facts`, `edit`…, `editEnd`, `thumbnail`…, `done`; of a
/// sidecar `sidecar`, `done`; or `failed` at any point.
package enum WorkerMessage: WireValue, Hashable {
  /// The first frame of a worker.
  case hello(protocolVersion: UInt32, build: String)
  /// The facts of the file; `sourceSHA256` is a hint, 32 bytes, nil unless the job wants it.
  /// `accepted` is false when the job does not accept the file's media type, and `done` follows.
  /// `isCut` tells that the file lacks a part which its container promises.
  case facts(job: UInt64, Facts, sourceSHA256: [UInt8]?, accepted: Bool, isCut: Bool = false)
  /// Operations of the edit list, in output order.
  case edit(job: UInt64, [EditOperation])
  /// The values that the output does not have, in the order of the tags.
  case editEnd(job: UInt64, removed: [RemovedTag])
  /// A part of a thumbnail's bytes; the first part with a name begins it, `isLast` ends it. The hashes are
  /// in the last part.
  case thumbnail(
    job: UInt64,
    name: String,
    size: PixelSize,
    bytes: [UInt8],
    isLast: Bool,
    hashes: PictureHashes? = nil
  )
  case done(job: UInt64)
  /// The description in a sidecar; `sourceSHA256` is a hint, 32 bytes.
  case sidecar(job: UInt64, MediaDescription, sourceSHA256: [UInt8])
  /// Files of an archive, in the order of its directory, or of the tar.
  case entries(job: UInt64, [ArchiveEntry])
  /// A part of the content of an archive's file.
  case content(job: UInt64, [UInt8])
  /// Points of a GPS track, in the order of the file.
  case points(job: UInt64, [TrackPoint])
  /// Entries of a file of names of places, in the order of the file.
  case places(job: UInt64, [GazetteerEntry])
  /// Bytes of a film that is made, which stand at an offset of it; parts come in no order, and what none has is
  /// zero.
  case film(job: UInt64, offset: Int64, [UInt8])
  /// The hundredths of a film that are converted, 0 to 99.
  case filmProgress(job: UInt64, percent: Int)
  /// A point from which on an archive can be inflated, in ascending order.
  case inflatePoint(job: UInt64, InflatePoint)
  /// The item cannot be processed; `detail` is for the log and must be escaped for a terminal.
  case failed(job: UInt64, step: ItemStep, reason: ItemReason, detail: String)

  /// Both programs must be of one build; the version makes a mismatch fail early and clearly.
  package static let protocolVersion: UInt32 = 7

  /// The job that this message is about; nil for `hello`.
  package var job: UInt64? {
    switch self {
    case .hello: nil
    case .facts(let job, _, _, _, _), .edit(let job, _), .editEnd(let job, _),
      .thumbnail(let job, _, _, _, _, _), .done(let job), .failed(let job, _, _, _),
      .sidecar(let job, _, _), .entries(let job, _), .content(let job, _),
      .points(let job, _), .places(let job, _), .film(let job, _, _),
      .filmProgress(let job, _), .inflatePoint(let job, _):
      job
    }
  }

  package func put(into writer: inout WireWriter) {
    switch self {
    case .hello(let version, let build):
      writer.put(UInt8(1))
      writer.put(version)
      writer.put(build)
    case .facts(let job, let facts, let digest, let accepted, let isCut):
      writer.begin(2, job)
      writer.put(facts)
      writer.put(digest) { $0.put($1) }
      writer.put(accepted)
      writer.put(isCut)
    case .edit(let job, let operations):
      writer.begin(3, job)
      writer.put(all: operations) { $0.put($1) }
    case .editEnd(let job, let removed):
      writer.begin(4, job)
      writer.put(all: removed) { $0.put($1) }
    case .thumbnail(let job, let name, let size, let bytes, let isLast, let hashes):
      writer.begin(5, job)
      writer.put(name)
      writer.put(size)
      writer.put(bytes)
      writer.put(isLast)
      writer.put(hashes) {
        $0.put($1.perceptual.bits)
        $0.put($1.thumb.bytes)
      }
    case .done(let job): writer.begin(6, job)
    case .failed(let job, let step, let reason, let detail):
      writer.begin(7, job)
      writer.put(step.rawValue)
      writer.put(reason.rawValue)
      // A character that is cut becomes a replacement character of three bytes.
      writer.put(String(decoding: detail.utf8.prefix(4000), as: UTF8.self))
    case .sidecar(let job, let description, let digest):
      writer.begin(8, job)
      writer.put(description)
      writer.put(digest)
    case .entries, .content, .inflatePoint: putOfArchive(into: &writer)
    case .points(let job, let points):
      writer.begin(11, job)
      writer.put(all: points) { $0.put($1) }
    case .places(let job, let entries):
      writer.begin(12, job)
      writer.put(all: entries) { $0.put($1) }
    case .film(let job, let offset, let bytes):
      writer.begin(13, job)
      writer.put(offset)
      writer.put(bytes)
    case .filmProgress(let job, let percent):
      writer.begin(14, job)
      writer.put(UInt8(clamping: percent))
    }
  }

  private func putOfArchive(into writer: inout WireWriter) {
    switch self {
    case .entries(let job, let entries):
      writer.begin(9, job)
      writer.put(all: entries) { $0.put($1) }
    case .content(let job, let bytes):
      writer.begin(10, job)
      writer.put(bytes)
    case .inflatePoint(let job, let point):
      writer.begin(15, job)
      writer.put(point)
    default: break
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    switch try reader.integer(UInt8.self) {
    case 1:
      self = .hello(protocolVersion: try reader.integer(), build: try reader.text(limit: 256))
    case 2:
      let job = try reader.integer(UInt64.self)
      let facts = try reader.facts()
      let digest = try reader.bool() ? try reader.digest() : nil
      self = .facts(
        job: job,
        facts,
        sourceSHA256: digest,
        accepted: try reader.bool(),
        isCut: try reader.bool()
      )
    case 3: self = .edit(job: try reader.integer(), try Self.operations(&reader))
    case 4: self = .editEnd(job: try reader.integer(), removed: try Self.removed(&reader))
    case 5: self = try Self.thumbnail(&reader)
    case 6: self = .done(job: try reader.integer())
    case 7:
      let job = try reader.integer(UInt64.self)
      let step: ItemStep = try reader.choice()
      let reason: ItemReason = try reader.choice()
      self = .failed(job: job, step: step, reason: reason, detail: try reader.text(limit: 4096))
    case 8:
      let job = try reader.integer(UInt64.self)
      let description = try reader.description()
      self = .sidecar(job: job, description, sourceSHA256: try reader.digest())
    case 9:
      let job = try reader.integer(UInt64.self)
      let entries = try Self.all(&reader, 32) { reader throws(ProtocolError) in
        try reader.archiveEntry()
      }
      self = .entries(job: job, entries)
    case 10:
      let job = try reader.integer(UInt64.self)
      self = .content(job: job, try reader.blob(limit: FrameReader.maximumLength))
    case 11:
      let job = try reader.integer(UInt64.self)
      let points = try Self.all(&reader, 16) { reader throws(ProtocolError) in
        try reader.trackPoint()
      }
      self = .points(job: job, points)
    case 12:
      let job = try reader.integer(UInt64.self)
      let entries = try Self.all(&reader, 16) { reader throws(ProtocolError) in
        try reader.gazetteerEntry()
      }
      self = .places(job: job, entries)
    case 13:
      let job = try reader.integer(UInt64.self)
      let offset = try reader.integer(Int64.self)
      guard offset >= 0 else { throw ProtocolError("an offset of \(offset)") }
      self = .film(job: job, offset: offset, try reader.blob(limit: FrameReader.maximumLength))
    case 14: self = .filmProgress(job: try reader.integer(), percent: try Self.percent(&reader))
    case 15: self = .inflatePoint(job: try reader.integer(), try reader.inflatePoint())
    default: throw ProtocolError("an unknown message")
    }
  }

  private static func percent(_ reader: inout WireReader) throws(ProtocolError) -> Int {
    let percent = try reader.integer(UInt8.self)
    guard percent < 100 else { throw ProtocolError("\(percent) hundredths") }
    return Int(percent)
  }

  /// Reads a list, of which each element has at least so many bytes.
  private static func all<Element>(
    _ reader: inout WireReader,
    _ fewestBytes: Int,
    _ read: (inout WireReader) throws(ProtocolError) -> Element
  ) throws(ProtocolError) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<(try reader.count(limit: FrameReader.maximumLength / fewestBytes)) {
      elements.append(try read(&reader))
    }
    return elements
  }

  private static func operations(
    _ reader: inout WireReader
  ) throws(ProtocolError) -> [EditOperation] {
    var operations: [EditOperation] = []
    for _ in 0..<(try reader.count(limit: FrameReader.maximumLength)) {
      switch try reader.integer(UInt8.self) {
      case 0:
        operations.append(.copy(offset: try reader.integer(), length: try reader.integer()))
      case 1: operations.append(.literal(try reader.blob(limit: FrameReader.maximumLength)))
      case 2:
        let (offset, length): (UInt64, UInt64) = (try reader.integer(), try reader.integer())
        operations.append(.masked(offset: offset, length: length, mask: try reader.mask()))
      default: throw ProtocolError("an unknown edit operation")
      }
    }
    return operations
  }

  /// Reads the kinds of removed metadata, each once, in the order of the tags.
  private static func removed(_ reader: inout WireReader) throws(ProtocolError) -> [RemovedTag] {
    var removed: [RemovedTag] = []
    for _ in 0..<(try reader.count(limit: MetadataTag.count)) {
      guard let tag = MetadataTag(index: Int(try reader.integer(UInt32.self))),
        removed.last.map({ $0.tag < tag }) ?? true
      else { throw ProtocolError("a kind of metadata that is not in the table") }
      let count = Int(try reader.integer(UInt32.self))
      guard count > 0 else { throw ProtocolError("a removed kind of metadata, no times") }
      removed.append(RemovedTag(tag, count: count))
    }
    return removed
  }

  private static func thumbnail(
    _ reader: inout WireReader
  ) throws(ProtocolError) -> WorkerMessage {
    let job = try reader.integer(UInt64.self)
    let name = try reader.text(limit: 64)
    let size = try reader.size()
    let bytes = try reader.blob(limit: FrameReader.maximumLength)
    let isLast = try reader.bool()
    let hashes = try reader.bool() ? try reader.pictureHashes() : nil
    if !isLast, hashes != nil {
      throw ProtocolError("hashes before the end of their thumbnail")
    }
    return .thumbnail(job: job, name: name, size: size, bytes: bytes, isLast: isLast, hashes: hashes)
  }

  /// Returns the frames of an edit list, with as many operations in each as fit.
  package static func frames(ofEditList list: EditList, job: UInt64) -> [[UInt8]] {
    let room = FrameReader.maximumLength - 64
    var frames: [[UInt8]] = []
    var operations: [EditOperation] = []
    var used = 0
    func close() {
      if !operations.isEmpty { frames.append(WorkerMessage.edit(job: job, operations).frame) }
      operations = []
      used = 0
    }
    for operation in list.operations {
      switch operation {
      case .copy, .masked:
        var size = 17
        if case .masked(_, _, let mask) = operation { size += 8 + 2 * mask.foreign.count }
        if used + size > room { close() }
        operations.append(operation)
        used += size
      case .literal(let bytes):
        for start in stride(from: 0, to: bytes.count, by: room - 16) {
          let part = Array(bytes[start..<min(start + room - 16, bytes.count)])
          if used + part.count + 5 > room { close() }
          operations.append(.literal(part))
          used += part.count + 5
        }
      }
    }
    close()
    frames.append(WorkerMessage.editEnd(job: job, removed: list.removedTags).frame)
    return frames
  }

  /// Returns the frames of one thumbnail.
  package static func frames(
    ofThumbnail bytes: [UInt8],
    name: String,
    size: PixelSize,
    hashes: PictureHashes? = nil,
    job: UInt64
  ) -> [[UInt8]] {
    let room = FrameReader.maximumLength - 256
    return stride(from: 0, to: max(bytes.count, 1), by: room).map { start in
      let end = min(start + room, bytes.count)
      let part = WorkerMessage.thumbnail(
        job: job,
        name: name,
        size: size,
        bytes: Array(bytes[start..<end]),
        isLast: end == bytes.count,
        hashes: end == bytes.count ? hashes : nil
      )
      return part.frame
    }
  }
}

extension WireWriter {
  /// Writes the number of a message's kind, and its job.
  /// Writes the beginning of a job, or of a message about one: its kind, and the job's identifier.
  mutating func begin(_ kind: UInt8, _ job: UInt64) {
    put(kind)
    put(job)
  }

  fileprivate mutating func put(_ operation: EditOperation) {
    switch operation {
    case .copy(let offset, let length):
      put(UInt8(0))
      put(offset)
      put(length)
    case .literal(let bytes):
      put(UInt8(1))
      put(bytes)
    case .masked(let offset, let length, let mask):
      put(UInt8(2))
      put(offset)
      put(length)
      put(mask.is50)
      put(UInt8(truncatingIfNeeded: mask.channelCount))
      put(mask.is720)
      put(mask.hasSound)
      put(all: mask.foreign) { $0.put($1) }
    }
  }

  fileprivate mutating func put(_ removed: RemovedTag) {
    put(UInt32(clamping: removed.tag.index))
    put(UInt32(clamping: removed.count))
  }
}

extension WireReader {
  fileprivate mutating func mask() throws(ProtocolError) -> DIFMask {
    let (is50, channels) = (try bool(), Int(try integer(UInt8.self)))
    let (is720, hasSound) = (try bool(), try bool())
    var foreign: [UInt16] = []
    for _ in 0..<(try count(limit: DIFMask.maximumForeign)) { foreign.append(try integer()) }
    guard
      let mask = DIFMask(
        is50: is50,
        channelCount: channels,
        is720: is720,
        hasSound: hasSound,
        foreign: foreign
      )
    else { throw ProtocolError("a mask of no frame") }
    return mask
  }

  fileprivate mutating func pictureHashes() throws(ProtocolError) -> PictureHashes {
    let perceptual = PerceptualHash(bits: try integer())
    guard let thumb = ThumbHash(bytes: try blob(limit: 25)) else {
      throw ProtocolError("a ThumbHash that is none")
    }
    return PictureHashes(thumb: thumb, perceptual: perceptual)
  }
}
