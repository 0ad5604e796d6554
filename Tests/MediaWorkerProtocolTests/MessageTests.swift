import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaModel

@Suite("Messages between the two processes")
struct MessageTests {
  private static let facts = Facts(
    format: .jpeg,
    pixelSize: PixelSize(width: 4032, height: 3024),
    orientation: 6,
    creationDate: CaptureDate(local: "2026-11-21T01:44:39", offsetMinutes: -1440, tag: "DateTimeOriginal"),
    camera: "Größe 日本",
    lensModel: "50mm ƒ/1.8",
    hasLocation: true,
    contentIdentifier: "A-B",
    durationMilliseconds: 12
  )

  /// Facts with everything that a description has.
  private static let described: Facts = {
    var description = MediaDescription()
    description.dates = [
      CaptureDate(local: "2026-11-21", offsetMinutes: nil, tag: "IPTC:DateCreated"),
      CaptureDate(local: "2026-11-21T01:44:39", offsetMinutes: 60, tag: "xmp:CreateDate"),
    ]
    description.locationTime = "2026-11-21T00:44:39"
    description.place = MediaDescription.Place(latitude: -900_000_000, longitude: 1_800_000_000)
    description.statesPlace = true
    description.subtypes = .all
    description.rating = -1
    description.isFavorite = true
    description.isHidden = false
    description.caption = "Größe\n日本"
    description.keywords = ["harbour", "dawn"]
    description.people = ["Ann", "Бо"]
    description.burst = "A-B"
    description.isBurstPick = true
    description.isTrashed = true
    description.isOfOthers = true
    description.misstatesMovie = true
    description.ownerExtension = "jpg"
    description.dates += ["1978", "1978-06"].map {
      CaptureDate(local: $0, offsetMinutes: nil, tag: "IPTC:DateCreated")
    }
    description.dates[1].hasSeconds = false
    var facts = Self.facts
    facts.creationDate?.fraction = "047"
    facts.embeddedMovie = EmbeddedMovie(
      offset: 1 << 40,
      length: 70_000,
      stillLength: 1000,
      soundTrackCount: 2
    )
    facts.description = description
    return facts
  }()

  private static let points = [(0, -900_000_000, 1), (-1, 1, -1_800_000_000), (1 << 49, 0, 7)]
    .compactMap { time, latitude, longitude in
      MediaDescription.Place(latitude: latitude, longitude: longitude)
        .map { TrackPoint(time: Int64(time), place: $0) }
    }

  private static let entries = [
    GazetteerEntry(name: "Лион", place: points.last?.place, country: "FR", region: "84"),
    GazetteerEntry(name: "Auvergne", place: nil, country: "", region: ""),
  ]

  private static let digest = [UInt8](0..<32)

  private static let masks = [
    DIFMask(is50: true, channelCount: 4, is720: false, hasSound: true, foreign: []),
    DIFMask(is50: false, channelCount: 2, is720: true, hasSound: false, foreign: [0, 191]),
  ].compactMap { $0 }

