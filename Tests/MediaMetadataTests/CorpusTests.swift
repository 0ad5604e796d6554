import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaMetadata

/// Real files, and readers that did not make what they read.
@Suite(
  "Real media, read by others",
  .serialized,
  .enabled(if: Corpus.folder != nil && Tool.exists("exiftool"), "no corpus or no exiftool")
)
struct CorpusTests {
  /// A stripped file beside its source, under names that say nothing.
  struct Pair {
    var source: String
    var output: String
    var list: EditList
  }

  /// Strips every JPEG and PNG of the visible corpus, and a few large ones.
  static func stripAll(into folder: TemporaryFolder) throws -> (pairs: [Pair], failed: [String]) {
    let large = Corpus.files(beneath: "bench-jpeg").enumerated().filter { $0.offset % 8 == 0 }
    var pairs: [Pair] = []
    var failed: [String] = []
    for path in Corpus.files(beneath: "visible") + large.map(\.element) {
      let bytes = try readBytes(path)
      guard let format = format(of: bytes), format == .jpeg || format == .png else { continue }
      do {
        let (output, list) = try strip(bytes, format)
        let name = "\(folder.path)/\(pairs.count).\(format.fileExtension)"
        try Data(output).write(to: URL(fileURLWithPath: name))
        pairs.append(Pair(source: path, output: name, list: list))
      } catch {
        failed.append("\(URL(fileURLWithPath: path).lastPathComponent): \(error)")
      }
    }
    return (pairs, failed)
  }

  /// What exiftool says of each file, by group and tag.
  static func exiftool(_ arguments: [String], _ files: [String]) throws -> [[String: Any]] {
    let result = try Tool.run("exiftool", ["-json", "-G1"] + arguments + files)
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return parsed as? [[String: Any]] ?? []
  }

