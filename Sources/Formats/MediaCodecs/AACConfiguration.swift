package import MediaContainers

/// The configuration of an AAC decoder, written anew without comments and without what follows.
///
/// Source: ISO/IEC 14496-3 sections 1.6.2.1 (AudioSpecificConfig), 4.4.1 (GASpecificConfig) and
/// 4.5.1.1 (program_config_element).
package struct AACConfiguration {
  /// The longest configuration that is read, in bytes.
  private static let maximumLength = 1 << 9

  /// The bytes of the configuration; those of a comment are zero.
  package private(set) var bytes: [UInt8]

  private var reader: BitReader

  /// Returns whether the first elements of each packet can be read: common AAC, with or without
  /// band replication.
  package static func isRead(_ configuration: [UInt8]) -> Bool {
    AACElements.isRead(configuration)
  }

  /// Reads a configuration.
  ///
  /// - Throws: `damaged` when it ends early; `stripUnsupported` for an object type other than common
  ///   AAC.
  package init(_ configuration: [UInt8]) throws(MetadataError) {
    guard configuration.count <= Self.maximumLength else {
      throw MetadataError(.overLimit, "AAC configuration of more than 512 bytes")
    }
    (bytes, reader) = (configuration, BitReader(configuration))
    var type = try read(5)
    try readRate()
    let channels = try read(4)
    if type == 5 || type == 29 {
      try readRate()
      type = try read(5)
    }
    guard [1, 2, 3, 4].contains(type) else {
      throw MetadataError(.stripUnsupported, "AAC of type \(type)")
    }
    _ = try read(1)
    if try read(1) == 1 { _ = try read(14) }
    _ = try read(1)
    if channels == 0 { try readProgram() }
    readExtension()
    // Bits up to the end of the byte are zero.
    let end = (reader.position + 7) / 8
    if reader.position % 8 != 0 { bytes[end - 1] &= 0xFF << UInt8(8 - reader.position % 8) }
    bytes = Array(bytes.prefix(end))
  }

  private mutating func read(_ count: Int) throws(MetadataError) -> Int {
    guard let value = reader.read(count) else {
      throw MetadataError(.damaged, "AAC configuration that ends early")
    }
    return value
  }

  private mutating func readRate() throws(MetadataError) {
    if try read(4) == 15 { _ = try read(24) }
  }

  /// Reads the places of the channels, and clears the comment.
  private mutating func readProgram() throws(MetadataError) {
    _ = try read(4 + 2 + 4)
    var bits = 0
    for width in [4, 4, 4] { bits += 5 * (try read(width)) }
    bits += 4 * (try read(2))
    bits += 4 * (try read(3))
    bits += 5 * (try read(4))
    for width in [4, 4, 3] where try read(1) == 1 { _ = try read(width) }
    _ = try read(0)
    for _ in 0..<bits { _ = try read(1) }
    reader.align()
    let count = try read(8)
    let start = reader.position / 8
    for _ in 0..<count { _ = try read(8) }
    for index in start..<(start + count) { bytes[index] = 0 }
  }

  /// Reads the signal of band replication that may follow; other data are not part of it.
  private mutating func readExtension() {
    let start = reader
    guard (try? read(11)) == 0x2B7, (try? read(5)) == 5, let isUsed = try? read(1) else {
      reader = start
      return
    }
    if isUsed == 1 {
      guard (try? readRate()) != nil else {
        reader = start
        return
      }
    }
    let end = reader
    guard (try? read(11)) == 0x548, (try? read(1)) != nil else {
      reader = end
      return
    }
  }
}
