import MediaContainers

/// The two numbers from which a reader of Apple's gain maps computes the headroom of a display.
///
/// Source: Apple, "Applying Apple HDR effect to your photos"; exiftool `Apple.pm`, HDRHeadroom and
/// HDRGain.
package struct AppleBrightness: Sendable, Hashable {
  /// The signed numerator and denominator of tag 0x0021.
  package var headroom: Fraction?
  /// The signed numerator and denominator of tag 0x0030.
  package var gain: Fraction?

  /// A signed fraction of two 32-bit numbers.
  package struct Fraction: Sendable, Hashable {
    /// The numerator.
    package var above: Int32
    /// The denominator.
    package var below: Int32
  }
}

/// Apple's maker note: a separate directory whose offsets count from the start of the note.
///
/// Source: exiftool `lib/Image/ExifTool/Apple.pm`.
enum AppleMakerNote {
  private static let contentIdentifierTag = 0x0011
  private static let headroomTag = 0x0021
  private static let gainTag = 0x0030
  private static let maximumLength = 1 << 20

  /// Returns the identifier that the still of a live photo shares with its movie, or nil.
  static func contentIdentifier(
    of source: ByteSource,
    in note: Range<Int>
  ) -> String? {
    var identifier: String?
    forEachEntry(of: source, in: note) { entry, _ in
      guard entry.tag == contentIdentifierTag, entry.type == 2, identifier == nil else { return }
      identifier = source.bytes(in: entry.value, limit: 128).flatMap(ContentIdentifier.checked)
    }
    return identifier
  }

  /// Returns the gain map numbers, or nil when the note has none.
  static func brightness(
    of source: ByteSource,
    in note: Range<Int>
  ) -> AppleBrightness? {
    var brightness = AppleBrightness()
    forEachEntry(of: source, in: note) { entry, order in
      guard entry.type == 10, entry.count == 1,
        let above = source.uint32(at: entry.value.lowerBound, order: order),
        let below = source.uint32(at: entry.value.lowerBound + 4, order: order)
      else { return }
      let fraction = AppleBrightness.Fraction(
        above: Int32(truncatingIfNeeded: above),
        below: Int32(truncatingIfNeeded: below)
      )
      switch entry.tag {
      case headroomTag: brightness.headroom = brightness.headroom ?? fraction
      case gainTag: brightness.gain = brightness.gain ?? fraction
      default: break
      }
    }
    return brightness == AppleBrightness() ? nil : brightness
  }

  /// Returns a note that holds only kept values, with 14 bytes of header and a directory; nil when
  /// there are none.
  static func note(of kept: KeptMetadata) -> [UInt8]? {
    var fields: [TIFFField] = []
    if let identifier = kept.contentIdentifier {
      fields.append(.text(contentIdentifierTag, identifier))
    }
    for (tag, fraction) in [
      (headroomTag, kept.brightness?.headroom), (gainTag, kept.brightness?.gain),
    ] {
      guard let fraction else { continue }
      let value = TIFFWriter.uint32(Int(fraction.above)) + TIFFWriter.uint32(Int(fraction.below))
      fields.append(TIFFField(tag: tag, type: 10, count: 1, value: value))
    }
    guard !fields.isEmpty else { return nil }
    return Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
      + TIFFWriter.directory(fields, at: 14)
  }

  private static func forEachEntry(
    of source: ByteSource,
    in note: Range<Int>,
    _ body: (TIFFEntry, ByteOrder) -> Void
  ) {
    guard note.count >= 16, note.count <= maximumLength,
      source.holds("Apple iOS\0", at: note.lowerBound)
    else { return }
    let order: ByteOrder = source.holds("II", at: note.lowerBound + 12) ? .little : .big
    let block = TIFFBlock(source, note, order: order, firstDirectory: 14)
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { body($0, order) }
  }
}

/// Apple's identifier that connects the still and the movie of a live photo.
enum ContentIdentifier {
  /// Returns the text of `bytes` when it looks like an identifier: 1 to 64 of `A-Z a-z 0-9 -`.
  static func checked(_ bytes: [UInt8]) -> String? {
    let text = bytes.prefix { $0 != 0 }
    guard (1...64).contains(text.count) else { return nil }
    for byte in text {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        continue
      default: return nil
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
