import MediaContainers

/// The configurations of sound in boxes of a sample entry, written anew from their fields. One with a number
/// that cannot be is left out, since it may be anything.
///
/// Source: ETSI TS 102 366 section F.4 (dac3), TS 102 114 section E.2.2.3.1 (ddts); Dolby, MLP within
/// ISOBMFF (dmlp); ISO/IEC 23008-3 section 20.6 (mhaP); ISO/IEC 14496-12 section 12.2.4 (chnl); Google,
/// Spatial Audio RFC (SA3D); Apple, CoreAudioBaseTypes.h (chan) and ALACMagicCookieDescription.txt;
/// libavcodec, qdm2.c (QDCA); libavformat, mov.c (ACLR).
enum SoundConfiguration {
  /// The longest configuration, in bytes.
  private static let maximumLength = 1 << 13

  /// Returns the body of a box that an output has; nil for one with a number that cannot be.
  static func written(
    _ type: FourCharacterCode,
    _ body: Range<Int>,
    of source: ByteSource
  ) -> [UInt8]? {
    guard let bytes = source.bytes(in: body, limit: maximumLength) else { return nil }
    var fields = ISOFields(ByteSource(bytes), 0..<bytes.count, type.displayName)
    switch type {
    case "dac3": return bytes.count == 3 ? [bytes[0], bytes[1], bytes[2] & 0xE0] : nil
    case "dmlp":
      // The format and the peak data rate, of 15 bits.
      return bytes.count == 10 ? bytes[..<5] + [bytes[5] & 0xFE, 0, 0, 0, 0] : nil
    case "ddts": return dts(bytes)
    case "mhaP":
      // The profiles and levels that the sound keeps to, of which there are some twenty.
      guard let count = bytes.first, bytes.count == Int(count) + 1,
        bytes.dropFirst().allSatisfy({ (1..<32).contains($0) })
      else { return nil }
      return bytes
    case "QDCA":
      // A version, channels, and rates and sizes, none of which has more than 24 bits.
      let starts = stride(from: 0, to: 28, by: 4)
      return bytes.count >= 28 && starts.allSatisfy { bytes[$0] == 0 } ? Array(bytes[..<28]) : nil
    case "ACLR":
      // The range of colors: narrow or full.
      guard bytes.starts(with: Array("ACLR0001".utf8)), bytes.count >= 12,
        [[0, 0, 0, 1], [0, 0, 0, 2]].contains(Array(bytes[8..<12]))
      else { return nil }
      return bytes[..<12] + [0, 0, 0, 0]
    case "chan": return try? layout(&fields)
    case "chnl": return try? channels(&fields)
    case "SA3D": return try? ambisonics(&fields)
    default: return nil
    }
  }

  /// Returns the 24 bytes of a lossless coder's configuration; nil for numbers that cannot be.
  static func lossless(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 24 else { return nil }
    let number = { (start: Int) in bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
    // Samples in a frame, version, depth, channels, rate; between them are the coder's parameters, and the
    // sizes of frames.
    guard (1...1 << 20).contains(number(0)), bytes[4] == 0, [16, 20, 24, 32].contains(bytes[5]),
      (1...8).contains(bytes[9]), (1...768_000).contains(number(20))
    else { return nil }
    return Array(bytes[..<24])
  }

  private static func dts(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count == 20 else { return nil }
    let rate = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    let rates = [8000, 11_025, 12_000].flatMap { base in (0...5).map { base << $0 } }
    guard rates.contains(rate), [8, 16, 20, 24].contains(bytes[12]) else { return nil }
    // Bit rates, depth, the frame and its channels; five bits are reserved.
    return bytes[..<19] + [bytes[19] & 0xE0]
  }

  /// Returns a layout of channels: its number, the channels of a picture of bits, or the place of each.
  private static func layout(_ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    let head = try fields.bytes(12)
    let count = try fields.number(4)
    guard count <= 256 else { throw fields.damaged }
    var kept = head + count.bytes(4)
    for _ in 0..<count {
      let label = try fields.number(4)
      let flags = try fields.number(4)
      let coordinates = try fields.bytes(12)
      // Labels have 18 bits, or are unknown; only the one for coordinates has some.
      guard label < 1 << 18 || label == 0xFFFF_FFFF else { throw fields.damaged }
      kept += label.bytes(4)
      guard label == 100, (1...2).contains(flags) else {
        kept += [UInt8](repeating: 0, count: 16)
        continue
      }
      kept += flags.bytes(4)
      for start in stride(from: 0, to: 12, by: 4) {
        let pattern = coordinates[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let number = Float(bitPattern: pattern)
        guard number.isFinite, abs(number) <= 360 else { throw fields.damaged }
        kept += ((number * 256).rounded() / 256).bitPattern.bytes(4)
      }
    }
    return kept
  }

  /// Returns the places of channels, as ISO media has them.
  private static func channels(_ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    let version = try fields.number(1)
    _ = try fields.number(3)
    guard version < 2 else { throw fields.damaged }
    let structure = try fields.number(1)
    let streams = version == 0 ? structure : structure >> 4
    var kept = [UInt8(version), 0, 0, 0, UInt8(structure)]
    if version == 1 { kept += try fields.bytes(1) }  // baseChannelCount
    if streams & 1 != 0 {
      let layout = try fields.number(1)
      guard layout < 64 else { throw fields.damaged }
      kept.append(UInt8(layout))
      if layout == 0 {
        let end = version == 0 && streams & 2 != 0 ? 1 : 0
        var count = version == 0 ? Int.max : try fields.number(1)
        if version == 1 { kept.append(UInt8(count)) }
        while count > 0, fields.left > end {
          kept += try place(&fields)
          count -= 1
        }
      } else if version == 0 {
        kept += try fields.bytes(8)  // omittedChannelsMap
      } else {
        let flags = try fields.number(1)  // channel_order_definition, omitted_channels_present
        kept.append(UInt8(flags & 0xE1))
        if flags & 1 != 0 { kept += try fields.bytes(8) }
      }
    }
    if version == 0, streams & 2 != 0 { kept += try fields.bytes(1) }  // object_count
    return kept
  }

  /// Returns the place of a loudspeaker: its number, or its direction in degrees.
  private static func place(_ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    let position = try fields.number(1)
    guard position == 126 else {
      guard position < 64 || position == 127 else { throw fields.damaged }
      return [UInt8(position)]
    }
    let azimuth = Int16(truncatingIfNeeded: try fields.number(2))
    let elevation = Int8(truncatingIfNeeded: try fields.number(1))
    guard abs(Int(azimuth)) <= 180, abs(Int(elevation)) <= 90 else { throw fields.damaged }
    return [126] + azimuth.bytes(2) + elevation.bytes(1)
  }

  /// Returns the order of an ambisonic sound, and the component in each of its channels.
  private static func ambisonics(_ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    let (version, type) = (try fields.number(1), try fields.number(1))
    let order = try fields.number(4)
    let (ordering, normalization) = (try fields.number(1), try fields.number(1))
    let count = try fields.number(4)
    // The first bit of the type says that channels for the head follow.
    guard version == 0, type & 0x7F == 0, order < 16, ordering == 0, normalization == 0,
      count <= 258
    else { throw fields.damaged }
    var kept = [0, UInt8(type)] + order.bytes(4) + [0, 0] + count.bytes(4)
    for _ in 0..<count {
      let component = try fields.number(4)
      guard component < count else { throw fields.damaged }
      kept += component.bytes(4)
    }
    return kept
  }
}
