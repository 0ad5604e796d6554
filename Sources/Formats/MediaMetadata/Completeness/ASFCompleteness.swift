import MediaContainers

/// Tells whether an ASF has the objects that it says it has.
///
/// Source: Microsoft, Advanced Systems Format specification 01.20.06 sections 2, 3.2 and 5.
enum ASFCompleteness {
  private static let data: [UInt8] = [
    0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
  ]
  private static let simpleIndex: [UInt8] = [
    0x90, 0x08, 0x00, 0x33, 0xB1, 0xE5, 0xCF, 0x11, 0x89, 0xF4, 0, 0xA0, 0xC9, 0x03, 0x49, 0xCB,
  ]
  private static let index: [UInt8] = [
    0xD3, 0x29, 0xE2, 0xD6, 0xDA, 0x35, 0xD1, 0x11, 0x90, 0x34, 0, 0xA0, 0xC9, 0x03, 0x49, 0xBE,
  ]
  private static let maximumObjects = 1024

  /// Returns the object that ends behind the file; a broadcast states no length. The length of the
  /// whole file counts only where the objects do not follow one another to its end.
  static func missingPart(of source: ByteSource) -> String? {
    let properties = properties(of: source)
    let flags = properties.flatMap { source.uint32(at: $0 + 88, order: .little) } ?? 0
    guard flags & 1 == 0 else { return nil }
    let names = [
      (ASFObject.header, "header object"), (data, "data object"), (simpleIndex, "index object"),
      (index, "index object"),
    ]
    var position = 0
    for _ in 0..<maximumObjects {
      guard position < source.length else { return nil }
      guard let name = names.first(where: { source.holds($0.0, at: position) })?.1,
        let length = source.unsigned(at: position + 16, count: 8, order: .little), length >= 24
      else { break }
      guard length <= UInt64(source.length - position) else { return name }
      position += Int(length)
    }
    let stated = properties.flatMap { source.uint64(at: $0 + 40, order: .little) } ?? 0
    return stated > source.length ? "bytes that its header counts" : nil
  }

  /// Returns the offset of the object with the properties of the whole file.
  private static func properties(of source: ByteSource) -> Int? {
    var position = 30
    for _ in 0..<maximumObjects {
      if source.holds(ASFObject.fileProperties, at: position) { return position }
      guard let length = source.uint64(at: position + 16, order: .little), length >= 24,
        length <= source.length - position
      else { return nil }
      position += length
    }
    return nil
  }
}
