import Foundation
import MediaTestSupport
import Testing

/// Pictures that confined workers decode through ImageMagick.
@Suite("Pictures of other formats", .enabled(if: Has.magick, "no ImageMagick"))
struct OtherPictureTests {
  private static let names = [
    "a.psd", "a.psb", "a.tga", "a.jp2", "a.j2k", "a.ppm", "a.ico", "a.pcx", "a.sgi", "a.dds",
  ]

  @Test("A confined worker makes a thumbnail of each format")
  func thumbnails() throws {
    let scene = try Scene().declare("library")
    scene.setThumbnails([("t", 32, 32, "aspectFit")])
    for name in Self.names {
      let file = try scene.put("sources/library/" + name, "")
      try Independent.make("convert", ["-size", "64x48", "gradient:red-blue", file])
    }
    let layer = TinyXCF.Layer(width: 64, height: 48, x: 0, y: 0, color: [255, 0, 0, 255])
    let document = TinyXCF.file(width: 64, height: 48, layers: [layer])
    let path = try scene.put("sources/library/a.xcf", "")
    try Data(document).write(to: URL(fileURLWithPath: path))
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": Self.names.count + 1])
    let rows = try scene.catalogue("SELECT path FROM thumbnails")
    #expect(rows.count == Self.names.count + 1)
    for thumbnail in rows {
      #expect(try Independent.size(scene.library + "/" + thumbnail) == [32, 24], "\(thumbnail)")
    }
    try scene.expectVerified()
  }

  @Test(
    "No file of the corpus ends a worker or outlasts its deadline, and those that crashed others show nothing",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func corpus() throws {
    let scene = try Scene().declare("library")
    scene.setThumbnails([("t", 64, 64, "aspectFit")])
    let endings = [
      "psd", "tga", "jp2", "j2k", "ppm", "pgm", "pnm", "ico", "pcx", "sgi", "dds",
    ]
    var hostile = 0
    for file in Corpus.files(beneath: "second") {
      let name = (file as NSString).lastPathComponent
      guard endings.contains((name as NSString).pathExtension.lowercased()) else { continue }
      try scene.put("sources/library/" + name, copyOf: file)
      if name.hasPrefix("crash-") || name.hasPrefix("timeout-") { hostile += 1 }
    }
    #expect(hostile > 15)
    let outcome = try scene.run()
    try outcome.expect(3)
    let reasons: Set<String> = ["damaged", "overLimit", "contentUnknown", "decoderMissing"]
    var failed = 0
    for failure in try outcome.failures() {
      let parts = failure.components(separatedBy: ": ")
      #expect(reasons.contains(parts.last ?? ""), "\(failure)")
      if failure.hasPrefix("crash-") || failure.hasPrefix("timeout-") { failed += 1 }
    }
    for name in try outcome.withoutThumbnails()
    where name.hasPrefix("crash-") || name.hasPrefix("timeout-") {
      failed += 1
    }
    #expect(failed == hostile)
    try scene.expectVerified()
  }
}
