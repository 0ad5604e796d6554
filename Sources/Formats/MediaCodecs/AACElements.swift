import MediaContainers

/// Handles the elements at the start of an AAC packet that hold no coded audio: fill, data, and the
/// program's comment.
///
/// Encoders put their names into them. Elements after the coded audio of a packet cannot be located
/// without decoding it.
///
/// Source: ISO/IEC 14496-3 sections 4.4.2.1 (raw_data_block), 4.4.2.7 (fill_element,
/// extension_payload), 4.4.2.4 (data_stream_element) and 4.4.1.1 (program_config_element).
enum AACElements {
  private static let dataElement = 4
  private static let programElement = 5
  private static let fillElement = 6
  /// The types of fill that a decoder uses: dynamic range, surround and band replication.
  private static let usedFill: Set<Int> = [11, 12, 13, 14]
  private static let fillOfOneValue = 1

  /// Returns whether the first element of each packet can be identified, which the audio object
  /// type decides.
  ///
  /// - Returns: Whether `configuration`, an AudioSpecificConfig, describes common AAC, with or
  ///   without SBR and PS.
  static func isRead(_ configuration: [UInt8]) -> Bool {
    configuration.first.map { [1, 2, 3, 4, 5, 29].contains($0 >> 3) } ?? false
  }

  static func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard let first = source.uint8(at: sample.lowerBound),
      [dataElement, programElement, fillElement].contains(first >> 5),
      let bytes = source.bytes(in: sample, limit: 1 << 16)
    else { return try body(sample, .kept) }
    let anew = cleaned(bytes)
    // Only the changed bytes are rewritten: constant bit rates may put fill into every packet.
    guard let from = bytes.indices.first(where: { anew[$0] != bytes[$0] }),
      let to = bytes.indices.last(where: { anew[$0] != bytes[$0] })
    else { return try body(sample, .kept) }
    let start = sample.lowerBound
    if from > 0 { try body(start..<(start + from), .kept) }
    try body((start + from)..<(start + to + 1), .rewritten(Array(anew[from...to]), "AAC fill"))
    if to + 1 < bytes.count { try body((start + to + 1)..<sample.upperBound, .kept) }
  }

  /// Returns a packet of the same length whose first elements say nothing.
  private static func cleaned(_ bytes: [UInt8]) -> [UInt8] {
    var bits = BitReader(bytes)
    var anew = bytes
    while let kind = bits.read(3) {
      switch kind {
      case fillElement:
        guard let length = count(4, escape: 15, &bits) else { return anew }
        let start = bits.position
        guard bits.skip(length * 8) else { return anew }
        clearFill(&anew, start..<(start + length * 8))
      case dataElement:
        guard bits.read(4) != nil, let isAligned = bits.read(1),
          let length = count(8, escape: 255, &bits)
        else { return anew }
        if isAligned == 1 { bits.align() }
        let start = bits.position
        guard bits.skip(length * 8) else { return anew }
        BitReader.clear(&anew, start..<(start + length * 8))
      case programElement:
        guard let text = comment(&bits) else { return anew }
        BitReader.clear(&anew, text)
      default: return anew
      }
    }
    return anew
  }

  /// Reads a number of `width` bits, to which another byte is added when all its bits are set.
  private static func count(_ width: Int, escape: Int, _ bits: inout BitReader) -> Int? {
    guard let value = bits.read(width) else { return nil }
    guard value == escape else { return value }
    // A fill element counts the escaped 15 as 14.
    return bits.read(8).map { width == 4 ? value + $0 - 1 : value + $0 }
  }

  /// Clears a fill element's content, except for types that a decoder uses, bytes of the one value
  /// that fill has, and the encoder name that decoders look for.
  private static func clearFill(_ bytes: inout [UInt8], _ content: Range<Int>) {
    var bits = BitReader(bytes, at: content.lowerBound)
    guard !content.isEmpty, let kind = bits.read(4), !usedFill.contains(kind) else { return }
    if kind == fillOfOneValue, bits.read(4) == 0 {
      while bits.position < content.upperBound, bits.read(8) == 0xA5 {}
      var last = BitReader(bytes, at: content.upperBound - 8)
      if bits.position == content.upperBound, content.count == 8 || last.read(8) == 0xA5 { return }
    }
    // FFmpeg skips 13 bits before the name.
    let name = content.lowerBound + 17
    let isNamed =
      kind == 0 && name < content.upperBound
      && isEncoderName(bytes, name..<content.upperBound)
    BitReader.clear(&bytes, content)
    if isNamed { BitReader.write(encoderName, over: &bytes, at: name) }
  }

  /// The name of FAAC, from which decoders derive the encoder delay, with a version that says
  /// nothing.
  ///
  /// Source: FFmpeg's libavcodec/aacdec_template.c, decode_fill.
  private static let encoderName = Array("libfaac 1.0".utf8)

  /// Returns whether these bits begin with `libfaac`, a number, a dot and a digit.
  private static func isEncoderName(_ bytes: [UInt8], _ content: Range<Int>) -> Bool {
    guard content.count >= encoderName.count * 8 else { return false }
    var bits = BitReader(bytes, at: content.lowerBound)
    let text = (0..<min(content.count / 8, 24)).compactMap { _ in bits.read(8) }
    let name = Array("libfaac ".utf8).map { Int($0) }
    let digits = 0x30...0x39
    let version = text.dropFirst(name.count)
    let fraction = version.drop { digits.contains($0) }
    return text.starts(with: name) && fraction.count < version.count && fraction.first == 0x2E
      && fraction.dropFirst().first.map { digits.contains($0) } == true
  }

  /// Reads the rest of a program_config_element and returns the bits of its comment.
  static func comment(_ bits: inout BitReader) -> Range<Int>? {
    guard bits.skip(4 + 2 + 4), let front = bits.read(4), let side = bits.read(4),
      let back = bits.read(4), let low = bits.read(2), let data = bits.read(3),
      let coupled = bits.read(4)
    else { return nil }
    // Mono mixdown, stereo mixdown, matrix mixdown.
    for width in [4, 4, 3] {
      guard let isThere = bits.read(1), bits.skip(isThere * width) else { return nil }
    }
    guard bits.skip(5 * (front + side + back + coupled) + 4 * (low + data)) else { return nil }
    bits.align()
    guard let count = bits.read(8), bits.skip(count * 8) else { return nil }
    return (bits.position - count * 8)..<bits.position
  }
}
