import MediaContainers

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
    let length = bytes.withUnsafeBytes { ICCProfile.declaredLength(of: ByteSource($0)) }
    guard let length, length <= bytes.count else { return nil }
    self.bytes = Array(bytes[..<length])
    switch String(decoding: bytes[16..<20], as: UTF8.self) {
    case "GRAY": space = .gray
    case "RGB ": space = .rgb
    case "CMYK": space = .cmyk
    default: space = .other
    }
  }

  /// The APP2 segments that hold the profile.
  var segments: [UInt8] {
    let length = JPEGColorProfile.maximumChunkLength
    let count = (bytes.count + length - 1) / length
    guard count <= 255 else { return [] }
    return (0..<count).flatMap { index in
      let chunk = bytes.dropFirst(index * length).prefix(length)
      return JPEGColorProfile.segmentHead(length: chunk.count, number: index + 1, count: count)
        + chunk
    }
  }
}
