import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// What a person can say about a thumbnail beside its size, looked at with other programs.
@Suite(
  "Options of thumbnails",
  .enabled(if: Has.magick && Has.exiftool, "no ImageMagick or exiftool")
)
struct ThumbnailOptionTests {
  static let formats = ["jpeg", "webp", "png"]
  private static let names = ["jpeg": "JPEG", "webp": "WEBP", "png": "PNG"]
  private static let endings = ["jpeg": "jpg", "webp": "webp", "png": "png"]

  /// Options under which an encoder changes little; PNG changes nothing, and has no quality.
  private static func fine(_ format: String) -> [String: JSONValue] {
    ["format": .string(format)].merging(format == "png" ? [:] : ["quality": 95]) { $1 }
  }

  /// A run over one picture with one thumbnail; the thumbnail's path.
  private func thumbnail(
    of source: String,
    in scene: Scene,
    _ options: [String: JSONValue]
  ) throws -> String {
    try #require(try thumbnails(of: source, in: scene, ["t": options])["t"])
  }

  /// A run over one picture with thumbnails of these names and options; their paths by name.
  private func thumbnails(
    of source: String,
    in scene: Scene,
    _ options: [String: [String: JSONValue]]
  ) throws -> [String: String] {
    try scene.declare("camera")
    try FileManager.default.removeItem(atPath: scene.at("sources/camera"))
    try scene.put("sources/camera/" + (source as NSString).lastPathComponent, copyOf: source)
    let usual: [String: JSONValue] = ["size": [64, 64], "contentMode": "aspectFit"]
    var members: [String: JSONValue] = [:]
    for (name, own) in options { members[name] = .object(usual.merging(own) { $1 }) }
    scene.manifest["thumbnails"] = .object(members)
    try scene.run().expect(0)
    var paths: [String: String] = [:]
    for name in options.keys {
      let path = try #require(try scene.thumbnails(name).last)
      paths[name] = path
    }
    return paths
  }

  private func ask(_ format: String, _ path: String) throws -> String {
    let result = try Tool.run("identify", ["-format", format + "\\n", path + "[0]"])
    try #require(result.status == 0, "\(result.error)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    "Each format is what its name says, of the size asked for, and says nothing else",
    arguments: formats
  )
  func hasFormat(format: String) throws {
    let scene = Scene()
    let path = try thumbnail(of: Samples.photo(6), in: scene, ["format": .string(format)])
    #expect((path as NSString).pathExtension == Self.endings[format])
    #expect(try ask("%m", path) == Self.names[format])
    let upright = try Pixels(Samples.photo(6), ["-auto-orient"])
    let size = try Independent.size(path)
    #expect(size.max() == 64)
    #expect((size[0] < size[1]) == (upright.width < upright.height))
    let tags = try Independent.exif(path).keys
    let metadata = tags.filter { tag in
      ["IFD0:", "ExifIFD:", "GPS:", "XMP", "IPTC", "PNG:Comment", "PNG-tIME", "PNG:Modify"]
        .contains { tag.hasPrefix($0) }
    }
    #expect(metadata.isEmpty)
    try scene.expectVerified()
  }

  @Test(
    "A thumbnail is never larger than its picture, in any format",
    arguments: Amount.pairs([[40, 30], [1, 7]], formats)
  )
  func isNeverEnlarged(size: [Int], format: String) throws {
    let scene = Scene()
    let source = scene.at("small.png")
    try Independent.make("convert", ["-size", "\(size[0])x\(size[1])", "xc:#336699", source])
    var options: [String: [String: JSONValue]] = [:]
    for mode in ["aspectFit", "aspectFill"] {
      options[mode] = [
        "size": [400, 400], "contentMode": .string(mode), "format": .string(format),
      ]
    }
    let plain = try Pixels(source)
    for (mode, path) in try thumbnails(of: source, in: scene, options) {
      let pixels = try Pixels(path)
      #expect([pixels.width, pixels.height] == size, "\(mode)")
      // A format that can keep the color of a plain picture keeps it.
      #expect(pixels.colorDistance(plain, x: 50, y: 50) < 2, "\(mode)")
    }
  }

