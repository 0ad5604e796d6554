/// An ICC profile with the properties that a thumbnail needs.
///
/// Source: ICC.1:2022 section 7.2 (header), annex B.4 (in JPEG).
struct ColorProfile: Hashable {
  enum Space: Hashable {
    case gray, rgb, cmyk, other
  }

  let bytes: [UInt8]
  let space: Space

  /// Creates a profile; nil if the bytes have the wrong signature or are shorter than their header
  /// claims.
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

  /// The maximum number of profile bytes in one APP2 segment.
  private static let chunkLength = 65_533 - 14

  /// The APP2 segments that hold the profile.
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
