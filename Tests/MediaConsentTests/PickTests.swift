import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Before which a person types at a picker.
let inputPlace = "done, q: "

@Suite("A person picks single files")
struct PickTests {
  private let folder = TemporaryFolder()

  init() throws {
    for name in ["a.jpg", "b.HEIC", "b.mov", "c.mp4", "notes.txt", "sub/d.png", "sub/deep/e.gif"] {
      try make(name)
    }
  }

  @Test("What is picked are the files of the numbers, and nothing is opened")
  func picks() throws {
    let terminal = try start(["limit": "0"])
    #expect(terminal.shows("Pick from the photo library for \"Feed importer\""))
    #expect(terminal.shows("1 | a.jpg\r\n"))
    #expect(terminal.shows("2 | b.HEIC + b.mov\r\n"))
    #expect(terminal.shows("3 | c.mp4\r\n"))
    #expect(terminal.shows("4 | sub/d.png\r\n"))
    #expect(terminal.shows("5 | sub/deep/e.gif\r\n"))
    #expect(terminal.shows("Names 1 to 5 of 5; none chosen."))
    #expect(terminal.shows(inputPlace))
    #expect(!terminal.text.contains("notes"))
    answer(terminal, ["2 4-5", "-4", ""])
    #expect(terminal.text.contains("Chosen: 2, any number."))
    answer(terminal, ["done"], last: true)
    #expect(terminal.end().output == "b.HEIC\nb.mov\nsub/deep/e.gif\npicked 3\n")
    #expect(terminal.isAsBefore)
  }

