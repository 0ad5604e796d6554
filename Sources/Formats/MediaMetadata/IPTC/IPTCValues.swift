import MediaContainers
import MediaModel

/// Reads the values that may be kept from IPTC-IIM datasets.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, section 1.6 (datasets) and record 2.
package enum IPTCValues {
  private static let maximumCount = 4096

  /// Calls `body` with each dataset; its data are ranges of `bytes`.
  package static func forEachDataset(
    in bytes: [UInt8],
    _ body: (_ record: Int, _ number: Int, _ whole: Range<Int>, _ data: Range<Int>) -> Void
  ) {
    let source = ByteSource(bytes)
    var offset = 0
    var count = 0
    while count < maximumCount, source.uint8(at: offset) == 0x1C,
      let record = source.uint8(at: offset + 1), let number = source.uint8(at: offset + 2),
      var length = source.uint16(at: offset + 3)
    {
      var start = offset + 5
      if length & 0x8000 != 0 {
        // In an extended dataset, this field is the number of bytes of its length.
        let size = length & 0x7FFF
        guard size <= 4, let long = source.unsigned(at: start, count: size) else { return }
        length = Int(long)
        start += size
      }
      guard length <= bytes.count - start else { return }
      body(record, number, offset..<(start + length), start..<(start + length))
      offset = start + length
      count += 1
    }
  }

  /// Returns the values of the datasets.
  package static func read(_ bytes: [UInt8]) -> KeptMetadata {
    var values = KeptMetadata()
    var creators: [String] = []
    var date: ArraySlice<UInt8>?
    var time: ArraySlice<UInt8>?
    forEachDataset(in: bytes) { record, number, _, range in
      guard record == 2 else { return }
      let data = bytes[range]
      switch number {
      case 5: values.title = values.title ?? MetadataText.checked(data)
      case 55: date = date ?? data
      case 60: time = time ?? data
      case 80: if let name = MetadataText.checked(data) { creators.append(name) }
      case 116: values.copyright = values.copyright ?? MetadataText.checked(data)
      case 120: values.caption = values.caption ?? MetadataText.checked(data)
      default: break
      }
    }
    values.creator = MetadataText.joined(creators)
    values.take(date.flatMap { creationDate($0, time) })
    return values
  }

  /// Parses `CCYYMMDD`, in which zeros stand for a month or a day that is not known, and `HHMMSS±HHMM`.
  static func creationDate(_ date: ArraySlice<UInt8>, _ time: ArraySlice<UInt8>?) -> CaptureDate? {
    let text = String(decoding: date.prefix(16), as: UTF8.self)
    guard let day = DateText.date(text, tag: dateTag), day.isDateOnly else { return nil }
    var date = time.flatMap { day.at(iptc: Array($0.prefix(16))) } ?? day
    // The dataset has to have an offset, and programs that know none write +0000.
    if date.offsetMinutes == 0 { date.offsetMinutes = nil }
    return date
  }

  /// The tag of a date; see ``CaptureDate/tag``.
  private static let dateTag = "IPTC:DateCreated"
}
