import MediaContainers
import MediaMetadata
import MediaModel

extension MatroskaLayout {
  /// Lists a file with what its layout removes; nil for one that cannot be stripped.
  static func list(
    _ source: ByteSource,
    _ layout: MatroskaLayout?,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let file = try MatroskaFile(of: source)
    var entries: [(path: String, range: Range<Int>, exception: MetadataException?)] = []
    for part in file.parts {
      switch part.type {
      case .tags: entries += tags(part, of: source)
      case .info:
        for child in EBMLElements(source, in: part.data) {
          let exception: MetadataException? =
            child.type == .dateUTC ? .creationDate : child.type == .title ? .caption : nil
          let isName = child.type == .muxingApp || child.type == .writingApp
          guard exception != nil || (isName && !child.data.isEmpty) else { continue }
          entries.append(("Info/\(child.name)", child.data, exception))
        }
      default: continue
      }
    }
    // Parts that a plan removes beside those; none of them for a file that cannot be stripped.
    let listed = entries.map(\.range)
    for removed in layout?.removed.entries ?? [] {
      let isListed = listed.contains { removed.range.contains($0.lowerBound) }
      if !isListed { entries.append((removed.name, removed.range, nil)) }
    }
    if layout == nil {
      for part in file.parts where !MatroskaAllowList.allows(part.type, in: .segment) {
        let isSpace = part.type == .void || part.type == .cRC32 || part.type == .tags
        if !isSpace { entries.append((part.name, part.range, nil)) }
      }
    }
    for entry in entries.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      listing.add(
        entry.path,
        at: entry.range,
        isRemoved: listing.removes(entry.exception),
        exception: entry.exception
      ) {
        MetadataListing.text(in: entry.range, of: source)
      }
    }
  }

  /// Returns each text of the tags, with the exception that would keep it.
  private static func tags(
    _ tags: EBMLElement,
    of source: ByteSource
  ) -> [(path: String, range: Range<Int>, exception: MetadataException?)] {
    var entries: [(path: String, range: Range<Int>, exception: MetadataException?)] = []
    for tag in EBMLElements(source, in: tags.data) where tag.type == .tag {
      let parts = Array(EBMLElements(source, in: tag.data))
      let targets = parts.first(.targets).map { Array(EBMLElements(source, in: $0.data)) } ?? []
      let isOfFilm = !targets.contains { 0x63C4...0x63C9 ~= $0.identifier }
      for simple in parts where simple.type == .simpleTag {
        let fields = Array(EBMLElements(source, in: simple.data))
        let name = fields.first(.tagName)?.ascii(of: source) ?? "?"
        let range = fields.first(.tagString)?.data ?? simple.data
        var exception = isOfFilm ? MatroskaValues.names[name.uppercased()]?.exception : nil
        // Nothing is written of a place that is not understood.
        if exception == .location,
          source.bytes(in: range.prefix(64), limit: 64).flatMap(MoviePlace.read) == nil
        {
          exception = nil
        }
        entries.append(("Tags/\(EscapedText.printable(name, limit: 80))", range, exception))
      }
    }
    return entries
  }
}
