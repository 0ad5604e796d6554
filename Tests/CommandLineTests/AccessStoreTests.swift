import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Somebody who is not root, so that modes count.
private enum Nobody {
  static let arguments = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]

  /// Whether this process may become one, and the program can be run by it.
  static let isAvailable: Bool = {
    guard getuid() == 0, let program = try? Scene.executable() else { return false }
    // By a shell: what setpriv starts itself may still look into folders of root.
    let script = ["sh", "-c", "\"$0\" --version; exit $?", program]
    let result = try? Tool.run(arguments[0], Array(arguments.dropFirst()) + script)
    return result?.status == 0
  }()
}

@Suite("mediabatch access: the store's file", .enabled(if: Has.sqlite, "no sqlite3"))
struct AccessStoreTests {
  @Test(
    "The store is made for its owner alone whatever the umask is",
    arguments: ["0000", "0077", "0277", "0777"]
  )
  func umaskProof(mask: String) throws {
    let scene = try Scene.undecided()
    let outcome = try scene.shell(
      """
      umask \(mask); "$mediabatch" access grant manifest.json camera >&2 || exit
      "$mediabatch" access deny manifest.json camera >&2 || exit
      stat -c %a home home/mediabatch home/mediabatch/* && ls -A home/mediabatch
      """
    )
    #expect(outcome.output == "700\n700\n600\nanswers.sqlite\n", "\(outcome.error)")
  }

  @Test(
    "Nobody else can open file or journal at any moment: made 0600 before a byte is written",
    .enabled(if: Has.strace, "no strace")
  )
  func neverWider() throws {
    let scene = try Scene.undecided()
    let outcome = try scene.shell(
      """
      umask 0
      strace -f -qq -y -e trace=openat2,openat,open,creat,chmod,fchmod,fchmodat,write,pwrite64,linkat -o t \
        "$mediabatch" access grant manifest.json camera >&2 || exit
      grep -E 'O_CREAT|chmod|linkat' t | grep -v ' = -1 '
      """
    )
    let lines = outcome.output.split(separator: "\n")
    // The new file, SQLite's opening of it, and a journal for each of two changes.
    #expect(lines.count { $0.contains("O_CREAT") } >= 3, "\(outcome.streams)")
    for line in lines where line.contains("O_CREAT") {
      let isClosed =
        line.contains(", 0600)") || line.contains("mode=0600,")
        || line.contains("answers.sqlite\", O_RDWR")
      #expect(isClosed, "\(line)")
    }
    for line in lines where line.contains("chmod") {
      #expect(line.contains("0600") || line.contains("0700"), "\(line)")
    }
    let linked = try #require(lines.firstIndex { $0.contains("linkat") })
    #expect(lines[..<linked].contains { $0.contains("O_EXCL") && $0.contains("0600") })
  }

