import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// The records of `repair --superseded`, `repair` and `rebuild` are no run, and the commands say the new head.
@Suite("Housekeeping is no run", .enabled(if: Has.sqlite, "no sqlite3"))
struct HousekeepingTests {
  /// A library of one run under `keep` and one that wrote its photo anew.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", try Media.photo("a"))
    try scene.run().expect(0)
    scene.manifest["metadata"] = ["policy": "strip"]
    try scene.run("--reprocess").expect(0)
    return scene
  }

  @Test("Behind repair the last run is the last import, and no report calls it unguarded")
  func reports() throws {
    let scene = try scene()
    let before = try scene.reportedRuns()
    let page = try scene.reportText("html")
    let clean = try scene.command("repair", "Library", "--superseded", "--format", "json").json()
    #expect(clean["removed"].array.count == 1)
    #expect(try scene.reportedRuns() == before)
    #expect(try scene.reportedRuns("--run", "last") == [before[1]])
    let after = try scene.reportText("html")
    #expect(after.contains("guarded by the kernel") == page.contains("guarded by the kernel"))
    #expect(!after.contains("Client: <b dir=\"auto\">mediabatch clean"))
    #expect(
      after.contains(
        "<code>mediabatch repair --superseded</code> imported nothing and ended with exit code 0."
      )
    )
    // A run's identifier is never broken over two lines.
    let run = try #require(before.first)
    #expect(after.contains("<code class=\"run\">\(run)</code>"))
    #expect(after.contains(".run { white-space: nowrap; }"))
    let report = try JSON(text: try scene.reportText("json"))
    let command = try #require(report["housekeeping"].array.first)
    #expect(command["command"].string == "clean" && command["exitCode"].int == 0)
    #expect(command["head"].string == clean["audit"]["head"].string)
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(!(try scene.reportText("in-toto")).contains(empty))
    #expect(!after.contains(empty))
    // A person who names it is told what it is.
    let file = try #require(command["file"].string)
    let identifier = try #require(file.split(separator: "-").last?.split(separator: ".").first)
    let named = try scene.command("report", "Library", "--run", String(identifier))
    #expect(
      named.code == 64 && named.error.contains("not a run but the log of `mediabatch repair --superseded`"),
      "\(named.streams)"
    )
  }

  @Test("With nothing superseded the log stays as it was; otherwise repair prints the new head")
  func heads() throws {
    let scene = try scene()
    let clean = try scene.command("repair", "Library", "--superseded")
    try clean.expect(0)
    let command = try #require(clean.output.split(separator: "\n").first { $0.contains("audit verify") })
    let words = try #require(command.range(of: "mediabatch audit"))
    let shell = try scene.shell("\"$mediabatch\" audit" + command[words.upperBound...])
    try shell.expect(0)
    let files = try scene.logFiles().map(\.name)
    let second = try scene.command("repair", "Library", "--superseded", "--format", "json")
    try second.expect(0)
    #expect(try second.json()["audit"].isNull)
    #expect(try scene.logFiles().map(\.name) == files)
    #expect(!(try scene.command("repair", "Library", "--superseded").output).contains("head"))
    try scene.expectVerified()
  }

  @Test("What repair --superseded records of an interrupted run counts, and is not called a run's")
  func recovered() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    let log = try #require(try scene.logFiles().first)
    try scene.put("sources/camera/4.jpg", try Media.photo("four"))
    // A batch that is published and not in the log, as a kill leaves it.
    let moment = try HeldProgram(["run", "manifest.json"], in: scene.path, calls: "renameat2")
    _ = try moment.next { $0.line.contains(scene.library + "/Originals") }
    moment.kill(SIGKILL)
    _ = try? moment.wait()
    let clean = try scene.command("repair", "Library", "--superseded")
    try clean.expect(0)
    let report = try JSON(text: try scene.reportText("json"))
    #expect(report["counts"]["imported"].int == 4)
    #expect(report["recovered"].int == 1)
    #expect(report["housekeeping"].array.isEmpty)
    #expect(try scene.reportText("html").contains("guarded by"))
    #expect(!(try scene.reportText("in-toto")).contains("e3b0c44298fc1c149afbf4c8996fb924"))
    #expect(try scene.reportedRuns("--run", "last").first != nil && log.name.hasPrefix("000001"))
  }

  @Test("rebuild and repair print their head too, and are no runs")
  func others() throws {
    let scene = try scene()
    let before = try scene.reportedRuns()
    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    try rebuild.expect(0)
    let head = try #require(try rebuild.json()["audit"]["head"].string)
    try scene.command("audit", "verify", "Library", "--expect-head", head).expect(0)
    #expect(try scene.reportedRuns() == before)
    let original = try #require(
      try scene.catalogue("SELECT path FROM resources WHERE superseded = 0").first
    )
    var bytes = try readBytes(scene.library + "/" + original)
    bytes[bytes.count - 3] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: scene.library + "/" + original))
    let repair = try scene.command("repair", "Library", "--format", "json")
    try repair.expect(65)
    let moved = try #require(try repair.json()["audit"]["head"].string)
    try scene.command("audit", "verify", "Library", "--expect-head", moved).expect(0)
    #expect(try scene.reportedRuns() == before)
    #expect(try JSON(text: try scene.reportText("json"))["housekeeping"].array.count == 2)
  }

  @Test("check-proof tells a log that has grown from another one, with the command that shows it")
  func grown() throws {
    let scene = try scene()
    func head() throws -> String {
      let json = try scene.command("audit", "verify", "Library", "--format", "json").json()
      return "\(try #require(json["size"].int)):\(try #require(json["root"].string))"
    }
    let old = try head()
    func prove(_ name: String) throws {
      let proof = try scene.command("audit", "prove", "Library", "--record", "1")
      try proof.expect(0)
      try scene.put(name, proof.output)
    }
    try prove("old.ndjson")
    try scene.command("repair", "Library", "--superseded").expect(0)
    let new = try head()
    try prove("new.ndjson")
    func check(_ proof: String, _ head: String) throws -> Outcome {
      try scene.command("audit", "check-proof", proof, "--head", head)
    }
    try check("old.ndjson", old).expect(0)
    try check("new.ndjson", new).expect(0)
    for (proof, trusted, word) in [
      ("new.ndjson", old, "its head is newer than the expected one"),
      ("old.ndjson", new, "its head is older than the expected one"),
    ] {
      let outcome = try check(proof, trusted)
      try outcome.expect(65)
      #expect(outcome.output.contains(word), "\(outcome.streams)")
      #expect(!outcome.output.contains("another log"))
      let command = "audit consistency \(old) \(new) --library LIBRARY"
      #expect(outcome.output.contains(command), "\(outcome.streams)")
    }
    try scene.command("audit", "consistency", old, new, "--library", "Library").expect(0)
    let size = try #require(old.split(separator: ":").first)
    let other = try check("old.ndjson", "\(size):\(String(repeating: "0", count: 64))")
    try other.expect(65)
    #expect(other.output.contains("another log"), "\(other.streams)")
  }

  @Test("Proofs, exports, heads and keys are read through a pipe as from a file")
  func pipes() throws {
    let scene = try scene()
    let outcome = try scene.shell(
      """
      set -e -o pipefail
      key=$("$mediabatch" audit key show)
      check() { "$mediabatch" audit check-proof "$@" > said || { cat said; exit 1; }; grep -c ^Proved said; }
      "$mediabatch" audit export Library > export.ndjson
      "$mediabatch" audit prove Library --record 1 > proof.ndjson
      head=$(ls Library/Audit/*.head | tail -1)
      cat export.ndjson | check /dev/stdin --trust "$key"
      check <(cat proof.ndjson) --trust <(echo "$key")
      check <(cat proof.ndjson) --head <(cat "$head")
      # A writer that is slow to begin.
      mkfifo pipe; (cat export.ndjson > pipe) & check pipe --trust "$key"
      check proof.ndjson --trust "$key"
      """
    )
    #expect(outcome.code == 0, "\(outcome.streams)")
    #expect(outcome.output == "1\n1\n1\n1\n1\n", "\(outcome.streams)")
    for file in ["/dev/null", "Library"] {
      let no = try scene.command(
        "audit",
        "check-proof",
        file,
        "--head",
        "1:" + String(repeating: "0", count: 64)
      )
      #expect(no.code == 64 && !no.output.contains("Not proved"), "\(file): \(no.streams)")
    }
  }
}
