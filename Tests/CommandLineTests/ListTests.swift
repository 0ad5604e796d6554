import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Assets and albums are listed", .enabled(if: Has.sqlite, "no sqlite3"))
struct ListTests {
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    try scene.put("sources/library/trip/harbour.jpg", try Media.photo("harbour"))
    try scene.put("sources/library/trip/day 2/Größe 北.jpg", try Media.photo("wide"))
    try scene.put("sources/library/b.mp4", copyOf: Samples.video)
    return scene
  }

  private func lines(_ outcome: Outcome) -> [String] {
    outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "Every format has the assets that the catalogue has",
    .enabled(if: Has.python, "no python3")
  )
  func formats() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let expected = try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY id DESC")
    #expect(expected.count == 3)

    let json = try scene.command("list", "Library", "--format", "json")
    try json.expect(0)
    #expect(try json.json()["schema"].string == "mediabatch.list/1")
    let assets = try json.json()["assets"].array
    #expect(assets.compactMap { $0["localIdentifier"].string } == expected)
    let video = try #require(assets.first { $0["mediaType"].string == "video" })
    #expect(video["duration"].number ?? 0 > 0)
    #expect(video["creationDate"].isNull || video["creationDate"].string != nil)
    for asset in assets {
      for file in asset["files"].array {
        let path = try #require(file["path"].string)
        #expect(try readBytes(scene.library + "/" + path).count == file["bytes"].int)
      }
    }

    let ndjson = try scene.command("list", "Library", "--format", "ndjson")
    #expect(try lines(ndjson).map { try JSON(text: $0)["localIdentifier"].string } == expected)

    let sorted = try Tool.run(
      "python3",
      [
        "-c",
        """
        import json, sys
        def members(pairs):
            keys = [key for key, _ in pairs]
            assert keys == sorted(keys), keys
        for line in open(sys.argv[1]): json.loads(line, object_pairs_hook=members)
        """,
        try scene.put("list.ndjson", ndjson.output),
      ]
    )
    #expect(sorted.status == 0, "\(sorted.error)")

    let csv = try scene.command("list", "Library", "--format", "csv")
    let read = try Tool.run(
      "python3",
      [
        "-c",
        "import csv, sys; print('\\n'.join(r['localIdentifier'] for r in csv.DictReader(open(sys.argv[1], newline=''))))",
        try scene.put("list.csv", csv.output),
      ]
    )
    #expect(read.output.split(separator: "\n").map(String.init) == expected, "\(read.error)")

    let table = try scene.command("list", "Library")
    let rows = lines(table)
    #expect(rows.count == 4 && rows[0].hasPrefix("taken "), "\(table.output)")
    for (row, identifier) in zip(rows.dropFirst(), expected) {
      #expect(row.hasSuffix("  " + identifier))
    }
    #expect(table.output.contains("0:01"), "\(table.output)")

    // Paths are those of the files, as another program opens them.
    let paths = try Tool.run(
      "bash",
      [
        "-c", "\"$0\" list ./Library/ --format paths0 | xargs -0 stat -c %s | sort",
        try Scene.executable(),
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(
      paths.output.split(separator: "\n").map(String.init).sorted()
        == (try scene.catalogue("SELECT bytes FROM resources")).sorted(),
      "\(paths.output)\(paths.error)"
    )
    let plain = try scene.command("list", "Library", "--format", "paths")
    #expect(plain.output.contains("Library/Originals/") && plain.output.contains("Größe 北.jpg\n"))
  }

  @Test("Conditions, order and limit select")
  func selects() throws {
    let scene = try scene()
    try scene.run().expect(0)
    func labels(_ arguments: String...) throws -> [String] {
      let outcome = try scene.command(["list", "Library", "--format", "ndjson"] + arguments)
      try outcome.expect(0)
      return try lines(outcome).map { try JSON(text: $0)["label"].string ?? "?" }
    }
    #expect(try labels("--where", "mediaType == video") == ["b"])
    #expect(try labels("--where", "label == 'nothing'") == [])
    #expect(try labels("--sort", "label") == ["b", "Größe 北", "harbour"])
    #expect(try labels("--sort", "label:descending", "--limit", "1") == ["harbour"])
    #expect(try labels("--where", "path BEGINSWITH 'trip/'", "--sort", "path").last == "harbour")
    #expect(try labels("--album", "videos") == ["b"])
    let identifier = try scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'b'")[0]
    #expect(try labels("--id", identifier) == ["b"])
  }

  @Test("Mistakes end with 64 and name their place")
  func mistakes() throws {
    let scene = try scene()
    try scene.run().expect(0)
    for (arguments, words) in [
      (
        ["--where", "creatonDate > 2019-01-01"],
        ["column 1", "did you mean \"creationDate\"", "  ^"]
      ),
      (["--where", "label == 5"], ["column 10", "  label == 5\n           ^"]),
      (["--sort", "labl"], ["did you mean \"label\""]), (["--limit", "-1"], []),
      (["--album", "Nothing"], ["no album \"Nothing\". Folders are albums with \"albums\""]),
      (["--id", "x"], ["no asset \"x\""]),
      (["--format", "text"], []),
    ] {
      let outcome = try scene.command(["list", "Library"] + arguments)
      #expect(outcome.code == 64, "\(arguments): \(outcome.streams)")
      for word in words { #expect(outcome.error.contains(word), "\(arguments): \(outcome.error)") }
      #expect(outcome.output.isEmpty || arguments[0] == "--id", "\(outcome.output)")
    }
    for command in ["list", "albums"] {
      try scene.command(command, "sources").expect(78)
    }
  }

  @Test("Folders are albums while the manifest says so, after a rebuild too")
  func folders() throws {
    let scene = try scene(policy: "strip")
    func titles() throws -> [String] {
      let outcome = try scene.command("albums", "Library", "--format", "json")
      try outcome.expect(0)
      return try outcome.json()["albums"].array.map {
        "\($0["title"].string ?? "?") \($0["folder"].string ?? "-") \($0["assets"].int ?? 0)"
      }
    }
    let smart = ["Recents - 3", "Videos - 1"]
    let all = smart + ["day 2 library/trip/day 2 1", "trip library/trip 1"]
    try scene.run().expect(0)
    #expect(try titles() == smart)
    scene.manifest["albums"] = ["fromFolders": true]
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try titles() == all)
    let check = try scene.command("check", "manifest.json")
    #expect(check.output.contains("Names of the sources' folders become titles"), "\(check.streams)")
    let list = try scene.command("list", "Library", "--album", "trip", "--format", "ndjson")
    #expect(try lines(list).map { try JSON(text: $0)["label"].string } == ["harbour"])

    try scene.command("repair", "Library", "--superseded").expect(0)
    #expect(try titles() == all)
    let before = try CatalogueDump(scene.library)
    try scene.rebuild().expect(0)
    #expect(try CatalogueDump(scene.library).lacking(in: before) == [])
    #expect(before.lacking(in: try CatalogueDump(scene.library)) == [])
    #expect(try titles() == all)
    try scene.removeCatalogue()
    _ = try scene.rebuild()
    #expect(try titles() == all)
    try scene.expectVerified()

    scene.manifest["albums"] = nil
    try scene.run().expect(0)
    #expect(try titles() == smart)
    let table = try scene.command("albums", "Library")
    #expect(lines(table)[0].hasPrefix("album"), "\(table.output)")
    #expect(table.error.contains("isFavorite") == !table.error.isEmpty)
  }

  @Test("Albums of one title have their source or their folder behind it, and others the title alone")
  func alikeTitles() throws {
    let scene = Scene()
    scene.manifest["albums"] = ["fromFolders": true]
    try scene.declare("library").declare("camera")
    for path in ["library/a/Day/1", "library/b/Day/2", "library/Sea/3", "camera/Sea/4", "camera/Alone/5"] {
      try scene.put("sources/\(path).jpg", try Media.photo(path))
    }
    try scene.run().expect(0)
    let table = try scene.command("albums", "Library")
    let titles = lines(table).dropFirst(2).compactMap { $0.components(separatedBy: "  ").first }
    #expect(
      titles == ["Alone", "Day (a/Day)", "Day (b/Day)", "Sea (camera)", "Sea (photo library)"],
      "\(table.streams)"
    )
  }

  @Test("What strip keeps from the catalogue is said")
  func unknown() throws {
    let scene = try scene(policy: "strip")
    try scene.run().expect(0)
    let list = try scene.command("list", "Library", "--where", "camera == NULL", "--sort", "creationDate")
    try list.expect(0)
    #expect(list.error.contains("camera of 3 assets is not known"), "\(list.error)")
    #expect(list.error.contains("creationDate of 3 assets is not known"), "\(list.error)")
    #expect(list.error.contains("they are sorted last"), "\(list.error)")
    #expect(lines(list).count == 4)
  }

  @Test(
    "A date that the policy keeps is not said to be stripped where a file has none",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func undated() throws {
    let scene = Scene(policy: "strip")
    scene.manifest["metadata"] = ["policy": "strip", "except": ["creationDate"]]
    try scene.declare("library")
    let file = try scene.put("sources/library/a.jpg", try Media.photo("a"))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", file])
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT creationDate IS NULL FROM assets") == ["1"])
    let query = ["--where", "camera == NULL", "--sort", "creationDate"]
    let list = try scene.command(["list", "Library"] + query)
    try list.expect(0)
    #expect(list.error.contains("camera of 1 asset"), "\(list.error)")
    #expect(!list.error.contains("creationDate of"), "\(list.error)")
  }

  @Test(
    "From a read-only medium it is listed",
    .enabled(if: Namespace.isAvailable, "this user may not mount")
  )
  func readOnly() throws {
    let scene = try scene()
    try scene.makeFolder("medium")
    scene.manifest["output"] = ["path": "medium/Library"]
    try scene.writeManifest()
    let outcome = try Namespace.run(
      """
      mount -t tmpfs -o mode=700 tmpfs medium || exit
      "$mediabatch" run manifest.json > /dev/null 2>&1; echo $?
      mount -o remount,ro medium || exit
      "$mediabatch" list medium/Library --format paths | wc -l
      "$mediabatch" albums medium/Library --format ndjson | wc -l
      """,
      in: scene.path
    )
    #expect(outcome.output == "0\n3\n2\n", "\(outcome.streams)")
  }

  @Test(
    "Listing writes nothing, opens no media and takes no lock",
    .enabled(if: Tool.exists("strace"), "no strace")
  )
  func touchesNothing() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let before = try scene.snapshot("Library")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-e", "trace=openat,flock,fcntl", "-o", scene.at("trace"),
        try Scene.executable(), "list", "Library",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(result.status == 0, "\(result.error)")
    let trace = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
    #expect(trace.contains("library.sqlite"))
    #expect(!trace.contains("Originals") && !trace.contains("sources/"))
    #expect(try scene.snapshot("Library") == before)
  }
}
