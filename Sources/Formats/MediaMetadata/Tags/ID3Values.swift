package import MediaContainers
import MediaModel

/// Reads the values that may be kept from an ID3v2 tag of any version, and writes them as version
/// 2.4.
///
/// The written frames are `TIT2` title, `COMM` caption, `TCOP` copyright, `TPE1` creator, `TDRC`
/// date and time of recording (an ID3 timestamp has no offset), and `POPM` stars, which cannot say that
/// something is rejected.
///
/// Source: id3.org, ID3v2.4.0 native frames; ID3v2.3.0 for TYER, TDAT and TIME; Windows' reading of
/// POPM, which others follow.
package enum ID3Values {
  /// The values of POPM's byte for 0 to 5 stars.
  private static let stars: [UInt8] = [0, 1, 64, 128, 196, 255]

  /// Returns the values of a tag.
  package static func read(_ tag: ID3Tag, of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    var texts: [String: String] = [:]
    tag.forEachFrame(of: source) { frame in
      switch frame.name {
      case "COMM", "COM":
        if values.caption == nil { values.caption = comment(frame.content) }
      case "POPM", "POP":
        if values.rating == nil { values.rating = rating(frame.content) }
      default:
        guard frame.name.utf8.first == UInt8(ascii: "T"), texts[frame.name] == nil,
          let encoding = frame.content.first
        else { return }
        texts[frame.name] = text(frame.content.dropFirst(), encoding: encoding)
      }
    }
    values.title = checked(texts["TIT2"] ?? texts["TT2"])
    values.creator = checked(texts["TPE1"] ?? texts["TP1"])
    values.copyright = checked(texts["TCOP"] ?? texts["TCR"])
    values.creationDate = (texts["TDRC"]).flatMap(DateText.date(iso:)) ?? date(texts)
    // An ID3 timestamp has neither offset nor fraction, and reading the written tag must give the same date.
    values.creationDate?.offsetMinutes = nil
    values.creationDate?.fraction = nil
    return values
  }

  /// Returns a tag with these values, or nil when there is nothing to write.
  package static func tag(_ values: KeptMetadata) -> [UInt8]? {
    var frames: [UInt8] = []
    if let rating = values.rating, stars.indices.contains(rating) {
      frames += frame("POPM", [0, stars[rating], 0, 0, 0, 0])
    }
    let texts = [
      ("TIT2", values.title), ("TPE1", values.creator), ("TCOP", values.copyright),
      ("TDRC", values.creationDate?.text),
    ]
    for (name, text) in texts {
      if let text { frames += frame(name, [3] + text.utf8) }
    }
    if let caption = values.caption {
      frames += frame("COMM", [3] + Array("XXX".utf8) + [0] + caption.utf8)
    }
    guard !frames.isEmpty else { return nil }
    return Array("ID3".utf8) + [4, 0, 0] + syncSafe(frames.count) + frames
  }

  /// Returns the text of a frame's content without its encoding byte, up to the first terminator.
  package static func text(_ content: ArraySlice<UInt8>, encoding: UInt8) -> String? {
    switch encoding {
    case 0, 3: return MetadataText.checked(content)
    case 1, 2:
      var bytes = content
      var isBig = true
      if encoding == 1, bytes.count >= 2 {
        if bytes.starts(with: [0xFF, 0xFE]) { isBig = false }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
          bytes = bytes.dropFirst(2)
        }
      }
      var units: [UInt16] = []
      while let first = bytes.popFirst(), let second = bytes.popFirst() {
        let unit = isBig ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
        if unit == 0 || units.count > 4 * MetadataText.maximumLength { break }
        units.append(unit)
      }
      return MetadataText.checked(String(decoding: units, as: UTF16.self))
    default: return nil
    }
  }

  /// Returns a comment without a description: one with a description belongs to a program
  /// (`iTunNORM` …).
  package static func comment(_ content: [UInt8]) -> String? {
    guard content.count > 5, let encoding = content.first else { return nil }
    let texts = content.dropFirst(4)
    guard encoding == 1 || encoding == 2 else {
      return texts.first == 0 ? text(texts.dropFirst(), encoding: encoding) : nil
    }
    // An empty description may have its own byte order mark.
    let marks: [[UInt8]] = [[0xFF, 0xFE, 0, 0], [0xFE, 0xFF, 0, 0], [0, 0]]
    for mark in marks where texts.starts(with: mark) {
      return text(texts.dropFirst(mark.count), encoding: encoding)
    }
    return nil
  }

  private static func rating(_ content: [UInt8]) -> Int? {
    guard let end = content.firstIndex(of: 0), end + 1 < content.count else { return nil }
    switch content[end + 1] {
    case 0: return 0
    case 1..<32: return 1
    case 32..<96: return 2
    case 96..<160: return 3
    case 160..<224: return 4
    default: return 5
    }
  }

  /// Parses the date of version 2.3 and older: `yyyy`, `ddMM`, `HHmm`.
  private static func date(_ texts: [String: String]) -> CaptureDate? {
    guard let year = texts["TYER"] ?? texts["TYE"], year.utf8.count == 4,
      let day = texts["TDAT"] ?? texts["TDA"], day.utf8.count == 4,
      let time = texts["TIME"] ?? texts["TIM"], time.utf8.count == 4
    else { return nil }
    return DateText.date(
      iso: "\(year)-\(day.suffix(2))-\(day.prefix(2))T\(time.prefix(2)):\(time.suffix(2))"
    )
  }

  private static func checked(_ text: String?) -> String? {
    text.flatMap { MetadataText.checked($0) }
  }

  private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + syncSafe(content.count) + [0, 0] + content
  }

  private static func syncSafe(_ value: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) }
  }
}
