import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Camera raw files under strip")
struct RawUnderStripTests {
  /// A raw file as Nikon writes them: the orientation in the first directory, a preview, and the
  /// sensor's data beneath it, of which there is only the description.
  ///
  /// With `version` it is a DNG, which `strip` refuses because its first directory has no picture.
  static func raw(_ preview: [UInt8], version: [UInt8]? = nil) -> [UInt8] {
    func directory(_ entries: [(Int, Int, [UInt8])], at offset: Int) -> [UInt8] {
      var head = little(entries.count, 2)
      var values: [UInt8] = []
      let start = offset + 2 + 12 * entries.count + 4
      for (tag, type, value) in entries.sorted(by: { $0.0 < $1.0 }) {
        let size = [2: 1, 3: 2, 4: 4][type] ?? 1
        head += little(tag, 2) + little(type, 2) + little(value.count / size, 4)
        if value.count > 4 {
          head += little(start + values.count, 4)
          values += value + [UInt8](repeating: 0, count: value.count % 2)
        } else {
          head += value + [UInt8](repeating: 0, count: 4 - value.count)
        }
      }
      return head + little(0, 4) + values
    }
    let text = { (text: String) in Array(text.utf8) + [0] }
    func file(_ places: [Int]) -> (bytes: [UInt8], places: [Int]) {
      var image: [(Int, Int, [UInt8])] = [
        (0x00FE, 4, little(1, 4)), (0x010F, 2, text("NIKON CORPORATION")),
        (0x0110, 2, text("NIKON D0")), (0x0112, 3, little(6, 2)),
        (0x0131, 2, text("canary firmware")), (0x014A, 4, little(places[0], 4)),
        (0x0201, 4, little(places[2], 4)), (0x0202, 4, little(preview.count, 4)),
        (0x8769, 4, little(places[1], 4)),
      ]
      if let version { image.append((0xC612, 1, version)) }
      let first = directory(image, at: 8)
      let sensor = directory(
        [
          (0x0100, 4, little(4000, 4)), (0x0101, 4, little(3000, 4)),
          (0x0106, 3, little(32_803, 2)),
        ],
        at: 8 + first.count
      )
      let exif = directory(
        [(0x9003, 2, text("2026:11:21 01:44:39")), (0xA431, 2, text("canary serial"))],
        at: 8 + first.count + sensor.count
      )
      let bytes = Array("II*\0".utf8) + little(8, 4) + first + sensor + exif
      return (
        bytes, [8 + first.count, 8 + first.count + sensor.count, bytes.count]
      )
    }
    return file(file([0, 0, 0]).places).bytes + preview + Array("canary sensor data".utf8)
  }

  @Test(
    "Only previewOnly publishes the preview: stripped, turned as the raw file says, and no more",
    .enabled(if: Has.exiftool && Has.magick, "no exiftool or no ImageMagick")
  )
  func previewOnly() throws {
    let scene = Scene(policy: nil)
    try scene.declare("camera")
    let preview = try readBytes(Samples.photo(1))
    try scene.put("sources/camera/IMG_1.NEF", Self.raw(preview))
    scene.manifest["metadata"] = ["policy": "strip", "except": ["creationDate"]]
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    try scene.run().expect(3)
    #expect(try scene.originals().isEmpty)

    scene.manifest["rawUnderStrip"] = "previewOnly"
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    #expect(try scene.originalNames() == ["IMG_1.jpg"])
    let path = scene.at("Library/Originals/" + (try #require(scene.originals().first).path))
    let source = try scene.put("preview.jpg", preview)
    #expect(try Independent.pixels(path) == Independent.pixels(source))
    let tags = try Independent.exif(path)
    #expect(tags["IFD0:Orientation"] == "6")
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:11:21 01:44:39")
    let bytes = String(decoding: try readBytes(path), as: UTF8.self)
    for text in ["canary", "NIKON", "EO-1"] { #expect(!bytes.contains(text), "\(text)") }
    // The thumbnail is upright: the picture is wide, and turned it is tall.
    let stored = try Independent.size(source)
    let thumbnail = try Independent.size(try #require(scene.thumbnails("grid").first))
    #expect((stored[0] > stored[1]) == (thumbnail[0] < thumbnail[1]))
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("previewOnly publishes the preview of a DNG that strip refuses, and no more of it")
  func refusedDNG() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    let preview = try readBytes(Samples.photo(1))
    try scene.put("sources/camera/IMG_1.DNG", Self.raw(preview, version: [1, 7, 0, 0]))
    let refused = try scene.run()
    try refused.expect(3)
    #expect(try refused.failures() == ["IMG_1.DNG: stripUnsupported"])

    scene.manifest["rawUnderStrip"] = "previewOnly"
    try scene.run().expectCounts(["imported": 1])
    #expect(try scene.originalNames() == ["IMG_1.jpg"])
    let path = scene.at("Library/Originals/" + (try #require(scene.originals().first).path))
    let bytes = String(decoding: try readBytes(path), as: UTF8.self)
    for text in ["canary", "NIKON", "EO-1"] { #expect(!bytes.contains(text), "\(text)") }
    try scene.expectVerified()
  }

  @Test("A DNG with JPEG XL is stripped itself, and gives its preview where previews are asked for")
  func codestreamDNG() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/strip/linear-jxl.dng").path
    let source = try readBytes(path)
    try scene.put("sources/camera/IMG_1.DNG", copyOf: path)
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["IMG_1.dng"])
    let output = try #require(scene.originals().first).path
    let stripped = try readBytes(scene.at("Library/Originals/" + output))
    // The only tile, the last part of both files.
    #expect(stripped.suffix(3435) == source.suffix(3435))
    let text = String(decoding: stripped, as: UTF8.self)
    #expect(!text.contains("Phone") && !text.contains("Maker"))

    let second = Scene(policy: "strip")
    try second.declare("camera")
    try second.put("sources/camera/IMG_1.DNG", copyOf: path)
    second.manifest["rawUnderStrip"] = "previewOnly"
    try second.run().expect(0)
    #expect(try second.originalNames() == ["IMG_1.jpg"])
    try second.expectVerified()
  }

  @Test("A raw file without a JPEG preview fails as before", arguments: ["NEF", "DNG"])
  func noPreview(ext: String) throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    let bytes = Self.raw(Array("no picture".utf8), version: ext == "DNG" ? [1, 7, 0, 0] : nil)
    try scene.put("sources/camera/IMG_1.\(ext)", bytes)
    scene.manifest["rawUnderStrip"] = "previewOnly"
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == ["IMG_1.\(ext): stripUnsupported"])
  }

  @Test(
    "Previews of real raw files are published without what the files say",
    .enabled(if: Has.exiftool, "no exiftool"),
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func realFiles() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    for path in Corpus.files(beneath: "visible/raw") {
      try scene.put("sources/camera/" + (path as NSString).lastPathComponent, copyOf: path)
    }
    scene.manifest["rawUnderStrip"] = "previewOnly"
    // The sensor's data of some are cut off.
    scene.manifest["acceptDamaged"] = true
    let outcome = try scene.run()
    #expect([0, 3].contains(outcome.code), "\(outcome.streams)")
    #expect(try !scene.originals().isEmpty)
    for original in try scene.originals() {
      #expect(original.path.hasSuffix(".jpg"))
      let tags = try Independent.exif(scene.at("Library/Originals/" + original.path))
      let left = tags.keys.filter { key in
        !["File:", "Composite:", "JFIF:", "ICC"].contains { key.hasPrefix($0) }
          && key != "IFD0:Orientation"
      }
      #expect(left.isEmpty, "\(original.path): \(left)")
    }
  }
}
