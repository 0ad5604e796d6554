import MediaTestSupport
import Testing

@Suite("Sentences about a file that cannot be read")
struct NamedOnceTests {
  @Test(
    "A file that is missing is named once, and its system call not at all",
    arguments: [["list"], ["verify"], ["rebuild"], ["repair"], ["audit", "verify"], ["report"]]
  )
  func missingLibrary(command: [String]) throws {
    let outcome = try Scene().command(command + ["nothing"])
    try outcome.expect(78)
    #expect(outcome.error.contains("\"nothing\" is not a library of mediabatch: No such file or directory."))
    #expect(outcome.error.split(separator: "nothing").count == 2, "\(outcome.error)")
  }

  @Test("A password file that is missing is named once")
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
