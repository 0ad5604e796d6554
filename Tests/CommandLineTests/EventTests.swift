import Foundation
import Glibc
import MediaTestSupport
import Testing

@Suite(
  "Events of a run",
  .enabled(if: Has.sqlite && Tool.exists("jq"), "no sqlite3 or jq")
)
struct EventTests {
  private func photos(_ count: Int) throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    for number in 1...count {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  /// The events among the lines of a text; a line without its newline is no event.
  private func events(_ text: String) throws -> [JSON] {
    var lines = text.components(separatedBy: "\n")
    lines.removeLast()
    return try lines.map { try JSON(text: $0) }.filter {
      $0["schema"].string == "mediabatch.item/1"
    }
  }

  private func imported(_ events: [JSON]) -> Set<String> {
    Set(events.filter { $0["outcome"].string == "imported" }.compactMap { $0["sourcePath"].string })
  }

  private static let check = """
    import json, jsonschema, sys
    schema = json.load(open(sys.argv[1]))
    for line in open(sys.argv[2]):
      jsonschema.Draft202012Validator(schema).validate(json.loads(line))
    """

  @Test(
    "Each item has a line that the schema describes, and whose files are there with their digests",
    .enabled(if: Has.python && Has.jsonschema, "no python3 or jsonschema")
  )
  func lines() throws {
    let scene = try Scene.mixed()
    try scene.put("sources/camera/100%41 \"q\".jpg", try Media.photo("odd"))
    try scene.writeManifest()
    let run = try scene.command("run", "manifest.json", "--events")
    try run.expect(3)
    #expect(run.error.contains("Library   ") && run.error.contains("imported"), "\(run.error)")
    try scene.put("events.ndjson", run.output)
    let schema = Samples.folder + "/../events.schema.json"
    let result = try Tool.run("python3", ["-c", Self.check, schema, scene.at("events.ndjson")])
    #expect(result.status == 0, "\(result.error.suffix(600))")
    let events = try events(run.output)
    for outcome in ["imported", "duplicate", "failed", "unsupported", "skipped"] {
      let paths = Set(
        events.filter { $0["outcome"].string == outcome }
          .map { "\($0["source"].string ?? "")/\($0["sourcePath"].string ?? "")" }
      )
      let rows = try scene.catalogue("SELECT source || '/' || path FROM items WHERE outcome = '\(outcome)'")
      #expect(!paths.isEmpty && paths.count == rows.count, "\(outcome): \(paths) \(rows)")
    }
    // jq hands the files on as a script would.
    let files = try Tool.run(
      "sh",
      [
        "-c",
        """
        jq -r 'select(.path) | (., .thumbnails[] + {library}) | "\\(.sha256)  \\(.library)/\\(.path)"' \
          events.ndjson | sha256sum -c --quiet
        """,
      ],
      in: scene.path
    )
    #expect(files.status == 0 && files.output.isEmpty, "\(files)")
    let labels = try Tool.run("jq", ["-r", "select(.path).label", scene.at("events.ndjson")])
    #expect(labels.output.contains("100%41 \"q\"\n"), "\(labels)")
    // A second run publishes nothing; what an earlier one left out is looked at again.
    let second = try scene.command("run", "manifest.json", "--events")
    #expect(try self.events(second.output).allSatisfy { $0["path"].isNull })
    try scene.expectVerified()
  }

  @Test(
    "A line is written behind the renames, flushes, rows and records of its batch, and not at the end",
    .enabled(if: Has.strace, "no strace")
  )
  func order() throws {
    let scene = try photos(150)
    let (run, lines) = try scene.tracedRun(
      "write,renameat2,syncfs,fdatasync,fsync",
      ["--events", "--workers", "1"]
    )
    try run.expect(0)
    let first = try #require(lines.firstIndex { $0.contains("mediabatch.item/1") })
    func last(_ isWanted: (String) -> Bool) throws -> Int {
      let index = lines[..<first].lastIndex(where: isWanted)
      return try #require(index)
    }
    let rename = try last { $0.contains("renameat2") && $0.contains("/Originals") }
    let flush = try last { $0.contains("syncfs") }
    let rows = try last { $0.contains("sync(") && $0.contains("library.sqlite") }
    let record = try last { $0.contains("sync(") && $0.contains("/Audit/") }
    #expect(rename < flush && flush < rows && rows < record)
    // Their batch is the first of several.
    #expect(lines[first...].contains { $0.contains("renameat2") && $0.contains("/Originals") })
    let event = try #require(try events(run.output).first)
    #expect(event["library"].string == scene.library)
  }

  @Test("The summary as JSON is the last line")
  func summary() throws {
    let scene = try photos(2)
    let run = try scene.run("--events")
    try run.expect(0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(try JSON(text: String(lines[2]))["schema"].string == "mediabatch.run/1")
    try scene.command("run", "manifest.json", "--events", "--dry-run").expect(64)
  }

  @Test("A reader that goes away loses nothing of the library")
  func readerGoes() throws {
    let scene = try photos(80)
    try scene.writeManifest()
    let run = try RunningProgram(
      nil,
      ["run", "manifest.json", "--events"],
      in: scene.path,
      output: .broken
    ).wait()
    try run.expect(0)
    #expect(run.error.contains("The reader of the events has ended"), "\(run.error)")
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["80"])
    try LibraryState.expectWhole(scene.library)
  }

  @Test("A full disk behind standard output ends the run with 74, and the next one tells again")
  func fullDisk() throws {
    let scene = try photos(3)
    try scene.writeManifest()
    let run = try Tool.run(
      "sh",
      ["-c", "exec \"$0\" run manifest.json --events >/dev/full", try Scene.executable()],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(run.status == 74, "\(run)")
    let next = try scene.command("run", "manifest.json", "--events")
    try next.expect(0)
    let events = try events(next.output)
    #expect(imported(events) == ["1.jpg", "2.jpg", "3.jpg"])
    #expect(events.allSatisfy { $0["recovered"].bool == true && $0["label"].string != nil })
    #expect(try self.events(scene.command("run", "manifest.json", "--events").output).isEmpty)
    try LibraryState.expectWhole(scene.library)
  }

  @Test("A run whose reader does not read can be stopped, and every item is told in the end")
  func fullPipe() throws {
    let scene = try photos(300)
    try scene.writeManifest()
    let script = """
      mkfifo pipe && exec 3<>pipe
      "$0" run manifest.json --events --format json >pipe 2>first.error & pid=$!
      enough='SELECT count(*) >= 64 FROM assets'
      until [ "$(sqlite3 -readonly Library/library.sqlite "$enough" 2>/dev/null)" = 1 ]; do
        kill -0 $pid || exit 9
      done
      kill -TERM $pid; wait $pid; echo $?
      dd iflag=nonblock bs=1M <&3 >first.ndjson 2>/dev/null
      "$0" run manifest.json --events >second.ndjson 2>second.error; echo $?
      """
    let result = try Tool.run(
      "bash",
      ["-c", script, try Scene.executable()],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(result.output == "143\n0\n", "\(result)")
    let first = try events(String(decoding: try readBytes(scene.at("first.ndjson")), as: UTF8.self))
    let second = try events(String(decoding: try readBytes(scene.at("second.ndjson")), as: UTF8.self))
    #expect(!first.isEmpty && first.count < 300)
    #expect(imported(first).union(imported(second)).count == 300)
    try LibraryState.expectWhole(scene.library)
  }
}
