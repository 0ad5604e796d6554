import MediaWorkerProtocol
import Testing

@testable import MediaModel

@Suite("Messages about a file that is only inspected")
struct InspectMessageTests {
  private static let entries = [
    InspectedEntry(path: "APP1 Exif/IFD0/Make", offset: 62, byteCount: 6, isRemoved: true),
    InspectedEntry(path: "APP1 XMP/größe", offset: .max, byteCount: .max, isRemoved: false, value: "日本"),
  ]

  static let messages: [InspectMessage] = [
    .hello(protocolVersion: 1, build: "0.1.0"),
    .facts(job: 1, Facts(format: .heic, pixelSize: PixelSize(width: 4032, height: 1 << 31 - 1))),
    .facts(
      job: .max,
      Facts(
        format: .mov,
        durationMilliseconds: 62_000,
        frameCount: 3,
        tracks: [
          TrackFacts(
            kind: .video,
            codec: "avc1",
            durationMilliseconds: 1,
            pixelSize: PixelSize(width: 1, height: 2),
            frameRateMilli: 29_970
          ), TrackFacts(kind: .audio, codec: "mp4a", channelCount: 2, sampleRate: 48_000),
        ]
      )
    ),
    .entries(job: 2, entries),
    .entries(job: 2, []),
    .stripFails(job: 3, reason: .stripUnsupported, detail: "DHT of impossible length"),
    .done(job: 4, isComplete: true),
    .done(job: 4, isComplete: false),
    .failed(job: 5, step: .metadata, reason: .damaged, detail: "no EOI"),
  ]

  static let jobs = [
    InspectJob(identifier: 0),
    InspectJob(
      identifier: .max,
      except: Set(MetadataException.allCases),
      isLocationCoarse: true,
      showsValues: true
    ),
  ]

  /// A frame's content: all behind its length.
  private func content(_ frame: [UInt8]) -> ArraySlice<UInt8> { frame[4...] }

  @Test("A message is read as it was written", arguments: messages)
  func messageRoundTrip(_ message: InspectMessage) throws {
    #expect(try InspectMessage(frame: content(message.frame)) == message)
  }

  @Test("A message that is cut anywhere, or goes on, is a breach", arguments: messages)
  func messageTruncated(_ message: InspectMessage) {
    let whole = content(message.frame)
    for length in 0..<whole.count {
      #expect(throws: ProtocolError.self) { try InspectMessage(frame: whole.prefix(length)) }
    }
    #expect(throws: ProtocolError.self) { try InspectMessage(frame: whole + [0]) }
  }

  @Test("Any byte changed to any other: a breach, or another message that can be written again")
  func everyByteChanged() {
    for message in Self.messages {
      let whole = Array(content(message.frame))
      for index in whole.indices {
        for value in UInt8.min...UInt8.max where value != whole[index] {
          var changed = whole
          changed[index] = value
          if let read = try? InspectMessage(frame: changed[...]) {
            if Array(read.frame.dropFirst(4)) != changed {
              Issue.record("\(message) with byte \(index) = \(value) is read as \(read)")
            }
          }
        }
      }
    }
  }

  @Test("A job is read as it was written, and a cut one is a breach", arguments: jobs)
  func jobRoundTrip(_ job: InspectJob) throws {
    let whole = content(job.frame)
    #expect(try InspectJob(frame: whole) == job)
    #expect(try WorkerRequest(frame: whole) == .inspect(job))
    for length in 0..<whole.count {
      #expect(throws: ProtocolError.self) { try WorkerRequest(frame: whole.prefix(length)) }
    }
    #expect(throws: ProtocolError.self) { try WorkerRequest(frame: whole + [0]) }
  }

  @Test("The two kinds of job are told apart, and neither's answers are the other's")
  func kinds() throws {
    let run = MessageTests.jobs[1]
    #expect(try WorkerRequest(frame: content(run.frame)) == .job(run))
    for message in Self.messages[1...7] {
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: content(message.frame)) }
    }
    for message in [WorkerMessage.done(job: 1), .editEnd(job: 1, removed: [])] {
      #expect(throws: ProtocolError.self) { try InspectMessage(frame: content(message.frame)) }
    }
  }

  @Test("However long and many, entries come in frames that are taken, cut but never mangled")
  func longEntries() throws {
    let text = String(repeating: "\u{1F4A1}", count: 5000)
    let entry = InspectedEntry(path: text, offset: 1, byteCount: 2, isRemoved: true, value: text)
    let many = [InspectedEntry](repeating: entry, count: 1234)
    var read: [InspectedEntry] = []
    for frame in InspectMessage.frames(ofEntries: many, job: 1) {
      #expect(frame.count - 4 <= FrameReader.maximumLength)
      guard case .entries(1, let part) = try InspectMessage(frame: content(frame)) else {
        Issue.record("no entries")
        return
      }
      read += part
    }
    #expect(read.count == 1234)
    #expect(
      read.allSatisfy {
        $0.path == String(text.prefix(256)) && $0.value == String(text.prefix(1024))
      }
    )
  }
}
