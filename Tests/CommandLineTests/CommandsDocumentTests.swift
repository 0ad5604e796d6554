import Foundation
import MediaTestSupport
import Testing

/// `docs/commands.md`, which `make docs` writes from the definitions of the commands.
/// `RECORD_SNAPSHOTS=1` writes it too, and still fails.
@Suite("Document of the commands", .enabled(if: Has.python, "no python3"))
struct CommandsDocumentTests {
  @Test("docs/commands.md is what the definitions of the commands say now")
  func compare() throws {
    let result = try Tool.run(
      "python3",
      ["scripts/commands.py", try BuiltProgram.path("mediabatch")],
      in: DocumentBlock.project
    )
    try #require(result.status == 0, "\(result.error)")
    let url = URL(fileURLWithPath: DocumentBlock.project + "/docs/commands.md")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try result.output.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("docs/commands.md was written")
      return
    }
    let committed = String(decoding: try readBytes(url.path), as: UTF8.self)
    #expect(committed == result.output, "make docs writes docs/commands.md anew")
  }
}
