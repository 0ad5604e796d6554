import MediaModel
import MediaWorkerProtocol
import Testing

@Suite("Jobs on archives")
struct ArchiveJobTests {
  static let entry = ArchiveEntry(
    name: Array("a/\u{E9}.jpg.json".utf8),
    size: 1 << 40,
    storedSize: 7,
    modified: -1,
    header: 1 << 33,
    method: 8,
    checksum: .max
  )

  static let text: ArchiveEntry = {
    var text = entry
    (text.size, text.text) = (2, [0x7B, 0x7D])
    return text
  }()

  private static let jobs = [
    ArchiveJob(identifier: 1), ArchiveJob(identifier: .max, entry: entry),
    ArchiveJob(identifier: 3, entry: entry, sidecar: .takeout),
    ArchiveJob(
      identifier: 4,
      format: .tgz,
      entry: entry,
      point: InflatePoint(input: 1, bits: 8, output: 0, window: [])
    ),
  ]

  @Test("A job is read as it was written, and a cut one is a breach", arguments: jobs)
  func roundTrip(_ job: ArchiveJob) throws {
    let content = WorkerRequest.archive(job).frame.dropFirst(4)
    guard case .archive(let read) = try WorkerRequest(frame: content) else {
      Issue.record("another request")
      return
    }
    #expect(read == job)
    for length in 0..<content.count {
      #expect(throws: ProtocolError.self, "\(length)") {
        try WorkerRequest(frame: content.prefix(length))
      }
    }
    #expect(throws: ProtocolError.self) { try WorkerRequest(frame: content + [0]) }
  }

  @Test("A text of another size than its file, and a point that cannot be, are breaches")
  func bounds() {
    var other = Self.text
    other.size = 3
    var long = Self.text
    long.text = [UInt8](repeating: 0, count: ArchiveEntry.maximumTextLength + 1)
    long.size = Int64(ArchiveEntry.maximumTextLength + 1)
    var messages = [other, long].map { WorkerMessage.entries(job: 1, [$0]) }
    let good = InflatePoint(input: 1, bits: 0, output: 0, window: [])
    for change in [
      { $0.input = 0 }, { $0.bits = 9 }, { $0.output = -1 }, { $0.output = .max },
      { $0.window = [UInt8](repeating: 0, count: InflatePoint.windowLength + 1) },
    ] as [(inout InflatePoint) -> Void] {
      var point = good
      change(&point)
      messages.append(.inflatePoint(job: 1, point))
    }
    for message in messages {
      #expect(throws: ProtocolError.self) { try WorkerMessage(frame: message.frame.dropFirst(4)) }
    }
  }
}
