internal import MediaModel
internal import MediaSyntax

/// The date of digitizing in a packet, `xmp:CreateDate`.
///
/// Source: MWG, Guidelines for Handling Image Metadata 2.0, section 5.5: it is DateTimeDigitized of Exif.
package enum XMPDigitization {
  /// Compares the moments of capture and of digitizing of a file.
  ///
  /// - Parameters:
  ///   - packet: The packet of the file; nil without one. It counts more than the Exif block.
  ///   - original: The moment of capture in its Exif block.
  ///   - digitized: The moment of digitizing there.
  /// - Returns: Whether the file has both, and they differ.
  package static func isApart(
    in packet: [UInt8]?,
    original: String?,
    digitized: String?
  ) -> Bool {
    let properties = packet.map { XMPProperties($0) }
    func first(_ namespace: String, _ name: String) -> String? {
      properties?[namespace, name].first
    }
    let captureText =
      first(XMPNamespace.exif, "DateTimeOriginal") ?? first(XMPNamespace.photoshop, "DateCreated")
      ?? original
    let digitizedText = first(XMPNamespace.basic, "CreateDate") ?? digitized
    guard let captured = captureText.flatMap({ DateText.date($0, tag: "") }),
      let made = digitizedText.flatMap({ DateText.date($0, tag: "") })
    else { return false }
    // One of them may be a day alone.
    guard captured.local.hasPrefix(made.local) || made.local.hasPrefix(captured.local) else {
      return true
    }
    guard let offset = captured.offsetMinutes, let other = made.offsetMinutes else { return false }
    return offset != other
  }

  /// Returns a packet that ``MediaSyntax/XMPPacket`` wrote, without its date of digitizing.
  package static func removed(from own: [UInt8]) -> [UInt8] {
    var tokenizer = XMLTokenizer(own, normalizesLineEnds: false, maximumTokenCount: 100_000)
    var start: Int?
    while let token = try? tokenizer.next() {
      switch token.content {
      case .start("xmp:CreateDate", _, _): start = token.offset
      case .end("xmp:CreateDate"):
        guard let start else { return own }
        return Array(own[..<start] + own[tokenizer.index...])
      default: break
      }
    }
    return own
  }
}
