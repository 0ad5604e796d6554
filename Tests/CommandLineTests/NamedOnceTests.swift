import MediaTestSupport
import Testing

@Suite("Sentences about a file that cannot be read")
struct NamedOnceTests {
  @Test(
    "A file that is missing is named once, and its system call not at all",
    arguments: [
      (["list", "nothing"], Int32(78)), (["verify", "nothing"], 78), (["rebuild", "nothing"], 78),
      (["repair", "nothing"], 78), (["audit", "verify", "nothing"], 78), (["report", "nothing"], 78),
    ]
  )
  func missingLibrary(command: [String], code: Int32) throws {
    let outcome = try Scene().command(command)
    try outcome.expect(code)
    #expect(outcome.error.contains("\"nothing\" is not a library of mediabatch: No such file or directory."))
    #expect(outcome.error.split(separator: "nothing").count == 2, "\(outcome.error)")
  }

  @Test("A file that may not be read is named once")
  func unreadable() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    try scene.run().expect(0)
    let outcome = try scene.command("gallery", "Library", "site", "--password-file", "missing.txt")
    try outcome.expect(64)
    #expect(outcome.error == "\"missing.txt\" cannot be read as a password: No such file or directory.\n")
  }
}
