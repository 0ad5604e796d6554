package import MediaContainers
package import MediaModel

/// Reads the names of places.
///
/// Source: GeoNames Gazetteer, `readme.txt`: a line for each place, 19 columns between tabs, UTF-8; its feature codes,
/// and `admin1CodesASCII.txt`, whose lines have 4 columns.
package enum GeoNamesFile {
  private static let columnCount = 19
  private static let columnCountOfRegions = 4
  /// The longest line in bytes: its longest column has 10,000 characters.
  private static let maximumLineLength = 64 << 10
  private static let tab = UInt8(ascii: "\t")
  /// Places that nobody lives in any more, and the parts of one.
  private static let noCities: Set<String> = ["PPLCH", "PPLH", "PPLQ", "PPLW", "PPLX"]

  /// Calls `take` with each populated place, and with each division of a country that names a region, in the
  /// order of the file. A place at 0, 0 is left out, and a longer name is cut.
  ///
  /// - Throws: `MetadataError`: `damaged` for a line that has other columns, or no place on Earth, and for a file
  ///   without a populated place; `overLimit` for one of more bytes or entries than the limits of ``PlaceNames``.
  package static func forEachEntry(
    of source: ByteSource,
    _ take: (GazetteerEntry) -> Void
  ) throws(MetadataError) {
    guard source.length <= PlaceNames.maximumBytes else {
      throw MetadataError(.overLimit, "bytes: at most \(PlaceNames.maximumBytes) are read")
    }
    var (start, number, count, hasCity) = (0, 0, 0, false)
    while start < source.length {
      number += 1
      let end = source.firstOffset(of: [UInt8.newline], in: start..<source.length) ?? source.length
      guard let line = source.bytes(in: start..<end, limit: maximumLineLength) else {
        throw MetadataError(.damaged, "line \(number) is longer than \(maximumLineLength) bytes")
      }
      start = end + 1
      if line.isEmpty { continue }
      guard let entry = try entry(line, number) else { continue }
      count += 1
      guard count <= PlaceNames.maximumCount else {
        throw MetadataError(.overLimit, "places: at most \(PlaceNames.maximumCount) are read")
      }
      hasCity = hasCity || entry.place != nil
      take(entry)
    }
    guard hasCity else {
      throw MetadataError(.damaged, "no line is of a populated place (feature class P)")
    }
  }

  /// The entry of a line; nil for one that is not used.
  private static func entry(
    _ line: [UInt8],
    _ number: Int
  ) throws(MetadataError) -> GazetteerEntry? {
    let columns = line.split(separator: tab, omittingEmptySubsequences: false)
    if columns.count == columnCountOfRegions, columns[0].count > 3,
      columns[0].dropFirst(2).first == .dot
    {
      return try entry(columns[1], nil, columns[0].prefix(2), columns[0].dropFirst(3), number)
    }
    guard columns.count == columnCount else {
      let count = Quantity.text(columns.count, "column")
      throw MetadataError(.damaged, "line \(number) has \(count), and not \(columnCount)")
    }
    func text(_ column: Int) -> String { String(decoding: columns[column], as: UTF8.self) }
    guard let latitude = GPXTrack.units(text(4)), let longitude = GPXTrack.units(text(5)),
      abs(latitude) <= 900_000_000, abs(longitude) <= 1_800_000_000
    else { throw MetadataError(.damaged, "line \(number) has no latitude and longitude") }
    let (kind, code) = (text(6), text(7))
    if kind == "A", code == "ADM1" {
      return try entry(columns[1], nil, columns[8], columns[10], number)
    }
    guard kind == "P", !noCities.contains(code),
      let place = MediaDescription.Place(latitude: latitude, longitude: longitude)
    else { return nil }
    return try entry(columns[1], place, columns[8], columns[10], number)
  }

  /// The entry of the columns that are used; nil for one without a name.
  private static func entry(
    _ name: ArraySlice<UInt8>,
    _ place: MediaDescription.Place?,
    _ country: ArraySlice<UInt8>,
    _ region: ArraySlice<UInt8>,
    _ number: Int
  ) throws(MetadataError) -> GazetteerEntry? {
    guard country.isEmpty || country.count == 2 && country.allSatisfy(\.isASCIIUppercase),
      region.count <= PlaceName.maximumCodeLength, region.allSatisfy({ (0x21...0x7E) ~= $0 })
    else { throw MetadataError(.damaged, "line \(number) has no code of a country and region") }
    return MetadataText.checked(name, limit: PlaceName.maximumLength).map { name in
      GazetteerEntry(
        name: name,
        place: place,
        country: String(decoding: country, as: UTF8.self),
        region: String(decoding: region, as: UTF8.self)
      )
    }
  }
}
