import MediaContainers

/// Copies sample tables that do not change, without the bytes after their last entry.
///
/// Source: ISO/IEC 14496-12 sections 8.6.1 to 8.6.4, 8.7.3, 8.7.4 and 8.9.
enum ISOTables {
  /// The length of an entry in bits, for tables that begin with a number of entries.
  private static let widths: [FourCharacterCode: Int] = [
    "stts": 64, "ctts": 64, "stss": 32, "stps": 32, "stsc": 96,
  ]

  static func table(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> OutputPieces {
    var fields = ISOFields(source, box.body, box.type.displayName)
    let version = try fields.number(4) >> 24
    var head = (box.type == "ctts" ? version << 24 & 0x0100_0000 : 0).bytes(4)
    var width = widths[box.type] ?? 0
    if box.type == "stsz" {
      let size = try fields.number(4)
      head += size.bytes(4)
      width = size == 0 ? 32 : 0
    } else if box.type == "stz2" {
      width = try fields.number(4) & 0xFF
      head += width.bytes(4)
    }
    let count = try fields.number(4)
    head += count.bytes(4)
    let length = (count * width + 7) / 8
    guard length <= fields.left else { throw fields.damaged }
    var entries = OutputPieces()
    entries.bytes(of: fields.range.prefix(length), in: source)
    return try entries.boxed(box.type, head: head)
  }

  /// The sample group types that a decoder needs, with the length of their descriptions.
  private static let groups: [FourCharacterCode: Int] = [
    "roll": 2, "prol": 2, "rap ": 1, "sync": 1, "tele": 1,
  ]

  /// Returns a table that some players do not read; nil for a table of another form.
  static func optional(
    _ box: ISOBox,
    samples: Int,
    of source: ByteSource
  ) throws(MetadataError) -> OutputPieces? {
    var fields = ISOFields(source, box.body, box.type.displayName)
    let version = try fields.number(4) >> 24
    var content = OutputPieces()
    switch box.type {
    case "cslg":
      let length = version == 0 ? 20 : 40
      guard fields.left == length else { return nil }
      return OutputPieces(ISOWriter.full("cslg", version: UInt8(min(version, 1)), try fields.bytes(length)))
    case "sdtp":
      guard fields.left >= samples else { return nil }
      content.bytes(of: fields.range.prefix(samples), in: source)
      return try content.boxed("sdtp", head: [0, 0, 0, 0])
    case "sbgp":
      let type = try fields.code()
      guard groups[type] != nil, version == 0 else { return nil }
      let count = try fields.number(4)
      guard count <= fields.left / 8 else { throw fields.damaged }
      content.bytes(of: fields.range.prefix(count * 8), in: source)
      return try content.boxed("sbgp", head: [0, 0, 0, 0] + type.bytes + count.bytes(4))
    default:
      let type = try fields.code()
      guard let length = groups[type], version >= 1 else { return nil }
      let entryLength = try fields.number(4)
      let descriptions = version >= 2 ? 4 : 0
      guard entryLength == length || version >= 2 else { return nil }
      var head = (version << 24).bytes(4) + type.bytes + entryLength.bytes(4)
      if descriptions > 0 { return nil }
      let count = try fields.number(4)
      head += count.bytes(4)
      guard count <= fields.left / length else { throw fields.damaged }
      content.bytes(of: fields.range.prefix(count * length), in: source)
      return try content.boxed("sgpd", head: head)
    }
  }
}
