import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// What becomes of each row of ``StandingTable`` in a run, a dry run, a proposal, a picker and a shard.
@Suite("What is put away, thrown away or unfinished", .enabled(if: Has.sqlite, "no sqlite3"))
struct StandingTests {
  /// The rows that are names, each with a picture that has the name or lies in a folder of it.
  private static let examples = StandingTable.rows.compactMap { row -> NameExample? in
    switch row.sign {
    case .name(let pattern): NameExample(of: pattern)
    case .nameBeside(let pattern, let lists): NameExample(of: pattern, beside: lists)
    case .flag, .folder: nil
    }
  }

  /// A person's own pictures in folders whose names are in the table, without what has to be beside them.
  private static let ownPictures = [
    "plain.jpg", "Originals/1.jpg", "Cache/2.jpg", "thumbs/3.jpg", "CaptureOne/Output/4.jpg",
    "Recently Deleted/5.jpg", "Tour.part/6.jpg", "trashed-1714492983-7.jpg",
  ]

  /// Puts a picture for each row into a folder, with what has to be beside it.
  ///
  /// - Returns: The paths of the pictures that are a person's own, in order.
  private func putAll(_ scene: Scene, _ folder: String = "sources/library/") throws -> [String] {
    var ownPictures = Self.ownPictures
    for path in ownPictures { try scene.put(folder + path, try Media.photo("own \(path)")) }
    for (index, example) in Self.examples.enumerated() {
      let place = "r\(index)/"
      try scene.put(folder + place + example.path, try Media.photo("left out \(index)"))
      for other in example.beside where other.hasSuffix(".jpg") {
        ownPictures.append(place + other)
        try scene.put(folder + place + other, try Media.photo("twin \(index)"))
      }
      for other in example.beside where !other.hasSuffix(".jpg") {
        try scene.put(folder + place + other, "x")
      }
    }
    return ownPictures.sorted()
  }

