import MediaContainers
import MediaMetadata
import MediaModel

/// The moments of capture and of digitizing that the Exif directory of a block states.
///
/// Source: Exif 2.32 section 4.6.5, tags 0x9003, 0x9004, 0x9011, 0x9012, 0x9291 and 0x9292.
struct ExifDates {
  /// The tags of a moment.
  struct Moment {
    static let original = Moment(date: 0x9003, offset: 0x9011, fraction: 0x9291)
    static let digitized = Moment(date: 0x9004, offset: 0x9012, fraction: 0x9292)

    var date: Int
    var offset: Int
    var fraction: Int
  }

  /// Longer than any of the texts.
  private static let mostBytes = 64

  private let texts: [Int: (range: Range<Int>, bytes: [UInt8])]

  /// Reads the texts of a block.
  init(_ block: TIFFBlock) {
    var texts: [Int: (range: Range<Int>, bytes: [UInt8])] = [:]
    let tags = Set([Moment.original, .digitized].flatMap { [$0.date, $0.offset, $0.fraction] })
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      guard entry.tag == TIFFTag.exifIFD, let directory = block.number(entry) else { return }
      block.forEachEntry(ofDirectoryAt: directory) { entry in
        guard tags.contains(entry.tag), texts[entry.tag] == nil,
          let bytes = block.source.bytes(in: entry.value, limit: Self.mostBytes)
        else { return }
        texts[entry.tag] = (entry.value, bytes)
      }
    }
    self.texts = texts
  }

  /// A moment as it is written, with its offset behind it; nil when it is not there.
  func text(_ moment: Moment) -> String? {
    guard let date = texts[moment.date]?.bytes.prefix(19) else { return nil }
    return String(decoding: date + (texts[moment.offset]?.bytes.prefix(6) ?? []), as: UTF8.self)
  }

  /// Changes the date of capture where it has room for one in full, and that of digitizing where it is the same one, or
  /// the only one; a year or a month alone is none of digitizing.
  func patch(_ date: CaptureDate, _ patches: inout BytePatches) {
    patch(.original, date, &patches)
    if isOneMoment, !date.isCoarse || texts[Moment.original.date] != nil { patch(.digitized, date, &patches) }
  }

  /// Whether no date of capture differs from that of digitizing.
  private var isOneMoment: Bool {
    guard let original = texts[Moment.original.date]?.bytes else { return true }
    let offset = texts[Moment.digitized.offset]?.bytes
    return texts[Moment.digitized.date]?.bytes == original
      && (offset == nil || offset == texts[Moment.original.offset]?.bytes)
  }

  /// Changes a moment. An offset and a fraction that belonged to another one become blank, and so does what is not
  /// known of the date.
  private func patch(_ moment: Moment, _ date: CaptureDate, _ patches: inout BytePatches) {
    guard let own = texts[moment.date], own.bytes.count == 20 else { return }
    let text = Array(ExifWriter.text(of: date).utf8)
    let isSame = own.bytes.filter(Self.isDigit).starts(with: text.filter(Self.isDigit))
    if !isSame {
      replace(moment.date, text, &patches)
      let room = (texts[moment.fraction]?.bytes.count ?? 0) - 1
      let fraction = Array((date.fraction ?? "").utf8)
      let padding = [UInt8](repeating: .space, count: max(0, room - fraction.count))
      replace(moment.fraction, Array((fraction + padding).prefix(max(0, room))), &patches)
    }
    if let minutes = date.offsetMinutes, !date.isDateOnly, texts[moment.offset]?.bytes.count == 7 {
      replace(moment.offset, Array(CivilDate.offset(minutes: minutes).utf8), &patches)
    } else if !isSame {
      blank(moment.offset, &patches)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit
  }

  /// Fills a text with spaces, which stand for what is not known.
  private func blank(_ tag: Int, _ patches: inout BytePatches) {
    guard let own = texts[tag] else { return }
    replace(tag, own.bytes.map { $0 == 0 ? 0 : UInt8.space }, &patches)
  }

  /// Replaces the beginning of a text, unless it is that already.
  private func replace(_ tag: Int, _ bytes: [UInt8], _ patches: inout BytePatches) {
    guard let own = texts[tag], bytes.count <= own.bytes.count, !own.bytes.starts(with: bytes)
    else { return }
    patches.replace(own.range.prefix(bytes.count), with: bytes)
  }
}
