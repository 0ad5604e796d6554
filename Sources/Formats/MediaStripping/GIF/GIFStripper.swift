import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from a GIF that is not needed to show it; no picture is decoded.
///
/// The logical screen, color tables, pictures with their timing and transparency, and the repeat
/// count of an animation are kept; values that `except` names are kept as XMP. Removed are
/// comments, plain text, all other extensions, colors of a table that no pixel uses, and bytes
/// after a picture's last code and after the trailer. A GIF cannot hold an orientation.
enum GIFStripper: CodedPictureStripper {
  static func strip(
    _ source: ByteSource,
    cache: PictureDataCache,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    var parser = try GIFParser(source)
    if builder.edits {
      let global = try globalColors(of: source, cache)
      try builder.copy(parser.screen)
      try GIFColorTable.append(parser.globalColorTable, used: global, of: source, to: &builder)
    }
    var start = parser.offset
    var control: Range<Int>?
    var sawLoop = false
    var sawImage = false
    while let block = try parser.next() {
      let range = start..<parser.offset
      start = parser.offset
      switch block {
      case .graphicControl(let range):
        if control != nil { builder.remove("graphic control") }
        control = range
      case .image(let image) where builder.edits:
        if let control { try appendControl(control, of: source, to: &builder) }
        control = nil
        sawImage = true
        try append(image, cache.reading(of: image, in: source), of: source, to: &builder)
      case .image: break
      case .loop(let count):
        if sawLoop {
          builder.remove("application extension", at: range)
        } else {
          try builder.literal(loop(count: count))
        }
        sawLoop = true
      case .xmp(_, let packet):
        builder.remove("XMP") { $0.addXMP("XMP", at: packet, of: source) }
      case .other(let name):
        // A plain text extension is rendered, so its graphic control extension is removed with it.
        if name == "plain text" { control = nil }
        builder.remove(name, at: range) {
          guard name == "comment" else { return nil }
          // The first sub-block is enough to identify it.
          let length = source.uint8(at: range.lowerBound + 2) ?? 0
          let text = (range.lowerBound + 3)..<(range.lowerBound + 3 + length)
          return source.bytes(in: text, limit: 255).flatMap(MetadataListing.text)
        }
      case .padding(let count):
        builder.remove("bytes between blocks", count: count)
      }
    }
    guard sawImage || !builder.edits else { throw MetadataError(.damaged, "no image") }
    if control != nil { builder.remove("graphic control") }
    let kept = builder.options.kept(of: GIFMetadata.find(in: source))
    if let packet = XMPWriter.packet(kept: kept, scope: .alone) {
      try builder.literal(GIFXMP.block(packet))
    }
    try builder.literal([0x3B])
    builder.removeTrailer(from: parser.offset, of: source)
  }

  /// Returns which colors of the global table any picture uses; the background's counts as used.
  static func globalColors(
    of source: ByteSource,
    _ cache: PictureDataCache
  ) throws(MetadataError) -> [Bool] {
    var used = [Bool](repeating: false, count: 256)
    var parser = try GIFParser(source)
    if let background = source.uint8(at: 11) { used[background] = true }
    while let block = try parser.next() {
      guard case .image(let image) = block, image.colorTable.isEmpty else { continue }
      let reading = try cache.reading(of: image, in: source)
      for index in used.indices where reading.usedColors[index] { used[index] = true }
    }
    return used
  }

  static func loop(count: Int) -> [UInt8] {
    [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8)
      + [3, 1, UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0]
  }

  private static func appendControl(
    _ range: Range<Int>,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    // The three highest bits are reserved and could carry data.
    let flags = range.lowerBound + 3
    guard let value = source.byte(at: flags), value & 0xE0 != 0 else {
      return try builder.copy(range)
    }
    try builder.copy(range.lowerBound..<flags)
    try builder.literal([value & 0x1F])
    try builder.copy((flags + 1)..<range.upperBound)
    builder.remove("reserved bits")
  }

  private static func append(
    _ image: GIFImage,
    _ reading: GIFReading,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    let flags = image.descriptor.upperBound - 1
    if let value = source.byte(at: flags), value & 0x18 != 0 {
      try builder.copy(image.descriptor.dropLast())
      try builder.literal([value & ~0x18])
      builder.remove("reserved bits")
    } else {
      try builder.copy(image.descriptor)
    }
    try GIFColorTable.append(image.colorTable, used: reading.usedColors, of: source, to: &builder)
    let lastBlock = image.data.lowerBound + reading.lastBlock
    try builder.copy(image.colorTable.upperBound..<lastBlock)
    if reading.endsWhole(image, in: source) {
      return try builder.copy(lastBlock..<image.data.upperBound)
    }
    let kept = lastBlock + 1
    try builder.literal([UInt8(truncatingIfNeeded: reading.lastBlockLength)])
    try builder.copy(kept..<(kept + reading.lastBlockLength))
    try builder.literal([0])
    builder.remove("bytes behind a picture")
  }
}
