import Foundation
import Glibc
import MediaSandbox
import MediaTestSupport
import Testing

@Suite(
  "A picker can open nothing, and is not believed",
  .enabled(if: KernelSupport.probe().canEnforce, "needs Landlock and seccomp")
)
struct PickerTrustTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/source" }

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/source/sub",
      withIntermediateDirectories: true
    )
    for name in ["source/a.jpg", "source/sub/b.jpg", "source/z.txt", "outside.jpg"] {
      try Data("CANARY".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    symlink("../outside.jpg", path + "/link.jpg")
    symlink("..", path + "/up")
  }

  private static let answers: [(lie: String, code: String)] = [
    ("../outside.jpg", "pickerAnswer"), ("./a.jpg", "pickerAnswer"),
    ("/etc/passwd", "pickerAnswer"), ("", "pickerAnswer"), ("sub", "pickerAnswer"),
    ("link.jpg", "pickerAnswer"), ("up/outside.jpg", "pickerAnswer"),
    ("a.jpg|a.jpg", "pickerAnswer"),
    ("a.jpg|sub/b.jpg", "pickerAnswer"), ("nothing", "pickerAnswer"),
    ("garbage", "pickerAnswer"), ("unended", "pickerAnswer"), ("endless", "pickerAnswer"),
    ("unknownFailure", "pickerAnswer"), ("twice", "pickerAnswer"),
    ("silent", "pickerFailed"), ("killed", "pickerFailed"),
  ]
  /// Paths of a form that one of the others has.
  private static let moreAnswers: [(lie: String, code: String)] = [
    ("sub/../a.jpg", "pickerAnswer"), ("sub//b.jpg", "pickerAnswer"), ("a.jpg/", "pickerAnswer"),
  ]

  @Test(
    "An answer that no person gave is not taken",
    arguments: Amount.isAll ? answers + moreAnswers : answers
  )
  func lies(lie: String, code: String) throws {
    // An empty field would start the honest one.
    let terminal = try Probe.start("pick", ["folder": path, "lie": lie.isEmpty ? "|" : lie])
    #expect(terminal.end().output == "error \(code)\n")
    #expect(terminal.isAsBefore)
  }

  @Test("A file that has gone since it was shown is left to the run")
  func gone() throws {
    let terminal = try Probe.start("pick", ["folder": path, "lie": "gone.jpg"])
    #expect(terminal.end().output == "gone.jpg\npicked 1\n")
  }

  @Test("The same way takes an answer that could be a person's")
  func honestForm() throws {
    let terminal = try Probe.start("pick", ["folder": path, "lie": "sub/b.jpg|a.jpg", "limit": "2"])
    #expect(terminal.end().output == "a.jpg\nsub/b.jpg\npicked 2\n")
  }

  @Test("A picker that is killed leaves the terminal as it was")
  func killedPicker() throws {
    let terminal = try Probe.start("pick", ["folder": path])
    #expect(terminal.shows(inputPlace))
    kill(try picker(of: terminal), SIGKILL)
    #expect(terminal.end().output == "error pickerFailed\n")
    #expect(terminal.isAsBefore)
  }

  @Test("A picker and its viewer end with the process that started them")
  func orphan() throws {
    let terminal = try Probe.start("pick", ["folder": path])
    #expect(terminal.shows(inputPlace))
    let processes = terminal.program.children
    #expect(processes.count == 2)
    terminal.send(SIGKILL)
    _ = terminal.end()
    #expect(waits { processes.allSatisfy(RunningProgram.hasEnded) })
  }

  /// The picker among the processes that were started; the other one is its viewer.
  private func picker(of terminal: PseudoTerminal) throws -> pid_t {
    let picker = terminal.program.children.first { process in
      let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      return words?.split(separator: "\0").last == "picker"
    }
    return try #require(picker)
  }

  @Test(
    "The kernel sees no file of the folder opened",
    .enabled(if: Tool.exists("strace"), "no strace")
  )
  func opensNothing() throws {
    let log = folder.path + "/trace"
    let terminal = try traced(["-e", "trace=%file,%desc", "-o", log])
    #expect(terminal.shows(inputPlace))
    terminal.type("1\r")
    #expect(terminal.shows(inputPlace))
    terminal.type("done\r")
    #expect(terminal.end().output == "a.jpg\npicked 1\n")
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let opens = calls.filter { $0.contains("open") && $0.contains(".jpg\"") }
    // The parent looks at what was picked, without a way to read it.
    #expect(opens.count == 1 && opens.allSatisfy { $0.contains("O_PATH") })
    let tried = calls.filter { $0.contains(".mediabatch-picker\"") }
    #expect(tried.count == 2)
    #expect(tried.allSatisfy { $0.contains("EACCES") || $0.contains("EPERM") })
    #expect(!calls.contains { $0.contains("CANARY") || $0.contains("z.txt\"") })
  }

  @Test(
    "Where the kernel does not hold the picker, no name is shown",
    .enabled(if: Tool.exists("strace"), "no strace"),
    arguments: [
      "landlock_create_ruleset:error=ENOSYS", "landlock_restrict_self:error=EPERM",
      // Says that it confined, and did not.
      "landlock_restrict_self:retval=0", "landlock_add_rule:error=EINVAL",
      "seccomp:error=EINVAL",
    ]
  )
  func notConfined(fault: String) throws {
    let terminal = try traced(["-e", "inject=\(fault)", "-o", "/dev/null"])
    #expect(terminal.end().output == "error pickerNotConfined\n")
    #expect(!terminal.text.contains("jpg"))
    #expect(terminal.isAsBefore)
  }

  @Test("Nobody but a run starts a picker")
  func alone() throws {
    let result = try Tool.run(Probe.path(), ["picker"])
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }

  private func traced(_ options: [String]) throws -> PseudoTerminal {
    let strace = try Tool.run("sh", ["-c", "command -v strace"]).output
    return try PseudoTerminal(
      strace.trimmingCharacters(in: .newlines),
      ["-f"] + options + [try Probe.path(), "pick", "folder=\(path)", "locale=C.UTF-8"]
    )
  }
}
