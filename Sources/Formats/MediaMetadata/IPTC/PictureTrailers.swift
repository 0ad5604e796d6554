package import MediaContainers

/// Finds IPTC-IIM datasets behind a picture, in a trailer of AFCP or of FotoStation.
///
/// A trailer ends with how long it is or where it begins, and another one may stand in front of it.
///
/// Source: AXS, File Concatenation Protocol (AFCP); ExifTool, AFCP.pm and FotoStation.pm.
package enum PictureTrailers {
  private static let maximumTrailers = 16
  private static let maximumEntries = 64
  private static let fotoStation: [UInt8] = [0xA1, 0xB2, 0xC3, 0xD4]

  /// Returns the datasets of each trailer at the end of a file, the last trailer first.
  package static func iptc(in source: ByteSource) -> [Range<Int>] {
    var datasets: [Range<Int>] = []
    var end = source.length
    for _ in 0..<maximumTrailers {
      if source.holds(fotoStation, at: end - 4) {
        // A type, 1 for IPTC, and the length of the whole.
        guard let type = source.uint16(at: end - 10), let length = source.uint32(at: end - 8),
          length >= 10, length <= end
        else { break }
        if type == 1 { datasets.append((end - length)..<(end - 10)) }
        end -= length
      } else if let start = concatenation(before: end, in: source, &datasets) {
        end = start
      } else {
        break
      }
    }
    return datasets
  }

  /// Adds the datasets of an AFCP that ends there; returns where it begins, nil without one.
  private static func concatenation(
    before end: Int,
    in source: ByteSource,
    _ datasets: inout [Range<Int>]
  ) -> Int? {
    let isBig = source.holds("AXS!", at: end - 12)
    guard isBig || source.holds("AXS*", at: end - 12) else { return nil }
    let order: ByteOrder = isBig ? .big : .little
    // The mark, a version, the number of entries; each entry has a name, a length and an offset.
    guard let start = source.uint32(at: end - 8, order: order), start <= end - 24,
      source.holds(isBig ? "AXS!" : "AXS*", at: start),
      let count = source.uint16(at: start + 6, order: order)
    else { return nil }
    for index in 0..<min(count, maximumEntries) {
      let entry = start + 12 + 12 * index
      guard source.holds("IPTC", at: entry), let length = source.uint32(at: entry + 4, order: order),
        let offset = source.uint32(at: entry + 8, order: order), offset >= start,
        offset + length <= end - 12
      else { continue }
      datasets.append(offset..<(offset + length))
    }
    return start
  }
}
