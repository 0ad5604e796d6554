package import MediaContainers
package import MediaModel
internal import MediaSyntax

/// Reads what a sidecar says about the file it belongs to.
package enum SidecarReader {
  /// Returns the description in a sidecar.
  ///
  /// An AAE tells that its file was edited and how, and nothing that a description has. Of a clip file nothing is
  /// read.
  ///
  /// - Throws: `MetadataError`: `damaged` for a file that is not wholly of the format, also one of more than
  ///   64 levels; `overLimit` for one of more than ``SidecarFormat/maximumBytes`` or 100,000 XML tokens.
  package static func description(
    of source: ByteSource,
    format: SidecarFormat
  ) throws(MetadataError) -> MediaDescription {
    if format.isClipFile { return MediaDescription() }
    guard source.length <= SidecarFormat.maximumBytes,
      let bytes = source.bytes(in: 0..<source.length, limit: SidecarFormat.maximumBytes)
    else {
      throw MetadataError(.overLimit, "bytes: at most \(SidecarFormat.maximumBytes) are read")
    }
    switch format {
    case .xmp: return try description(ofXMP: bytes)
    case .aae:
      try checkAdjustments(bytes)
      return MediaDescription()
    case .takeout: return try TakeoutSidecar.description(bytes)
    case .srt, .gpx, .xml: return MediaDescription()
    }
  }

  private static func description(
    ofXMP bytes: [UInt8]
  ) throws(MetadataError) -> MediaDescription {
    let properties = XMPProperties(utf8(bytes))
    if properties.isOverLimit {
      throw MetadataError(.overLimit, "XMP: at most \(XMPProperties.maximumTokens) tokens are read")
    }
    guard properties.isWhole else { throw MetadataError(.damaged, "no whole XMP packet") }
    var description: MediaDescription? = MediaDescription()
    XMPValues.describe(properties, into: &description)
    let values = XMPValues.read(properties)
    var completed = (description ?? MediaDescription()).completed(values)
    // Programs, and `export`, write a file's name as the title of its sidecar.
    completed.caption = values.caption
    completed.statesPlace = completed.statesPlace || PlaceStatements.hold(properties)
    completed.ownerExtension = properties[XMPNamespace.photoshop, "SidecarForExtension"].first
      .flatMap { text in
        let limit = 1...MediaDescription.maximumExtensionLength
        let isPlain = limit.contains(text.utf8.count) && text.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? text.lowercased() : nil
      }
    return completed
  }

  /// Source: the keys that Photos writes, see exiftool `PLIST.pm`.
  private static func checkAdjustments(_ bytes: [UInt8]) throws(MetadataError) {
    let reading = PropertyListReading(bytes)
    guard reading.issues.isEmpty,
      reading.members.contains(where: { $0.key.hasPrefix("adjustment") })
    else { throw MetadataError(.damaged, "no whole property list of adjustments") }
  }

  /// The packet in UTF-8 without a byte order mark; one in UTF-16 has such a mark.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count.isMultiple(of: 2) else {
      return bytes
    }
    let units = stride(from: 2, to: bytes.count, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
