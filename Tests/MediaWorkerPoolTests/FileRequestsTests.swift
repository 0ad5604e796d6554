import MediaFileSystem
import MediaModel
import MediaWorkerProtocol
import Testing

@testable import MediaWorkerPool

@Suite("Files are asked about, several at a time")
struct FileRequestsTests {
  private let workers = FakeWorkers()

  /// Asks about a file, whose first workers break the protocol.
  ///
  /// - Returns: The name with an `o` for each time that it was opened and a plus for a message, and the problem.
  private func ask(
    _ name: String,
    breaches: Int = 0,
    failure: ItemReason? = nil
  ) throws -> [String] {
    var ended: [String] = []
    var attempts = 0
    let requests = FileRequests<String>(
      workers.pool(size: 1),
      purpose: { _ in .files(of: .camera, .strip) },
      open: { name in
        name += "o"
        let file = name == "missingo" ? nil : try FileSystem.temporaryFile()
        return (file, "it is not there")
      },
      request: { [workers] _, identifier in
        attempts += 1
        let worker = workers.latest
        worker?.sendHello()
        worker?.send(.content(job: identifier, [1]))
        if attempts <= breaches {
          worker?.send(.done(job: 99))
        } else if let failure {
          worker?.send(.failed(job: identifier, step: .read, reason: failure, detail: "why"))
        } else {
          worker?.send(.done(job: identifier))
        }
        return .convert(ConvertJob(identifier: identifier, quality: 90))
      },
      take: { (name, message) throws(ProtocolError) in
        if case .done = message { return true }
        name += "+"
        return false
      },
      finish: { name, problem in ended.append(problem.map { "\(name): \($0)" } ?? name) },
      wrapping: { $0 }
    )
    try requests.begin(name)
    try requests.finishAll()
    return ended
  }

  @Test("A file ends with its answer, or with the reason that there is none")
  func ends() throws {
    #expect(try ask("a") == ["ao+"])
    #expect(try ask("missing") == ["missingo: it is not there"])
    #expect(try ask("a", failure: .damaged) == ["ao+: damaged: why"])
  }

  @Test("A file whose worker ends is opened and sent once more, and fails the second time")
  func retries() throws {
    #expect(try ask("a", breaches: 1) == ["aoo+"])
    let failed = try ask("a", breaches: 2)
    #expect(failed.count == 1 && failed[0].hasPrefix("aoo: it sent a wrong answer: "))
    #expect(workers.started.count == 4)
  }
}
