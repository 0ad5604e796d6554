import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("The access log of a run")
struct AccessLogTests {
  /// Another reader of the log, in another language, that knows nothing but the format's description.
  private static let reader = """
    import hashlib, json, os, sys
    folder = sys.argv[1]
    head, runs = "0" * 64, 0
    for number, name in enumerate(sorted(n for n in os.listdir(folder) if n.endswith(".ndjson")), 1):
        data = open(os.path.join(folder, name), "rb").read()
        assert data.endswith(b"\\n"), name + ": torn"
        lines = data[:-1].split(b"\\n")
        assert name.startswith("%06d-" % number), name
        for seq, line in enumerate(lines, 1):
            record = json.loads(line)
            assert record["prev"] == head, "%s:%d: prev" % (name, seq)
            assert record["seq"] == seq, "%s:%d: seq" % (name, seq)
            assert name == "%06d-%s.ndjson" % (number, record["run"]), name
            assert list(record) == sorted(record), "%s:%d: keys" % (name, seq)
            assert b"." not in json.dumps([v for v in record.values() if isinstance(v, float)]).encode()
            assert line == json.dumps(
                record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(), line
            assert (record["event"] == "run") == (seq == 1)
            assert (record["event"] == "end") == (seq == len(lines))
            head = hashlib.sha256(line).hexdigest()
        runs += 1
    print(runs, head)
    """

