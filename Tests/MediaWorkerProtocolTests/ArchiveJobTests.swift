import MediaModel
import MediaWorkerProtocol
import Testing

@Suite("Jobs on archives")
struct ArchiveJobTests {
  private static let entry = ArchiveEntry(
    name: Array("a/\u{E9}.jpg.json".utf8),
    size: 1 << 40,
    storedSize: 7,
    modified: -1,
    header: 1 << 33,
    method: 8,
    checksum: .max
  )

  private static let jobs = [
    ArchiveJob(identifier: 1), ArchiveJob(identifier: .max, entry: entry),
    ArchiveJob(identifier: 3, entry: entry, sidecar: .takeout),
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
}
