import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped GIF with the parser that parsed the original.
enum GIFVerification {
  /// Verifies each block of an output.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no GIF.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let global = try GIFStripper.globalColors(of: output)
    var parser = try GIFParser(output)
    try verify(parser.globalColorTable, used: global, in: output)
    var position = parser.offset
    var hasControl = false
    var sawLoop = false
    while let block = try parser.next() {
      switch block {
      case .graphicControl(let range):
        guard !hasControl, let flags = output.byte(at: range.lowerBound + 3), flags & 0xE0 == 0
        else { throw MetadataError(.residue, "graphic control") }
        hasControl = true
      case .image(let image):
        hasControl = false
        try verify(image, in: output)
      case .loop(let count):
        // The whole extension has one possible form.
        guard !sawLoop,
          output.bytes(in: position..<parser.offset, limit: 32)
            == GIFStripper.loop(count: count)
        else { throw MetadataError(.residue, "application extension") }
        sawLoop = true
      case .xmp(let whole, let packet):
        guard let bytes = output.bytes(in: packet, limit: FoundMetadata.maximumBlockLength),
          XMPWriter.isOwn(bytes, under: options, scope: .alone),
          output.bytes(in: whole, limit: 2 * FoundMetadata.maximumBlockLength)
            == GIFXMP.block(bytes)
        else { throw MetadataError(.residue, "XMP") }
      case .other(let name): throw MetadataError(.residue, name)
      case .padding: throw MetadataError(.residue, "bytes between blocks")
      }
      position = parser.offset
    }
    guard !hasControl else { throw MetadataError(.residue, "graphic control") }
    guard parser.offset == output.length, output.byte(at: output.length - 1) == 0x3B else {
      throw MetadataError(.residue, "trailer")
    }
  }

  private static func verify(
    _ image: GIFImage,
    in output: ByteSource
  ) throws(MetadataError) {
    guard let flags = output.byte(at: image.descriptor.upperBound - 1), flags & 0x18 == 0 else {
      throw MetadataError(.residue, "reserved bits")
    }
    let codes = try GIFCodes(of: image, in: output)
    try verify(image.colorTable, used: codes.usedColors, in: output)
    guard output.uint8(at: codes.lastBlock) == codes.lastBlockLength,
      codes.lastBlock + 1 + codes.lastBlockLength + 1 == image.data.upperBound
    else { throw MetadataError(.residue, "bytes behind a picture") }
  }

  private static func verify(
    _ table: Range<Int>,
    used: [Bool],
    in output: ByteSource
  ) throws(MetadataError) {
    guard let bytes = output.bytes(in: table, limit: 768) else {
      throw MetadataError(.damaged, "a colour table that ends early")
    }
    for (index, byte) in bytes.enumerated() where byte != 0 && !used[index / 3] {
      throw MetadataError(.residue, "unused colours")
    }
  }
}
