import MediaContainers

/// Tells whether a JPEG has its EOI, and what its own index places behind it.
///
/// Source: ITU-T T.81 annex B; CIPA DC-007 (Multi-Picture Format).
enum JPEGCompleteness {
  /// Returns the part of a JPEG that is missing.
  static func missingPart(of source: ByteSource) -> String? {
    guard let header = try? JPEGHeader(of: source), header.scan != nil else { return nil }
    let end: Int
    if source.holds([0xFF, JPEGMarker.eoi], at: source.length - 2) {
      // Stuffing keeps this marker out of coded data, so no scan has to be read.
      end = source.length
    } else {
      guard var parser = try? JPEGParser(source) else { return nil }
      do throws(MetadataError) {
        while try parser.next() != nil {}
      } catch { return "EOI" }
      end = parser.offset
    }
    return missingPicture(of: source) ?? missingMovie(of: source, behind: end)
  }

  /// Returns the picture of a multi-picture index that begins within the file and ends behind it. One
  /// that begins behind the end was taken out by an editor that kept the index.
  private static func missingPicture(of source: ByteSource) -> String? {
    for segment in JPEGSegments(source) where segment.marker == JPEGMarker.app2 {
      guard source.holds("MPF\0", at: segment.body.lowerBound),
        let block = TIFFBlock(source, segment.body.dropFirst(4))
      else { continue }
      let start = block.range.lowerBound
      var isMissing = false
      block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
        guard entry.tag == 0xB002 else { return }
        for position in stride(from: entry.value.lowerBound, to: entry.value.upperBound - 15, by: 16) {
          guard let length = source.uint32(at: position + 4, order: block.order),
            let offset = source.uint32(at: position + 8, order: block.order), offset > 0,
            length > 0,
            start + offset < source.length
          else { continue }
          if !source.has(length, at: start + offset) { isMissing = true }
        }
      }
      return isMissing ? "a picture behind the first" : nil
    }
    return nil
  }

  /// Returns the box of a motion photo's movie that ends behind the file.
  private static func missingMovie(of source: ByteSource, behind end: Int) -> String? {
    guard source.code(at: end + 4) == "ftyp",
      let part = MovieCompleteness.missingBox(of: ByteSource(source, end..<source.length))
    else { return nil }
    return "\(part) of the movie behind the picture"
  }
}
