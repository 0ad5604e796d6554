import Foundation
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