  @Test("exiftool finds nothing in a stripped file but what is needed to show it")
  func nothingIsLeft() throws {
    let folder = TemporaryFolder()
    let (pairs, failed) = try Self.stripAll(into: folder)
    #expect(pairs.count >= 50)
    // These are cut off, or have a header that no checksum fits: no decoder reads them either.
    #expect(
      failed.map { $0.prefix { $0 != ":" } }.sorted()
        == [
          "exif-both.png", "exif-no-tz.jpg", "truncated_motionphoto_tags_only.jpg",
          "ultrahdr.jpg",
        ]
    )
    let groups = [
      "File", "System", "ExifTool", "Composite", "JFIF", "PNG", "PNG-cICP", "ICC-header",
      "ICC-chrm",
      "ICC_Profile", "ICC-view", "ICC-meas",
    ]
    let tags = [
      "IFD0:Orientation", "Adobe:DCTEncodeVersion", "Adobe:APP14Flags0", "Adobe:APP14Flags1",
      "Adobe:ColorTransform", "ExifByteOrder",
    ]
    let png = [
      "ImageWidth", "ImageHeight", "BitDepth", "ColorType", "Compression", "Filter", "Interlace",
      "SRGBRendering", "Gamma", "ProfileName", "WhitePointX", "WhitePointY", "RedX", "RedY",
      "GreenX", "GreenY", "BlueX", "BlueY", "Palette", "Transparency", "SignificantBits",
    ]
    for found in try Self.exiftool(["-a", "-s", "-ee", "-U"], pairs.map(\.output)) {
      let file = found["SourceFile"] as? String ?? ""
      let source = pairs.first { $0.output == file }?.source ?? file
      for key in found.keys where key != "SourceFile" && !tags.contains(key) {
        let parts = key.split(separator: ":").map(String.init)
        let isAllowed =
          parts.count == 2 && groups.contains(parts[0])
          && (parts[0] != "PNG" || png.contains(parts[1])) && parts[1] != "Warning"
          && parts[1] != "Comment"
        #expect(isAllowed, "\(source): \(key)")
      }
      #expect(found["PNG:ProfileName"] as? String ?? "icc" == "icc")
    }
  }

  @Test("A stripped file has the pixels, the orientation and the profile of its source")
  func sameToLookAt() throws {
    let folder = TemporaryFolder()
    let (pairs, _) = try Self.stripAll(into: folder)
    if Tool.exists("identify") {
      // ImageMagick's signature is a digest of all pixels, not turned by orientation.
      let arguments = ["-limit", "thread", "1", "-format", "%# %w %h %[colorspace]\n"]
      for pair in pairs {
        let before = try Tool.run("identify", arguments + [pair.source + "[0]"]).output
        let after = try Tool.run("identify", arguments + [pair.output + "[0]"]).output
        #expect(before == after && !after.isEmpty, "\(pair.source)")
      }
    }
    let wanted = [
      "-n", "-Orientation", "-ImageSize", "-ColorTransform", "-ProfileID", "-b", "-ICC_Profile",
    ]
    let before = try Self.exiftool(wanted, pairs.map(\.source))
    let after = try Self.exiftool(wanted, pairs.map(\.output))
    #expect(before.count == pairs.count && after.count == pairs.count)
    for (pair, (old, new)) in zip(pairs, zip(before, after)) {
      for key in ["ICC_Profile:ICC_Profile", "Composite:ImageSize", "Adobe:ColorTransform"] {
        #expect("\(old[key] ?? "")" == "\(new[key] ?? "")", "\(pair.source): \(key)")
      }
      let orientation = old["IFD0:Orientation"] as? Int ?? 1
      let kept = (2...8).contains(orientation) ? orientation : nil
      #expect(new["IFD0:Orientation"] as? Int == kept, "\(pair.source)")
    }
  }

  @Test("A file that is stripped again stays as it is")
  func stable() throws {
    let folder = TemporaryFolder()
    for pair in try Self.stripAll(into: folder).pairs {
      let bytes = try readBytes(pair.output)
      let again = try strip(bytes, pair.output.hasSuffix("png") ? .png : .jpeg)
      #expect(again.output == bytes, "\(pair.source)")
      let names = again.list.removed.map(\.name).filter { $0 != "APP1 Exif" && $0 != "eXIf" }
      #expect(names.isEmpty, "\(pair.source): \(names)")
    }
  }

  @Test("Facts are what exiftool says")
  func sameFacts() throws {
    let files = Corpus.files(beneath: "visible").filter { path in
      !["/edge/", "/raw/", "/licenses/"].contains { path.contains($0) }
    }
    let wanted = [
      "-n", "-Orientation", "-ImageSize", "-DateTimeOriginal", "-CreateDate", "-ModifyDate",
      "-OffsetTimeOriginal", "-Make", "-Model", "-GPS:GPSLatitude", "-ContentIdentifier",
      "-MediaGroupUUID", "-Duration",
      "-CreationDate", "-Rotation",
    ]
    var compared = 0
    for found in try Self.exiftool(wanted, files) {
      let path = found["SourceFile"] as? String ?? ""
      guard let facts = try? facts(of: try readBytes(path)) else { continue }
      compared += 1
      let tag = { (name: String, groups: [String]) -> String? in
        groups.compactMap { found["\($0):\(name)"] }.first.map { "\($0)" }
      }
      if facts.format.mediaType == .image {
        let size = facts.pixelSize.map { "\($0.width) \($0.height)" }
        #expect(size == tag("ImageSize", ["Composite"]), "\(path)")
        let date =
          tag("DateTimeOriginal", ["ExifIFD", "IFD0"]) ?? tag("CreateDate", ["ExifIFD"])
          ?? tag("ModifyDate", ["IFD0"])
        let local = facts.creationDate?.local
        #expect(local == date.flatMap { DateText.local(exif: Array($0.utf8)) }, "\(path)")
        // This one has 256 GPS directories by its own account; exiftool reads none of them.
        if !path.hasSuffix("exif-both.png") {
          #expect(facts.hasLocation == (tag("GPSLatitude", ["GPS"]) != nil), "\(path)")
        }
        if facts.format != .heic, facts.format != .avif {
          let orientation = tag("Orientation", ["IFD0"]).flatMap { Int($0) } ?? 1
          #expect(facts.orientation == ((1...8).contains(orientation) ? orientation : 1), "\(path)")
        }
        if let model = tag("Model", ["IFD0"])?.trimmingCharacters(in: .whitespaces) {
          #expect(facts.camera?.contains(model) == true, "\(path)")
        }
      } else if facts.format != .mp3, facts.format != .ogg {
        let seconds = Double(facts.durationMilliseconds ?? 0) / 1000
        let expected =
          tag("Duration", ["QuickTime", "Composite", "RIFF"]).flatMap { Double($0) } ?? 0
        // exiftool counts a WAV's header as sound.
        #expect(abs(seconds - expected) < (facts.format == .wav ? 0.05 : 0.002), "\(path)")
      }
      let identifier =
        tag("ContentIdentifier", ["Apple", "Keys", "QuickTime"])
        ?? tag("MediaGroupUUID", ["Apple"])
      #expect(facts.contentIdentifier == identifier, "\(path)")
    }
    #expect(compared >= 80)
  }

  @Test(
    "The two halves of a live photo have one content identifier",
    arguments: [
      ("train.jpg", "train.mov"), ("IMG_3853.HEIC", "IMG_3853.MOV"),
    ]
  )
  func livePhotos(still: String, movie: String) throws {
    let halves = try [still, movie].map { name in
      try facts(of: try readBytes(try #require(Corpus.file("visible/livephoto/" + name))))
    }
    #expect(halves[0].contentIdentifier != nil)
    #expect(halves[0].contentIdentifier == halves[1].contentIdentifier)
    #expect(halves[1].durationMilliseconds != nil)
    #expect(halves[1].creationDate?.tag == "com.apple.quicktime.creationdate")
  }
}
