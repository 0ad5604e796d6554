import MediaContainers

/// Handles fill and data elements at the start of an AAC packet, in which encoders put their
/// names.
///
/// Elements after the coded audio of a packet cannot be located without decoding it.
///
/// Source: ISO/IEC 14496-3 sections 4.4.2.1 (raw_data_block), 4.4.2.7 (fill_element,
/// extension_payload) and 4.4.2.4 (data_stream_element).
enum MovieAAC {
  private static let dataElement = 4
  private static let fillElement = 6

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
    _ body: (Range<Int>, Bitstream.Disposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard let first = source.uint8(at: sample.lowerBound),
      first >> 5 == dataElement || first >> 5 == fillElement,
      let bytes = source.bytes(in: sample, limit: 1 << 16)
    else { return try body(sample, .kept) }
    var bits = Bits(bytes)
    var anew = bytes
    elements: while let kind = bits.read(3) {
      switch kind {
      case fillElement:
        guard let count = bits.count(4, escape: 15) else { break elements }
        let start = bits.position
        let extent = bits.read(4) ?? 0
        // Only fill and fill data are cleared; the other extensions are band replication and
        // dynamic range.
        guard count > 0, extent <= 1, bits.skip(count * 8 - 4) else {
          guard count == 0 || bits.skip(count * 8 - 4) else { break elements }
          continue
        }
        if !isEncoderName(bytes, from: start + 4, to: start + count * 8) {
          Bits.clear(&anew, from: start + 4, to: start + count * 8)
        }
      case dataElement:
        guard bits.read(4) != nil, let isAligned = bits.read(1),
          let count = bits.count(8, escape: 255)
        else { break elements }
        if isAligned == 1 { bits.align() }
        let start = bits.position
        guard bits.skip(count * 8) else { break elements }
        Bits.clear(&anew, from: start, to: start + count * 8)
      default: break elements
      }
    }
    // Only the changed bytes are rewritten: constant bit rates may put fill into every packet.
    guard let from = bytes.indices.first(where: { anew[$0] != bytes[$0] }),
      let to = bytes.indices.last(where: { anew[$0] != bytes[$0] })
    else { return try body(sample, .kept) }
    let start = sample.lowerBound
    if from > 0 { try body(start..<(start + from), .kept) }
    try body((start + from)..<(start + to + 1), .rewritten(Array(anew[from...to]), "AAC fill"))
    if to + 1 < bytes.count { try body((start + to + 1)..<sample.upperBound, .kept) }
  }

  /// Returns whether these bits hold nothing but `libfaac 1.28`, from which decoders derive the
  /// encoder delay.
  private static func isEncoderName(_ bytes: [UInt8], from start: Int, to end: Int) -> Bool {
    var text = bytes[..<(end / 8)].dropFirst((start + 7) / 8)
    // The bits outside whole bytes must be zero, like everything around the name.
    var rest = bytes
    Bits.clear(&rest, from: text.startIndex * 8, to: text.endIndex * 8)
    var cleared = rest
    Bits.clear(&cleared, from: start, to: end)
    while text.first == 0 { text.removeFirst() }
    while text.last == 0 { text.removeLast() }
    let name = Array("libfaac ".utf8)
    return rest == cleared && text.starts(with: name) && text.count <= 16
      && text.dropFirst(name.count).allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

  /// Reads the bits of a packet, from the most significant bit of the first byte.
  private struct Bits {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func read(_ count: Int) -> Int? {
      guard bytes.count * 8 - position >= count else { return nil }
      var value = 0
      for _ in 0..<count {
        value = value << 1 | Int(bytes[position / 8] >> (7 - UInt8(position % 8)) & 1)
        position += 1
      }
      return value
    }

    /// Reads a number of `width` bits, to which another byte is added when all its bits are set.
    mutating func count(_ width: Int, escape: Int) -> Int? {
      guard let value = read(width) else { return nil }
      guard value == escape else { return value }
      // A fill element counts the escaped 15 as 14.
      return read(8).map { width == 4 ? value + $0 - 1 : value + $0 }
    }

    mutating func skip(_ count: Int) -> Bool {
      guard count >= 0, bytes.count * 8 - position >= count else { return false }
      position += count
      return true
    }

    mutating func align() {
      position = (position + 7) / 8 * 8
    }

    static func clear(_ bytes: inout [UInt8], from start: Int, to end: Int) {
      for position in start..<end {
        bytes[position / 8] &= ~(1 << (7 - UInt8(position % 8)))
      }
    }
  }
}
