import MediaCodecs
package import MediaContainers

/// Finds the metadata boxes of a JPEG 2000 file: XMP, Exif and IPTC in `uuid`.
///
/// Source: XMP specification part 3 section 1.1.4; ExifTool, Jpeg2000 tags, UUID boxes.
package enum JP2Metadata: MetadataBlocks {
  /// The identifier of a `uuid` box with an XMP packet.
  package static let xmp: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  /// The identifier of a `uuid` box with an Exif block.
  package static let exif = Array("JpgTiffExif->JP2".utf8)
  /// The identifier of a `uuid` box with IPTC-IIM datasets.
  package static let iptc: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]

  /// Passes the first block of each kind to `metadata`; none of a file that is no JPEG 2000.
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    let boxes = JP2Header(of: source)?.boxes ?? []
    for box in boxes where box.type == "uuid" && box.body.count > 16 {
      let data = box.body.dropFirst(16)
      let start = box.body.lowerBound
      if source.holds(xmp, at: start) {
        metadata.takeXMP(in: data, of: source)
      } else if source.holds(exif, at: start) {
        metadata.takeExif(in: data, of: source)
      } else if source.holds(iptc, at: start),
        let datasets = source.bytes(in: data, limit: FoundMetadata.maximumBlockLength)
      {
        metadata.takeIPTC(datasets)
      }
    }
    // Some writers put the packet into the box of any XML.
    for box in boxes where box.type == "xml " {
      if let packet = packet(in: box, of: source) { metadata.takeXMP(packet) }
    }
  }

  /// Returns the XML of a box if it is an XMP packet.
  package static func packet(in box: ISOBox, of source: ByteSource) -> [UInt8]? {
    guard let bytes = source.bytes(in: box.body, limit: FoundMetadata.maximumBlockLength) else {
      return nil
    }
    return XMPProperties(bytes).isWhole ? bytes : nil
  }
}
