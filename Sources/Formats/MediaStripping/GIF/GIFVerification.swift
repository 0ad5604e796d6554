import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

extension GIFStripper {
  static func verify(
    output: ByteSource,
    options: StripOptions,
    cache: PictureDataCache
  ) throws(MetadataError) {
    let global = try globalColors(of: output, cache)
    var parser = try GIFParser(output)
    var walker = PartWalker(GIFAllowList.list, output)
    try walker.pass(GIFAllowList.screen, at: 0..<parser.offset)
    try verify(parser.globalColorTable, used: global, in: output)
    var hasControl = false
    var start = parser.offset
    while let block = try parser.next() {
      let range = start..<parser.offset
      start = parser.offset
      switch block {
      case .graphicControl:
        let flags = output.byte(at: range.lowerBound + 3) ?? 0xFF
        let isOwn = !hasControl && flags & 0xE0 == 0
        try walker.pass(GIFAllowList.control, at: range, isOwn: isOwn)
        hasControl = true
      case .image(let image):
        hasControl = false
        try walker.pass(GIFAllowList.image, at: range)
        try verify(image, cache.reading(of: image, in: output), in: output)
      case .loop(let count):
        // The whole extension has one possible form.
        let isOwn = output.bytes(in: range, limit: 32) == loop(count: count)
        try walker.pass(GIFAllowList.loop, at: range, isOwn: isOwn)
      case .xmp(_, let packet):
        let limit = FoundMetadata.maximumBlockLength
        let bytes = output.bytes(in: packet, limit: limit) ?? []
        let isOwn =
          XMPWriter.isOwn(bytes, under: options, scope: .alone)
          && output.bytes(in: range, limit: 2 * limit) == GIFXMP.block(bytes)
        try walker.pass("XMP", at: range, isOwn: isOwn)
      case .other(let name): throw MetadataError(.residue, name)
      case .padding: throw MetadataError(.residue, "bytes between blocks")
      }
    }
    guard !hasControl else { throw MetadataError(.residue, "graphic control") }
    try walker.pass(GIFAllowList.trailer, at: start..<parser.offset, isOwn: true)
    try walker.finish()
  }

  private static func verify(
    _ image: GIFImage,
    _ reading: GIFReading,
    in output: ByteSource
  ) throws(MetadataError) {
    guard let flags = output.byte(at: image.descriptor.upperBound - 1), flags & 0x18 == 0 else {
      throw MetadataError(.residue, "reserved bits")
    }
    try verify(image.colorTable, used: reading.usedColors, in: output)
    guard reading.endsWhole(image, in: output) else {
      throw MetadataError(.residue, "bytes behind a picture")
    }
  }

  private static func verify(
    _ table: Range<Int>,
    used: [Bool],
    in output: ByteSource
  ) throws(MetadataError) {
    guard let bytes = output.bytes(in: table, limit: 768) else {
      throw MetadataError(.damaged, "a color table that ends early")
    }
    for (index, byte) in bytes.enumerated() where byte != 0 && !used[index / 3] {
      throw MetadataError(.residue, "unused colors")
    }
  }
}