  private func imported(_ library: String) throws -> [String] {
    let sql = "SELECT CAST(sourcePath AS TEXT) FROM resources ORDER BY 1"
    let result = try Tool.run("sqlite3", ["-readonly", "file:\(library)/library.sqlite?immutable=1", sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init).sorted()
  }

  @Test(
    "Of all names of the table nothing is imported, planned or divided, and a person's own names are",
    arguments: ["keep", "strip"]
  )
  func names(_ policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    let ownPictures = try putAll(scene)
    try scene.makePlan(2)
    try scene.runShards(2)
    try scene.merge().expect(0)
    #expect(try imported(scene.merged) == ownPictures)
    let dry = try scene.command("run", "manifest.json", "--dry-run", "--format", "json")
    try dry.expect(0)
    let planned = try dry.json()["items"].array.compactMap { $0["path"].string }
    #expect(planned.filter { $0.hasSuffix(".jpg") }.sorted() == ownPictures)
    let run = try scene.run()
    try run.expect(0)
    #expect(try imported(scene.library) == ownPictures)
    let ignored = try #require(try run.json()["sources"].array.first?["ignored"].int)
    #expect(ignored >= Self.examples.count)
    try scene.run().expect(0)
    #expect(try imported(scene.library) == ownPictures)
    try scene.expectVerified()
  }

  @Test(
    "A camera's card and an export leave the same names out",
    arguments: [("camera", "keep"), ("camera", "strip"), ("takeout", "keep"), ("takeout", "strip")]
  )
  func kinds(_ kind: String, _ policy: String) throws {
    let scene = Scene(policy: policy)
    if kind == "camera" {
      try scene.declare("camera")
    } else {
      try scene.declare("library", "authorized", ["kind": "takeout"])
    }
    let ownPictures = try putAll(scene, "sources/\(kind == "camera" ? kind : "library")/")
    try scene.run().expect(0)
    #expect(try imported(scene.library) == ownPictures)
  }

  @Test("A proposal counts what a run would import")
  func proposal() throws {
    let scene = Scene()
    let ownPictures = try putAll(scene, "Photos/")
    let outcome = try scene.command("init", "--policy", "strip", "Photos", "--format", "json")
    try outcome.expect(0)
    #expect(try outcome.json()["counts"]["image"].int == ownPictures.count)
  }

  @Test("A picker shows what a run would import", arguments: [true, false])
  func picker(leavesOut: Bool) throws {
    let scene = try Scene.asking(leavesOut ? [:] : ["ignoreDefaults": false])
    let ownPictures = try putAll(scene)
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    // Those of Scene.asking too; without the defaults all whose names promise a picture.
    let total = try #require(names.body.firstMatch(of: /data-total="(\d+)"/).flatMap { Int($0.1) })
    let count = ownPictures.count + 3
    #expect(leavesOut ? total == count : total > count)
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }

  @Test("With \"ignoreDefaults\": false all of it comes in")
  func withoutDefaults() throws {
    let scene = Scene()
    try scene.declare("library", "authorized", ["ignoreDefaults": false])
    let ownPictures = try putAll(scene)
    _ = try scene.run()
    let paths = try imported(scene.library)
    #expect(paths.count > ownPictures.count + 50)
    #expect(paths.contains { $0.hasSuffix("/.trashed-1714492983-IMG_9.jpg") })
  }
}

/// What the JSON files of a Takeout say.
@Suite("What a Takeout says of a picture's standing", .enabled(if: Has.sqlite, "no sqlite3"))
struct TakeoutStandingTests {
  private static let root = "sources/library/Takeout/Google Photos/"
  private static let year = "Photos from 2018/"
  private static let flags = [
    ("archived", #", "archived": true"#), ("locked", #", "inLockedFolder": true"#),
    ("partner", #", "googlePhotosOrigin": { "fromPartnerSharing": {} }"#),
    ("trashed", #", "trashed": true"#),
  ]

  private func describe(_ scene: Scene, _ path: String, _ more: String = "") throws {
    let name = path.split(separator: "/").last ?? ""
    try scene.put(
      Self.root + path + ".supplemental-metadata.json",
      #"{ "title": "\#(name)", "photoTakenTime": { "timestamp": "1530000000" }\#(more) }"#
    )
  }

  /// A picture for each flag in its year and, byte for byte, in an album that has no JSON file of it; of one size with
  /// it another one, which is plain.
  private func scene(_ policy: String, album: String, _ fetch: [String: JSONValue]) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("library", "authorized", ["kind": "takeout", "fetch": .object(fetch)])
    for (name, flag) in Self.flags {
      let picture = try Media.photo("picture \(name)")
      try scene.put(Self.root + Self.year + name + ".jpg", picture)
      try describe(scene, Self.year + name + ".jpg", flag)
      try scene.put(Self.root + album + "/" + name + ".jpg", picture)
      let other = try Media.photo("another \(name)")
      #expect(other.count == picture.count)
      try scene.put(Self.root + album + "/plain \(name).jpg", other)
    }
    try scene.put(
      Self.root + album + "/metadata.json",
      #"{ "title": "\#(album)", "date": { "timestamp": "1530000000" } }"#
    )
    return scene
  }

  private static let plain = flags.map { "plain \($0.0)" }

  private func assets(_ scene: Scene) throws -> [String] {
    try scene.catalogue("SELECT label || iif(ifnull(isHidden, 0), ' hidden', '') FROM assets ORDER BY 1")
  }

  @Test(
    "Its flags are the picture's, and those of its equal copies in albums, wherever these come",
    arguments: ["keep", "strip"],
    ["Album", "Trip"]
  )
  func copies(_ policy: String, _ album: String) throws {
    let scene = try scene(policy, album: album, [:])
    try scene.run().expect(0)
    let hidden = policy == "keep" ? ["archived hidden", "locked hidden"] : []
    #expect(try assets(scene) == (hidden + Self.plain).sorted())
    let reasons = try scene.lastLog().filter { $0["event"].string == "outcome" }
      .reduce(into: [String: Set<String>]()) {
        let name = $1["path"].string?.split(separator: "/").last.map(String.init) ?? ""
        $0[name, default: []].insert($1["reason"].string ?? "none")
      }
    #expect(reasons["trashed.jpg"] == ["trashed"] && reasons["partner.jpg"] == ["notFetched"])
    if policy == "strip" {
      #expect(reasons["archived.jpg"] == ["notFetched"] && reasons["locked.jpg"] == ["notFetched"])
    }
    // A second run says the same.
    try scene.run().expect(0)
    #expect(try assets(scene) == (hidden + Self.plain).sorted())
    // The standing ends with its sign.
    for (name, _) in Self.flags { try describe(scene, Self.year + name + ".jpg", #", "imageViews": "44""#) }
    try scene.run().expect(0)
    #expect(try assets(scene) == (Self.flags.map(\.0) + Self.plain).sorted())
    try scene.expectVerified()
  }

  @Test(
    "What the manifest asks for is fetched, and never what is in the trash",
    arguments: ["keep", "strip"]
  )
  func asked(_ policy: String) throws {
    let fetch: [String: JSONValue] = ["includeHiddenAssets": true, "includePartnerSharing": true]
    let scene = try scene(policy, album: "Trip", fetch)
    try scene.run().expect(0)
    let mark = policy == "keep" ? " hidden" : ""
    #expect(try assets(scene) == (["archived\(mark)", "locked\(mark)", "partner"] + Self.plain).sorted())
  }

  @Test("A picture that was added again is not in the trash, and a selection says nothing of the rest")
  func again() throws {
    let scene = Scene(policy: "strip")
    let path = "Takeout/Google Photos/Trip/archived.jpg"
    try scene.declare("library", "limited", ["kind": "takeout", "selection": [.string(path)]])
    let picture = try Media.photo("archived")
    try scene.put(Self.root + Self.year + "archived.jpg", picture)
    try describe(scene, Self.year + "archived.jpg", #", "archived": true"#)
    try scene.put("sources/library/" + path, picture)
    try scene.run().expect(0)
    #expect(try assets(scene) == ["archived"])
    let other = Scene(policy: "keep")
    try other.declare("library", "authorized", ["kind": "takeout"])
    for (folder, flag) in [("Trash/", #", "trashed": true"#), (Self.year, "")] {
      try other.put(Self.root + folder + "again.jpg", picture)
      try describe(other, folder + "again.jpg", flag)
    }
    try other.run().expect(0)
    #expect(try assets(other) == ["again"])
  }
}

/// Copies of one picture of which a Takeout says different things.
@Suite("What a Takeout says in several places of one picture", .enabled(if: Has.sqlite, "no sqlite3"))
struct TakeoutContradictionTests {
  fileprivate static let root = "sources/library/"
  fileprivate static let (year, album) = (
    "Takeout/Google Photos/Photos from 2018/", "Takeout/Google Photos/Trip/"
  )

  /// Puts a picture and, unless the flag is nil, its JSON file.
  fileprivate func put(
    _ scene: Scene,
    _ path: String,
    _ content: String,
    _ flag: String?,
    json: String = ".supplemental-metadata.json"
  ) throws {
    try scene.put(Self.root + path, try Media.photo(content))
    guard let flag else { return }
    let name = path.split(separator: "/").last ?? ""
    let more = flag.isEmpty ? "" : #", "\#(flag)": true"#
    try scene.put(
      Self.root + path + json,
      #"{ "title": "\#(name)", "photoTakenTime": { "timestamp": "1530000000" }\#(more) }"#
    )
  }

  private func assets(_ policy: String, _ make: (Scene) throws -> Void) throws -> [String] {
    let scene = Scene(policy: policy)
    try scene.declare("library", "authorized", ["kind": "takeout"])
    try make(scene)
    try scene.run().expect(0)
    let sql =
      "SELECT label || iif(ifnull(isHidden, 0), ' hidden', '') FROM assets WHERE superseded = 0 ORDER BY 1"
    let assets = try scene.catalogue(sql)
    try scene.run().expect(0)
    #expect(try scene.catalogue(sql) == assets)
    try scene.expectVerified()
    return assets
  }

  /// Runs more than once, since no order of a dictionary may decide.
  @Test(
    "A copy in the trash does not bring one back that is archived",
    arguments: ["keep", "strip", "strip", "strip"]
  )
  func archivedAndTrashed(_ policy: String) throws {
    let assets = try assets(policy) { scene in
      for name in ["1", "2", "3"] {
        try put(scene, Self.year + name + ".jpg", name, "archived")
        try put(scene, "Takeout/Google Photos/Trash/" + name + ".jpg", name, "trashed")
        try put(scene, Self.album + name + ".jpg", name, "")
        try put(scene, "Takeout/Google Photos/Tour/" + name + ".jpg", name, nil)
      }
    }
    #expect(assets == (policy == "keep" ? ["1 hidden", "2 hidden", "3 hidden"] : []))
  }

  @Test(
    "A picture is known by its bytes, whatever the names of its copies promise",
    arguments: ["keep", "strip"]
  )
  func names(_ policy: String) throws {
    let assets = try assets(policy) { scene in
      try put(scene, Self.year + "one", "1", "inLockedFolder")
      try put(scene, Self.album + "one", "1", nil)
      try put(scene, Self.year + "two.jpg", "2", "archived")
      try put(scene, Self.album + "two.part1", "2", nil)
    }
    #expect(assets == (policy == "keep" ? ["one hidden", "two hidden"] : []))
  }

  @Test(
    "Of two exports in one folder either one hides a picture",
    arguments: ["keep", "strip"],
    [("archived", ""), ("", "archived")]
  )
  func twoExports(_ policy: String, _ flags: (String, String)) throws {
    let hidden = policy == "keep"
    // One beside the other.
    #expect(
      try assets(policy) { scene in
        try put(scene, "old.zip/" + Self.year + "1.jpg", "1", flags.0)
        try put(scene, "new.zip/" + Self.year + "1.jpg", "1", flags.1)
      } == (hidden ? ["1 hidden"] : [])
    )
    // The later one was unpacked over the earlier one, whose JSON files have other names.
    #expect(
      try assets(policy) { scene in
        try put(scene, Self.year + "1.jpg", "1", flags.0, json: ".json")
        try put(scene, Self.year + "1.jpg", "1", flags.1)
      } == (hidden ? ["1 hidden"] : [])
    )
  }
}

extension TakeoutContradictionTests {
  @Test(
    "A copy that is new or described anew does not show again what its picture's year hides, until that ends"
  )
  func shownAgain() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library", "authorized", ["kind": "takeout"])
    let json =
      #"{ "title": "1.jpg", "description": "words", "photoTakenTime": { "timestamp": "1530000000" } }"#
    func hidden() throws -> [String] {
      try scene.run().expect(0)
      return try scene.catalogue("SELECT ifnull(isHidden, 0) FROM assets WHERE superseded = 0")
    }
    try put(scene, Self.year + "1.jpg", "1", "archived")
    try put(scene, Self.album + "1.jpg", "1", "")
    #expect(try hidden() == ["1"])
    try scene.put(Self.root + Self.album + "1.jpg.supplemental-metadata.json", json)
    #expect(try hidden() == ["1"])
    try put(scene, "Takeout/Google Photos/Another/1.jpg", "1", nil)
    try scene.put(
      Self.root + "Takeout/Google Photos/Another/1.jpg.json",
      json.replacing("words", with: "others")
    )
    #expect(try hidden() == ["1"])
    try scene.put(Self.root + Self.year + "1.jpg.supplemental-metadata.json", json)
    #expect(try hidden() == ["0"])
    try scene.expectVerified()
  }
}

/// The scopes of a Photos library.
@Suite("What a Photos library has of others", .enabled(if: Has.sqlite, "no sqlite3"))
struct PhotosScopeTests {
  private static let uuids = (1...8).map { "\($0)1111111-1111-4111-8111-111111111111" }

  @Test(
    "What lies in scopes is imported if it is the person's own, else others', and never missing",
    arguments: ["keep", "strip"],
    [false, true]
  )
  func scopes(_ policy: String, includesHidden: Bool) throws {
    let scene = Scene(policy: policy)
    try scene.declare(
      "library",
      "authorized",
      ["kind": "photosLibrary", "fetch": ["includeHiddenAssets": .bool(includesHidden)]],
      makesFolder: false
    )
    // Where the file lies, and what the database has of it.
    let assets: [(folder: String?, columns: [String: String])] = [
      ("originals", [:]), ("scopes/momentshared/originals", [:]),
      ("scopes/momentshared/originals", ["ZBUNDLESCOPE": "1", "ZMOMENTSHARE": "7", "ZSAVEDASSETTYPE": "8"]),
      ("scopes/syndication/originals", ["ZBUNDLESCOPE": "3", "ZSAVEDASSETTYPE": "12"]),
      ("scopes/syndication/originals", [:]), ("scopes/later/originals", [:]),
      (nil, ["ZACTIVELIBRARYSCOPEPARTICIPATIONSTATE": "1"]), (nil, [:]),
    ]
    _ = try MadePhotosLibrary(
      at: scene.at("sources/library"),
      assets: zip(Self.uuids, assets).map { uuid, asset in
        var made = MadePhotosLibrary.Asset(uuid, "\(uuid.prefix(1)).JPG")
        made.columns = asset.columns
        if uuid.hasPrefix("8") { made.attributes = ["ZSYNDICATIONIDENTIFIER": "'a'"] }
        return made
      }
    )
    for (uuid, asset) in zip(Self.uuids, assets) {
      guard let folder = asset.folder else { continue }
      try scene.put("sources/library/\(folder)/\(uuid.prefix(1))/\(uuid).jpeg", try Media.photo(uuid))
    }
    let run = try scene.run()
    try run.expect(0)
    let labels = try scene.catalogue("SELECT label FROM assets ORDER BY 1")
    #expect(labels == (includesHidden ? ["1", "2", "3", "4", "5", "6"] : ["1", "2"]))
    let leftOut = try PhotosScene.leftOut(run)
    #expect(leftOut.allSatisfy { $0.hasPrefix("notFetched") }, "\(leftOut)")
    #expect(run.streams.contains("scopes/later"))
    try scene.run().expect(0)
    try scene.expectVerified()
  }
}
