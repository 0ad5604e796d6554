import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Usage descriptions out of an app's own Info.plist.
@Suite("Info.plist")
struct InfoPlistTests {
  private func plist(_ members: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>CFBundleName</key><string>Feed</string>\(members)</dict></plist>
    """
  }

  private func scene(_ members: String) throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", try Media.photo("a"))
    scene.manifest["usageDescriptions"] = nil
    scene.manifest["infoPlist"] = "Info.plist"
    try scene.put("Info.plist", plist(members))
    return scene
  }

  @Test("The app's own words count, as XML and as a binary property list")
  func counts() throws {
    let scene = try scene("<key>NSCameraUsageDescription</key><string>For the feed.</string>")
    try scene.run().expect(0)
    let opening = try #require(try scene.lastLog().first)
    let digest = try #require(try scene.digests(".")["Info.plist"])
    #expect(opening["infoPlistSHA256"].string == digest)
    let file = URL(fileURLWithPath: scene.at("Info.plist"))
    let binary = try PropertyListSerialization.data(
      fromPropertyList: ["NSCameraUsageDescription": "For the feed."],
      format: .binary,
      options: 0
    )
    try binary.write(to: file)
    try scene.run().expect(0)
  }

  @Test("Without the key, or with other words than the manifest's, nothing runs")
  func mistakes() throws {
    let missing = try scene("")
    let outcome = try missing.run()
    try outcome.expect(78)
    #expect(outcome.error.contains("NSCameraUsageDescription"))
    let differs = try scene("<key>NSCameraUsageDescription</key><string>For the feed.</string>")
    differs.manifest["usageDescriptions"] = ["NSCameraUsageDescription": "For something else."]
    try differs.run().expect(78)
    differs.manifest["usageDescriptions"] = ["NSCameraUsageDescription": "For the feed."]
    try differs.run().expect(0)
  }

  @Test("What lies beside it says the same in other languages, and a run's log has the digest of these files")
  func languages() throws {
    let scene = try scene("<key>NSCameraUsageDescription</key><string>For the feed.</string>")
    scene.manifest["infoPlist"] = "App/Info.plist"
    try FileManager.default.createDirectory(atPath: scene.at("App"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: scene.at("Info.plist"), toPath: scene.at("App/Info.plist"))
    let german = "/* Kamera */ \"NSCameraUsageDescription\" = \"Für den Feed.\";\n"
    let units = ("\u{FEFF}" + german).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try scene.put("App/de.lproj/InfoPlist.strings", units)
    try scene.put(
      "App/InfoPlist.xcstrings",
      """
      { "sourceLanguage": "en", "version": "1.0", "strings": { "NSCameraUsageDescription": { "localizations": {
        "ja": { "stringUnit": { "state": "translated", "value": "フィードのため" } } } } } }
      """
    )
    // A folder of another purpose is no language's.
    try scene.makeFolder("App/Models.lproj")
    try scene.run().expect(0)
    let opening = try #require(try scene.lastLog().first)
    let lines = try Tool.run(
      "bash",
      ["-c", "cd App && sha256sum InfoPlist.xcstrings de.lproj/InfoPlist.strings | sha256sum | cut -c1-64"],
      in: scene.path
    )
    #expect(opening["localizationsSHA256"].string == lines.output.trimmingCharacters(in: .newlines))
    let explained = try scene.command("access", "explain", "manifest.json", "camera")
    #expect(explained.output.contains("\"For the feed.\"; also in de and ja"), "\(explained.streams)")

    try scene.put("App/German.lproj/InfoPlist.strings", "NSCameraUsageDescription = \"Anders.\";")
    var outcome = try scene.run()
    try outcome.expect(78)
    #expect(
      outcome.error.contains("several texts under \"NSCameraUsageDescription\" in de"),
      "\(outcome.error)"
    )
    try scene.put("App/German.lproj/InfoPlist.strings", "NSCameraUsageDescription = \"Für den Feed.\"")
    outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.error.contains("App/German.lproj/InfoPlist.strings:1:"), "\(outcome.error)")
    try scene.put("App/German.lproj/InfoPlist.strings", "")
    try scene.run().expect(0)
    try scene.put("App/Models.lproj/InfoPlist.strings", "")
    outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.error.contains("\"Models\" is no language"), "\(outcome.error)")

    // Files beside one that is named with its SHA-256 are named by nothing.
    let digest = try Tool.run("sha256sum", [scene.at("App/Info.plist")]).output.prefix(64)
    scene.manifest["infoPlist"] = ["file": "App/Info.plist", "sha256": .string(String(digest))]
    try scene.run().expect(0)
    #expect(try #require(try scene.lastLog().first)["localizationsSHA256"].string == nil)
  }

  @Test(
    "Texts beside it that lie in a source are neither listed nor read",
    .enabled(if: Has.strace, "no strace"),
    arguments: ["App/de.lproj", "App", "App/de.lproj/InfoPlist.strings"]
  )
  func languagesInSource(linked: String) throws {
    let scene = try scene("<key>NSCameraUsageDescription</key><string>For the feed.</string>")
    scene.manifest["infoPlist"] = "App/Info.plist"
    try scene.declare("library", "denied", ["required": false])
    try scene.put("sources/library/secret/de.lproj/InfoPlist.strings", "NSCameraUsageDescription = SECRET;")
    symlink(scene.at("Info.plist"), scene.at("sources/library/secret/Info.plist"))
    let secret = scene.at("sources/library/secret")
    switch linked {
    case "App": symlink(secret, scene.at("App"))
    case "App/de.lproj":
      try scene.makeFolder("App")
      symlink(secret + "/de.lproj", scene.at(linked))
    default:
      try scene.makeFolder("App/de.lproj")
      symlink(secret + "/de.lproj/InfoPlist.strings", scene.at(linked))
    }
    if linked != "App" { symlink(scene.at("Info.plist"), scene.at("App/Info.plist")) }
    let (outcome, lines) = try scene.tracedRun("open,openat,openat2,getdents64", [])
    try outcome.expect(78)
    #expect(outcome.error.contains("lies within") && !outcome.streams.contains("SECRET"), "\(outcome.error)")
    let opens = lines.filter { $0.contains("/sources/library/secret") }
    #expect(opens.allSatisfy { $0.contains("O_PATH") }, "\(opens)")
  }

  @Test("A plist that lies in a source is not read")
  func inSource() throws {
    let scene = try scene("")
    try scene.put("sources/camera/Info.plist", plist(""))
    scene.manifest["infoPlist"] = "sources/camera/Info.plist"
    let outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.error.contains("lies within"))
  }
}