  static let messages: [WorkerMessage] = {
    var messages: [WorkerMessage] = [
      .hello(protocolVersion: 1, build: "0.1.0"),
      .facts(job: 1, facts, sourceSHA256: digest, accepted: true),
      .facts(job: 1, described, sourceSHA256: digest, accepted: true),
      .facts(job: 1, described, sourceSHA256: nil, accepted: false),
      .edit(job: 3, [.copy(offset: 0, length: .max), .literal([]), .literal([1, 2, 3])]),
      .edit(job: 3, []), .edit(job: 3, masks.map { .masked(offset: 1, length: .max, mask: $0) }),
      .editEnd(job: .max, removed: [RemovedTag(.soundTrack, count: 2)]),
      .editEnd(job: 4, removed: []),
      .thumbnail(
        job: 5,
        name: "grid",
        size: PixelSize(width: 256, height: 1),
        bytes: [0xFF, 0xD8],
        isLast: false
      ),
      .thumbnail(
        job: 5,
        name: "g",
        size: PixelSize(width: 1, height: 1),
        bytes: [],
        isLast: true,
        hashes: Self.hashes
      ),
      .done(job: 6), .points(job: 8, []), .points(job: 9, Self.points),
      .places(job: 10, Self.entries),
      .film(job: 10, offset: 0, []), .film(job: 11, offset: .max, [0, 1, 255]),
      .inflatePoint(job: 14, InflatePoint(input: 1 << 40, bits: 7, output: 1 << 41, window: [1, 2, 3])),
      .entries(job: 15, [ArchiveJobTests.entry, ArchiveJobTests.text]),
      .filmProgress(job: 12, percent: 0), .filmProgress(job: 13, percent: 99),
    ]
    for format in MediaFormat.allCases {
      messages.append(.facts(job: 2, Facts(format: format), sourceSHA256: digest, accepted: false))
    }
    for reason in ItemReason.allCases {
      messages.append(.failed(job: 7, step: .decode, reason: reason, detail: "it’s damaged\n"))
    }
    return messages
  }()

  static let jobs: [Job] = [
    Job(identifier: 0, acceptedMediaTypes: [], wantsEditList: false, thumbnails: []),
    Job(
      identifier: .max,
      acceptedMediaTypes: Set(MediaType.allCases),
      wantsEditList: true,
      thumbnails: (1...64).map { number in
        ThumbnailSpec(
          name: "t\(number)",
          size: PixelSize(width: number, height: 1 << 31 - 1),
          contentMode: number % 2 == 0 ? .aspectFit : .aspectFill,
          quality: number
        )
      },
      rotation: 270,
      wantsDescription: true,
      wantsDigest: false
    ),
    {
      var job = Job(identifier: 1, acceptedMediaTypes: [], wantsEditList: false, thumbnails: [])
      job.rotation = 270
      return job
    }(),
  ]

  @Test("A turn that is none is a breach")
  func noTurn() throws {
    var job = Job(identifier: 1, acceptedMediaTypes: [], wantsEditList: false, thumbnails: [])
    job.rotation = 45
    let frame = content(job.frame)
    #expect(throws: ProtocolError.self) { try Job(frame: frame) }
  }

  /// A frame's content: all behind its length, which has to be right.
  private func content(_ frame: [UInt8]) -> ArraySlice<UInt8> {
    let length = (0..<4).reduce(0) { $0 | Int(frame[$1]) << ($1 * 8) }
    #expect(length == frame.count - 4)
    return frame[4...]
  }

  @Test("A message is read as it was written", arguments: messages)
  func messageRoundTrip(_ message: WorkerMessage) throws {
    #expect(try WorkerMessage(frame: content(message.frame)) == message)
  }

  @Test("A job is read as it was written", arguments: jobs)
  func jobRoundTrip(_ job: Job) throws {
    #expect(try Job(frame: content(job.frame)) == job)
  }

