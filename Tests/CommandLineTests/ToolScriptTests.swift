import Foundation
import MediaTestSupport
import Testing

/// The bookkeeping of `scripts/fuzz.sh` and `scripts/system-calls.sh`, over output as libFuzzer and strace write it, and
/// the collecting of `changes`.
@Suite("Scripts that count and collect", .enabled(if: Has.python, "no python3"))
struct ToolScriptTests {
  private let folder = TemporaryFolder()

  /// Runs a script with a text as its standard input.
  private func script(_ name: String, _ arguments: [String], reading text: String = "") throws
    -> String
  {
    let input = folder.path + "/input"
    try Data(text.utf8).write(to: URL(fileURLWithPath: input))
    let result = try Tool.run(
      "bash",
      ["-c", "input=$1; shift; exec python3 \"$@\" <\"$input\"", "bash", input]
        + [DocumentBlock.project + "/scripts/" + name] + arguments,
      in: DocumentBlock.project
    )
    #expect(result.status == 0, "\(result.error)")
    return result.output
  }

  private func state(_ parser: String) throws -> JSON {
    try JSON(text: String(contentsOfFile: folder.path + "/\(parser).json", encoding: .utf8))
  }

  /// What is known of a parser that was fuzzed for an hour, with so many seconds without new coverage.
  private func write(_ parser: String, edges: Int, dry: Int, program: String) throws {
    let text = """
      {"seconds": 3600, "inputs": 1000, "edges": \(edges), "secondsWithoutNew": \(dry), "counters": 9000, \
      "program": "\(program)", "last": 1}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/\(parser).json"))
  }

  /// One call of the fuzzer whose corpus covers some edges, and which then finds an input that covers others.
  private func fuzzed(_ parser: String, corpus: Int, then edges: Int) throws {
    let output = """
      INFO: Loaded 1 modules   (9000 inline 8-bit counters): 9000 [0x1, 0x2),
      #2\tREAD   cov: 3 ft: 3 corp: 1/1b exec/s: 0 rss: 30Mb
      #3\tINITED cov: \(corpus) ft: 900 corp: 2/5b exec/s: 0 rss: 30Mb
      #40\tNEW    cov: \(edges) ft: 901 corp: 3/9b lim: 4 exec/s: 0 rss: 30Mb L: 4/4 MS: 1 ChangeBit-
      #64\tDONE   cov: \(edges) ft: 901 corp: 3/9b lim: 4 exec/s: 0 rss: 30Mb
      stat::number_of_executed_units: 64

      """
    // The program is known by its bytes; here it is the input itself.
    _ = try script(
      "fuzz-state.py",
      ["watch", folder.path, parser, DocumentBlock.project + "/LICENSE", folder.path + "/log"],
      reading: output
    )
    #expect(try String(contentsOfFile: folder.path + "/log", encoding: .utf8) == output)
  }

  @Test("Fuzzing goes on with the parser that had least, until 30 minutes bring no new coverage")
  func fuzzing() throws {
    let digest = try Independent.sha256(DocumentBlock.project + "/LICENSE")
    try write("jpeg", edges: 500, dry: 1700, program: digest)
    try fuzzed("jpeg", corpus: 500, then: 500)
    let same = try state("jpeg")
    #expect(same["inputs"].int == 1064 && same["edges"].int == 500)
    #expect(try #require(same["secondsWithoutNew"].number) >= 1700)
    try fuzzed("jpeg", corpus: 500, then: 501)
    #expect(try state("jpeg")["edges"].int == 501)
    #expect(try #require(state("jpeg")["secondsWithoutNew"].number) < 60)
    // The same edges in a program that was built anew are no new coverage, and others are.
    try write("png", edges: 500, dry: 1900, program: "another")
    try fuzzed("png", corpus: 500, then: 500)
    #expect(try #require(state("png")["secondsWithoutNew"].number) >= 1900)
    try write("gif", edges: 500, dry: 1900, program: "another")
    try fuzzed("gif", corpus: 400, then: 400)
    #expect(try state("gif")["edges"].int == 400)
    #expect(try #require(state("gif")["secondsWithoutNew"].number) < 60)

    let names = ["jpeg", "png", "gif", "never"]
    #expect(try script("fuzz-state.py", ["next", folder.path] + names) == "never\n")
    #expect(try script("fuzz-state.py", ["next", folder.path, "png"]) == "")
    #expect(try script("fuzz-state.py", ["count", folder.path] + names) == "3\n")
    let table = try script("fuzz-state.py", ["table", folder.path] + names)
    #expect(table.contains("| png | 60.") && table.contains("| done |"), "\(table)")
    #expect(table.contains("1 of 4 parsers are done"), "\(table)")
  }

  /// A coordinator starts a worker whose parent is written behind the worker's first lines.
  private static let calls = """
    10 execve("/opt/bin/mediabatch", ["mediabatch", "run", "m.json"], 0x7ff /* 9 vars */) = 0
    10 umask(022) = 022
    10 seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL) = -1 EFAULT (Bad address)
    10 getppid() = 1
    10 seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=185, filter=0x5}) = 0
    10 seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=11, filter=0x6}) = 0
    10 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_VFORK|SIGCHLD <unfinished ...>
    11 setsid() = 11
    11 execve("/opt/bin/mediabatch-worker", ["mediabatch-worker"], 0x7ff /* 5 vars */ <unfinished ...>
    10 <... clone resumed>) = 11
    11 <... execve resumed>) = 0
    11 seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=120, filter=0x5}) = 0
    11 sysinfo({uptime=1}) = 0
    11 +++ killed by SIGKILL +++
    10 clone(child_stack=NULL, flags=SIGCHLD) = 12
    12 execve("/proc/self/exe", ["/proc/self/exe", "times"], 0x7ff /* 5 vars */) = 0
    12 seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=60, filter=0x5}) = 0
    12 utimensat(5, "", [UTIME_OMIT, UTIME_OMIT], AT_EMPTY_PATH) = 0
    12 +++ exited with 0 +++
    10 clone(child_stack=NULL, flags=SIGCHLD) = 12
    12 execve("/opt/bin/mediabatch-worker", ["mediabatch-worker", "--self-test", "x"], 0x7ff) = 0
    12 seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=120, filter=0x5}) = 0
    12 times(NULL) = 1
    12 +++ exited with 0 +++

    """

  @Test("A system call counts for each list that confines its process, and not before it does")
  func systemCalls() throws {
    _ = try script("system-calls.py", ["count", folder.path], reading: Self.calls)
    let seen = try JSON(text: String(contentsOfFile: folder.path + "/seen.json", encoding: .utf8))
    let coordinator = seen["coordinator"]
    #expect(coordinator["setsid"].int == 1 && coordinator["sysinfo"].int == 1)
    #expect(!coordinator["umask"].exists && !coordinator["getppid"].exists)
    #expect(seen["worker"].keys == ["sysinfo"])
    #expect(seen["times"].keys == ["utimensat"])
    let traced = try script("system-calls.py", ["trace", folder.path, "futex"])
      .split(whereSeparator: { $0 == "," || $0 == "\n" })
    #expect(traced.contains("?umask") && traced.contains("?execve"))
    #expect(!traced.contains("?utimensat") && !traced.contains("?futex"))
    let table = try script("system-calls.py", ["table", folder.path])
    #expect(table.contains("  seen:  utimensat=1\n"), "\(table)")
  }

  /// A folder with the script that collects changes, and a changelog whose first version has no tag.
  private struct Changelog {
    let path: String

    init(in folder: String) throws {
      path = folder
      for name in ["scripts", "changes", "debian"] {
        try FileManager.default.createDirectory(
          atPath: path + "/" + name,
          withIntermediateDirectories: true
        )
      }
      try FileManager.default.copyItem(
        atPath: DocumentBlock.project + "/scripts/changelog.py",
        toPath: path + "/scripts/changelog.py"
      )
      try write("Not collected.\n", to: "changes/README.md")
      try write(
        """
        # Changelog

        Newest first.

        ## 0.2.0 (2026-11-26)

        The first.

        ### Sharing

        - Folders for others.

        """,
        to: "CHANGELOG.md"
      )
      try write(
        """
        mediabatch (0.2.0) unstable; urgency=medium

          * First.

         -- m <m@debian.invalid>  Thu, 26 Nov 2026 12:00:00 +0000

        """,
        to: "debian/changelog"
      )
    }

    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func text(_ name: String = "CHANGELOG.md") throws -> String {
      try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }

    /// Runs the script on 21 November 2026.
    func run(_ arguments: String...) throws -> Tool.Result {
      try Tool.run(
        "python3",
        [path + "/scripts/changelog.py"] + arguments,
        environment: ["SOURCE_DATE_EPOCH": "1795300000"]
      )
    }
  }

  @Test("A version collects the files of changes below what was written by hand, and keeps what it has")
  func changes() throws {
    let changelog = try Changelog(in: folder.path)
    try changelog.write(
      "### Sharing\n\nA page\nis new (e.g. `a. B`). More. See [it](docs/it.md).\n",
      to: "changes/page.md"
    )
    try changelog.write("### Sources\n\nA camera is new.\n", to: "changes/camera.md")
    try changelog.write(
      "### Before you upgrade\n\nDo this. Do that. See [it](docs/it.md).\n",
      to: "changes/up.md"
    )
    try changelog.write("### Elsewhere\n\nText.\n", to: "changes/bad.md")
    #expect(try changelog.run("--check").output.hasPrefix("changes/bad.md:1: "))
    #expect(try changelog.run("0.2.0").status == 1)
    try FileManager.default.removeItem(atPath: folder.path + "/changes/bad.md")
    #expect(try changelog.run("--check").status == 0)
    #expect(try changelog.run("0.2.0").status == 0)
    let closed = """
      # Changelog

      Newest first.

      ## 0.2.0 (2026-11-21)

      The first.

      ### Before you upgrade

      - Do this. Do that. See [it](docs/it.md).

      ### Sources

      - A camera is new.

      ### Sharing

      - Folders for others.
      - In detail:
        - A page is new (e.g. `a. B`). See [it](docs/it.md).

      """
    #expect(try changelog.text() == closed)
    #expect(try changelog.text("debian/changelog").contains(">  Sat, 21 Nov 2026 "))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/changes")
    #expect(left == ["README.md"])
    // Closed again, for the day or for what came meanwhile.
    #expect(try changelog.run("0.2.0").status == 0)
    #expect(try changelog.text() == closed)
    try changelog.write("### Sharing\n\nA button is new.\n", to: "changes/button.md")
    #expect(try changelog.run("0.2.0").status == 0)
    #expect(try changelog.text() == closed + "  - A button is new.\n")
    // The next version stands above it.
    try changelog.write("### Sharing\n\nA list is new.\n", to: "changes/list.md")
    #expect(try changelog.run("0.3.0").status == 0)
    let next = "## 0.3.0 (2026-11-21)\n\n### Sharing\n\n- A list is new.\n\n## 0.2.0 (2026-11-21)\n"
    #expect(try changelog.text().contains(next))
  }

  @Test("A version that has its tag is not written any more", .enabled(if: Tool.exists("git"), "no git"))
  func taggedVersion() throws {
    let changelog = try Changelog(in: folder.path)
    let identity = "-c user.name=t -c user.email=t@debian.invalid"
    let commit =
      "cd '\(folder.path)' && git init -q && git add . && git \(identity) commit -qm t && git tag v0.2.0"
    #expect(try Tool.run("bash", ["-c", commit]).status == 0)
    try changelog.write("### Sharing\n\nA page is new.\n", to: "changes/page.md")
    let before = try changelog.text()
    #expect(try changelog.run("0.2.0").status == 1)
    #expect(try changelog.text() == before)
    #expect(try changelog.run("0.2.1").status == 0)
  }
}