  @Test("A store that others can read stops every command, and a run, until it is mended")
  func wider() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera").expect(0)
    chmod(scene.answers, 0o640)
    for arguments in [
      ["list"], ["grant", "manifest.json", "camera"], ["deny", "manifest.json", "camera"],
      ["limit", "manifest.json", "x"], ["reset", "--all"], ["explain", "manifest.json"],
    ] {
      let outcome = try Scene.program(["access"] + arguments, in: scene.path)
      #expect(outcome.code == 78, "\(arguments): \(outcome.streams)")
      #expect(outcome.error.contains("`chmod 600 \(scene.answers)`.\n"), "\(outcome.error)")
      #expect(outcome.output.isEmpty)
    }
    let json = try scene.accessJSON("list", code: 78)
    #expect(json["problems"].array.first?["code"].string == "fileNotSafe")
    try scene.run().expect(78)
    // The summary of a run shows the same sentence, in lines of the terminal's width.
    let run = try scene.command("run", "manifest.json")
    try run.expect(78)
    let words = run.streams.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains(" after `chmod 600 \(scene.answers)`."), "\(run.streams)")
    #expect(!run.streams.contains("\\n"), "\(run.streams)")
    chmod(scene.answers, 0o600)
    try scene.run().expect(0)
  }

  @Test("A store that cannot be believed stops a run too, whatever is wrong with it")
  func damaged() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = [
      "camera": ["path": "sources/camera", "authorizationStatus": "authorized"]
    ]
    try scene.writeManifest()
    try scene.access("deny", "manifest.json", "camera").expect(0)
    let whole = try readBytes(scene.answers)
    for damage in ["empty", "cut", "other", "row"] {
      switch damage {
      case "empty": try scene.put("home/mediabatch/answers.sqlite", [])
      case "cut": try scene.put("home/mediabatch/answers.sqlite", Array(whole.prefix(5000)))
      case "other": try scene.put("home/mediabatch/answers.sqlite", "something else")
      default:
        try scene.put("home/mediabatch/answers.sqlite", whole)
        _ = try Tool.run("sqlite3", [scene.answers, "DELETE FROM answers"])
      }
      chmod(scene.answers, 0o600)
      try scene.access("list").expect(78)
      let run = try scene.run()
      #expect(run.code == 78, "\(damage): \(run.streams)")
      #expect(try scene.originals().isEmpty)
    }
    try scene.put("home/mediabatch/answers.sqlite", whole)
    chmod(scene.answers, 0o600)
    try scene.run().expect(77)
  }

  @Test(
    "Where nothing can be written it says so with 74, and what was answered still counts",
    .enabled(if: Nobody.isAvailable, "this user cannot become another, or the program is not theirs")
  )
  func notWritable() throws {
    let scene = try Scene.undecided()
    let script = """
      chown -R 54321:54321 . && chmod 755 .
      as() { setpriv --reuid=54321 --regid=54321 --clear-groups "$mediabatch" access "$@"; echo $?; }
      as deny manifest.json camera
      chmod 500 home/mediabatch; as grant manifest.json camera; as list
      chmod 700 home/mediabatch; chmod 400 home/mediabatch/answers.sqlite
      as grant manifest.json camera; as list
      chmod 000 home/mediabatch/answers.sqlite; as list
      chmod 600 home/mediabatch/answers.sqlite; as grant manifest.json camera
      rm -r home; chmod 500 .; as grant manifest.json camera
      chmod 755 .
      """
    let outcome = try scene.shell(script)
    let codes = outcome.output.split(separator: "\n").filter { Int($0) != nil }
    #expect(codes == ["0", "74", "0", "74", "0", "74", "0", "74"], "\(outcome.streams)")
    // Before each of the two changes that failed and after: denied, and never anything else.
    #expect(outcome.output.components(separatedBy: "camera, readWrite: denied").count == 4)
    #expect(outcome.error.contains("Make the file and its folder writable for you"))
  }

  @Test(
    "A read-only file system is said with 74",
    .enabled(if: Namespace.isAvailable, "this user may not mount")
  )
  func readOnlyFileSystem() throws {
    let scene = try Scene.undecided()
    try scene.makeFolder("home")
    let outcome = try Namespace.run(
      """
      mount -t tmpfs -o mode=700 tmpfs home || exit
      "$mediabatch" access deny manifest.json camera > /dev/null; echo $?
      mount -o remount,ro home || exit
      "$mediabatch" access grant manifest.json camera; echo $?
      "$mediabatch" access list | grep -c denied
      mount -o remount,rw home; rm -r home/mediabatch; mount -o remount,ro home
      "$mediabatch" access grant manifest.json camera; echo $?
      """,
      in: scene.path
    )
    #expect(outcome.output == "0\n74\n1\n74\n", "\(outcome.streams)")
  }

  @Test(
    "A full disk changes nothing and loses nothing",
    .enabled(if: Namespace.isAvailable, "this user may not mount")
  )
  func fullDisk() throws {
    let scene = try Scene.undecided()
    try scene.makeFolder("home")
    let outcome = try Namespace.run(
      """
      mount -t tmpfs -o mode=700,size=1m tmpfs home || exit
      head -c 2m /dev/zero > home/filler 2> /dev/null
      "$mediabatch" access deny manifest.json camera; echo $?
      ls -A home/mediabatch | wc -l
      rm home/filler
      "$mediabatch" access deny manifest.json camera > /dev/null; echo $?
      head -c 2m /dev/zero > home/filler 2> /dev/null
      "$mediabatch" access grant manifest.json camera; echo $?
      "$mediabatch" access list | grep -c 'camera, readWrite: denied'
      rm home/filler
      "$mediabatch" access grant manifest.json camera > /dev/null; echo $?
      ls -A home/mediabatch
      """,
      in: scene.path
    )
    #expect(outcome.output == "74\n0\n0\n74\n1\n0\nanswers.sqlite\n", "\(outcome.streams)")
    #expect(outcome.error.components(separatedBy: "no space is left").count == 3, "\(outcome.error)")
  }

  @Test("Without a home the user database is asked")
  func noHome() throws {
    let scene = try Scene.undecided()
    let home = try scene.shell(
      """
      unset XDG_DATA_HOME; HOME="$PWD/house" "$mediabatch" access deny manifest.json camera || exit
      find house -type f; XDG_DATA_HOME=relative HOME="$PWD/house" "$mediabatch" access list
      """
    )
    #expect(home.output.contains("house/.local/share/mediabatch/answers.sqlite"), "\(home.streams)")
    #expect(home.output.contains("camera, readWrite: denied\n"))
    let odd = try scene.shell("XDG_DATA_HOME=$'/\\xff' \"$mediabatch\" access list; echo $?")
    #expect(odd.output == "78\n" && odd.error.contains("not UTF-8"), "\(odd.streams)")
  }

  @Test(
    "A user whom no database knows and who has no home is told what to set",
    .enabled(if: Nobody.isAvailable, "this user cannot become another, or the program is not theirs")
  )
  func unknownUser() throws {
    let none = try Scene.undecided().shell(
      "unset XDG_DATA_HOME HOME; \"$mediabatch\" access list; echo $?",
      as: Nobody.arguments
    )
    #expect(none.output == "78\n" && none.error.contains("XDG_DATA_HOME"), "\(none.streams)")
  }

  @Test("Many processes at once lose no answer and break no chain")
  func manyAtOnce() throws {
    let scene = try Scene.undecided()
    let outcome = try scene.shell(
      """
      for n in 1 2 3 4 5 6 7 8; do
        (for m in 1 2 3; do
          "$mediabatch" access grant manifest.json camera > /dev/null && echo ok
          "$mediabatch" access limit manifest.json $n.jpg $m.jpg > /dev/null && echo ok
          "$mediabatch" access list > /dev/null && echo ok
        done) &
      done; wait
      """
    )
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 72, "\(outcome.error)")
    #expect(try scene.stored("SELECT count(*), max(seq) FROM transitions") == ["48|48"])
    #expect(try scene.stored("SELECT count(*) FROM answers") == ["2"])
    #expect(try scene.stored("PRAGMA integrity_check") == ["ok"])
    #expect(try scene.accessJSON("list")["transitions"].int == 48)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.at("home/mediabatch"))
        == ["answers.sqlite"]
    )
  }

  /// Takes seconds: a command waits for five before it gives the store up.
  @Test("A store that another process holds is waited for, then said with 74")
  func held() throws {
    let scene = try Scene.undecided()
    try scene.access("deny", "manifest.json", "camera").expect(0)
    let outcome = try scene.shell(
      """
      (echo 'BEGIN EXCLUSIVE;'; echo '.shell touch held'; echo '.shell sleep 0.5') | sqlite3 "$0" &
      while [ ! -e held ]; do sleep 0.05; done
      "$mediabatch" access grant manifest.json camera; echo $?; wait; rm held
      (echo 'BEGIN EXCLUSIVE;'; echo '.shell touch held'; echo '.shell exec sleep 300') | sqlite3 "$0" > /dev/null 2>&1 & pid=$!
      while [ ! -e held ]; do sleep 0.05; done
      "$mediabatch" access list; echo $?; kill -KILL -- "$pid" $(ps -o pid= --ppid "$pid") 2> /dev/null
      """.replacing("\"$0\"", with: "'\(scene.answers)'")
    )
    #expect(outcome.output.contains("authorized (was: denied)"), "\(outcome.streams)")
    #expect(outcome.output.hasSuffix("0\n74\n"), "\(outcome.streams)")
    #expect(outcome.error.contains("Another process is using the stored answers"), "\(outcome.streams)")
  }
}