  @Test("Quality is the encoder's, and less of it takes fewer bytes", arguments: ["jpeg", "webp"])
  func hasQuality(format: String) throws {
    let scene = Scene()
    let qualities = [1, 30, 80, 100]
    var options: [String: [String: JSONValue]] = [:]
    for quality in qualities {
      options["q\(quality)"] = ["format": .string(format), "quality": JSONValue(quality)]
    }
    let paths = try thumbnails(of: Samples.photo(1), in: scene, options)
    var lengths: [Int] = []
    for quality in qualities {
      let path = try #require(paths["q\(quality)"])
      lengths.append(try readBytes(path).count)
      if format == "jpeg" { #expect(try ask("%Q", path) == "\(quality)") }
    }
    #expect(lengths == lengths.sorted() && Set(lengths).count == 4, "\(lengths)")
  }

  /// Half red, half nothing.
  private func halfClear(_ scene: Scene) throws -> String {
    let path = scene.at("half.png")
    try Independent.make(
      "convert",
      [
        "(", "-size", "40x80", "xc:red", ")", "(", "-size", "40x80", "xc:none", ")", "+append",
        path,
      ]
    )
    return path
  }

  @Test("What shows through in a JPEG is the background asked for, and white by default")
  func hasBackground() throws {
    for (background, wanted) in [("#0000ff", "blue"), ("#00FF00", "lime"), (nil, "white")] {
      let scene = Scene()
      let plain = scene.at("plain.png")
      try Independent.make("convert", ["-size", "80x80", "xc:" + wanted, plain])
      var options: [String: JSONValue] = ["format": "jpeg", "quality": 95]
      if let background { options["background"] = .string(background) }
      let path = try thumbnail(of: try halfClear(scene), in: scene, options)
      let pixels = try Pixels(path)
      #expect(try pixels.colorDistance(Pixels(plain), x: 85, y: 50) < 3, "\(wanted)")
      try Independent.make("convert", ["-size", "80x80", "xc:red", plain])
      #expect(try pixels.colorDistance(Pixels(plain), x: 15, y: 50) < 3, "\(wanted)")
    }
  }

  @Test(
    "PNG and WebP keep what shows through",
    arguments: ["webp", "png"]
  )
  func keepsTransparency(format: String) throws {
    let scene = Scene()
    let path = try thumbnail(of: try halfClear(scene), in: scene, ["format": .string(format)])
    func opacity(_ x: Int) throws -> Double {
      let alpha = ["-alpha", "extract", "-crop", "1x1+\(x)+32", "+repage"]
      return Double(try Pixels(path, alpha).samples[0]) / 255
    }
    #expect(try opacity(10) > 0.98)
    #expect(try opacity(54) < 0.02)
    // A picture that hides nothing has no alpha.
    let solid = Scene()
    let opaque = try thumbnail(of: Samples.photo(1), in: solid, ["format": .string(format)])
    #expect(try ask("%A", opaque) != "True" && ask("%A", opaque) != "Blend")
  }

  static let profiles: [(name: String, color: String)] = [
    ("a98", "#20c040"), ("a98", "#c03020"), ("rommrgb", "#6a8c5a"), ("esrgb", "#8090a0"),
    ("srgb", "#4060c0"), ("sgray", "#808080"),
  ]

  /// What a person can say about the color space; nil says nothing.
  static let spaces: [String?] = ["sRGB", "keep", nil]

  @Test(
    "Colors are the picture's own: converted with sRGB, with the profile kept, and by default",
    .enabled(if: Pixels.hasProfiles, "no ICC profiles: install libgs-common"),
    arguments: Amount.pairs(spaces, Array(profiles.indices))
  )
  func keepsColors(space: String?, number: Int) throws {
    let profile = Self.profiles[number]
    let scene = Scene()
    let file = Pixels.profiles + profile.name + ".icc"
    let source = scene.at("patch.png")
    let gray = profile.name == "sgray" ? ["-colorspace", "Gray"] : []
    try Independent.make(
      "convert",
      ["-size", "80x80", "xc:" + profile.color] + gray + ["-profile", file, source]
    )
    try #require(try Independent.exif(source).keys.contains { $0.hasPrefix("ICC-header") })
    let wanted = try Pixels(source, Pixels.toSRGB)
    // Without all, each profile and space has one of the formats.
    let number = (profile.name.count + (space?.count ?? 0)) % Self.formats.count
    var options: [String: [String: JSONValue]] = [:]
    for format in Amount.isAll ? Self.formats : [Self.formats[number]] {
      var own = Self.fine(format)
      if let space { own["colorSpace"] = .string(space) }
      options[format] = own
    }
    for (format, path) in try thumbnails(of: source, in: scene, options) {
      let hasProfile = try Independent.exif(path).keys.contains { $0.hasPrefix("ICC-header") }
      // WebP has no gray, and a gray profile does not describe its three samples.
      let isKeepable = !(format == "webp" && profile.name == "sgray")
      if space == "keep" { #expect(hasProfile == isKeepable, "\(format)") }
      if space == "sRGB", profile.name != "srgb" { #expect(!hasProfile, "\(format)") }
      let distance = try Pixels(path, Pixels.toSRGB).colorDistance(wanted, x: 50, y: 50)
      #expect(distance < 2, "\(format): \(distance)")
    }
  }

  @Test(
    "CMYK is shown in sRGB by its profile, in every format",
    .enabled(if: Pixels.hasProfiles, "no ICC profiles: install libgs-common"),
    arguments: Amount.pairs(["#d08040", "#3070a0", "#f0f0f0"], formats)
  )
  func convertsCMYK(color: String, format: String) throws {
    let scene = Scene()
    let source = scene.at("patch.jpg")
    try Independent.make(
      "convert",
      ["-size", "80x80", "xc:" + color] + Pixels.toSRGB
        + ["-profile", Pixels.profiles + "ps_cmyk.icc", "-quality", "98", source]
    )
    try #require(try ask("%[colorspace]", source) == "CMYK")
    let wanted = try Pixels(source, Pixels.toSRGB)
    let path = try thumbnail(of: source, in: scene, Self.fine(format))
    let distance = try Pixels(path, Pixels.toSRGB).colorDistance(wanted, x: 50, y: 50)
    #expect(distance < 2, "\(distance)")
  }

  @Test("Another option makes the thumbnail anew at the next run, the same one does not")
  func isMadeAnew() throws {
    let scene = try Scene().declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    func run(_ options: [String: JSONValue]) throws -> [String] {
      let members: [String: JSONValue] = ["size": [64, 64]]
      scene.manifest["thumbnails"] = ["t": .object(members.merging(options) { $1 })]
      try scene.run().expect(0)
      return try scene.catalogue("SELECT path, sha256 FROM thumbnails WHERE NOT superseded")
    }
    var seen = [try run(["quality": 50])]
    let options: [[String: JSONValue]] = [
      ["quality": 90], ["quality": 90, "format": "webp"], ["format": "png"],
      ["format": "png", "colorSpace": "keep"], ["background": "#123456"],
    ]
    for option in options {
      let rows = try run(option)
      #expect(rows.count == 1 && rows != seen.last, "\(option)")
      #expect(try run(option) == rows, "\(option)")
      seen.append(rows)
    }
    #expect(Set(seen.prefix(4)).count == 4, "\(seen)")
    try scene.expectVerified()
  }

  @Test(
    "What an option cannot be is a mistake of the manifest",
    arguments: [
      ["format": "tiff"], ["format": "JPEG"], ["quality": 0], ["quality": 101],
      ["background": "white"], ["background": "#fff"], ["colorSpace": "p3"],
      ["quality": 90, "format": "png"], ["background": "#ffffff", "format": "webp"],
    ] as [[String: JSONValue]]
  )
  func refusesOption(options: [String: JSONValue]) throws {
    let scene = try Scene().declare("camera")
    let members: [String: JSONValue] = ["size": [64, 64]]
    scene.manifest["thumbnails"] = ["t": .object(members.merging(options) { $1 })]
    let outcome = try scene.run()
    try outcome.expect(78)
    let names = options.keys.filter { outcome.error.contains($0) }
    #expect(!names.isEmpty, "\(outcome.streams)")
  }
}
