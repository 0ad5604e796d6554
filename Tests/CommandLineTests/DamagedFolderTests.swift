import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "A folder that is made of a damaged library has what is whole, and names the rest",
  .enabled(if: Has.sqlite, "no sqlite3")
)
struct DamagedFolderTests {
  /// A library of three photos with two thumbnails each.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFit"), ("large", 800, 800, "aspectFit")])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    for name in ["a", "b", "c"] {
      try scene.put("sources/library/\(name).jpg", try Media.photo(name))
    }
    try scene.run().expect(0)
    return scene
  }

  enum Damage: String, CaseIterable {
    /// One byte is another one; length and time are what they were.
    case flipped = """
      touch -r "$1" time && python3 -c '
      import sys
      with open(sys.argv[1], "r+b") as file:
        file.seek(100)
        byte = file.read(1)[0]
        file.seek(100)
        file.write(bytes([byte ^ 1]))' "$1" && touch -r time "$1"
      """
    case cut = "truncate -s -1 \"$1\""
    case removed = "rm \"$1\""

    var words: String {
      switch self {
      case .flipped: "its SHA-256 is not that of the catalogue"
      case .cut: " in the catalogue"
      case .removed: "it is missing"
      }
    }
  }

  /// Damages the original or a thumbnail of the photo `b`, of which a copy is kept; returns its path in the library.
  private func damage(_ damage: Damage, _ table: String, _ scene: Scene) throws -> String {
    let path = try #require(
      try scene.catalogue(
        """
        SELECT path FROM \(table) JOIN assets ON assets.id = asset WHERE label = 'b'
        ORDER BY path LIKE '%large%' LIMIT 1
        """
      ).first
    )
    let script = "cp -p \"$1\" whole && chmod u+w \"$1\" && " + damage.rawValue
    let done = try Tool.run("sh", ["-c", script, "sh", "Library/" + path], in: scene.path)
    try #require(done.status == 0, "\(done.error)")
    return path
  }

  private func mend(_ path: String, _ scene: Scene) throws {
    try Independent.make("cp", ["-pf", scene.at("whole"), scene.library + "/" + path])
  }

  private static let commands: [[String]] =
    ["copy", "reflink", "hardlink", "symlink"].map {
      ["export", "Library", "out", "--layout", "{label}", "--thumbnails", "grid", "--as", $0]
    } + [
      ["export", "Library", "out", "--bag", "--ro-crate", "--sidecars", "xmp"],
      ["export", "Library", "out", "--embed", "date", "--thumbnails", "grid"],
      ["gallery", "Library", "out", "--originals"],
      ["contact-sheet", "Library", "out", "--columns", "3", "--size", "64"],
    ]

  @Test(
    "Each damage of an original and of a thumbnail is named and left out, until it is mended",
    arguments: commands
  )
  func damaged(command: [String]) throws {
    let scene = try scene()
    let json = command + ["--format", "json"]
    try scene.command(json).expect(0)
    let whole = try scene.madePaths("out")
    let reads = [
      "resources": command[0] != "contact-sheet",
      "thumbnails": command[0] != "export" || command.contains("--thumbnails"),
    ]
    // In the short form each command meets a third of the kinds, and each kind three of the commands.
    let number = try #require(Self.commands.firstIndex(of: command))
    for (index, kind) in Damage.allCases.enumerated()
    where Amount.isAll || index % 3 == number % 3 {
      for (table, isRead) in reads {
        try FileManager.default.removeItem(atPath: scene.at("out"))
        let path = try damage(kind, table, scene)
        let outcome = try scene.command(json)
        try outcome.expect(isRead ? 3 : 0)
        let named = try outcome.json()["damaged"].array
        #expect(named.count == (isRead ? 1 : 0), "\(kind) \(table): \(outcome.streams)")
        if isRead {
          #expect(named.first?["path"].string == path)
          #expect(named.first?["detail"].string?.contains(kind.words) == true, "\(outcome.streams)")
          #expect(outcome.error.contains("\"\(path)\" is left out: "), "\(outcome.error)")
          #expect(outcome.error.contains("mediabatch repair"), "\(outcome.error)")
          // The bytes are nowhere, and all else is there.
          let missing = Set(whole).subtracting(try scene.madePaths("out"))
          let owns = missing.filter {
            $0.contains("b.") || $0.contains("b (") || command[0] == "gallery"
          }
          #expect(owns == missing, "\(missing)")
          #expect(missing.count <= 3, "\(missing)")
          // A thumbnail of an export is made of its original.
          #expect(command[0] != "export" || missing.isEmpty == (table == "thumbnails"))
          if command[0] == "export", table == "thumbnails" {
            #expect(try outcome.json()["made"].int == 1, "\(outcome.streams)")
          }
        }
        try expectValidBag(scene, command)
        try mend(path, scene)
        try scene.command(json).expect(0)
        #expect(try scene.madePaths("out") == whole, "\(kind) \(table)")
        try expectValidBag(scene, command)
      }
    }
  }

  /// That a bag lists what it has, each with its digest; any other folder passes.
  private func expectValidBag(_ scene: Scene, _ command: [String]) throws {
    guard command.contains("--bag") else { return }
    let check = try Tool.run(
      "sh",
      [
        "-c",
        """
        sha256sum --quiet --strict --check manifest-sha256.txt tagmanifest-sha256.txt &&
        cut -c 67- manifest-sha256.txt | sort >../listed &&
        find data -type f | sort | diff - ../listed
        """,
      ],
      in: scene.at("out")
    )
    #expect(check.status == 0, "\(check.output)\(check.error)")
  }

  @Test(
    "A second export names an original that was damaged meanwhile where its bytes are the library's"
  )
  func damagedLater() throws {
    for method in ["copy", "hardlink"] {
      let scene = try scene()
      let command = [
        "export", "Library", "out", "--layout", "{label}", "--as", method, "--format", "json",
      ]
      try scene.command(command).expect(0)
      let path = try damage(.flipped, "resources", scene)
      try scene.put("sources/library/d.jpg", try Media.photo("d"))
      try scene.run().expect(0)
      let again = try scene.command(command)
      // The copy is what was imported.
      try again.expect(method == "copy" ? 0 : 3)
      #expect(try again.json()["damaged"].array.count == (method == "copy" ? 0 : 1), "\(path)")
      let names = method == "copy" ? ["a", "b", "c", "d"] : ["a", "c", "d"]
      #expect(try scene.madePaths("out") == names.map { $0 + ".jpg" })
    }
  }

  @Test("A file of an earlier bag that has lost its bytes is made again from the library")
  func rottenBag() throws {
    let scene = try scene()
    let command = ["export", "Library", "out", "--bag", "--layout", "{label}"]
    try scene.command(command).expect(0)
    let rotten = try Tool.run("sh", ["-c", Damage.flipped.rawValue, "sh", "out/data/b.jpg"], in: scene.path)
    try #require(rotten.status == 0, "\(rotten.error)")
    try scene.put("sources/library/d.jpg", try Media.photo("d"))
    try scene.run().expect(0)
    try scene.command(command).expect(0)
    #expect(try scene.madePaths("out").contains("data/d.jpg"))
    try expectValidBag(scene, command)
  }

  @Test("A gallery shows another thumbnail in the place of one that is damaged")
  func otherThumbnail() throws {
    let scene = try scene()
    let path = try damage(.removed, "thumbnails", scene)
    #expect(path.contains("/grid/"), "\(path)")
    let outcome = try scene.command("gallery", "Library", "site")
    try outcome.expect(3)
    #expect(!outcome.error.contains("no picture, only a name"), "\(outcome.error)")
    #expect(try scene.madePaths("site").count { $0.hasPrefix("tiles/") } == 3)
  }

  @Test("Impossible sizes in the catalogue end no command that makes a folder")
  func impossibleSizes() throws {
    let scene = try scene()
    for (table, width, height) in [
      ("assets", "pixelWidth", "pixelHeight"), ("thumbnails", "width", "height"),
    ] {
      _ = try scene.catalogue(
        "UPDATE \(table) SET \(width) = 9223372036854775807, \(height) = -9223372036854775807 - 1"
      )
      for command in [["export", "--thumbnails", "grid:100"], ["gallery"], ["contact-sheet"]] {
        let folder = "\(table)-\(command[0])"
        let outcome = try scene.command([command[0], "Library", folder] + command.dropFirst())
        #expect(outcome.code == 0, "\(folder): \(outcome.streams)")
      }
    }
  }

  @Test("Impossible lengths and offsets from UTC in the catalogue end no export")
  func impossibleNumbers() throws {
    let scene = try scene()
    _ = try scene.catalogue(
      """
      UPDATE assets SET creationDate = '2024-05-06T07:08:09',
        creationDateOffsetMinutes = -9223372036854775807 - 1;
      UPDATE resources SET bytes = -1 WHERE path LIKE '%/b.jpg'
      """
    )
    for (folder, option) in [("beside", "--sidecars=xmp"), ("within", "--embed=date")] {
      let command = ["export", "Library", folder, option, "--format", "json"]
      let outcome = try scene.command(command)
      #expect(outcome.code == 3, "\(outcome.streams)")
      #expect(try outcome.json()["damaged"].array.count == 1, "\(outcome.streams)")
    }
  }
}
