import MediaContainers
import MediaMetadata
import MediaModel

/// Writes a BMP's headers anew around its pixels.
///
/// Size, depth, bit masks, palette, color space with its numbers, and an embedded ICC profile in
/// its cleaned form are kept. Removed are resolution, a linked profile's path, gaps, reserved
/// fields, the content of row padding, and everything after the pixels. A BMP can hold neither an
/// orientation nor values that `except` names.
enum BMPStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let header = try BMPHeader(of: source)
    let written = builder.edits ? try write(header, of: source, to: &builder) : nil
    if header.length >= 40, header.bytes[24..<32].contains(where: { $0 != 0 }) {
      builder.remove("resolution", at: 38..<46)
    }
    if header.length == 124, BMPHeader.number(header.bytes, 56, 4) == 0x4C49_4E4B {
      builder.remove("linked ICC profile")
    }
    let palette = source.bytes(in: header.palette, limit: 1024) ?? []
    if let written, !written.suffix(palette.count).elementsEqual(palette) {
      builder.remove("unused colors")
    }
    if header.pixels.lowerBound > header.palette.upperBound {
      builder.remove("gap", at: header.palette.upperBound..<header.pixels.lowerBound)
    }
    let end = header.pixels.upperBound
    if let range = header.profile {
      builder.show { listing in
        let gap = end..<range.lowerBound
        if !gap.isEmpty { listing.add("gap", at: gap, isRemoved: true) }
        listing.addProfile("ICC profile", at: range, of: source)
      }
    }
    builder.removeTrailer(from: header.profile?.upperBound ?? end, of: source)
  }

  /// Writes the headers, the pixels and the profile, and returns the headers.
  private static func write(
    _ header: BMPHeader,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) -> [UInt8] {
    let profile = try header.profile.flatMap { (range) throws(MetadataError) in
      try ICCProfile.cleaned(range, of: source)
    }
    let written = try BMPWriter.headers(header, of: source, profile: profile)
    try builder.literal(written)
    try BMPRows.append(header, of: source, to: &builder)
    if let profile { try builder.literal(profile) }
    if profile.map({ $0.count }) != header.profile.map({ $0.count }) {
      builder.remove("ICC profile parts")
    }
    return written
  }
}

/// Writes the headers and the palette of a stripped BMP.
enum BMPWriter {
  /// Returns everything before the pixels; `profile` will follow the pixels directly.
  ///
  /// - Throws: `damaged` when masks or palette cannot be read.
  static func headers(
    _ header: BMPHeader,
    of source: ByteSource,
    profile: [UInt8]?
  ) throws(MetadataError) -> [UInt8] {
    guard let masks = source.bytes(in: header.masks, limit: 16),
      var palette = source.bytes(in: header.palette, limit: 1024)
    else { throw MetadataError(.damaged, "a palette that ends early") }
    if header.paletteEntryLength == 4 {
      // The fourth byte of a color is reserved.
      for index in stride(from: 3, to: palette.count, by: 4) { palette[index] = 0 }
    }
    let used = try header.usedColors(of: source)
    for index in 0..<(palette.count / header.paletteEntryLength) where !used[index] {
      for component in 0..<3 { palette[index * header.paletteEntryLength + component] = 0 }
    }
    let offset = BMPHeader.fileHeaderLength + header.length + masks.count + palette.count
    let fileLength = offset + header.pixels.count + (profile?.count ?? 0)
    var output = Array("BM".utf8) + [fileLength, 0, offset].flatMap { $0.bytes(4, .little) }
    output += information(header, paletteCount: palette.count / header.paletteEntryLength, profile)
    return output + masks + palette
  }

  private static func information(
    _ header: BMPHeader,
    paletteCount: Int,
    _ profile: [UInt8]?
  ) -> [UInt8] {
    guard header.length >= 40 else { return header.bytes }
    var bytes = header.bytes
    put(header.compression == 0 ? 0 : header.pixels.count, at: 20, in: &bytes)
    put(0, at: 24, in: &bytes)
    put(0, at: 28, in: &bytes)
    let isFull = header.bitCount > 8 || paletteCount == 1 << header.bitCount
    put(isFull ? 0 : paletteCount, at: 32, in: &bytes)
    put(0, at: 36, in: &bytes)
    if header.length == 64 { for index in 40..<64 { bytes[index] = 0 } }
    // Masks are used with BI_BITFIELDS alone; end points and gammas with calibrated colors.
    if header.length >= 52, header.compression != 3 {
      for index in 40..<min(56, header.length) { bytes[index] = 0 }
    }
    guard header.length >= 108 else { return bytes }
    let space = BMPHeader.number(bytes, 56, 4)
    let isCalibrated = space == 0
    if !isCalibrated {
      for index in 60..<108 { bytes[index] = 0 }
      // "MBED" with a profile, or "sRGB".
      put(profile == nil ? 0x7352_4742 : 0x4D42_4544, at: 56, in: &bytes)
    }
    guard header.length == 124 else { return bytes }
    if !(0...8).contains(BMPHeader.number(bytes, 108, 4)) { put(0, at: 108, in: &bytes) }
    let profileOffset =
      header.length + header.masks.count + paletteCount * header.paletteEntryLength
      + header.pixels.count
    put(profile == nil ? 0 : profileOffset, at: 112, in: &bytes)
    put(profile?.count ?? 0, at: 116, in: &bytes)
    put(0, at: 120, in: &bytes)
    return bytes
  }

  private static func put(_ value: Int, at offset: Int, in bytes: inout [UInt8]) {
    bytes.replaceSubrange(offset..<(offset + 4), with: value.bytes(4, .little))
  }
}