  @Test(
    "Canceling picks nothing, whatever was chosen",
    arguments: [
      ("q\r", "picked 0\n"), ("\u{3}", "error interrupted\n"), ("\u{4}", "picked 0\n"),
    ]
  )
  func cancels(typed: String, output: String) throws {
    let terminal = try start(["limit": "0"])
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["1"])
    terminal.type(typed)
    #expect(terminal.end().output == output)
    #expect(terminal.isAsBefore)
  }

  @Test("A closed terminal picks nothing, SIGINT is an interruption; SIGTERM ends the program")
  func signals() throws {
    let closed = try start()
    #expect(closed.shows(inputPlace))
    answer(closed, ["1"])
    closed.close()
    #expect(closed.end().output == "picked 0\n")
    let interrupted = try start()
    #expect(interrupted.shows(inputPlace))
    answer(interrupted, ["1"])
    interrupted.send(SIGINT)
    #expect(interrupted.end().output == "error interrupted\n")
    #expect(interrupted.isAsBefore)
    let ended = try start()
    #expect(ended.shows(inputPlace))
    ended.send(SIGTERM)
    #expect(ended.end().status == 128 + SIGTERM)
    #expect(ended.isAsBefore)
  }

  @Test("More than the limit lists what is too much, and lets the person choose again")
  func surplus() throws {
    let terminal = try start(["limit": "2"])
    #expect(terminal.shows("at most 2."))
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["3", "1 4 2"])
    terminal.type("done\r")
    #expect(terminal.shows("You chose 4, but at most 2 can be picked."))
    #expect(terminal.shows("4 | sub/d.png"))
    #expect(terminal.shows("2 | b.HEIC + b.mov"))
    #expect(terminal.shows("Take some back"))
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["-4 -2"])
    terminal.type("done\r")
    #expect(terminal.end().output == "a.jpg\nc.mp4\npicked 2\n")
  }

  @Test("One is the limit when nothing else is said, and a live photo is one")
  func limitOfOne() throws {
    let terminal = try start()
    #expect(terminal.shows("at most 1."))
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["done", "2", "done"], last: true)
    #expect(terminal.text.contains("Nothing is chosen"))
    #expect(terminal.end().output == "b.HEIC\nb.mov\npicked 2\n")
  }

  @Test(
    "A filter shows its kind only, by the names alone",
    arguments: [
      ("images", ["a.jpg", "b.HEIC + b.mov", "sub/d.png", "sub/deep/e.gif"]),
      ("livePhotos", ["b.HEIC + b.mov"]),
      ("videos", ["b.mov", "c.mp4"]),
      ("livePhotos,videos", ["b.HEIC + b.mov", "c.mp4"]),
    ]
  )
  func filters(filter: String, names: [String]) throws {
    let terminal = try start(["filter": filter])
    #expect(terminal.shows(inputPlace))
    #expect(rows(terminal) == names)
  }

  @Test("Names are narrowed by a text, and a range takes only what is shown")
  func narrows() throws {
    let terminal = try start(["limit": "0"])
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["/SUB"])
    #expect(rows(terminal).suffix(2) == ["sub/d.png", "sub/deep/e.gif"])
    // Numbers are those of the names that are shown.
    #expect(terminal.text.contains(" 1 | sub/d.png"))
    answer(terminal, ["1-5", "3", "-1", "1", "/", "done"], last: true)
    #expect(terminal.text.contains("Names 1 to 2 of 2; none chosen."))
    #expect(terminal.text.contains("No name that is shown has such a number."))
    #expect(terminal.end().output == "sub/d.png\nsub/deep/e.gif\npicked 2\n")
  }

  @Test("Words that mean nothing and numbers of nothing choose nothing")
  func nonsense() throws {
    let terminal = try start(["limit": "0"])
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["x", "1-", "3-1", "0", "--2", "1 x", "6-9", "99999999999999999999", "done"])
    terminal.type("q\r")
    #expect(terminal.end().output == "picked 0\n")
    #expect(terminal.text.contains("Nothing is chosen"))
  }

  @Test("What was typed before the names stood there, or comes as if pasted, picks nothing")
  func typedAhead() throws {
    let terminal = try start()
    terminal.type("1\rdone\r")
    #expect(terminal.shows("Names 1 to 5 of 5"))
    terminal.type("1\rdone\r")
    #expect(terminal.shows(inputPlace))
    terminal.type("1\rdone\r")
    #expect(terminal.shows("as if pasted"))
    #expect(terminal.shows(inputPlace))
    answer(terminal, [""])
    terminal.type("q\r")
    #expect(terminal.end().output == "picked 0\n")
    #expect(terminal.text.contains("Nothing is chosen"))
  }

  @Test("What was taken or changed last comes first, unless another order is asked for")
  func order() throws {
    for (seconds, name) in ["c.mp4", "a.jpg", "sub/deep/e.gif", "b.HEIC", "sub/d.png"].enumerated() {
      let time = timeval(tv_sec: 1_700_000_000 + seconds, tv_usec: 0)
      var times = [time, time]
      try #require(utimes(folder.path + "/" + name, &times) == 0)
    }
    let names = ["sub/d.png", "b.HEIC + b.mov", "sub/deep/e.gif", "a.jpg", "c.mp4"]
    for (sort, expected) in [
      ("creationDate:descending", names), ("creationDate:ascending", names.reversed()),
    ] {
      let terminal = try start(["sort": sort])
      #expect(terminal.shows(inputPlace))
      #expect(rows(terminal) == expected)
      answer(terminal, ["1", "done"], last: true)
      let files = expected[0].replacing("b.HEIC + ", with: "b.HEIC\n")
      #expect(terminal.end().output == "\(files)\npicked \(files.split(separator: "\n").count)\n")
    }
  }

  @Test("A big folder comes in pages")
  func pages() throws {
    for number in 0..<300 { try make(String(format: "big/%03d.jpg", number)) }
    let terminal = try start(["limit": "0"], rows: 15)
    #expect(terminal.shows("Names 1 to 10 of 305; none chosen."))
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["n", "n", "n", "p"])
    #expect(terminal.text.contains("Names 31 to 40 of 305"))
    answer(terminal, ["298-300", "/299", "done"], last: true)
    #expect(terminal.text.contains("Names 1 to 1 of 1; 3 chosen."))
    #expect(terminal.end().output == "big/297.jpg\nbig/298.jpg\nbig/299.jpg\npicked 3\n")
  }

  @Test("Links, pipes and what is on another file system cannot be chosen")
  func notCandidates() throws {
    let root = folder.path
    try make("elsewhere/target.jpg", in: root + "-elsewhere")
    defer { try? FileManager.default.removeItem(atPath: root + "-elsewhere") }
    symlink(root + "-elsewhere/elsewhere/target.jpg", root + "/link.jpg")
    symlink(root + "-elsewhere", root + "/linked")
    mkfifo(root + "/pipe.jpg", 0o600)
    mkdir(root + "/folder.jpg", 0o700)
    let terminal = try start(["filter": "images"])
    #expect(terminal.shows(inputPlace))
    #expect(rows(terminal) == ["a.jpg", "b.HEIC + b.mov", "sub/d.png", "sub/deep/e.gif"])
  }

  @Test(
    "Another file system's files are shown only where the source crosses mounts",
    .enabled(if: PickTests.canMount, "needs a mount namespace"),
    arguments: [("0", ["a.jpg"]), ("1", ["a.jpg", "mounted/m.jpg"])]
  )
  func mounts(crossMounts: String, names: [String]) throws {
    let source = folder.path + "/own"
    try make("own/a.jpg")
    try make("own/mounted/under.txt")
    let unshare = try Tool.run("sh", ["-c", "command -v unshare"]).output
    let terminal = try PseudoTerminal(
      unshare.trimmingCharacters(in: .newlines),
      Self.namespace + [
        "sh", "-c",
        "mount -t tmpfs tmpfs \"$0/mounted\" && : >\"$0/mounted/m.jpg\" && exec \"$@\"", source,
        try Probe.path(), "pick", "folder=\(source)", "limit=0", "locale=C.UTF-8",
        "crossMounts=\(crossMounts)",
      ]
    )
    #expect(terminal.shows(inputPlace))
    #expect(rows(terminal) == names)
    answer(terminal, ["all", "done"], last: true)
    #expect(terminal.end().output == names.map { $0 + "\n" }.joined() + "picked \(names.count)\n")
  }

  private static let namespace = getuid() == 0 ? ["-m"] : ["-rm"]

  private static let canMount: Bool = {
    let mount = namespace + ["mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (try? Tool.run("unshare", mount))?.status == 0
  }()

  @Test("Size and date stand before each name, and ? explains the answers")
  func facts() throws {
    let time = timeval(tv_sec: 1_763_689_479, tv_usec: 0)
    var times = [time, time]
    try Data(count: 162_800).write(to: URL(fileURLWithPath: folder.path + "/a.jpg"))
    try #require(utimes(folder.path + "/a.jpg", &times) == 0)
    let terminal = try start()
    #expect(terminal.shows("  162.8 kB  2025-11-21      1 | a.jpg\r\n"))
    #expect(terminal.shows(" 12 B"), "of both files of a live photo")
    #expect(terminal.shows(inputPlace))
    answer(terminal, ["?"])
    for word in ["3 7-9", "/text", "Enter", "done", "Ctrl-C"] {
      #expect(terminal.text.contains("  " + word) || terminal.text.contains(word), "\(word)")
    }
    terminal.type("q\r")
    #expect(terminal.end().output == "picked 0\n")
  }

  @Test("Nothing there to choose from is said")
  func empty() throws {
    let nothing = TemporaryFolder()
    let terminal = try Probe.start("pick", ["folder": nothing.path])
    #expect(terminal.shows("No name here; none chosen."))
    #expect(terminal.shows(inputPlace))
    terminal.type("q\r")
    #expect(terminal.end().output == "picked 0\n")
  }

  private func make(_ name: String, in root: String? = nil) throws {
    let path = (root ?? folder.path) + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true
    )
    try Data("CANARY".utf8).write(to: URL(fileURLWithPath: path))
  }

  private func start(_ fields: [String: String] = [:], rows: Int = 24) throws -> PseudoTerminal {
    try Probe.start("pick", ["folder": folder.path].merging(fields) { $1 }, rows: rows)
  }

  /// Types lines, each when the place for it is there; the first place was waited for already.
  private func answer(_ terminal: PseudoTerminal, _ lines: [String], last: Bool = false) {
    for (index, line) in lines.enumerated() {
      terminal.type(line + "\r")
      if last && index == lines.count - 1 { return }
      #expect(terminal.shows(inputPlace), "after \(line)")
    }
  }

  private func rows(_ terminal: PseudoTerminal) -> [String] {
    terminal.text.split(separator: "\r\n").compactMap { line in
      guard let bar = line.range(of: " | "), line[..<bar.lowerBound].last?.isNumber == true
      else { return nil }
      return String(line[bar.upperBound...])
    }
  }
}
