import MediaModel
import MediaWorkerProtocol
import Testing

@testable import MediaPipeline

/// A worker that was asked about a file of 100 bytes.
@Suite("What an inspection takes from a worker")
struct InspectionAnswerTests {
  private static let hello = InspectMessage.hello(
    protocolVersion: WorkerMessage.protocolVersion,
    build: BuildInfo.version
  )
  private static let facts = InspectMessage.facts(job: 7, Facts(format: .jpeg))
  private static let done = InspectMessage.done(job: 7, isComplete: true)
  private static let stripFails = InspectMessage.stripFails(job: 7, reason: .damaged, detail: "")

  private static func entries(
    _ count: Int = 1,
    offset: UInt64 = 100,
    byteCount: UInt64 = 0,
    value: String? = nil
  ) -> InspectMessage {
    let entry = InspectedEntry(
      path: "COM",
      offset: offset,
      byteCount: byteCount,
      isRemoved: true,
      value: value
    )
    return .entries(job: 7, [InspectedEntry](repeating: entry, count: count))
  }

  private func answer(
    _ messages: [InspectMessage],
    showsValues: Bool = false
  ) throws(ProtocolError) -> InspectionAnswer {
    var file = InspectedFile(path: [])
    file.byteCount = 100
    var answer = InspectionAnswer(InspectJob(identifier: 7, showsValues: showsValues), about: file)
    for message in messages { try answer.accept(message) }
    return answer
  }

  @Test("An honest answer, and one that fails half-way")
  func honest() throws {
    let whole = try answer([
      Self.hello, Self.facts, Self.entries(99_999), Self.entries(), Self.stripFails, Self.done,
    ])
    #expect(whole.isFinished && whole.file.entries.count == 100_000 && whole.file.isComplete)
    #expect(whole.file.stripProblem?.reason == .damaged)
    let failed = try answer([
      Self.hello, Self.facts, Self.entries(),
      .failed(job: 7, step: .metadata, reason: .damaged, detail: "no EOI"),
    ])
    #expect(failed.isFinished && failed.file.entries.isEmpty && failed.file.facts?.format == .jpeg)
    #expect(failed.file.problem?.detail == "no EOI")
    let withValues = try answer([Self.hello, Self.facts, Self.entries(value: "x")], showsValues: true)
    #expect(withValues.file.entries.first?.value == "x")
  }

  static let lies: [[InspectMessage]] = [
    [facts],
    [.hello(protocolVersion: WorkerMessage.protocolVersion + 1, build: BuildInfo.version)],
    [.hello(protocolVersion: WorkerMessage.protocolVersion, build: "another")],
    [hello, hello],
    [hello, .facts(job: 8, Facts(format: .jpeg))],
    [hello, facts, facts],
    [hello, entries()],
    [hello, done],
    [hello, stripFails],
    [hello, facts, stripFails, stripFails],
    [hello, facts, stripFails, entries()],
    [hello, facts, done, done],
    [hello, facts, entries(100_000), entries()],
    [hello, facts, entries(offset: 101)],
    [hello, facts, entries(byteCount: 1 << 40 + 1)],
    [hello, facts, entries(value: "nobody asked")],
  ]

  // By number: a list of 100,000 entries would be printed.
  @Test("Anything else is a breach, at its last word", arguments: lies.indices)
  func lie(_ number: Int) throws {
    let messages = Self.lies[number]
    _ = try answer(Array(messages.dropLast()))
    #expect(throws: ProtocolError.self) { try answer(messages) }
  }
}
