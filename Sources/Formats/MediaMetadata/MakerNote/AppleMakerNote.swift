import MediaContainers
import MediaModel

/// The two numbers from which a reader of Apple's gain maps computes the headroom of a display.
///
/// Source: Apple, "Applying Apple HDR effect to your photos"; exiftool `Apple.pm`, HDRHeadroom and
/// HDRGain.
package struct AppleBrightness: Sendable, Hashable {
  /// The signed fraction of tag 0x0021.
  package var headroom: ExifValue.Fraction?
  /// The signed fraction of tag 0x0030.
  package var gain: ExifValue.Fraction?
}

/// The values of Apple's maker note: a separate directory whose offsets count from the start of the
/// note.
///
/// Source: exiftool `lib/Image/ExifTool/Apple.pm`.
struct AppleMakerNote {
  private static let contentIdentifierTag = 0x0011
  private static let headroomTag = 0x0021
  private static let gainTag = 0x0030
  private static let imageTypeTag = 0x000A
  private static let burstTag = 0x000B
  private static let maximumLength = 1 << 20

  /// The identifier that the still of a live photo shares with its movie.
  var contentIdentifier: String?
  /// The gain map numbers.
  var brightness: AppleBrightness?
  /// The identifier that the pictures of one burst share.
  var burst: String?
  /// Whether the picture was made of several exposures.
  var isHDR = false

  /// Returns a note that holds only the values, with 14 bytes of header and a directory; nil when
  /// there are none.
  var bytes: [UInt8]? {
    var fields: [TIFFField] = []
    if let contentIdentifier {
      fields.append(.text(Self.contentIdentifierTag, contentIdentifier))
    }
    for (tag, fraction) in [
      (Self.headroomTag, brightness?.headroom), (Self.gainTag, brightness?.gain),
    ] {
      guard let fraction else { continue }
      let value = fraction.above.bytes(4) + fraction.below.bytes(4)
      fields.append(TIFFField(tag: tag, type: 10, count: 1, value: value))
    }
    guard !fields.isEmpty else { return nil }
    return Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
      + TIFFWriter.directory(fields, at: 14)
  }
}

extension AppleMakerNote {
  /// Reads the note in the Exif directory at `offset`, if Apple's software wrote it.
  init(ofDirectoryAt offset: Int, of block: TIFFBlock) {
    var range: Range<Int>?
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      if entry.tag == ExifTagNumber.makerNote { range = range ?? entry.value }
    }
    let source = block.source
    guard let range, range.count >= 16, range.count <= Self.maximumLength,
      source.holds("Apple iOS\0", at: range.lowerBound)
    else { return }
    let order: ByteOrder = source.holds("II", at: range.lowerBound + 12) ? .little : .big
    let note = TIFFBlock(source, range, order: order, firstDirectory: 14)
    let exif = ExifHandle(order: order)
    let tags: Set = [Self.contentIdentifierTag, Self.headroomTag, Self.gainTag, Self.burstTag]
    exif.read(.image, tags: tags, at: note.firstDirectory, of: note)
    if case .text(let bytes) = exif.value(Self.burstTag, in: .image) {
      burst = ContentIdentifier.checked(bytes)
    }
    note.forEachEntry(ofDirectoryAt: note.firstDirectory) { entry in
      // The value is signed; 3 is a picture of several exposures, 4 one of these.
      if entry.tag == Self.imageTypeTag, entry.type == 9, entry.value.count == 4 {
        isHDR = isHDR || note.source.uint32(at: entry.value.lowerBound, order: order) == 3
      }
    }
    if case .text(let bytes) = exif.value(Self.contentIdentifierTag, in: .image) {
      contentIdentifier = ContentIdentifier.checked(bytes)
    }
    let fractions = [Self.headroomTag, Self.gainTag].map { tag -> ExifValue.Fraction? in
      guard case .signedFractions(let fractions) = exif.value(tag, in: .image) else { return nil }
      guard fractions.count == 1 else { return nil }
      // Both stand side by side, where they would have room for a text.
      let short = ShortFraction(fractions[0].above, fractions[0].below)
      return ExifValue.Fraction(above: short.above, below: short.below)
    }
    if fractions.contains(where: { $0 != nil }) {
      brightness = AppleBrightness(headroom: fractions[0], gain: fractions[1])
    }
  }
}

/// Apple's identifier that connects the still and the movie of a live photo.
enum ContentIdentifier {
  /// Returns the text of `bytes` when it looks like an identifier: 1 to 64 of `A-Z a-z 0-9 -`.
  static func checked(_ bytes: [UInt8]) -> String? {
    let text = bytes.prefix { $0 != 0 }
    guard (1...64).contains(text.count),
      text.allSatisfy({ $0.isASCIIAlphanumeric || $0 == .hyphen })
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }
}
