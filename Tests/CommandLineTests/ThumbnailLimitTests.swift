import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// What the manifest says that one item may take.
@Suite("Limits of an item", .enabled(if: Has.magick, "no ImageMagick"))
struct ThumbnailLimitTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// Its key under `limits`.
    var limit: String
    /// A number that does not let the file pass, and one that does.
    var tooLittle: Int
    var enough: Int
    /// How much the file takes, as a person is told.
    var says: String
    var name: String
    var make: @Sendable () throws -> [UInt8]
    var testDescription: String { limit + ", " + name }
  }

  static let cases: [Case] = [
    .init(limit: "pixels", tooLittle: 359_999, enough: 360_000, says: "600x600", name: "a.png") {
      Bombs.png(side: 600)
    },
    .init(limit: "pixels", tooLittle: 3071, enough: 3072, says: "64x48", name: "a.jpg") {
      let folder = TemporaryFolder()
      try Independent.makePicture(folder.path + "/a.jpg", color: "red")
      return try readBytes(folder.path + "/a.jpg")
    },
    .init(limit: "frames", tooLittle: 99, enough: 100, says: "100", name: "a.gif") {
      Bombs.gif(frames: 100)
    },
    .init(limit: "frames", tooLittle: 99, enough: 100, says: "100", name: "b.png") {
      Bombs.apng(frames: 100)
    },
    .init(limit: "frames", tooLittle: 99, enough: 100, says: "100", name: "a.tif") {
      Bombs.tiff(directories: 100, loops: false)
    },
    .init(limit: "textBytes", tooLittle: 199_999, enough: 201_000, says: "200", name: "c.png") {
      Bombs.png(kind: "zTXt", unpackingTo: 200_000)
    },
    .init(limit: "textBytes", tooLittle: 199_999, enough: 201_000, says: "200", name: "d.png") {
      Bombs.png(kind: "iTXt", unpackingTo: 200_000)
    },
    .init(limit: "bytes", tooLittle: 88, enough: 89, says: "89", name: "b.gif") {
      Bombs.gif(frames: 3)
    },
  ]

  @Test(
    "A file that takes as much as a limit is imported, and over it fails with how much it takes",
    arguments: cases,
    ["strip", "keep"]
  )
  func isExact(one: Case, policy: String) throws {
    let scene = try Scene(policy: policy).declare("camera")
    scene.setThumbnails([("t", 16, 16, "aspectFit")])
    try scene.put("sources/camera/" + one.name, try one.make())
    scene.manifest["limits"] = .object([one.limit: JSONValue(one.tooLittle)])
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == [one.name + ": overLimit"])
    let message = try outcome.json()["failures"].array.first?["message"].string ?? ""
    #expect(message.contains(one.says), "how much it takes: \(message)")
    #expect(try scene.originals().isEmpty)
    scene.manifest["limits"] = .object([one.limit: JSONValue(one.enough)])
    try scene.run().expectCounts(["imported": 1])
    try scene.expectVerified()
  }

  @Test(
    "A limit that is raised lets a file pass that is over it by default",
    arguments: ["strip", "keep"]
  )
  func isRaised(policy: String) throws {
    let scene = try Scene(policy: policy).declare("camera")
    scene.setThumbnails([("t", 16, 16, "aspectFit")])
    try scene.put("sources/camera/many.gif", Bombs.gif(frames: 10_001))
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == ["many.gif: overLimit"])
    scene.manifest["limits"] = ["frames": 10_001]
    try scene.run().expectCounts(["imported": 1])
  }

  /// 50 megapixels; it takes some seconds to code them.
  @Test(
    "A thumbnail of a large photo is made, or is over a limit: no worker ends",
    .enabled(if: Has.ffmpeg, "no ffmpeg")
  )
  func largeThumbnail() throws {
    let scene = try Scene(policy: "keep").declare("camera")
    scene.manifest["thumbnails"] = ["whole": ["size": "maximum", "format": "png"]]
    try scene.makeFolder("sources/camera")
    try Independent.make(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=8640x5760:d=0.04", "-frames:v", "1",
        "-pix_fmt", "yuvj420p", scene.at("sources/camera/large.jpg"),
      ]
    )
    let outcome = try scene.run()
    let failures = try outcome.failures()
    #expect(failures == [] || failures == ["large.jpg: overLimit"], "\(outcome.said)")
    try scene.expectVerified()
  }
}
