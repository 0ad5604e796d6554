import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Exports that describe themselves as RO-Crates, as rocrate reads them.
@Suite("Export: an RO-Crate", .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or exiftool"))
struct CrateTests {
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    scene.manifest["catalogue"] = ["privateFacts": true]
    scene.manifest["albums"] = ["fromFolders": true]
    try scene.declare("library")
    let dated = try scene.put(
      "sources/library/PlantedFolder/planted 100% näh #1.jpg",
      copyOf: Samples.photo(1)
    )
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-all=", "-DateTimeOriginal=2019:07:04 10:15:30",
        "-OffsetTimeOriginal=+02:00", dated,
      ]
    )
    try scene.put("sources/library/PlantedFolder/b.png", copyOf: Samples.png)
    try scene.run().expect(0)
    try scene.put("sources/library/film.mp4", copyOf: Samples.video)
    try scene.run().expect(0)
    return scene
  }

  private func export(_ scene: Scene, _ arguments: String...) throws -> Outcome {
    try scene.command(["export", "Library"] + arguments + ["--format", "json"])
  }

  @Test(
    "rocrate finds each file with its length, digest, type and date, and who has imported it",
    .enabled(if: Readers.python != nil, Readers.missing)
  )
  func reads() throws {
    let scene = try scene()
    try export(
      scene,
      "crate",
      "--ro-crate",
      "--layout",
      "{album}/{label}",
      "--thumbnails",
      "grid",
      "--sidecars",
      "xmp",
      "--title",
      "The \"year\" \\ 2026"
    ).expect(0)
    let lines = try Readers.read("crate", scene.at("crate")).split(separator: "\n")
      .map(String.init)
    #expect(lines.first == "The \"year\" \\ 2026")
    let name = "PlantedFolder/planted 100% näh #1"
    for line in [
      "\(name).jpg\timage/jpeg\t2019-07-04T10:15:30+02:00", "\(name) (grid).jpg\timage/jpeg\t",
      "\(name).jpg.xmp\tapplication/rdf+xml\t2019-07-04T10:15:30+02:00",
      "PlantedFolder/b.png\timage/png\t", "film.mp4\tvideo/mp4\t",
    ] {
      #expect(lines.contains { $0.hasPrefix(line) }, "\(line): \(lines)")
    }
    let runs = lines.filter { $0.hasPrefix("run\torg.example.test\t") }
    let counts = runs.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
    #expect(counts.count == 2 && counts.reduce(0, +) == lines.count - 3, "\(lines)")
    // Converted pictures are described as what they are.
    try export(scene, "jpegs", "--ro-crate", "--convert", "jpeg", "--layout", "{label}").expect(0)
    let converted = try Readers.read("crate", scene.at("jpegs"))
    #expect(converted.contains("\nb.jpg\timage/jpeg\t") && converted.hasPrefix("jpegs\n"))
    try scene.put("sources/library/c.jpg", try Media.photo("c"))
    try scene.run().expect(0)
    try export(scene, "jpegs", "--ro-crate", "--convert", "jpeg", "--layout", "{label}").expect(0)
    let later = try Readers.read("crate", scene.at("jpegs"))
    #expect(later.contains("\nb.jpg\timage/jpeg\t") && later.contains("\nc.jpg\timage/jpeg\t"))
  }

  @Test(
    "In a bag the crate is the payload, which the bag has digests of",
    .enabled(if: Readers.python != nil, Readers.missing)
  )
  func bag() throws {
    let scene = try scene()
    try export(scene, "bag", "--bag", "--ro-crate", "--license", "https://example.org/l").expect(0)
    #expect(try Readers.read("crate", scene.at("bag"), "data").contains("\tvideo/mp4\t"))
    let checked = try Tool.run("sha256sum", ["-c", "--strict", "manifest-sha256.txt"], in: scene.at("bag"))
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    #expect(checked.output.contains("data/ro-crate-metadata.json: OK"))
    let tags = try Tool.run("sha256sum", ["-c", "--strict", "tagmanifest-sha256.txt"], in: scene.at("bag"))
    #expect(tags.status == 0)
    let files = checked.output.split(separator: "\n").count
    let info = try scene.text(scene.at("bag/bag-info.txt"))
    #expect(info.contains(".\(files)\n"), "\(info)")
  }

  @Test("The files of a merged library come from its shards, each by an import of its own")
  func merged() throws {
    let scene = Scene(policy: "keep")
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    for number in 1...6 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.makePlan(3)
    try scene.runShards(3)
    try scene.merge().expect(0)
    try scene.command("export", "Merged", "crate", "--ro-crate", "--layout", "{label}").expect(0)
    let crate = try JSON(text: scene.text(scene.at("crate/ro-crate-metadata.json")))
    let imports = crate["@graph"].array.filter { $0["@id"].string?.hasPrefix("#run-") == true }
    let identifiers = imports.compactMap { $0["@id"].string?.dropFirst(5) }.map(String.init)
    #expect(Set(identifiers).count == 3 && imports.count == 3, "\(imports)")
    let results = imports.flatMap { $0["result"].array.compactMap { $0["@id"].string } }
    #expect(results.sorted() == (1...6).map { "\($0).jpg" }, "\(results)")
    #expect(imports.allSatisfy { $0["agent"]["@id"].string == "#client-org.example.test" })
    if Readers.python != nil { _ = try Readers.read("crate", scene.at("crate")) }
  }

  @Test("What stripping took away, and with --neutral each name and date, is in no byte of it")
  func describes() throws {
    let stripped = try scene(policy: "strip")
    for facts in [[], ["--private-facts"]] {
      try? FileManager.default.removeItem(atPath: stripped.at("out"))
      try stripped.command(["export", "Library", "out", "--ro-crate", "--neutral"] + facts)
        .expect(0)
      for word in ["planted", "2019-07-04", "10:15:30", "sources/"] {
        let result = try Tool.run("grep", ["-raqiF", word, stripped.at("out")])
        #expect(result.status == 1, "\(word) \(facts)")
      }
      // With labels there are names, and still no date that is not in the file.
      try? FileManager.default.removeItem(atPath: stripped.at("named"))
      try stripped.command(["export", "Library", "named", "--ro-crate"] + facts).expect(0)
      let named = try stripped.text(stripped.at("named/ro-crate-metadata.json"))
      #expect(named.contains("planted") && !named.contains("2019") && !named.contains("dateCreated"))
    }
    let kept = try scene()
    try export(kept, "neutral", "--ro-crate", "--neutral").expect(0)
    let neutral = try kept.text(kept.at("neutral/ro-crate-metadata.json"))
    #expect(!neutral.lowercased().contains("planted") && !neutral.contains("2019"))
    try export(kept, "named", "--ro-crate").expect(0)
    let named = try kept.text(kept.at("named/ro-crate-metadata.json"))
    #expect(named.contains("2019-07-04T10:15:30+02:00") && named.contains("planted"))
    #expect(named.contains("planted%20100%25%20n%C3%A4h%20%231.jpg"), "\(named)")
    #expect(named.contains("\"license\":\"Not stated"))
  }

  @Test("A second call does nothing, other words make it anew, and a changed file is refused")
  func again() throws {
    let scene = try scene()
    try export(scene, "out", "--ro-crate").expect(0)
    #expect(try export(scene, "out", "--ro-crate").json()["isCurrent"].bool == true)
    let titled = try export(scene, "out", "--ro-crate", "--title", "other").json()
    #expect(titled["isCurrent"].bool == false && titled["filesAdded"].int == 0, "\(titled)")
    #expect(try scene.text(scene.at("out/ro-crate-metadata.json")).contains("\"name\":\"other\""))
    try scene.put("out/ro-crate-metadata.json", "{}")
    #expect(try export(scene, "out", "--ro-crate").code == 64)
    #expect(try export(scene, "out", "--ro-crate", "--replace-changes").code == 0)
    for arguments in [["--title", "x"], ["--license", "x"]] {
      #expect(try scene.command(["export", "Library", "no"] + arguments).code == 64)
    }
  }
}
