import MediaContainers
import MediaMetadata
import MediaModel

extension AVILayout {
  /// Lists a file with what its layout removes; nil for one that cannot be stripped.
  static func list(
    _ source: ByteSource,
    _ layout: AVILayout?,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let file = try AVIFile(of: source)
    var entries: [(name: String, range: Range<Int>)] =
      layout?.removed.entries
      ?? file.others.filter { $0.name != "JUNK" }.map { ($0.name, $0.range) }
    entries += file.others.filter { $0.name == "LIST INFO" }.map { ($0.name, $0.range) }
    entries.sort { $0.range.lowerBound < $1.range.lowerBound }
    var last: Range<Int>?
    for entry in entries where entry.range != last {
      last = entry.range
      guard entry.name == "LIST INFO" else {
        let isRemoved = entry.name != "IDIT" || listing.removes(.creationDate)
        listing.add(entry.name, at: entry.range, isRemoved: isRemoved) {
          MetadataListing.text(in: entry.range.dropFirst(8), of: source)
        }
        continue
      }
      listing.addInfo(in: entry.range.dropFirst(8), of: source)
    }
  }
}
