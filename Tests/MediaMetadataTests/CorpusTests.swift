import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

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

  /// Every JPEG and PNG of the visible corpus, and large ones, stripped once for all tests.
  private static let stripped: Result<(pairs: [Pair], failed: [String]), any Error> = Result {
    let folder = TemporaryFolder.untilExit()
    let step = Amount.of(32, all: 8)
    let large = Corpus.files(beneath: "bench-jpeg").enumerated().filter { $0.offset % step == 0 }
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
    return (pairs: pairs, failed: failed)
  }

  /// What ImageMagick says of each frame of files, by their paths; one run reads all of them.
  static func identify(_ format: String, _ files: [String]) throws -> [String: [String]] {
    let arguments = ["-limit", "thread", "1", "-format", "%i|\(format)\n"]
    var frames: [String: [String]] = [:]
    for line in try Tool.run("identify", arguments + files).output.split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 1).map(String.init)
      frames[parts[0], default: []].append(parts.last ?? "")
    }
    return frames
  }

  /// What exiftool says of each file, by group and tag.
  static func exiftool(_ arguments: [String], _ files: [String]) throws -> [[String: Any]] {
    let result = try Tool.run("exiftool", ["-json", "-G1"] + arguments + files)
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return parsed as? [[String: Any]] ?? []
  }

  @Test("exiftool finds nothing in a stripped file but what is needed to show it")
  func nothingIsLeft() throws {
    let (pairs, failed) = try Self.stripped.get()
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
    ]
    // Of a profile only what color needs; PNGs keep theirs whole until they are cleaned too.
    let profile = [
      "ProfileDescription", "ProfileCopyright", "MediaWhitePoint", "MediaBlackPoint",
      "ChromaticAdaptation", "RedMatrixColumn", "GreenMatrixColumn", "BlueMatrixColumn", "RedTRC",
      "GreenTRC", "BlueTRC", "GrayTRC", "AToB0", "AToB1", "AToB2", "BToA0", "BToA1", "BToA2",
      "Gamut", "ColorPrimaries", "TransferCharacteristics", "MatrixCoefficients",
      "VideoFullRangeFlag",
    ]
    let projection = XMPProjection.names.map { "XMP-GPano:\($0)" }
    let others = [
      "IFD0:Orientation", "Adobe:DCTEncodeVersion", "Adobe:APP14Flags0", "Adobe:APP14Flags1",
      "Adobe:ColorTransform", "ExifByteOrder",
    ]
    let tags = others + projection
    let png = [
      "ImageWidth", "ImageHeight", "BitDepth", "ColorType", "Compression", "Filter", "Interlace",
      "SRGBRendering", "Gamma", "ProfileName", "WhitePointX", "WhitePointY", "RedX", "RedY",
      "GreenX", "GreenY", "BlueX", "BlueY", "Palette", "Transparency", "SignificantBits",
    ]
    for values in try Self.exiftool(["-a", "-s", "-ee", "-U"], pairs.map(\.output)) {
      let file = values["SourceFile"] as? String ?? ""
      let source = pairs.first { $0.output == file }?.source ?? file
      for key in values.keys where key != "SourceFile" && !tags.contains(key) {
        let parts = key.split(separator: ":").map(String.init)
        if parts.count == 2, parts[0].hasPrefix("ICC"), file.hasSuffix("png") { continue }
        let isAllowed =
          parts.count == 2
          && (groups.contains(parts[0]) || parts[0] == "ICC_Profile" && profile.contains(parts[1]))
          && (parts[0] != "PNG" || png.contains(parts[1])) && parts[1] != "Warning"
          && parts[1] != "Comment"
        #expect(isAllowed, "\(source): \(key)")
      }
      #expect(values["PNG:ProfileName"] as? String ?? "icc" == "icc")
      if file.hasSuffix("jpg"), let text = values["ICC_Profile:ProfileDescription"] as? String {
        #expect(text == "Color profile")
        #expect(values["ICC_Profile:ProfileCopyright"] as? String == "Not stated")
        #expect(values["ICC-header:DeviceManufacturer"] as? String == "")
        #expect(values["ICC-header:ProfileCreator"] as? String == "")
        #expect(values["ICC-header:ProfileDateTime"] as? String == "0000:00:00 00:00:00")
      }
    }
  }

  @Test(
    "A stripped file has the pixels, the orientation and the profile of its source",
    .enabled(if: Tool.exists("identify"), "no ImageMagick")
  )
  func sameToLookAt() throws {
    let pairs = try Self.stripped.get().pairs
    // ImageMagick's signature is a digest of all pixels, not turned by orientation.
    let looks = try Self.identify(
      "%# %w %h %[colorspace]",
      pairs.flatMap { [$0.source + "[0]", $0.output + "[0]"] }
    )
    for pair in pairs {
      let (before, after) = (looks[pair.source] ?? [], looks[pair.output] ?? [])
      #expect(before == after && after.count == 1, "\(pair.source)")
    }
    let wanted = ["-n", "-Orientation", "-ImageSize", "-ColorTransform"]
    let before = try Self.exiftool(wanted, pairs.map(\.source))
    let after = try Self.exiftool(wanted, pairs.map(\.output))
    #expect(before.count == pairs.count && after.count == pairs.count)
    for (pair, (old, new)) in zip(pairs, zip(before, after)) {
      for key in ["Composite:ImageSize", "Adobe:ColorTransform"] {
        #expect("\(old[key] ?? "")" == "\(new[key] ?? "")", "\(pair.source): \(key)")
      }
      let orientation = old["IFD0:Orientation"] as? Int ?? 1
      let kept = (2...8).contains(orientation) ? orientation : nil
      #expect(new["IFD0:Orientation"] as? Int == kept, "\(pair.source)")
    }
  }

  @Test(
    "A picture with a profile has the same colors when it is converted",
    .enabled(if: Tool.exists("convert"), "no ImageMagick")
  )
  func sameColors() throws {
    let folder = TemporaryFolder()
    // Without all, none of many pixels: smaller ones have the same profiles.
    let pairs = try Self.stripped.get().pairs.filter { pair in
      try pair.output.hasSuffix("jpg")
        && (Amount.isAll || readBytes(pair.source).count < 2_000_000)
    }
    let tags = try Self.exiftool(["-ICC-header:ColorSpaceData"], pairs.map(\.source))
    let colored = zip(pairs, tags).filter { $0.1["ICC-header:ColorSpaceData"] != nil }.map(\.0)
    #expect(colored.count >= 5)
    // A profile that is in none of them, made here: wide, with curves of its own.
    let target = folder.path + "/target.icc"
    try Data(TinyICC.wide).write(to: URL(fileURLWithPath: target))
    for pair in colored {
      let files = [pair.source + "[0]", pair.output + "[0]"]
      let convert = ["-limit", "thread", "1"] + files + ["-profile", target]
      let pixels = try Tool.run("convert", convert + ["-format", "%#\n", "info:"]).output
        .split(separator: "\n")
      #expect(pixels.count == 2 && pixels.first == pixels.last, "\(pair.source)")
    }
  }

  @Test(
    "Each of the eight orientations is displayed the same",
    .enabled(if: Tool.exists("convert"), "no ImageMagick")
  )
  func sameWayUp() throws {
    var seen: Set<Int> = []
    for pair in try Self.stripped.get().pairs where pair.source.contains("/orientation/") {
      seen.insert(try facts(of: try readBytes(pair.output)).orientation)
      let pixels = try [pair.source, pair.output].map { path in
        let arguments = ["-limit", "thread", "1", path + "[0]", "-auto-orient"]
        return try Tool.run("convert", arguments + ["-format", "%# %w %h", "info:"]).output
      }
      #expect(pixels[0] == pixels[1] && !pixels[0].isEmpty, "\(pair.source)")
    }
    #expect(seen == Set(1...8))
  }

  @Test("What is excepted is what the source says, and nothing else, by exiftool")
  func excepted() throws {
    let folder = TemporaryFolder()
    let options = StripOptions(except: [.creationDate, .camera, .location, .copyright, .caption, .rating])
    var pairs: [Pair] = []
    for path in Corpus.files(beneath: "visible") {
      let bytes = try readBytes(path)
      guard format(of: bytes) == .jpeg,
        let (output, list) = try? strip(bytes, .jpeg, options)
      else { continue }
      let name = "\(folder.path)/\(pairs.count).jpg"
      try Data(output).write(to: URL(fileURLWithPath: name))
      pairs.append(Pair(source: path, output: name, list: list))
    }
    let after = try Self.exiftool(["-a", "-s", "-ee", "-U", "-n"], pairs.map(\.output))
    let before = try Self.exiftool(["-n"], pairs.map(\.source))
    let kept = [
      "IFD0:Make", "IFD0:Model", "IFD0:Orientation", "IFD0:ImageDescription", "IFD0:Artist",
      "IFD0:Copyright", "IFD0:Rating", "ExifIFD:ExifVersion", "ExifIFD:DateTimeOriginal",
      "ExifIFD:OffsetTimeOriginal", "GPS:GPSVersionID", "GPS:GPSLatitudeRef", "GPS:GPSLatitude",
      "GPS:GPSLongitudeRef", "GPS:GPSLongitude", "GPS:GPSAltitudeRef", "GPS:GPSAltitude",
      "XMP-dc:Title", "XMP-dc:Description", "XMP-dc:Creator", "XMP-dc:Rights", "XMP-xmp:Rating",
      "ExifByteOrder",
    ]
    let shown = ["File", "System", "ExifTool", "Composite", "JFIF", "Adobe", "ICC_Profile"]
    var counts: [String: Int] = [:]
    for (pair, (old, new)) in zip(pairs, zip(before, after)) {
      for key in new.keys where key != "SourceFile" && !kept.contains(key) {
        let group = String(key.prefix { $0 != ":" })
        #expect(shown.contains(group) || group == "ICC-header", "\(pair.source): \(key)")
      }
      for key in ["IFD0:Model", "IFD0:Make", "GPS:GPSLatitude", "GPS:GPSLongitude"] {
        guard let value = new[key] else { continue }
        counts[key, default: 0] += 1
        if let wanted = old[key] as? Double, let value = value as? Double {
          #expect(abs(wanted - value) < 1.1e-7, "\(pair.source): \(key)")
        } else if let wanted = old[key] {
          let trimmed = "\(wanted)".trimmingCharacters(in: .whitespaces)
          #expect("\(value)" == trimmed, "\(pair.source): \(key)")
        }
      }
      if let date = new["ExifIFD:DateTimeOriginal"] as? String {
        counts["date", default: 0] += 1
        let dates = old.values.compactMap { ($0 as? String)?.prefix(19) }
        // Of a day alone the time is blank.
        let known = date.trimmingCharacters(in: CharacterSet(charactersIn: " :"))
        #expect(dates.contains(known[...]), "\(pair.source): \(date)")
      }
    }
    #expect(counts["IFD0:Model", default: 0] >= 20 && counts["date", default: 0] >= 20)
    #expect(counts["GPS:GPSLatitude", default: 0] >= 5)
  }

  @Test("A file that is stripped again stays as it is")
  func stable() throws {
    for pair in try Self.stripped.get().pairs {
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
      "-OffsetTimeOriginal", "-Make", "-Model", "-GPS:GPSLatitude", "-GPS:GPSLongitude",
      "-ContentIdentifier", "-MediaGroupUUID", "-Duration",
      "-CreationDate", "-Rotation",
    ]
    var compared = 0
    for tags in try Self.exiftool(wanted, files) {
      let path = tags["SourceFile"] as? String ?? ""
      guard let facts = try? facts(of: try readBytes(path)) else { continue }
      compared += 1
      let tag = { (name: String, groups: [String]) -> String? in
        groups.compactMap { tags["\($0):\(name)"] }.first.map { "\($0)" }
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
          let place = [tag("GPSLatitude", ["GPS"]), tag("GPSLongitude", ["GPS"])]
          // 0, 0 is none.
          let isPlace = place[0] != nil && place != ["0", "0"]
          if isPlace { #expect(try statesPlace(readBytes(path)), "\(path)") }
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
        // Of a fragmented movie exiftool reads the header alone; it counts a WAV's header as sound.
        if expected > 0 || seconds == 0 {
          #expect(abs(seconds - expected) < (facts.format == .wav ? 0.05 : 0.002), "\(path)")
        }
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
