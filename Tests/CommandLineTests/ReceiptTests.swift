import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Receipts", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct ReceiptTests {
  /// A key that says something by itself, which a program may write.
  private static let canary = "JaneDoeLeftHim"

  private func scene(_ receipts: String?) throws -> Scene {
    let scene = Scene(policy: "strip")
    if let receipts { scene.manifest["receipts"] = .string(receipts) }
    try scene.declare("camera")
    let picture = try scene.put("sources/camera/place.jpg", copyOf: Samples.harbour)
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-all=", "-GPSLatitude=48.858222", "-GPSLatitudeRef=N",
        "-GPSLongitude=2.294500", "-GPSLongitudeRef=E", "-Artist=Somebody", "-Make=Maker",
        "-DateTimeOriginal=2026:05:06 07:08:09", "-Comment=a comment", picture,
      ]
    )
    let packet =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:a='http://example.org/\(Self.canary)/' a:\(Self.canary)='x'/></rdf:RDF></x:xmpmeta>"
    let xmp = try scene.put("packet.xmp", packet)
    let key = try scene.put("sources/camera/key.jpg", copyOf: Samples.photo(7))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", "-XMP<=\(xmp)", key])
    return scene
  }

  private func removed(_ scene: Scene, _ name: String) throws -> [JSON] {
    try #require(
      try scene.lastLog().first {
        $0["event"].string == "outcome" && $0["path"].string == name
      }
    )["removed"].array
  }

  @Test("A receipt says by class whether a location was removed, and no name that a file made up")
  func classes() throws {
    let scene = try scene(nil)
    try scene.run().expect(0)
    let tags = try removed(scene, "place.jpg")
    #expect(tags.allSatisfy { $0.keys == ["count", "name"] })
    let counts = Dictionary(
      uniqueKeysWithValues: tags.map { ($0["name"].string ?? "", $0["count"].int ?? 0) }
    )
    // GPSVersionID, the two coordinates and their references.
    #expect(counts["location"] == 5 && counts["person"] == 1 && counts["device"] == 1)
    #expect(counts["time"] == 1 && counts["text"] == 1)
    let key = try removed(scene, "key.jpg")
    #expect(key.map { $0["name"].string } == ["other"])
    try scene.expectVerified()
    let report = try scene.command(["report", scene.library, "--format", "json"])
    try report.expect(0)
    #expect(report.output.contains(#""name":"location""#) && !report.output.contains(Self.canary))
    let explained = try scene.command(["explain", scene.library, "place.jpg"])
    let words = "Removed: location (5), person (1), device (1), time (1), text (1)"
    let text = explained.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(words), "\(explained.streams)")
  }

  @Test("Tags are named out of the closed table, with their class")
  func tags() throws {
    let scene = try scene("tags")
    try scene.run().expect(0)
    let tags = try removed(scene, "place.jpg")
    #expect(tags.allSatisfy { $0.keys == ["class", "count", "name"] })
    let latitude = try #require(tags.first { $0["name"].string == "GPSLatitude" })
    #expect(latitude["class"].string == "location" && latitude["count"].int == 1)
    let names = Set(tags.compactMap { $0["name"].string })
    #expect(names.isSuperset(of: ["GPSLongitude", "Artist", "Make", "DateTimeOriginal", "COM"]))
    let key = try removed(scene, "key.jpg").compactMap { $0["name"].string }
    #expect(key.contains("other XMP property"))
    for (_, lines) in try scene.logFiles() {
      #expect(!lines.contains { $0.contains(Self.canary) })
    }
    let dump = try Tool.run("sqlite3", [scene.library + "/library.sqlite", ".dump"]).output
    #expect(!dump.contains(Self.canary))
    try scene.expectVerified()
  }

  @Test("inspect --private lists what tells about people, places, devices and times alone")
  func privateOnly() throws {
    let scene = try scene(nil)
    let path = scene.at("sources/camera/place.jpg")
    let all = try scene.inspected([path])["files"].array[0]["entries"].array
    let some = try scene.inspected(["--private", path])["files"].array[0]["entries"].array
    let classes: Set = ["location", "person", "device", "time"]
    #expect(Set(some.compactMap { $0["class"].string }) == classes)
    #expect(all.count { classes.contains($0["class"].string ?? "") } == some.count)
    #expect(all.contains { $0["class"].string == "text" })
    let text = try scene.inspect("--private", path)
    try text.expect(0)
    #expect(text.output.contains("location  APP1 Exif/GPS/GPSLatitude"))
    #expect(!text.output.contains("COM"))
  }
}