  @Test(
    "An independent reader follows the chain of three runs to the head that the summary printed",
    .enabled(if: Has.python, "no python3")
  )
  func followsChain() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.declare("camera").declare("library", "limited", ["selection": ["é*.jpg"]])
    try scene.declare("microphone", "denied")
    try scene.put("sources/camera/a \"quoted\" \\ slash.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/n.txt", "text")
    try scene.put("sources/library/é.jpg", copyOf: Samples.harbour)
    try scene.put("sources/library/e\u{301}.jpg", copyOf: Samples.photo(2))
    var head = ""
    for number in 1...3 {
      try scene.put("sources/camera/\(number).jpg", copyOf: Samples.photo(number + 3))
      head = try #require(try scene.run().json()["audit"]["head"].string)
    }
    let result = try Tool.run("python3", ["-c", Self.reader, scene.library + "/Audit"])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == "3 \(head)\n")
    // The reader can fail.
    let file = scene.library + "/Audit/" + (try scene.logFiles()[1].name)
    let shell = try Tool.run("sed", ["-i", "3s/allow/ALLOW/", file])
    #expect(shell.status == 0)
    #expect(try Tool.run("python3", ["-c", Self.reader, scene.library + "/Audit"]).status != 0)
  }

  @Test("Each opened file has an earlier access record, and one outcome; the totals are their sum")
  func accountsForEveryItem() throws {
    let scene = Scene()
    try scene.declare("camera").declare("library")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/b.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/c.mp4", copyOf: Samples.video)
    try scene.put("sources/camera/n.txt", "text")
    try scene.put("sources/library/a.jpg", copyOf: Samples.harbour)
    try scene.put("sources/library/cut.jpg", Array(try readBytes(Samples.photo(3)).prefix(300)))
    let fifo = try Tool.run("mkfifo", [scene.at("sources/library/pipe.jpg")])
    try #require(fifo.status == 0)
    for run in 1...2 {
      let outcome = try scene.run()
      try outcome.expect(run == 1 ? 3 : 0)
      let records = try scene.lastLog()
      var accessed: Set<String> = []
      var ended: Set<String> = []
      var counts: [String: Int] = [:]
      for record in records {
        let key = "\(record["source"].string ?? "") \(record["path"].string ?? "")"
        switch record["event"].string {
        case "access": #expect(accessed.insert(key).inserted, "\(key) twice")
        case "outcome":
          #expect(ended.insert(key).inserted, "\(key) has two outcomes")
          let name = try #require(record["outcome"].string)
          counts[name, default: 0] += 1
          if key != "library pipe.jpg" { #expect(accessed.contains(key), "\(key) in run \(run)") }
        case "unchanged":
          counts[record["outcome"].string ?? "unchanged", default: 0] += record["count"].int ?? 0
        default: break
        }
      }
      #expect(!accessed.contains("library pipe.jpg"), "a pipe is never opened")
      let total = try #require(records.last)["counts"]
      var sum = 0
      for name in ItemOutcome.allCases.map(\.rawValue) {
        #expect(total[name].int == counts[name] ?? 0, "\(name) in run \(run)")
        #expect(try outcome.count(name) == counts[name] ?? 0)
        sum += counts[name] ?? 0
      }
      #expect(total["discovered"].int == sum && sum == 7)
    }
    try scene.expectVerified()
  }

  @Test("The first record says who ran what, on what, under which guard")
  func opensWithRun() throws {
    let scene = Scene()
    try scene.declare("camera", "denied")
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.put("labels.csv", "source,path,label\n")
    try scene.run().expect(0)
    let first = try #require(try scene.lastLog().first)
    #expect(first["event"].string == "run")
    #expect(first["schema"].string == "mediabatch.audit/2")
    #expect(first["client"]["identifier"].string == "org.example.test")
    #expect(first["manifestSHA256"].string == (try Independent.sha256(scene.manifestPath)))
    #expect(first["labelsSHA256"].string == (try Independent.sha256(scene.at("labels.csv"))))
    #expect(first["enforcement"]["mode"].string == "kernel")
    #expect((first["enforcement"]["landlockABI"].int ?? 0) >= 2)
    #expect(first["previous"].isNull)
    let decision = try #require(try scene.lastLog().first { $0["event"].string == "decision" })
    #expect(decision["decision"].string == "refuse" && decision["row"].int == 5)
    #expect(decision["authorizationStatusValue"].int == 2)
  }

  @Test("Under keep the log holds the digest that sha256sum gives of source and output")
  func logsDigests() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.declare("library")
    let files = [
      "a.jpg": Samples.photo(1), "b.png": Samples.png, "c.mov": Samples.movie,
      "d.wav": Samples.sound,
    ]
    for (name, file) in files { try scene.put("sources/library/" + name, copyOf: file) }
    try scene.run().expect(0)
    var seen = 0
    for record in try scene.lastLog() where record["event"].string == "outcome" {
      let source = try #require(files[record["path"].string ?? ""])
      let digest = try Independent.sha256(source)
      #expect(record["sourceSHA256"].string == digest)
      #expect(record["output"]["sha256"].string == digest)
      let output = scene.library + "/" + (try #require(record["output"]["path"].string))
      #expect(try Independent.sha256(output) == digest)
      #expect(record["output"]["bytes"].int == (try readBytes(output).count))
      for thumbnail in record["thumbnails"].array {
        let path = scene.library + "/" + (try #require(thumbnail["path"].string))
        #expect(thumbnail["sha256"].string == (try Independent.sha256(path)))
      }
      seen += 1
    }
    #expect(seen == 4)
  }

  /// What is in the source's metadata, and may be nowhere in the library: planted by exiftool.
  private static let canaries = [
    "CanaryMake", "CanaryModel", "CanaryArtist", "CanaryTitle", "CanaryComment", "CanarySerial",
    "1987:06:05 04:03:02", "1987-06-05", "48.858", "CanaryCity", "CanaryXMP",
  ]

  @Test(
    "Under strip nothing of the capture is in any file of the library: no date, place, camera, digest",
    .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"),
    arguments: ["jpg", "png"]
  )
  func leaksNothing(format: String) throws {
    func plant(_ scene: Scene) throws -> String {
      let source = try scene.put(
        "sources/camera/a." + format,
        copyOf: format == "jpg" ? Samples.photo(1) : Samples.png
      )
      try Independent.make(
        "exiftool",
        [
          "-q", "-overwrite_original", "-Make=CanaryMake", "-Model=CanaryModel",
          "-Artist=CanaryArtist", "-SerialNumber=CanarySerial", "-Comment=CanaryComment",
          "-DateTimeOriginal=1987:06:05 04:03:02", "-CreateDate=1987:06:05 04:03:02",
          "-ModifyDate=1987:06:05 04:03:02", "-XMP:Title=CanaryTitle", "-XMP:City=CanaryCity",
          "-XMP:Description=CanaryXMP", "-XMP:CreateDate=1987-06-05T04:03:02",
          "-GPSLatitude=48.858", "-GPSLatitudeRef=N", "-GPSLongitude=2.294", "-GPSLongitudeRef=E",
          source,
        ]
      )
      return try Independent.sha256(source)
    }
    /// Which canaries are in the library's files, or in anything that was said.
    func canaries(_ scene: Scene, _ output: String, _ digest: String) throws -> Set<String> {
      let words = Self.canaries + [digest]
      // Each word that is found is a line.
      let grep = try Tool.run("grep", ["-rohaF"] + words.flatMap { ["-e", $0] } + [scene.library])
      let lines = Set(grep.output.split(separator: "\n").map(String.init))
      var matches = Set(words.filter { lines.contains($0) || output.contains($0) })
      // A digest is bytes in the catalogue; SQLite shows every row of every table.
      let dump = try Tool.run("sqlite3", [scene.library + "/library.sqlite", ".dump"]).output
        .lowercased()
      for word in words where dump.contains(word.lowercased()) { matches.insert(word) }
      return matches
    }
    let stripped = Scene(policy: "strip")
    try stripped.declare("camera")
    stripped.setThumbnails([("grid", 32, 32, "aspectFill")])
    let digest = try plant(stripped)
    let outcome = try stripped.run()
    try outcome.expect(0)
    let again = try stripped.run()
    #expect(try canaries(stripped, outcome.streams + again.streams, digest) == [])
    let record = try #require(
      try stripped.logFiles()[0].lines.map { try JSON(text: $0) }.first {
        $0["event"].string == "outcome"
      }
    )
    #expect(record["sourceHMAC"].string?.count == 64 && !record["sourceSHA256"].exists)
    #expect(!record["removed"].array.isEmpty, "what was removed is said by name and count")
    #expect(record["removed"].array.allSatisfy { $0.keys == ["count", "name"] })
    let classes = Set(MetadataClass.allCases.map(\.rawValue))
    #expect(record["removed"].array.allSatisfy { classes.contains($0["name"].string ?? "") })
    let row = try stripped.catalogue(
      "SELECT creationDate IS NULL, camera IS NULL, hasLocation IS NULL, contentIdentifier IS NULL "
        + "FROM assets"
    )
    #expect(row == ["1|1|1|1"])

    // The same search finds what is there when metadata is kept.
    let kept = Scene(policy: "keep")
    try kept.declare("camera")
    let path = "sources/camera/a." + format
    try kept.put(path, copyOf: stripped.at(path))
    let keptCanaries = try canaries(kept, try kept.run().streams, digest)
    #expect(keptCanaries.isSuperset(of: ["CanaryMake", "CanaryTitle", digest]))
  }

  @Test(
    "Every open of a source file stands behind a flushed access record",
    .enabled(if: Has.strace, "no strace")
  )
  func recordsBeforeOpening() throws {
    let scene = Scene()
    try scene.declare("camera")
    for number in 1...4 {
      try scene.put("sources/camera/\(number).jpg", copyOf: Samples.photo(number))
    }
    let (outcome, lines) = try scene.tracedRun("openat2,fdatasync,fsync,write,pwrite64,syncfs")
    try outcome.expect(0)
    for number in 1...4 {
      #expect(Self.isRecordedFirst("\(number).jpg", in: lines), "\(number).jpg")
    }
    // The check can fail: a log that is written after the opens, or written and never flushed.
    let log = lines.filter { $0.contains("/Audit/") }
    let others = lines.filter { !$0.contains("/Audit/") }
    #expect(!Self.isRecordedFirst("1.jpg", in: others + log))
    #expect(!Self.isRecordedFirst("1.jpg", in: lines.filter { !$0.contains("sync(") }))
  }

  @Test(
    "A run in which nothing has changed waits for the disk twelve times",
    .enabled(if: Has.strace, "no strace")
  )
  func flushes() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let (outcome, lines) = try scene.tracedRun("fdatasync,fsync,syncfs")
    try outcome.expect(0)
    let count = lines.count { $0.contains("sync(") || $0.contains("syncfs(") }
    #expect((1...12).contains(count), "\(lines)")
  }

  /// Whether the log has been written and then flushed when a file is opened, in a trace's lines.
  private static func isRecordedFirst(_ name: String, in lines: [String]) -> Bool {
    let open = lines.firstIndex {
      $0.contains("openat2(") && $0.contains("\"\(name)\"") && !$0.contains("O_PATH")
    }
    guard let open else { return false }
    let before = lines[..<open].filter { $0.contains("/Audit/") }
    guard let written = before.lastIndex(where: { $0.contains("write") && $0.contains("access") }),
      let flushed = before.lastIndex(where: { $0.contains("sync(") })
    else { return false }
    return written < flushed
  }
}
