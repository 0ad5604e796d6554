import Foundation
import MediaTestSupport
import Testing

/// Bags, as bagit reads them; where it is installed, each bag that a test makes by a command is validated by it, see
/// `Scene.program`.
@Suite(
  "Export: bags are those of another program",
  .enabled(
    if: BagReader.isThere,
    "no bagit, so the bags of all tests are not validated: make test-readers installs it"
  )
)
struct BagTests {
  @Test("bagit takes a bag for valid with all that can be in it, and not when a file has changed")
  func validated() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    try scene.declare("library")
    for name in ["100% sure", "Größe", "e\u{301}", "two  spaces", "line\nbreak", "%0A"] {
      try scene.put("sources/library/\(name).jpg", try Media.photo(name))
    }
    try scene.run().expect(0)
    let command = [
      "export", "Library", "bag", "--bag", "--ro-crate", "--sidecars", "xmp", "--thumbnails",
      "grid", "--layout", "{label}", "--bag-organization", "Port Museum", "--bag-description",
      "Größe: 1",
    ]
    try scene.command(command).expect(0)
    #expect(try BagReader.complaint(about: scene.at("bag")) == nil)
    let pictures = try scene.madePaths("bag").filter { $0.hasSuffix(".jpg") }
    #expect(pictures.count == 12, "\(pictures)")
    for path in [try #require(pictures.first), "bag-info.txt"] {
      let bytes = try readBytes(scene.at("bag/" + path))
      try FileManager.default.removeItem(atPath: scene.at("bag/" + path))
      try scene.put("bag/" + path, bytes + [0x0A])
      #expect(try BagReader.complaint(about: scene.at("bag")) != nil, "\(path)")
      try FileManager.default.removeItem(atPath: scene.at("bag/" + path))
      try scene.put("bag/" + path, bytes)
    }
    #expect(try BagReader.complaint(about: scene.at("bag")) == nil)
    try scene.put("bag/data/added.txt", "added")
    #expect(try BagReader.complaint(about: scene.at("bag")) != nil)
  }
}
