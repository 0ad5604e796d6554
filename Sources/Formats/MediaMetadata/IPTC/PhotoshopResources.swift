import MediaContainers

/// Photoshop's image resources, which are stored in JPEG's APP13, TIFF's tag 34377 and elsewhere.
///
/// Source: Adobe Photoshop file format specification, "Image resource blocks".
package enum PhotoshopResources {
  /// The identifier of the resource with IPTC-IIM datasets.
  package static let iptcIdentifier = 0x0404
  /// The identifier of the resource with the names of the programs that wrote and read the file.
  package static let versionIdentifier = 0x0421
  /// The identifier of the resource with an Exif block.
  package static let exifIdentifier = 0x0422
  /// The identifier of the resource with an XMP packet.
  package static let xmpIdentifier = 0x0424
  private static let maximumCount = 4096

  /// Calls `body` with the range in `bytes` of each resource's data, as far as resources are
  /// contiguous.
  package static func forEach(
    in bytes: [UInt8],
    _ body: (_ identifier: Int, _ data: Range<Int>) -> Void
  ) {
    let source = ByteSource(bytes)
    var offset = 0
    var count = 0
    while count < maximumCount, isSignature(at: offset, in: source),
      let identifier = source.uint16(at: offset + 4), let nameLength = source.uint8(at: offset + 6)
    {
      // The name's length byte and the name together are padded to an even length, and so are the
      // data.
      let lengthOffset = offset + 6 + (nameLength + 2) / 2 * 2
      guard let length = source.uint32(at: lengthOffset) else { return }
      let start = lengthOffset + 4
      guard length <= bytes.count - start else { return }
      body(identifier, start..<(start + length))
      offset = start + length + length % 2
      count += 1
    }
  }

  /// Returns the IPTC-IIM datasets, or nil when there are none.
  package static func iptc(in bytes: [UInt8]) -> [UInt8]? {
    var datasets: [UInt8]?
    forEach(in: bytes) { identifier, data in
      if identifier == iptcIdentifier, datasets == nil { datasets = Array(bytes[data]) }
    }
    return datasets
  }

  private static func isSignature(at offset: Int, in source: ByteSource) -> Bool {
    ["8BIM", "PHUT", "DCSR", "AgHg", "MeSa"].contains { source.holds($0, at: offset) }
  }
}
