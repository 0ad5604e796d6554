import MediaContainers
import MediaEditing
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
        listing.add(entry.name, at: entry.range, isRemoved: true) {
          MetadataListing.text(in: entry.range.dropFirst(8), of: source)
        }
        continue
      }
      WAVInfo.forEach(of: source, in: entry.range.dropFirst(8)) { type, text in
        let name = EscapedText.printable(String(decoding: type.bytes, as: UTF8.self), limit: 80)
        let isRemoved = listing.removes(WAVStripper.exceptions[type])
        listing.add("LIST INFO/\(name)", at: text, isRemoved: isRemoved) {
          MetadataListing.text(in: text, of: source)
        }
      }
    }
  }
}
