import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// What the manifest says that one item may take.
@Suite("Limits of an item", .ownProcesses, .enabled(if: Has.magick, "no ImageMagick"))
struct ThumbnailLimitTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// Its key under `limits`.
    var limit: String
    /// A number that does not let the file pass, and one that does.
    var tooLittle: Int
    var enough: Int
    /// How much each file takes, as a person is told.
    var words: String
    var files: [File]
    /// Whether only a decoder needs what the limit is for.
    var isOfDecoder: Bool { limit != "bytes" }
    var testDescription: String { ([limit] + files.map(\.name)).joined(separator: ", ") }
  }

  struct File: Sendable {
    var name: String
    var make: @Sendable () throws -> [UInt8]
  }

  static let cases: [Case] = [
    Case(
      limit: "pixels",
      tooLittle: 359_999,
      enough: 360_000,
      words: "600x600",
      files: [File(name: "a.png") { Bombs.png(side: 600) }]
    ),
    Case(
      limit: "pixels",
      tooLittle: 3071,
      enough: 3072,
      words: "64x48",
      files: [
        File(name: "a.jpg") {
          let folder = TemporaryFolder()
          try Independent.makePicture(folder.path + "/a.jpg", color: "red")
          return try readBytes(folder.path + "/a.jpg")
        }
      ]
    ),
    Case(
      limit: "frames",
      tooLittle: 99,
      enough: 100,
      words: "100",
      files: [
        File(name: "a.gif") { Bombs.gif(frames: 100) },
        File(name: "b.png") { Bombs.apng(frames: 100) },
        File(name: "c.tif") { Bombs.tiff(directories: 100, loops: false) },
      ]
    ),
    Case(
      limit: "textBytes",
      tooLittle: 199_999,
      enough: 201_000,
      words: "200",
      files: [
        File(name: "c.png") { Bombs.png(kind: "zTXt", unpackingTo: 200_000) },
        File(name: "d.png") { Bombs.png(kind: "iTXt", unpackingTo: 200_000) },
      ]
    ),
    Case(
      limit: "bytes",
      tooLittle: 88,
      enough: 89,
      words: "89",
      files: [File(name: "b.gif") { Bombs.gif(frames: 3) }]
    ),
  ]

  @Test(
    "A file over a limit fails, or lacks a thumbnail, as is said; as much as the limit is imported",
    arguments: Amount.pairs(["strip", "keep"], cases)
  )
  func isExact(policy: String, testCase: Case) throws {
    let scene = try Scene(policy: policy).declare("camera")
    scene.setThumbnails([("t", 16, 16, "aspectFit")])
    for file in testCase.files { try scene.put("sources/camera/" + file.name, try file.make()) }
    scene.manifest["limits"] = .object([testCase.limit: JSONValue(testCase.tooLittle)])
    let outcome = try scene.run()
    let names = testCase.files.map(\.name)
    // Stripping removes text without unpacking it; the decoder counts it.
    let isKept = testCase.isOfDecoder && (policy == "keep" || testCase.limit == "textBytes")
    try outcome.expect(isKept ? 0 : 3)
    #expect(try outcome.failures() == (isKept ? [] : names.map { $0 + ": overLimit" }))
    #expect(try outcome.withoutThumbnails() == (isKept ? names : []))
    let named = try outcome.json()[isKept ? "thumbnailMissing" : "failures"].array
    #expect(named.count == names.count)
    for item in named {
      let message = item["message"].string ?? ""
      #expect(message.contains(testCase.words), "how much it takes: \(message)")
    }
    let sources = try names.map { try Independent.sha256(scene.at("sources/camera/" + $0)) }
    let originals = try scene.originals().map(\.sha256).sorted()
    if policy == "keep" { #expect(originals == (isKept ? sources.sorted() : [])) }
    #expect(originals.count == (isKept ? names.count : 0))
    scene.manifest["limits"] = .object([testCase.limit: JSONValue(testCase.enough)])
    try scene.run().expectCounts([isKept ? "unchanged" : "imported": names.count])
    #expect(try scene.thumbnails("t").count == names.count)
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
    try outcome.expect(policy == "keep" ? 0 : 3)
    #expect(try outcome.failures() == (policy == "keep" ? [] : ["many.gif: overLimit"]))
    scene.manifest["limits"] = ["frames": 10_001]
    try scene.run().expectCounts([policy == "keep" ? "unchanged" : "imported": 1])
    #expect(try scene.thumbnails("t").count == 1)
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
    try outcome.expect(0)
    let lacking = try outcome.withoutThumbnails()
    #expect(lacking == [] || lacking == ["large.jpg"], "\(outcome.streams)")
    #expect(try scene.thumbnails("whole").count == 1 - lacking.count)
    try scene.expectVerified()
  }
}
