import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Exports of iCloud Photos by privacy.apple.com, unpacked and as zip files.
@Suite(
  "An export of iCloud Photos as a source",
  .enabled(if: Has.sqlite && Has.python && Has.exiftool, "no sqlite3, python3 or exiftool")
)
struct ICloudExportSourceTests {
  private static let root = "sources/library/"
  private static let parts = (1...2).map { "iCloud Photos Part \($0) of 2" }
  private static let header =
    "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\n"

  private func scene(_ policy: String = "keep", _ extra: [String: JSONValue] = [:]) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("library", "authorized", ["kind": "iCloudExport"].merging(extra) { $1 })
    return scene
  }

  /// Puts a picture of its own content without metadata.
  private func photo(_ scene: Scene, _ path: String) throws {
    let file = try scene.put(Self.root + path, try Media.photo(path))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", "-Comment=\(path)", file])
  }

  /// A row of details: its marks are letters of `fhd`.
  private func row(
    _ name: String,
    _ marks: String = "",
    _ date: String = "Sunday December 24,1978 12:00 PM GMT"
  ) -> String {
    let words = "fhd".map { marks.contains($0) ? "yes" : "no" }.joined(separator: ",")
    return "\(name),sum,\(words),\"\(date)\",1,\"Friday June 4,2021 7:13 PM GMT\"\n"
  }

  /// A small export with all that one may have, in two parts.
  private func family(_ scene: Scene) throws {
    let (one, two) = (Self.parts[0] + "/", Self.parts[1] + "/")
    for name in ["SCAN0002", "fav", "secret", "gone", "same"] { try photo(scene, one + "Photos/\(name).JPG") }
    try photo(scene, one + "Recently Deleted/old.JPG")
    // Another picture of the name.
    try photo(scene, two + "Photos/same.JPG")
    try photo(scene, two + "Shared Albums/Ours/theirs.JPG")
    try scene.put(Self.root + two + "Shared Albums/Ours/AlbumInfo.json", "{}")
    // The halves of live photos lie in different parts; the movie of the hidden one has no row.
    let live = try Media.livePhoto("crossed")
    let veil = (still: try Media.photo("veil"), movie: try readBytes(Samples.video))
    for (name, halves) in [("IMG_0041", live), ("veil", veil)] {
      try scene.put(Self.root + one + "Photos/\(name).JPG", halves.still)
      try scene.put(Self.root + two + "Photos/\(name).MOV", halves.movie)
    }
    try scene.put(
      Self.root + one + "Photos/Photo Details.csv",
      Self.header + row("SCAN0002.JPG") + row("fav.JPG", "f") + row("secret.JPG", "h")
    )
    try scene.put(
      Self.root + one + "Photos/Photo Details-1.csv",
      Self.header + row("gone.JPG", "d") + row("same.JPG", "", "Monday January 1,2001 1:02 AM GMT")
        + row("IMG_0041.JPG") + row("veil.JPG", "h")
    )
    try scene.put(
      Self.root + two + "Photos/Photo Details.csv",
      Self.header + row("IMG_0041.MOV") + row("same.JPG", "", "Tuesday January 1,2002 1:02 PM GMT")
    )
    try scene.put(
      Self.root + one + "Albums/Trip to “Brest”.csv",
      "Images\nSCAN0002.JPG\nsame.JPG\nIMG_0041.JPG\nnowhere.JPG\n"
    )
    try scene.put(Self.root + one + "Albums/Hidden.csv", "imgName\nsecret.JPG\nveil.JPG\n")
    try scene.put(Self.root + one + "Memories/On this day.csv", "imageName\nfav.JPG\n")
  }

  /// Packs each part into a zip file.
  private func pack(_ scene: Scene) throws {
    let script = """
      import os, sys, zipfile
      root = sys.argv[1]
      for part in sys.argv[2:]:
          with zipfile.ZipFile(os.path.join(root, part + ".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
              for folder, _, names in os.walk(os.path.join(root, part)):
                  for name in sorted(names):
                      path = os.path.join(folder, name)
                      archive.write(path, os.path.relpath(path, root))
      """
    let result = try Tool.run("python3", ["-c", script, scene.at("sources/library")] + Self.parts)
    try #require(result.status == 0, "\(result.error)")
    for part in Self.parts { try FileManager.default.removeItem(atPath: scene.at(Self.root + part)) }
  }

  /// What became of each item, by the number of its part and its name.
  private func outcomes(_ scene: Scene) throws -> [String: String] {
    try scene.lastLog().filter { $0["event"].string == "outcome" }.reduce(into: [:]) {
      let words = [$1["outcome"].string, $1["reason"].string].compactMap { $0 }
      let path = $1["path"].string ?? ""
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      $0[(path.contains("Part 2 of 2") ? "2 " : "1 ") + name] = words.joined(separator: " ")
    }
  }

  @Test(
    "Dates, favorites, hidden and deleted pictures, albums and halves of live photos are what the CSV files say",
    arguments: [false, true]
  )
  func kept(isZipped: Bool) throws {
    let scene = try scene()
    try family(scene)
    if isZipped { try pack(scene) }
    let outcome = try scene.run()
    try outcome.expect(0)
    let results = try outcomes(scene)
    #expect(results["1 gone.JPG"] == "skipped trashed")
    #expect(results["1 old.JPG"] == "skipped trashed")
    #expect(results["1 secret.JPG"] == "imported" && results["2 veil.MOV"] == "imported")
    #expect(!results.keys.contains { $0.hasSuffix(".csv") || $0.hasSuffix(".json") }, "\(results)")
    let rows = try scene.catalogue(
      """
      SELECT label, isFavorite, isHidden, creationDate, creationDateOffsetMinutes, creationDateTag FROM assets
      ORDER BY label, creationDate
      """
    )
    #expect(
      rows.filter { $0.hasSuffix("sidecar:originalCreationDate") } == [
        "SCAN0002|||1978-12-24T12:00:00|0|sidecar:originalCreationDate",
        "fav|1||1978-12-24T12:00:00|0|sidecar:originalCreationDate",
        "same|||2001-01-01T01:02:00|0|sidecar:originalCreationDate",
        "same|||2002-01-01T13:02:00|0|sidecar:originalCreationDate",
        "secret||1|1978-12-24T12:00:00|0|sidecar:originalCreationDate",
      ],
      "\(rows)"
    )
    #expect(try scene.catalogue("SELECT isHidden FROM assets WHERE label = 'veil'") == ["1", "1"])
    // One asset of both halves, whichever part each lies in.
    let halves =
      "SELECT role FROM resources r JOIN assets a ON a.id = r.asset WHERE label = 'IMG_0041' AND r.superseded = 0 ORDER BY role"
    #expect(try scene.catalogue(halves) == ["pairedVideo", "photo"])
    #expect(try scene.albums() == ["Trip to “Brest”": 3])
    // Each CSV file has its record, and the second run opens nothing else.
    let opened = try scene.openedPaths()
    #expect(opened.contains { $0.hasSuffix("Photo Details-1.csv") })
    let again = try scene.run()
    try again.expect(0)
    #expect(try again.count("imported") == 0)
    let reopened = try scene.openedPaths()
    #expect(reopened.allSatisfy { $0.hasSuffix(".csv") || $0.hasSuffix(".zip") }, "\(reopened)")
    #expect(try scene.albums() == ["Trip to “Brest”": 3])
    try scene.expectVerified()
  }

  @Test("Under strip nothing hidden, deleted or shared is published, unless hidden assets are asked for")
  func stripped() throws {
    let shown = ["IMG_0041", "IMG_0041", "SCAN0002", "fav", "same", "same"]
    for (extra, published) in [
      ([:], shown),
      (
        ["fetch": ["includeHiddenAssets": true]],
        shown + ["secret", "theirs", "veil", "veil"]
      ),
    ] as [([String: JSONValue], [String])] {
      let scene = try scene("strip", extra)
      try family(scene)
      let run = try scene.run()
      try run.expect(0)
      #expect(try scene.originalNames().map { $0.prefix { $0 != "." } }.sorted() == published.map { $0[...] })
      let results = try outcomes(scene)
      #expect(results["1 gone.JPG"] == "skipped trashed" && results["1 old.JPG"] == "skipped trashed")
      if extra.isEmpty {
        // What is not opened is counted.
        #expect(try PhotosScene.leftOut(run).contains { $0.hasPrefix("notFetched 4 ") })
      }
      #expect(try scene.albums() == [:])
      #expect(try scene.catalogue("SELECT count(creationDate) + count(isFavorite) FROM assets") == ["0"])
      try scene.expectVerified()
    }
  }

  @Test("What a later export says of a picture counts, and a sign that is gone has ended")
  func changed() throws {
    let scene = try scene()
    try family(scene)
    try scene.run().expect(0)
    let marks = "SELECT isFavorite, isHidden FROM assets WHERE label IN ('fav', 'secret') ORDER BY label"
    #expect(try scene.catalogue(marks) == ["1|", "|1"])
    let part = Self.root + Self.parts[0] + "/"
    try FileManager.default.removeItem(atPath: scene.at(part + "Albums/Hidden.csv"))
    try scene.put(
      part + "Photos/Photo Details.csv",
      Self.header + row("SCAN0002.JPG") + row("fav.JPG") + row("secret.JPG", "f")
    )
    try scene.run().expect(0)
    #expect(
      try scene.catalogue(
        "SELECT isFavorite, isHidden FROM assets WHERE superseded = 0 AND label IN ('fav', 'secret') ORDER BY label"
      ) == ["|", "1|"]
    )
    try scene.expectVerified()
  }

  @Test("A CSV file whose header is not known is named, and costs nothing else")
  func unknownHeader() throws {
    let scene = try scene()
    try family(scene)
    let file = Self.parts[1] + "/Photos/Photo Details.csv"
    try scene.put(Self.root + file, "uno,dos,tres\nsame.JPG,b,c\n")
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(outcome.streams.contains("uno,dos,tres") && outcome.streams.contains(file))
    #expect(try outcomes(scene)["1 gone.JPG"] == "skipped trashed")
    let dated = "SELECT ifnull(creationDate, 0) FROM assets WHERE label = 'same' ORDER BY creationDate"
    #expect(try scene.catalogue(dated) == ["0", "2001-01-01T01:02:00"])
  }

  @Test("A selection brings the CSV files of its folders, and no album", arguments: [false, true])
  func limited(isZipped: Bool) throws {
    let prefix = (isZipped ? Self.parts[0] + ".zip/" : "") + Self.parts[0] + "/Photos/"
    let selection = ["SCAN0002.JPG", "secret.JPG"].map { JSONValue.string(prefix + $0) }
    let scene = try scene("strip", ["authorizationStatus": "limited", "selection": .array(selection)])
    try family(scene)
    if isZipped { try pack(scene) }
    let run = try scene.run()
    try run.expect(0)
    #expect(try outcomes(scene) == ["1 SCAN0002.JPG": "imported"])
    #expect(try PhotosScene.leftOut(run).contains { $0.hasPrefix("notFetched 1 ") })
    #expect(try scene.originalNames() == ["SCAN0002.jpg"])
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("fav.JPG") && !log.contains("Brest") && !log.contains("Part 2"))
    try scene.expectVerified()
  }

  @Test("It is not divided among machines, which would import what is hidden")
  func plans() throws {
    let scene = try scene()
    try family(scene)
    try scene.writeManifest()
    try scene.expectUndivided()
  }
}
