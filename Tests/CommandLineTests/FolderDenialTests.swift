import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("A denial, and the folder that it was about")
struct FolderDenialTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.put("one/a.jpg", copyOf: Samples.photo(1))
    try scene.put("two/b.jpg", copyOf: Samples.photo(2))
    return scene
  }

  /// Writes a manifest for a folder, and returns its client.
  private func manifest(_ scene: Scene, _ folder: String, _ name: String, _ options: String...) throws -> JSON
  {
    try scene.command(
      ["init", "--policy", "strip", folder, "--manifest", name, "--library", "L-" + name] + options
    ).expect(0)
    return try JSON(text: try scene.text(scene.at(name)))["client"]
  }

  @Test("init names the client by the folder: the same again, and another for another folder")
  func clients() throws {
    let scene = try scene()
    let one = try manifest(scene, "one", "one.json")
    let identifier = try #require(one["identifier"].string)
    #expect(identifier.hasPrefix("import.") && one["name"].string == "one")
    #expect(
      try manifest(scene, "../\(URL(filePath: scene.path).lastPathComponent)/one", "again.json")["identifier"]
        .string == identifier
    )
    #expect(try manifest(scene, "two", "two.json")["identifier"].string != identifier)
    let named = try manifest(
      scene,
      "two",
      "named.json",
      "--client",
      "org.example.two",
      "--client-name",
      "Two"
    )
    #expect(named["identifier"].string == "org.example.two" && named["name"].string == "Two")
  }

  @Test(
    "A denial is for one folder; a copy of the manifest, another one of it, and its new place do not escape it"
  )
  func denials() throws {
    let scene = try scene()
    _ = try manifest(scene, "one", "one.json", "--ask", "--reason", "For Summer.")
    _ = try manifest(scene, "two", "two.json")
    try scene.access("deny", "one.json", "library").expect(0)
    // Another folder is another question.
    let other = try scene.command("run", "two.json", "--format", "json")
    try other.expect(0)
    try other.expectCounts(["imported": 1])
    // A copy of the manifest is the same client's, wherever it leads.
    let (one, two) = try (scene.text(scene.at("one.json")), scene.text(scene.at("two.json")))
    let clients = try [one, two].map { try #require(try JSON(text: $0)["client"]["identifier"].string) }
    try scene.put("copy.json", two.replacingOccurrences(of: clients[1], with: clients[0]))
    try scene.command("check", "copy.json").expect(77)
    // Another manifest of the same folder.
    _ = try manifest(scene, "one", "again.json")
    let again = try scene.command("run", "again.json", "--format", "json")
    try again.expect(77)
    // Its new place.
    try FileManager.default.moveItem(atPath: scene.at("one"), toPath: scene.at("moved"))
    let moved = try manifest(scene, "moved", "moved.json")
    #expect(moved["identifier"].string != clients[0])
    let refused = try scene.command("run", "moved.json", "--format", "json")
    try refused.expect(77)
    let message = try #require(try refused.json()["problems"].array.first?["message"].string)
    let day = try #require(try scene.stored("SELECT date(decidedAt, 'unixepoch') FROM answers").first)
    #expect(message.contains("A person denied the photo library on \(day) "), "\(message)")
    #expect(
      message.contains("/one\", where the folder was then, as the answer to \"For Summer.\". "),
      "\(message)"
    )
    #expect(message.contains("`mediabatch access reset moved.json library`"), "\(message)")
    let listed = try scene.accessJSON("list", "moved.json")["answers"].array
    #expect(listed.count == 1 && listed.first?["counts"].bool == true)
    #expect(listed.first?["changes"].array.compactMap(\.string).contains("folderMoved") == true)
    // Its new place in a library that knows another folder, where the source has a name.
    try scene.command([
      "init", "--policy", "strip", "moved", "--manifest", "joined.json", "--library", "L-two.json",
    ]).expect(0)
    let joined = try scene.command("run", "joined.json", "--format", "json")
    try joined.expect(77)
    let named = try #require(try joined.json()["problems"].array.first?["message"].string)
    #expect(named.contains("`mediabatch access reset joined.json --source moved`"), "\(named)")
    let counted = try scene.accessJSON("list", "joined.json")["answers"].array
    #expect(counted.count == 1 && counted.first?["counts"].bool == true, "\(counted)")
    // What it says to type lets the run go on.
    try scene.access("reset", "moved.json", "library").expect(0)
    let allowed = try scene.command("run", "moved.json", "--format", "json")
    try allowed.expect(0)
    try allowed.expectCounts(["imported": 1])
    try scene.command("check", "joined.json").expect(0)
  }

  @Test("access reset of a source takes the denial of its folder back by the source's name")
  func reset() throws {
    let scene = try scene()
    _ = try manifest(scene, "one", "one.json")
    _ = try manifest(scene, "two", "two.json")
    try scene.access("deny", "one.json", "library").expect(0)
    try scene.command("run", "two.json").expect(0)
    try FileManager.default.moveItem(atPath: scene.at("one"), toPath: scene.at("moved"))
    try scene.command([
      "init", "--policy", "strip", "moved", "--manifest", "joined.json", "--library", "L-two.json",
    ]).expect(0)
    // A second source of the kind, in another folder, is not what was denied.
    let text = try scene.text(scene.at("joined.json"))
    let source = try #require(text.firstRange(of: "\"library\": { \"name\": \"moved\""))
    let end = try #require(text[source.upperBound...].firstIndex(of: "}"))
    var both = text
    both.insert("]", at: text.index(after: end))
    both.replaceSubrange(
      source,
      with: "\"library\": [{ \"name\": \"two\", \"path\": \"two\", "
        + "\"authorizationStatus\": \"authorized\" }, { \"name\": \"moved\""
    )
    try scene.put("both.json", both)
    #expect(try scene.accessJSON("reset", "both.json", "--source", "two")["removed"].array.isEmpty)
    try scene.command("check", "both.json").expect(77)
    let removed = try scene.accessJSON("reset", "both.json", "--source", "moved")["removed"].array
    #expect(removed.count == 1)
    try scene.command("check", "both.json").expect(0)
  }
}
