import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// The log as events of OCSF, and the configurations that ship it.
@Suite("The log for a SIEM", .enabled(if: Has.sqlite && Has.python, "no sqlite3 or python3"))
struct AuditEventsTests {
  /// A library whose log has about everything that happens to files.
  private func scene() throws -> Scene {
    let scene = try Scene.mixed()
    try scene.run().expect(3)
    let asset = try #require(
      try scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'IMG_30'").first
    )
    try scene.command("label", "Library", asset, "PLANTED label").expect(0)
    let path = try #require(
      try scene.catalogue("SELECT path FROM resources WHERE path LIKE '%IMG_29%' AND superseded = 0").first
    )
    try scene.put("Library/" + path, "damaged")
    try scene.command("repair", "Library", "--from", "manifest.json").expect(0)
    try scene.declare("library", "authorized", ["metadata": ["policy": "strip"]])
    try scene.run("--reprocess").expect(3)
    try scene.command("repair", "Library", "--superseded").expect(0)
    return scene
  }

  private func events(_ scene: Scene, _ arguments: String...) throws -> Outcome {
    let outcome = try Scene.program(
      ["audit", "export", "Library", "--format", "ocsf"] + arguments,
      in: scene.path
    )
    try outcome.expect(0)
    return outcome
  }

  /// All records of the log with the hashes of their lines.
  private func records(_ scene: Scene) throws -> [(hash: String, record: JSON)] {
    let hashes = try Tool.run(
      "python3",
      [
        "-c",
        """
        import glob, hashlib, sys
        for name in sorted(glob.glob(sys.argv[1] + "/Audit/*.ndjson")):
          for line in open(name, "rb").read().split(b"\\n")[:-1]: print(hashlib.sha256(line).hexdigest())
        """, scene.library,
      ]
    ).output.split(separator: "\n").map(String.init)
    let lines = try scene.logFiles().flatMap(\.lines)
    try #require(hashes.count == lines.count)
    return try zip(hashes, lines).map { ($0, try JSON(text: $1)) }
  }

  @Test(
    "Each record about a file is a valid event of its class, with the hash of the record",
    .enabled(if: Readers.python != nil, Readers.missing)
  )
  func valid() throws {
    let scene = try scene()
    let exported = try events(scene)
    let file = try scene.put("events.ndjson", exported.output)
    let kinds = try Readers.read("ocsf", file)
    for kind in [
      "1001 Decision Failure ", "1001 Decision Success ", "1001 Open Success ",
      "1001 Read Success ", "1001 Read Failure ", "1001 Read skipped ", "1001 Rename Success ",
      "1001 Create Success ", "1001 Delete Success ", "6002 Start Success ", "6002 Stop Failure ",
    ] {
      #expect(kinds.contains(kind), "\(kind): \(kinds)")
    }
    // None is left out but those that the document names, and no event is of anything else.
    let records = try records(scene)
    let without: Set = [
      "key", "unchanged", "candidates", "shown", "adopted", "dated", "stacked", "unstacked",
      "distinguished", "rotated", "copied", "rebuilt", "migrated", "merged", "placed",
    ]
    let left = records.filter { without.contains($0.record["event"].string ?? "") }
    let events = try exported.output.split(separator: "\n").map { try JSON(text: String($0)) }
    #expect(
      events.map { $0["metadata"]["uid"].string }
        == records.filter { !without.contains($0.record["event"].string ?? "") }.map(\.hash)
    )
    #expect(
      exported.error.contains("\(events.count) events; \(left.count) records without one: "),
      "\(exported.error)"
    )
    for (event, index) in zip(events, events.compactMap { $0["unmapped"]["index"].int }) {
      let record = records[index].record
      #expect(event["metadata"]["sequence"].int == record["seq"].int)
      #expect(event["unmapped"]["prev"].string == record["prev"].string)
      #expect(event["metadata"]["event_code"].string == record["event"].string)
    }
  }

  @Test("What became of a file is told by numbers of the schema")
  func meaning() throws {
    let scene = try scene()
    let events = try events(scene).output.split(separator: "\n").map {
      try JSON(text: String($0))
    }
    func event(_ code: String, _ isIt: (JSON) -> Bool) throws -> JSON {
      try #require(events.first { $0["metadata"]["event_code"].string == code && isIt($0) })
    }
    let refused = try event("decision") { $0["unmapped"]["source"].string == "microphone" }
    #expect(refused["disposition_id"].int == 26 && refused["status_id"].int == 2)
    #expect(refused["file"]["path"].string == nil, "nothing of a refused source is known")
    let access = try event("access") { $0["file"]["name"].string == "IMG_1.JPG" }
    #expect(access["activity_id"].int == 14 && access["disposition_id"].int == 1)
    #expect(
      access["file"]["path"].string?.hasSuffix("/IMG_1.JPG") == true
        && access["file"]["path"].string?.hasPrefix("/") == true
    )
    let imported = try event("outcome") { $0["file_result"]["name"].string == "IMG_30.jpg" }
    let digest = try #require(imported["file_result"]["hashes"].array.first?["value"].string)
    let failed = try event("outcome") { $0["file"]["name"].string == "cut short.jpg" }
    #expect(failed["status_id"].int == 2 && failed["disposition_id"].int == 27)
    #expect(failed["status_code"].string == "damaged")
    let renamed = try event("relabelled") { _ in true }
    #expect(renamed["activity_id"].int == 5)
    #expect(renamed["file_result"]["hashes"].array.first?["value"].string == digest)
    #expect(renamed["file"]["name"].string?.contains("IMG_30") == true)
    #expect(renamed["file_result"]["name"].string?.contains("PLANTED label") == true)
    #expect(try event("quarantined") { _ in true }["disposition_id"].int == 3)
    #expect(try event("superseded") { _ in true }["activity_id"].int == 4)
  }

  @Test(
    "Names that are held back are in no byte of an event, and the events are valid all the same",
    .enabled(if: Readers.python != nil, Readers.missing)
  )
  func redacted() throws {
    let scene = try scene()
    let host = try Tool.run("hostname", []).output.trimmingCharacters(in: .newlines)
    let exported = try events(scene, "--redact", "paths,labels,hosts")
    _ = try Readers.read("ocsf", try scene.put("events.ndjson", exported.output))
    for name in ["IMG_", "PLANTED", "cut short", "sources/", scene.path, "\"\(host)\""] {
      #expect(!exported.output.contains(name), "\(name)")
    }
    // A salt would let anyone try names.
    #expect(!exported.output.contains("\"salt\""))
    let labels = try events(scene, "--redact", "labels").output
    #expect(!labels.contains("PLANTED label") && labels.contains("IMG_1.JPG"))
    #expect(try scene.command("audit", "export", "Library", "--format", "cef").code == 64)
  }

  @Test("A log that is not what was signed gives events and 65")
  func changed() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.run().expect(0)
    let log = try #require(try scene.logFiles().first)
    let text = log.lines.joined(separator: "\n").replacing("1.jpg", with: "9.jpg") + "\n"
    try scene.put("Library/Audit/" + log.name, text)
    let outcome = try scene.command("audit", "export", "Library", "--format", "ocsf")
    #expect(outcome.code == 65, "\(outcome.streams)")
    #expect(outcome.streams.contains("is not what its run wrote"))
  }

  @Test("The configurations that ship the log read all files of a library's log, and no other")
  func shipping() throws {
    let scene = Scene()
    try scene.declare("camera")
    for number in 1...2 {
      try scene.putPhotos(number...number)
      try scene.run().expect(0)
    }
    let names = try scene.logFiles().map(\.name)
    let all = try FileManager.default.contentsOfDirectory(atPath: scene.library + "/Audit")
    // Two files, two signed heads, and the folder of the manifests' texts.
    #expect(names.count == 2 && all.count == 5)
    var files: Set<String> = []
    // Python's reader of YAML is Debian's.
    for line in try Readers.read("shipping", python: "python3").split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      files.insert(fields[0])
      let pattern = fields[1].replacing("/var/lib/photos/Library", with: scene.library)
      #expect(pattern != fields[1], "\(line)")
      let result = try Tool.run(
        "python3",
        ["-c", "import glob, sys; print('\\n'.join(sorted(glob.glob(sys.argv[1]))))", pattern]
      )
      #expect(
        result.output.split(separator: "\n").map(String.init)
          == names.map { scene.library + "/Audit/" + $0 },
        "\(line)"
      )
    }
    #expect(files == ["vector.yaml", "fluent-bit.yaml", "otel-collector.yaml"])
  }
}
