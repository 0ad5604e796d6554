package import MediaContainers

/// The configuration of a decoder of MPEG-4 sound, written anew without comments, without the headers of
/// the file that was coded, and without what follows.
///
/// Source: ISO/IEC 14496-3 sections 1.6.2.1 (AudioSpecificConfig), 4.4.1 (GASpecificConfig),
/// 4.5.1.1 (program_config_element), 4.6.20 (ELDSpecificConfig), 9.2.1 (MPEG_1_2_SpecificConfig).
package struct AACConfiguration {
  /// The longest configuration that is read, in bytes; that of a lossless coder has the headers of a
  /// file.
  package static let maximumLength = 1 << 20
  /// The longest configuration that is written, in bytes.
  private static let maximumWritten = 1 << 9
  /// The types of objects that general audio codes with and without tools against errors, and those that
  /// are read on their own: the layers of MPEG-1, ALS, low delay, and unified speech and audio.
  private static let general: Set<Int> = [1, 2, 3, 4, 17, 19, 20, 22, 23]
  private static let (layers, lossless, lowDelay, unified) = (32...34, 36, 39, 42)

  /// The bytes of the configuration; those of a comment are zero.
  package private(set) var bytes: [UInt8]

  /// The bytes of the configuration that are the header and the trailer of the file that was coded.
  package private(set) var embedded: [Range<Int>] = []

  private var reader: BitReader

  /// Returns whether the first elements of each packet can be read: common AAC, with or without
  /// band replication.
  package static func isRead(_ configuration: [UInt8]) -> Bool {
    AACElements.isRead(configuration)
  }

  /// Reads a configuration.
  ///
  /// - Throws: `damaged` when it ends early; `stripUnsupported` for an object type whose fields are not
  ///   known; `overLimit` for one of more than 512 bytes without the headers of a file.
  package init(_ configuration: [UInt8]) throws(MetadataError) {
    (bytes, reader) = (configuration, BitReader(configuration))
    var type = try readType()
    try readRate()
    let channels = try read(4)
    if type == 5 || type == 29 {
      try readRate()
      type = try readType()
      if type == 22 { _ = try read(4) }
    }
    switch type {
    case _ where Self.general.contains(type): try readGeneral(type, channels)
    case Self.lossless:
      let end = reader.position
      _ = try read(5)  // fillBits
      guard reader.position % 8 == 0 else {
        throw MetadataError(.stripUnsupported, "ALS within another codec")
      }
      let head = Self.cleared(Array(bytes.prefix(reader.position / 8)), after: end)
      let lossless = try ALSConfiguration(&reader)
      bytes = head + lossless.bytes
      embedded = lossless.embedded.map { $0.lowerBound / 8..<$0.upperBound / 8 }
      return
    case Self.lowDelay: try readLowDelay(channels)
    case Self.unified:
      for range in try USACConfiguration.unneeded(&reader) { BitReader.clear(&bytes, range) }
    case _ where Self.layers.contains(type): _ = try read(1)
    default: throw MetadataError(.stripUnsupported, "MPEG-4 sound of type \(type)")
    }
    // Protection against errors, of which only the forms without a description are read.
    if (17...27).contains(type) || type == Self.lowDelay, try read(2) > 1 {
      throw MetadataError(.stripUnsupported, "MPEG-4 sound with protection against errors")
    }
    readExtension()
    // Bits up to the end of the byte are zero.
    let end = (reader.position + 7) / 8
    guard end <= Self.maximumWritten else {
      throw MetadataError(.overLimit, "AAC configuration of more than 512 bytes")
    }
    bytes = Self.cleared(Array(bytes.prefix(end)), after: reader.position)
  }

  /// Returns bytes whose bits from `position` on are zero.
  private static func cleared(_ bytes: [UInt8], after position: Int) -> [UInt8] {
    var bytes = bytes
    BitReader.clear(&bytes, position..<max(position, 8 * bytes.count))
    return bytes
  }

  private mutating func readType() throws(MetadataError) -> Int {
    let type = try read(5)
    return type == 31 ? 32 + (try read(6)) : type
  }

  /// Reads the fields of general audio.
  private mutating func readGeneral(_ type: Int, _ channels: Int) throws(MetadataError) {
    _ = try read(1)  // frameLengthFlag
    if try read(1) == 1 { _ = try read(14) }  // dependsOnCoreCoder, coreCoderDelay
    let isExtended = try read(1) == 1  // extensionFlag
    if channels == 0 { try readProgram() }
    if type == 20 { _ = try read(3) }  // layerNr
    guard isExtended else { return }
    if type == 22 { _ = try read(5 + 11) }  // numOfSubFrame, layer_length
    // aacSectionDataResilienceFlag, aacScalefactorDataResilienceFlag, aacSpectralDataResilienceFlag
    if [17, 19, 20, 23].contains(type) { _ = try read(3) }
    if type > 4 { _ = try read(1) }  // extensionFlag3
  }

  /// Reads the fields of enhanced low delay; its extensions are other codecs.
  private mutating func readLowDelay(_ channels: Int) throws(MetadataError) {
    _ = try read(4)  // frameLengthFlag and three flags against errors
    if try read(1) == 1 {  // ldSbrPresentFlag
      _ = try read(2)  // ldSbrSamplingRate, ldSbrCrcFlag
      let counts = [1: 1, 2: 1, 3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 11: 4, 12: 4, 14: 4]
      for _ in 0..<(counts[channels] ?? 0) {
        // bs_amp_res, bs_start_freq, bs_stop_freq, bs_xover_band, bs_reserved
        _ = try read(1 + 4 + 4 + 3 + 2)
        let (hasExtra1, hasExtra2) = (try read(1), try read(1))  // bs_header_extra_1, bs_header_extra_2
        _ = try read(5 * hasExtra1 + 6 * hasExtra2)
      }
    }
    guard try read(4) == 0 else {  // eldExtType
      throw MetadataError(.stripUnsupported, "enhanced low delay with an extension")
    }
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
