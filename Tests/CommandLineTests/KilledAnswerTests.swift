import MediaTestSupport
import Testing

@Suite("mediabatch access: a command that is killed", .enabled(if: Has.strace, "no strace"))
struct KilledAnswerTests {
  // The kinds: a journal whose head is not written, a store half written, a change that is
  // committed. All of 12 points are in the long form.
  @Test(
    "What it left in the store stops no run",
    arguments: Amount.isAll
      ? (1...12).map { ("pwrite64", $0) } + (1...5).map { ("fdatasync", $0) }
      : [("pwrite64", 5), ("fdatasync", 1), ("fdatasync", 3)]
  )
  func killed(call: String, number: Int) throws {
    let scene = try Scene.undecided()
    _ = try scene.accessJSON("deny", "manifest.json", "camera")
    let killed = try scene.shell(
      """
      strace -f -qq -o trace -e trace=\(call) -e inject=\(call):signal=SIGKILL:when=\(number) \
      "$mediabatch" access grant manifest.json camera > /dev/null 2>&1
      ls home/mediabatch; tail -n 1 trace
      """
    )
    try #require(killed.output.contains("SIGKILL"), "nothing was killed: \(killed.output)")
    if call == "pwrite64", number == 5 {
      #expect(killed.output.contains("answers.sqlite-journal"), "the journal is not left behind")
    }
    let run = try scene.run()
    #expect(run.code != 74 && !run.streams.contains("cannot be written"), "\(run.streams)")
    let left = try scene.shell("ls home/mediabatch").output
    #expect(!left.contains("journal"), "\(left)")
  }
}