  @Test("A message that is cut anywhere, or goes on, is a breach", arguments: messages)
  func messageTruncated(_ message: WorkerMessage) {
    let whole = content(message.frame)
    for length in 0..<whole.count {
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: whole.prefix(length)) }
    }
    #expect(throws: ProtocolError.self) { try WorkerMessage(frame: whole + [0]) }
  }

  @Test("A job that is cut anywhere, or goes on, is a breach", arguments: jobs)
  func jobTruncated(_ job: Job) {
    let whole = content(job.frame)
    for length in 0..<whole.count {
      #expect(throws: ProtocolError.self) { try Job(frame: whole.prefix(length)) }
    }
    #expect(throws: ProtocolError.self) { try Job(frame: whole + [0]) }
  }

  @Test("Any byte changed to any other: a breach, or another message that can be written again")
  func everyByteChanged() {
    for message in Self.messages.prefix(12) {
      let whole = Array(content(message.frame))
      for index in whole.indices {
        // Without all, every seventh value, others at each byte.
        for value in UInt8.min...UInt8.max
        where value != whole[index] && (Amount.isAll || (Int(value) + index).isMultiple(of: 7)) {
          var changed = whole
          changed[index] = value
          if let read = try? WorkerMessage(frame: changed[...]) {
            if Array(read.frame.dropFirst(4)) != changed {
              Issue.record("\(message) with byte \(index) = \(value) is read as \(read)")
            }
          }
        }
      }
    }
  }

  @Test("Any byte of a job changed to any other: a breach, or a job of as many thumbnails")
  func everyByteOfAJobChanged() {
    let whole = Array(content(Self.jobs[1].frame))
    for index in whole.indices.prefix(120) {
      // Without all, every seventh value, others at each byte.
      for value in UInt8.min...UInt8.max
      where Amount.isAll || (Int(value) + index).isMultiple(of: 7) {
        var changed = whole
        changed[index] = value
        if let read = try? Job(frame: changed[...]) { #expect(read.thumbnails.count <= 64) }
      }
    }
  }

  private func facts(_ change: (inout Facts) -> Void) -> [UInt8] {
    var facts = Self.facts
    change(&facts)
    return Array(
      WorkerMessage.facts(job: 1, facts, sourceSHA256: Self.digest, accepted: true).frame
        .dropFirst(4)
    )
  }

  @Test("Each value at its limit is taken and beyond it a breach")
  func limits() {
    // A worker writes no larger number, whatever a file claims.
    var wider = facts { $0.pixelSize = PixelSize(width: Int(Int32.max), height: 1) }
    let largest: [UInt8] = [0xFF, 0xFF, 0xFF, 0x7F]
    wider.replace(largest, with: [0xFF, 0xFF, 0xFF, 0xFF], maxReplacements: 1)
    wider.replace(Array(largest.reversed()), with: [0xFF, 0xFF, 0xFF, 0xFF], maxReplacements: 1)
    let cases: [(Bool, [UInt8])] = [
      (true, facts { $0.camera = String(repeating: "x", count: 256) }),
      (false, facts { $0.camera = String(repeating: "x", count: 257) }),
      (true, facts { $0.lensModel = String(repeating: "x", count: 256) }),
      (false, facts { $0.lensModel = String(repeating: "x", count: 257) }),
      (true, facts { $0.contentIdentifier = String(repeating: "x", count: 128) }),
      (false, facts { $0.contentIdentifier = String(repeating: "x", count: 129) }),
      (true, facts { $0.pixelSize = PixelSize(width: Int(Int32.max), height: 1) }),
      (true, facts { $0.pixelSize = PixelSize(width: 1, height: Int(UInt32.max)) }),
      (false, wider),
      (true, facts { $0.embeddedMovie = EmbeddedMovie(offset: 9, length: 1, stillLength: 9) }),
      (true, facts { $0.embeddedMovie = EmbeddedMovie(offset: 9, length: 1, stillLength: nil) }),
      (false, facts { $0.embeddedMovie = EmbeddedMovie(offset: 9, length: 1, stillLength: 10) }),
      (false, facts { $0.embeddedMovie = EmbeddedMovie(offset: 9, length: 0, stillLength: 9) }),
      (false, facts { $0.embeddedMovie = EmbeddedMovie(offset: -1, length: 1, stillLength: nil) }),
      (false, facts { $0.embeddedMovie = EmbeddedMovie(offset: 9, length: .max, stillLength: 9) }),
      (false, facts { $0.orientation = 0 }), (true, facts { $0.orientation = 8 }),
      (false, facts { $0.orientation = 9 }),
      (true, facts { $0.durationMilliseconds = 0 }),
      (false, facts { $0.durationMilliseconds = -1 }),
      (true, facts { $0.creationDate?.offsetMinutes = 1440 }),
      (false, facts { $0.creationDate?.offsetMinutes = 1441 }),
      (false, facts { $0.creationDate?.local = "2026-11-21 01:44:39" }),
      (false, facts { $0.creationDate?.local = "../etc/passwd//////" }),
      (false, facts { $0.creationDate?.local = "" }),
      (true, facts { $0.creationDate?.tag = String(repeating: "x", count: 64) }),
      (false, facts { $0.creationDate?.tag = String(repeating: "x", count: 65) }),
    ]
    for (index, (isTaken, frame)) in cases.enumerated() {
      #expect(((try? WorkerMessage(frame: frame[...])) != nil) == isTaken, "case \(index)")
    }
    for length in [0, 31, 33] {
      let short = WorkerMessage.facts(
        job: 1,
        Self.facts,
        sourceSHA256: Array(repeating: 0, count: length),
        accepted: true
      )
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: content(short.frame)) }
    }
    let all = (0..<MetadataTag.count).compactMap { index in
      MetadataTag(index: index).map { RemovedTag($0, count: index + 1) }
    }
    let whole = WorkerMessage.editEnd(job: 1, removed: all)
    #expect((try? WorkerMessage(frame: content(whole.frame))) == whole)
    let sound = RemovedTag(.soundTrack, count: 1)
    let none = RemovedTag(.soundTrack, count: 0)
    let wrong = [[sound, sound], all.reversed(), all + [sound], [none]]
    for removed in wrong {
      let frame = WorkerMessage.editEnd(job: 1, removed: removed).frame
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: content(frame)) }
    }
    var unknown = Array(content(WorkerMessage.editEnd(job: 1, removed: [sound]).frame))
    unknown[unknown.count - 7] = 0x7F
    #expect(throws: ProtocolError.self) { try WorkerMessage(frame: unknown[...]) }
  }

  @Test("Text that is not UTF-8 is a breach")
  func noUTF8() {
    let name = "0.1.0"
    var frame = Array(WorkerMessage.hello(protocolVersion: 1, build: name).frame.dropFirst(4))
    frame[frame.count - 1] = 0xFF
    #expect(throws: ProtocolError.self) { try WorkerMessage(frame: frame[...]) }
  }

  @Test("A count that promises more than there is takes no memory for it")
  func promisedCounts() {
    for kind in UInt8(3)...5 {
      let frame = [kind] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 4)
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: frame[...]) }
    }
  }

  @Test(
    "Whatever failed, the coordinator understands it",
    arguments: ["", "e\u{301}", "👨‍👩‍👧‍👦", "a\u{300}\u{301}\u{302}\u{303}\u{304}", "\n"],
    [1, 499, 500, 501, 5000]
  )
  func longDetail(_ piece: String, _ count: Int) throws {
    let detail = String(repeating: piece, count: count)
    let frame = WorkerMessage.failed(job: 1, step: .read, reason: .damaged, detail: detail).frame
    let message = try WorkerMessage(frame: content(frame))
    guard case .failed(1, .read, .damaged, _) = message else {
      Issue.record("read as \(message)")
      return
    }
  }

  @Test("An edit list is cut into frames that give the same output", arguments: [0, 1, 2, 3, 4])
  func editListFrames(_ kind: Int) throws {
    let operations: [EditOperation] =
      switch kind {
      case 0: []
      case 1: (0..<100_000).map { .copy(offset: UInt64($0 * 2), length: 1) }
      case 2: [.literal(Array(repeating: 9, count: 3_000_000)), .copy(offset: 0, length: 1)]
      case 4:
        (0..<50_000).map {
          .masked(offset: UInt64($0) * 480_000, length: 480_000, mask: Self.masks[$0 % Self.masks.count])
        }
      default: (0..<3000).map { .literal(Array(repeating: UInt8($0 % 251), count: 999)) }
      }
    let list = EditList(operations: operations, removedTags: [RemovedTag(.soundTrack, count: 1)])
    var read: [EditOperation] = []
    var ends = 0
    for frame in WorkerMessage.frames(ofEditList: list, job: 9) {
      #expect(frame.count - 4 <= FrameReader.maximumLength)
      switch try WorkerMessage(frame: content(frame)) {
      case .edit(9, let part): read += part
      case .editEnd(9, let removed):
        ends += 1
        #expect(removed == list.removedTags)
      case let other: Issue.record("\(other)")
      }
    }
    #expect(ends == 1 && Self.masks.count == 2)
    #expect(literalsJoined(read) == literalsJoined(operations))
  }

  /// An opaque hash of a landscape: a header of 5 bytes, and 31 waves.
  static let thumbHash: [UInt8] =
    [0xD0, 0x15, 0x0A, 0x0D, 0x82] + [UInt8](repeating: 0x77, count: 16)

  static let hashes = ThumbHash(bytes: thumbHash).map {
    PictureHashes(thumb: $0, perceptual: PerceptualHash(bits: 0xF000_0000_0000_0001))
  }

  @Test("A ThumbHash of another length than its header states is refused")
  func thumbHashLength() throws {
    let good = WorkerMessage.thumbnail(
      job: 1,
      name: "grid",
      size: PixelSize(width: 1, height: 1),
      bytes: [],
      isLast: true,
      hashes: Self.hashes
    ).frame
    func message(_ hash: [UInt8]) -> ArraySlice<UInt8> {
      let count = withUnsafeBytes(of: UInt32(hash.count).littleEndian) { Array($0) }
      return (good.dropLast(4 + Self.thumbHash.count) + count + hash)[4...]
    }
    #expect(throws: Never.self) { try WorkerMessage(frame: message(Self.thumbHash)) }
    let others = [
      [], Array(Self.thumbHash.dropLast()), Self.thumbHash + [0],
      [UInt8](repeating: 0, count: 4000),
    ]
    for hash in others {
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: message(hash)) }
    }
  }

  @Test("Hashes before the last part of their thumbnail are refused")
  func earlyHashes() throws {
    for isLast in [true, false] {
      for hashes in [nil, Self.hashes] {
        let frame = WorkerMessage.thumbnail(
          job: 1,
          name: "grid",
          size: PixelSize(width: 1, height: 1),
          bytes: [1],
          isLast: isLast,
          hashes: hashes
        ).frame
        let isRead = (try? WorkerMessage(frame: frame[4...])) != nil
        #expect(isRead == (isLast || hashes == nil))
      }
    }
  }

  @Test(
    "A thumbnail is cut into frames that give the same bytes",
    arguments: [0, 1, 1 << 20 - 256, 1 << 20 - 255, 3_000_000]
  )
  func thumbnailFrames(_ length: Int) throws {
    #expect(Self.hashes != nil)
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    let frames = WorkerMessage.frames(
      ofThumbnail: bytes,
      name: String(repeating: "n", count: 64),
      size: PixelSize(width: 3, height: 4),
      hashes: Self.hashes,
      job: 2
    )
    var read: [UInt8] = []
    for (index, frame) in frames.enumerated() {
      #expect(frame.count - 4 <= FrameReader.maximumLength)
      guard
        case .thumbnail(2, _, let size, let part, let isLast, let hashes) = try WorkerMessage(
          frame: content(frame)
        )
      else {
        Issue.record("another message")
        return
      }
      #expect(size == PixelSize(width: 3, height: 4))
      #expect(isLast == (index == frames.count - 1))
      #expect(hashes == (isLast ? Self.hashes : nil))
      read += part
    }
    #expect(read == bytes)
  }

  /// Neighboring literals as one: cutting them changes nothing of the output.
  private func literalsJoined(_ operations: [EditOperation]) -> [EditOperation] {
    var joined: [EditOperation] = []
    var literal: [UInt8] = []
    for operation in operations {
      if case .literal(let bytes) = operation {
        literal += bytes
        continue
      }
      if !literal.isEmpty { joined.append(.literal(literal)) }
      literal = []
      joined.append(operation)
    }
    return literal.isEmpty ? joined : joined + [.literal(literal)]
  }
}
