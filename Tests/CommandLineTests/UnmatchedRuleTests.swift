import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Rules that match nothing", .enabled(if: Has.exiftool, "no exiftool"))
struct UnmatchedRuleTests {
  private func put(
    _ scene: Scene,
    _ name: String,
    _ number: Int,
    model: String,
    in folder: String = "camera"
  ) throws {
    let file = try scene.put("sources/\(folder)/\(name)", copyOf: Samples.photo(number))
    let tags = ["-Make=Sony Ericsson", "-Model=\(model)", "-DateTimeOriginal=2019:07:04 10:15:30"]
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all="] + tags + [file])
  }

  private static let shifts: JSONValue = [
    ["by": "+01:02:30", "where": "camera == 'TZ7'"],
    ["by": "-01:00", "where": "camera CONTAINS 'TZ8'", "from": "2019-07-01"],
  ]

  /// `rule text count` of each rule that a command's JSON names.
  private func rules(_ outcome: Outcome) throws -> [String] {
    try outcome.json()["rulesWithoutMatch"].array.map { rule in
      #expect(rule["source"].string == "camera")
      return "\(rule["rule"].string ?? "") \(rule["text"].string ?? "") \(rule["count"].int ?? 0)"
    }.sorted()
  }

  private static let shift = "dates.shift +01:02:30 where camera == 'TZ7' 1"
  private static let names = ["ignore nothing.here 1", "labels gone.jpg 2"]

  @Test("run, run --dry-run and check name them, each as far as it knows, and end as before")
  func named() throws {
    let scene = Scene(policy: "keep")
    if case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the places of your tracks."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    let rules: [String: JSONValue] = [
      "ignore": ["nothing.here"], "tracks": ["none*.gpx"], "dates": ["shift": Self.shifts],
    ]
    try scene.declare("camera", "authorized", rules)
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.put(
      "labels.csv",
      "source,path,label\ncamera,a.jpg,Harbour\ncamera,gone.jpg,One\ncamera,lost.jpg,Two\n"
    )
    try put(scene, "a.jpg", 1, model: "TZ7")
    try put(scene, "b.jpg", 2, model: "TZ8")
    try scene.writeManifest()
    let plan = try scene.command("run", "manifest.json", "--dry-run", "--format", "json")
    #expect(try self.rules(plan) == Self.names)
    // Before a first run nobody has read a date.
    let early = try scene.command("check", "manifest.json", "--format", "json")
    try early.expect(0)
    #expect(try self.rules(early) == ["tracks none*.gpx 1"])
    let run = try scene.run()
    try run.expect(0)
    #expect(try self.rules(run) == ([Self.shift] + Self.names + ["tracks none*.gpx 1"]))
    let messages = try run.json()["problems"].array.compactMap { $0["message"].string }
    let sentence = "The shift +01:02:30 where camera == 'TZ7' under \"dates\" corrects no date of the camera."
    #expect(messages.count == 4 && messages.contains(sentence), "\(messages)")
    // What matched an earlier file has matched, and what did not has not.
    try put(scene, "c.jpg", 3, model: "TZ9")
    let again = try scene.run()
    #expect(try self.rules(again) == ([Self.shift] + Self.names + ["tracks none*.gpx 1"]))
    let later = try scene.command("check", "manifest.json", "--format", "json")
    try later.expect(0)
    #expect(try self.rules(later) == [Self.shift, "tracks none*.gpx 1"])
    #expect(try later.json()["notes"].array.contains { $0.string == sentence })
  }

  @Test("Of two sources of a kind each rule is that of its own source, which the sentence and the entry name")
  func twoSources() throws {
    let scene = Scene(policy: "keep")
    func declaration(_ name: String) -> JSONValue {
      [
        "name": .string(name), "path": .string("sources/" + name), "authorizationStatus": "authorized",
        "ignore": ["*.tmp"], "tracks": ["none*.gpx"],
        "dates": ["shift": [["by": "+01:00", "where": "camera CONTAINS 'TZ7'"]]],
      ]
    }
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "Pictures of the trip.",
      "NSLocationWhenInUseUsageDescription": "Pictures get the places of your tracks.",
    ]
    scene.manifest["sources"] = ["camera": [declaration("One"), declaration("Two")]]
    try scene.put("sources/One/x.tmp", "x")
    try put(scene, "a.jpg", 1, model: "TZ7", in: "One")
    try put(scene, "b.jpg", 2, model: "TZ8", in: "Two")
    let run = try scene.run()
    try run.expect(0)
    let entries = try run.json()["rulesWithoutMatch"].array
    func names(_ rule: String) -> [String?] {
      entries.filter { $0["rule"].string == rule }.map { $0["sourceName"].string }
    }
    #expect(
      names("ignore") == ["Two"] && names("dates.shift") == ["Two"] && names("tracks") == ["One", "Two"]
    )
    let messages = try run.json()["problems"].array.compactMap { $0["message"].string }
    #expect(messages.filter { $0.contains("the camera \"Two\".") }.count == 3, "\(messages)")
  }

  @Test("Where no date is stored, nothing is said of a shift that an unchanged file may have met")
  func stripped() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera", "authorized", ["dates": ["shift": Self.shifts]])
    scene.manifest["labels"] = ["template": "{creationDate} {originalName}"]
    try put(scene, "b.jpg", 2, model: "TZ8")
    #expect(try rules(try scene.run()) == [Self.shift])
    try put(scene, "c.jpg", 3, model: "TZ9")
    let again = try scene.run()
    try again.expectCounts(["imported": 1, "unchanged": 1])
    #expect(try rules(again).isEmpty)
    #expect(try rules(try scene.run()).isEmpty)
  }

  @Test("What except names and no file has is named; what one file has, or another policy left, is not")
  func except() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera", "authorized")
    try put(scene, "a.jpg", 1, model: "TZ7")
    try scene.run().expect(0)
    scene.manifest["metadata"] = ["policy": "strip", "except": ["camera", "location", "copyright"]]
    // What is there was written under another policy.
    #expect(try rules(try scene.run()).isEmpty)
    try put(scene, "b.jpg", 2, model: "TZ8")
    let run = try scene.run()
    #expect(try rules(run) == ["metadata.except location 1"])
    #expect(try run.problems().contains("exceptNotUsed"))
    let place = ["-GPSLatitude=1.5", "-GPSLatitudeRef=N", "-GPSLongitude=2.5", "-GPSLongitudeRef=E"]
    let file = try scene.put("sources/camera/c.jpg", copyOf: Samples.photo(3))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all="] + place + [file])
    #expect(try rules(try scene.run()).isEmpty)
  }
}
