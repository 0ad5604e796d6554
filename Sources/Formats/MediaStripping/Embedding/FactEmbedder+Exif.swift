import MediaContainers
import MediaMetadata
import MediaModel

extension FactEmbedder {
  /// What an Exif block is made of that has the facts alone.
  static func kept(_ facts: EmbeddedFacts) -> KeptMetadata {
    var kept = KeptMetadata()
    kept.creationDate = facts.date
    kept.location = facts.place.flatMap {
      Coordinate(latitude: $0.latitude, longitude: $0.longitude)
    }
    return kept
  }

  /// Puts the facts into an Exif block, from its TIFF header on: dates of capture where they stand, and the place in
  /// directories behind its end, so that nothing in it moves, such as a maker note with offsets of its own.
  ///
  /// - Returns: The block as it is where it says the facts already, or cannot be read.
  /// - Throws: `damaged` for directories that overlap.
  static func exif(_ block: [UInt8], _ facts: EmbeddedFacts) throws(MetadataError) -> [UInt8] {
    let source = ByteSource(block)
    guard let tiff = TIFFBlock(source, 0..<block.count), tiff.form == .classic else { return block }
    var patches = BytePatches()
    if let date = facts.date { ExifDates(tiff).patch(date, &patches) }
    if let directory = placeDirectory(of: tiff, facts, at: block.count + block.count % 2),
      let extent = tiff.extent(ofDirectoryAt: tiff.firstDirectory)
    {
      var tail = [UInt8](repeating: 0, count: block.count % 2) + directory.bytes
      if let pointer = directory.pointer {
        patches.replace(pointer, with: directory.offset.bytes(4, tiff.order))
      } else {
        let start = block.count + tail.count
        let entries = try entries(in: extent, of: tiff)
        tail += self.directory(
          entries,
          [.long(locationPointer, directory.offset, tiff.order)],
          at: start,
          next: tiff.directory(after: tiff.firstDirectory) ?? 0,
          tiff.order
        )
        patches.replace(4..<8, with: start.bytes(4, tiff.order))
      }
      patches.insert(tail, at: block.count)
    }
    let output = try ByteSource(applying: try patches.editList(of: source), to: source)
    return output.bytes(in: 0..<output.length, limit: output.length) ?? block
  }

  /// The tag of the GPS directory's offset.
  static let locationPointer = 0x8825

  /// A GPS directory with the place, and with those fields of the one that is there which say nothing of another place.
  struct PlaceDirectory {
    var offset: Int
    /// The directory with its values, of an even number of bytes.
    var bytes: [UInt8]
    /// Where the offset of the one that is there stands; nil without one.
    var pointer: Range<Int>?
  }

  /// Makes a GPS directory that stands at `offset` of a TIFF structure.
  ///
  /// Source: Exif 2.32 section 4.6.6.
  ///
  /// - Returns: Nil without a place, and where the structure says it already.
  static func placeDirectory(
    of block: TIFFBlock,
    _ facts: EmbeddedFacts,
    at offset: Int
  ) -> PlaceDirectory? {
    var position = KeptMetadata()
    position.location = kept(facts).location
    guard let wanted = position.location,
      let fields = ExifWriter.fields(of: position, order: block.order).directories.first?.fields
    else { return nil }
    let present = ExifWriter.place(in: block)
    if present?.latitude == wanted.latitude, present?.longitude == wanted.longitude { return nil }
    var (pointer, own): (Range<Int>?, Int?)
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      guard entry.tag == locationPointer, entry.value.count == 4, pointer == nil else { return }
      (pointer, own) = (entry.value, block.number(entry))
    }
    let isSame = facts.place.map { EarlierPlace.isSame(present, as: $0) } ?? false
    let replaced = Set(fields.map(\.tag)).union(isSame ? [] : EarlierPlace.tags)
    let kept =
      own.flatMap(block.extent(ofDirectoryAt:)).flatMap { try? entries(in: $0, of: block) } ?? []
    return PlaceDirectory(
      offset: offset,
      bytes: directory(kept.filter { !replaced.contains($0.tag) }, fields, at: offset, block.order),
      pointer: pointer
    )
  }

  /// The entries of a directory as they stand, of twelve bytes each.
  static func entries(
    in extent: Range<Int>,
    of block: TIFFBlock
  ) throws(MetadataError) -> [(tag: Int, bytes: [UInt8])] {
    var entries: [(tag: Int, bytes: [UInt8])] = []
    for offset in stride(from: extent.lowerBound + 2, to: extent.upperBound, by: 12) {
      guard let field = block.field(at: offset),
        let bytes = block.source.bytes(in: offset..<(offset + 12), limit: 12)
      else { throw MetadataError(.damaged, "a directory that ends early") }
      entries.append((field.tag, bytes))
    }
    return entries
  }

  /// Returns a directory of entries whose values stay where they are, and of new fields, whose values follow.
  static func directory(
    _ entries: [(tag: Int, bytes: [UInt8])],
    _ fields: [TIFFField],
    at offset: Int,
    next: Int = 0,
    _ order: ByteOrder
  ) -> [UInt8] {
    var entries = entries
    var values: [UInt8] = []
    let start = offset + 2 + 12 * (entries.count + fields.count) + 4
    for field in fields {
      var entry = field.tag.bytes(2, order) + field.type.bytes(2, order)
      entry += field.count.bytes(4, order)
      if field.value.count > 4 {
        entry += (start + values.count).bytes(4, order)
        values += field.value + [UInt8](repeating: 0, count: field.value.count % 2)
      } else {
        entry += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      }
      entries.append((field.tag, entry))
    }
    entries.sort { $0.tag < $1.tag }
    return entries.count.bytes(2, order) + entries.flatMap(\.bytes) + next.bytes(4, order) + values
  }
}
