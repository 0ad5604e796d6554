import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What is left of an ICC profile")
struct ICCProfileTests {
  /// The tags of a profile by name, read here and not by the code under test.
  static func tags(_ profile: [UInt8]) -> [String: [UInt8]] {
    let number = { (offset: Int) in profile[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
    var tags: [String: [UInt8]] = [:]
    for index in 0..<number(128) {
      let position = 132 + 12 * index
      let name = String(decoding: profile[position..<(position + 4)], as: UTF8.self)
      let offset = number(position + 4)
      tags[name] = Array(profile[offset..<(offset + number(position + 8))])
    }
    return tags
  }

  @Test("Color tags stay byte for byte, all others go but the two that must be there")
  func tags() throws {
    let names = ["desc", "cprt", "dmnd", "dmdd", "vcgt", "meta", "targ", "mmod", "tech", "CxF "]
    let profile = TinyICC.profile(TinyICC.colors + names.map { .text($0, "canary") })
    let clean = try #require(ICCProfile.cleaned(profile))
    let before = Self.tags(profile)
    let after = Self.tags(clean)
    #expect(Set(after.keys) == Set(TinyICC.colors.map(\.name) + ["desc", "cprt"]))
    for color in TinyICC.colors { #expect(after[color.name] == before[color.name]) }
    #expect(clean.count % 4 == 0)
    #expect(clean.prefix(4).elementsEqual(big(clean.count)))
    #expect(ICCProfile.cleaned(clean) == clean)
  }

  @Test("Of the header stay version, class, color spaces and rendering intent")
  func header() throws {
    let clean = try #require(ICCProfile.cleaned(TinyICC.profile(fill: 0x55)))
    let expected = try #require(ICCProfile.cleaned(TinyICC.profile(fill: 0)))
    #expect(clean == expected)
    #expect(clean[8..<10] == [2, 0x10] && clean[67] == 1)
    #expect(clean[12..<24].elementsEqual("mntrRGB XYZ ".utf8))
  }

  @Test("Elements of a transform are matrices, curves and tables, and no longer than these")
  func elements() throws {
    let ones = (0..<12).flatMap { _ in big(0x3F80_0000) }
    let matrix = Self.data("matf", big(3, 2), big(3, 2), ones)
    let formula = Self.data("parf", big(0, 2), big(0, 2), Array(ones.prefix(16)))
    let curve = Self.data(
      "curf",
      big(2, 2),
      big(0, 2),
      big(0),
      formula,
      Self.data("samf", big(2), Array(ones.prefix(8)))
    )
    let curves = Self.data(
      "cvst",
      big(3, 2),
      big(3, 2),
      (0..<3).flatMap { _ in big(36) + big(curve.count) },
      curve
    )
    let grid: [UInt8] = [2, 2, 2] + [UInt8](repeating: 0, count: 13)
    let table = Self.data("clut", big(3, 2), big(3, 2), grid, (0..<24).flatMap { big($0) })
    let elements = [curves, matrix, table]
    let kept = TinyICC.Tag(name: "D2B0", data: Self.transform(elements))
    let clean = try #require(ICCProfile.cleaned(TinyICC.profile(TinyICC.colors + [kept], version: 4)))
    #expect(Self.tags(clean)["D2B0"] == kept.data)
    #expect(ICCProfile.cleaned(clean) == clean)
    let text = Array("a text that no transform has".utf8)
    for other in [
      elements + [Self.data("zzzz", big(3, 2), big(3, 2), text)], elements + [text], [curves, matrix + text],
      [curves + text, matrix], [table + text], [Self.data("bACS", big(3, 2), big(3, 2), text), matrix],
    ] {
      let tag = TinyICC.Tag(name: "D2B0", data: Self.transform(other))
      let clean = try #require(ICCProfile.cleaned(TinyICC.profile(TinyICC.colors + [tag], version: 4)))
      #expect(Self.tags(clean)["D2B0"] == nil && Self.tags(clean)["rTRC"] != nil)
    }
  }

  private static func data(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    Array(type.utf8) + big(0) + parts.flatMap { $0 }
  }

  /// The type of a transform by elements.
  private static func transform(_ elements: [[UInt8]]) -> [UInt8] {
    var start = 16 + 8 * elements.count
    var table: [UInt8] = []
    for element in elements {
      table += big(start) + big(element.count)
      start += element.count
    }
    return data("mpet", big(3, 2), big(3, 2), big(elements.count), table, elements.flatMap { $0 })
  }

  @Test("Tags that share their data share them still, and a tag is bounded to its own content")
  func sharing() throws {
    var profile = TinyICC.profile()
    // All three curves are the red one's.
    for index in 4...5 {
      let entry = 132 + 12 * index
      profile.replaceSubrange((entry + 4)..<(entry + 12), with: profile[(132 + 40)..<(132 + 48)])
    }
    let clean = try #require(ICCProfile.cleaned(profile))
    #expect(Self.tags(clean)["bTRC"] == Self.tags(profile)["rTRC"])
    #expect(clean.count < (ICCProfile.cleaned(TinyICC.profile())?.count ?? 0))

    var long = TinyICC.colors
    long[3].data += [UInt8](repeating: 9, count: 1000)
    #expect(ICCProfile.cleaned(TinyICC.profile(long)) == ICCProfile.cleaned(TinyICC.profile()))
  }

  @Test("What no color engine could use is no profile")
  func unusable() {
    let profile = TinyICC.profile()
    #expect(ICCProfile.cleaned([]) == nil)
    #expect(ICCProfile.cleaned(Array(profile.dropLast())) == nil)
    #expect(ICCProfile.cleaned(TinyICC.profile(Array(TinyICC.colors.dropLast()))) == nil)
    var link = profile
    link.replaceSubrange(12..<16, with: Array("link".utf8))
    #expect(ICCProfile.cleaned(link) == nil)
    for length in 0..<profile.count {
      #expect(ICCProfile.cleaned(Array(profile[..<length])) == nil)
    }
  }

  @Test("A profile of more than 4 MiB is over the limit")
  func large() {
    let points = 1_400_000
    let profile = TinyICC.profile(
      TinyICC.colors[..<3] + [.curve("rTRC", points: points), .curve("gTRC"), .curve("bTRC")]
        + [.curve("kTRC", points: points)]
    )
    #expect(profile.count > 4 << 20)
    let count = (profile.count + 65_518) / 65_519
    let segments = (0..<count).flatMap { index in
      TinyJPEG.segment(
        0xE2,
        "ICC_PROFILE\0",
        [UInt8(index + 1), UInt8(count)] + profile[(index * 65_519)...].prefix(65_519)
      )
    }
    #expect(code { _ = try strip(TinyJPEG.file(segments), .jpeg) } == .overLimit)
  }

  /// Profiles of every kind that Ghostscript brings: matrices, curves, tables, CMYK, gray, Lab.
  static let folder = "/usr/share/color/icc/ghostscript"
  static let installed =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasSuffix(".icc")
    }.sorted()

  @Test(
    "lcms makes the same colors of it",
    .enabled(
      if: installed.contains("a98.icc") && Tool.exists("convert"),
      "no Ghostscript profiles or no ImageMagick"
    ),
    arguments: installed
  )
  func colors(name: String) throws {
    let folder = TemporaryFolder()
    let profile = "\(Self.folder)/\(name)"
    let bytes = try readBytes(profile)
    let space = [0x434D_594B: "CMYK", 0x4752_4159: "Gray"][
      bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
    ]
    let clean = try #require(ICCProfile.cleaned(bytes))
    #expect(ICCProfile.cleaned(clean) == clean)
    let cleanPath = folder.path + "/clean.icc"
    try Data(clean).write(to: URL(fileURLWithPath: cleanPath))
    // ImageMagick converts nothing between two profiles of the same bytes.
    let target = "\(Self.folder)/" + (name == "a98.icc" ? "srgb.icc" : "a98.icc")
    var pixels: [String] = []
    for path in [profile, cleanPath] {
      let picture = [
        "-size", "64x64", "gradient:red-blue", "-colorspace", space ?? "sRGB", "-strip",
      ]
      let through = ["-profile", path, "-profile", target]
      let limits = ["-limit", "thread", "1"]
      let result = try Tool.run(
        "convert",
        limits + picture + through + ["-format", "%#", "info:"]
      )
      pixels.append(result.output)
    }
    #expect(pixels[0] == pixels[1] && !pixels[0].isEmpty)
  }
}
