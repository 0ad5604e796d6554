/// An ICC profile as far as a thumbnail has to know it.
///
/// Source: ICC.1:2022 section 7.2 (header), annex B.4 (in JPEG).
struct ColorProfile: Hashable {
  enum Space: Hashable {
    case gray, rgb, cmyk, other
  }

  let bytes: [UInt8]
  let space: Space

  /// Nil when the bytes are no profile: wrong signature, or shorter than they say.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 132, bytes[36..<40].elementsEqual("acsp".utf8) else { return nil }
    let length = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard length >= 132, length <= bytes.count else { return nil }
    self.bytes = Array(bytes[..<length])
    switch String(decoding: bytes[16..<20], as: UTF8.self) {
    case "GRAY": space = .gray
    case "RGB ": space = .rgb
    case "CMYK": space = .cmyk
    default: space = .other
    }
  }

  /// Bytes of profile that one APP2 segment holds.
  private static let chunkLength = 65_533 - 14

  /// APP2 segments that hold the profile.
  var segments: [UInt8] {
    let count = (bytes.count + Self.chunkLength - 1) / Self.chunkLength
    guard count <= 255 else { return [] }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 18 * count)
    for index in 0..<count {
      let chunk = bytes[
        (index * Self.chunkLength)..<min((index + 1) * Self.chunkLength, bytes.count)
      ]
      let length = chunk.count + 16
      output += [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)]
      output += "ICC_PROFILE\0".utf8
      output += [UInt8(index + 1), UInt8(count)]
      output += chunk
    }
    return output
  }
}

extension ColorProfile {
  /// sRGB as a matrix and a parametric curve: what pixels of other spaces are converted to.
  ///
  /// Source: IEC 61966-2-1; ICC.1:2022 sections 9.2 and 10.18; the primaries adapted to D50.
  static let sRGB: [UInt8] = {
    func fixed(_ values: [Int32]) -> [UInt8] {
      values.flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * Int32($0))) }
      }
    }
    func text(_ word: String) -> [UInt8] { Array(word.utf8) }
    func localized(_ words: String) -> [UInt8] {
      let units = words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      return text("mluc") + fixed([0, 1, 12]) + text("enUS") + fixed([Int32(units.count), 28])
        + units
    }
    func xyz(_ x: Int32, _ y: Int32, _ z: Int32) -> [UInt8] {
      text("XYZ ") + fixed([0, x, y, z])
    }
    // y = ((x + 0.055) / 1.055)^2.4, below 0.04045 x / 12.92; s15Fixed16 numbers.
    let curve = text("para") + fixed([0, 3 << 16, 157_286, 62_119, 3417, 5072, 2651])
    let tags: [(String, [UInt8])] = [
      ("desc", localized("sRGB")), ("cprt", localized("CC0")),
      ("wtpt", xyz(63_190, 65_536, 54_061)),
      ("rXYZ", xyz(28_578, 14_581, 912)), ("gXYZ", xyz(25_241, 46_981, 6362)),
      ("bXYZ", xyz(9375, 3974, 46_799)),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var table = fixed([Int32(tags.count)])
    var data: [UInt8] = []
    for (name, value) in tags {
      table += text(name) + fixed([Int32(132 + 12 * tags.count + data.count), Int32(value.count)])
      data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    var header = fixed([Int32(128 + table.count + data.count), 0, 0x0420_0000])
    header += text("mntrRGB XYZ ") + [UInt8](repeating: 0, count: 12) + text("acsp")
    header += [UInt8](repeating: 0, count: 28)
    header += fixed([63_190, 65_536, 54_061])
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }()
}
