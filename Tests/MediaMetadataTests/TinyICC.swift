import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Writes ICC profiles for tests, not with the code under test.
enum TinyICC {
  struct Tag {
    var name: String
    var data: [UInt8]

    static func xyz(_ name: String) -> Tag {
      Tag(name: name, data: Array("XYZ ".utf8) + [0, 0, 0, 0] + [UInt8](1...12))
    }

    static func curve(_ name: String, points: Int = 0) -> Tag {
      let values = (0..<points).flatMap { big($0 * 65_535 / max(1, points - 1), 2) }
      return Tag(name: name, data: Array("curv".utf8) + [0, 0, 0, 0] + big(points) + values)
    }

    static func text(_ name: String, _ text: String) -> Tag {
      Tag(name: name, data: Array("text".utf8) + [0, 0, 0, 0] + Array(text.utf8) + [0])
    }
  }

  /// What a display profile needs: three colors, three curves.
  static let colors: [Tag] = [
    .xyz("rXYZ"), .xyz("gXYZ"), .xyz("bXYZ"), .curve("rTRC", points: 4), .curve("gTRC", points: 4),
    .curve("bTRC", points: 4),
  ]

  /// Real colors, wider than any in the corpus: ProPhoto's primaries, a curve of gamma 1.8.
  static var wide: [UInt8] {
    let xyz = { (name: String, values: [Int]) in
      Tag(name: name, data: Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { big($0) })
    }
    let gamma = Array("curv".utf8) + [0, 0, 0, 0] + big(1) + [1, 0xCD]
    return profile(
      [
        .text("cprt", "none"), xyz("wtpt", [0xF6D6, 0x1_0000, 0xD32D]),
        xyz("rXYZ", [0xCC3C, 0x49BA, 0]), xyz("gXYZ", [0x229B, 0xB641, 0]),
        xyz("bXYZ", [0x0800, 0x0004, 0xD32D]),
      ] + ["rTRC", "gTRC", "bTRC"].map { Tag(name: $0, data: gamma) }
    )
  }

  /// A display profile; `fill` is what every header byte holds that says nothing about color.
  static func profile(_ tags: [Tag] = colors, version: UInt8 = 2, fill: UInt8 = 0) -> [UInt8] {
    var header = [UInt8](repeating: fill, count: 128)
    header.replaceSubrange(8..<12, with: [version, 0x10, 0, 0])
    header.replaceSubrange(12..<24, with: Array("mntrRGB XYZ ".utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    header.replaceSubrange(64..<68, with: [0, 0, 0, 1])
    header.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
    var table = big(tags.count)
    var data: [UInt8] = []
    for tag in tags {
      table += Array(tag.name.utf8) + big(132 + 12 * tags.count + data.count)
      table += big(tag.data.count)
      data += tag.data + [UInt8](repeating: 0, count: (4 - tag.data.count % 4) % 4)
    }
    let profile = header + table + data
    return big(profile.count) + profile[4...]
  }
}
