/// The fields of Opus' identification, which OpusHead of Ogg and Matroska and dOps of ISO media share; they
/// differ in the order of bytes.
///
/// Source: RFC 7845 section 5.1; RFC 8486 section 3.2 for the matrix of family 3; Encapsulation of Opus in
/// ISO Base Media File Format, section 4.3.2.
package struct OpusHeader {
  /// Where the fields stand.
  package enum Form {
    /// Behind the name of a packet, in little-endian order.
    case packet
    /// In the body of a box, in big-endian order.
    case box
  }

  /// The name in front of the fields of a packet.
  package static let packetName = "OpusHead"
  /// The number of bytes of the fields without a mapping of channels.
  private static let fixedLength = 11

  private let source: ByteSource
  private let form: Form
  /// The offset of the fields: behind the name of a packet.
  private let start: Int
  /// The family that tells what the channels are; nil for a header that ends early.
  private let family: Int?
  /// The number of channels; 0 for a header that ends early.
  package let channelCount: Int
  /// The number of samples at 48,000 Hz that a player skips at the start; 0 for a header that ends early.
  package let skippedSampleCount: Int

  /// Reads a packet, of which the name is not looked at, or the body of a box.
  package init(of source: ByteSource, _ form: Form) {
    (self.source, self.form) = (source, form)
    start = form == .packet ? Self.packetName.utf8.count : 0
    channelCount = source.uint8(at: start + 1) ?? 0
    skippedSampleCount = source.uint16(at: start + 2, order: form == .packet ? .little : .big) ?? 0
    family = source.uint8(at: start + Self.fixedLength - 1)
  }

  /// The number of streams in each packet.
  package var streamCount: Int {
    family == 0 ? 1 : source.uint8(at: start + Self.fixedLength) ?? 1
  }

  /// Returns the number of bytes of the fields: with a family of channels also the counts of streams and the
  /// stream of each channel, or a matrix. A packet's name counts.
  ///
  /// - Throws: `damaged` when it ends early, or for a channel of no stream; `stripUnsupported` for another
  ///   family.
  package func length() throws(MetadataError) -> Int {
    let name = form == .packet ? Self.packetName : "Opus"
    // Packets of another major version have other fields.
    let isKnown = form == .box || source.uint8(at: start).map { $0 < 16 } == true && channelCount > 0
    guard isKnown, let family else { throw MetadataError(.damaged, "\(name) that ends early") }
    let head = start + Self.fixedLength
    if family == 0 { return head }
    let streams = (source.uint8(at: head) ?? 0) + (source.uint8(at: head + 1) ?? 0)
    switch family {
    case 1, 2, 255:
      let map = source.bytes(in: (head + 2)..<(head + 2 + channelCount), limit: 255) ?? []
      // Silence, or one of the streams.
      guard map.allSatisfy({ $0 == 255 || $0 < streams }) else {
        throw MetadataError(.damaged, "\(name) that cannot be")
      }
      return head + 2 + channelCount
    case 3: return head + 2 + 2 * channelCount * streams
    default: throw MetadataError(.stripUnsupported, "Opus of channel family \(family)")
    }
  }
}
