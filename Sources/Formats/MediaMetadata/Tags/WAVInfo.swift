package import MediaContainers
import MediaModel

/// Reads and writes the LIST chunk of type INFO, which holds the texts of a WAV.
///
/// The written texts are `INAM` title, `ICMT` caption, `ICOP` copyright, `IART` creator, `ICRD`
/// date and time, and `IRTD` stars, in UTF-8, each terminated by a zero.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, INFO list chunk.
package enum WAVInfo {
  private static let maximumText = 1 << 16
  private static let maximumChunks = 1024

  /// Calls `body` with each text of a list; `data` is its range with the list type.
  package static func forEach(
    of source: ByteSource,
    in data: Range<Int>,
    _ body: (_ type: FourCharacterCode, _ text: Range<Int>) -> Void
  ) {
    guard source.holds("INFO", at: data.lowerBound) else { return }
    var position = data.lowerBound + 4
    var count = 0
    while count < maximumChunks, data.upperBound - position >= 8,
      let type = source.code(at: position),
      let length = source.uint32(at: position + 4, order: .little),
      length <= data.upperBound - position - 8
    {
      count += 1
      body(type, (position + 8)..<(position + 8 + length))
      position += 8 + length + length % 2
    }
  }

  /// Returns the values of a list, and calls `take` with the dates that it states.
  static func read(
    _ source: ByteSource,
    in data: Range<Int>,
    _ take: (CaptureDate) -> Void = { _ in }
  ) -> KeptMetadata {
    var values = KeptMetadata()
    forEach(of: source, in: data) { type, range in
      guard let bytes = source.bytes(in: range.prefix(maximumText), limit: maximumText),
        let text = MetadataText.checked(bytes)
      else { return }
      let name = String(decoding: type.bytes, as: UTF8.self)
      if PlaceStatements.holds("LIST INFO", name, bytes) { values.hasUnreadPlace = true }
      switch type {
      case "INAM": values.title = values.title ?? text
      case "ICMT": values.caption = values.caption ?? text
      case "ICOP": values.copyright = values.copyright ?? text
      case "IART": values.creator = values.creator ?? text
      case "ICRD":
        let dates = WrittenDate.dates(text, tag: "ICRD")
        dates.forEach(take)
        values.creationDate = values.creationDate ?? KeptMetadata.anyDate(of: dates)
      case "IRTD": values.rating = values.rating ?? MetadataText.rating(text)
      default: break
      }
    }
    return values
  }

  /// Returns the data of a LIST chunk with these values, or nil when there is nothing to write.
  package static func list(_ values: KeptMetadata) -> [UInt8]? {
    let texts: [(FourCharacterCode, String?)] = [
      ("INAM", values.title), ("ICMT", values.caption), ("ICOP", values.copyright),
      ("IART", values.creator), ("ICRD", values.creationDate?.text),
      ("IRTD", values.rating.map { String($0) }),
    ]
    var list: [UInt8] = []
    for (type, text) in texts {
      if let text { list += RIFFChunk.header(type, length: text.utf8.count + 1) + text.utf8 + [0] }
      if list.count % 2 == 1 { list.append(0) }
    }
    return list.isEmpty ? nil : Array("INFO".utf8) + list
  }
}

/// Reads the caption, creator, date and time of the broadcast extension.
///
/// Source: EBU Tech 3285 version 2, section 2.3.
enum BroadcastExtension {
  static func read(_ source: ByteSource, in data: Range<Int>) -> KeptMetadata {
    var values = KeptMetadata()
    guard let bytes = source.bytes(in: data.prefix(338), limit: 338), bytes.count == 338 else {
      return values
    }
    values.caption = MetadataText.checked(bytes[0..<256])
    values.creator = MetadataText.checked(bytes[256..<288])
    let date = String(decoding: bytes[320..<330], as: UTF8.self)
    let time = String(decoding: bytes[330..<338], as: UTF8.self)
    values.creationDate = DateText.date(iso: date + "T" + time)
    return values
  }
}
