import MediaContainers
import MediaMetadata
import MediaModel

extension FactEmbedder {
  /// The packet in an APP1 segment; without an Exif block, date and place in one of their own too.
  ///
  /// Source: XMP specification part 3, section 1.1.3; Exif 2.32 section 4.7; CIPA DC-007 section 5.
  static func jpeg(
    _ source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    let identifier = JPEGMetadata.xmpIdentifier
    let blocks = JPEGBlocks(of: source)
    let (exif, packet, index) = (blocks.exif, blocks.packet, blocks.index)
    let offset = exif?.range.upperBound ?? blocks.start
    var patches = BytePatches()
    if let exif {
      try patchExif(exif, of: source, facts, index, &patches)
    } else if let block = ExifWriter.block(orientation: 1, kept: kept(facts)) {
      patches.insert(JPEGMarker.segment(JPEGMarker.app1, Array("Exif\0\0".utf8) + block), at: offset)
    }
    let existing = packet.flatMap { segment in
      source.bytes(in: segment.body.dropFirst(identifier.utf8.count), limit: 1 << 16)
    }
    let block = exif.flatMap { TIFFBlock(source, $0.body.dropFirst(6)) }
    let body =
      Array(identifier.utf8) + (try self.packet(facts, into: existing, beside: block))
    guard body.count <= 65_533 else { throw MetadataError(.overLimit, "XMP of more than 64 KiB") }
    let range = packet?.range ?? offset..<offset
    patches.replace(range, with: JPEGMarker.segment(JPEGMarker.app1, body))
    if let index { try patchIndex(index, of: source, behind: range, &patches) }
    return patches
  }

  /// Changes the segment of the Exif block: one that would become too long, or lies behind the index of several
  /// pictures, gets no place, which the packet has, and its GPS directory is emptied if it says another one.
  private static func patchExif(
    _ segment: JPEGSegment,
    of source: ByteSource,
    _ facts: EmbeddedFacts,
    _ index: JPEGSegment?,
    _ patches: inout BytePatches
  ) throws(MetadataError) {
    let body = segment.body.dropFirst(6)
    guard let block = source.bytes(in: body, limit: 1 << 16) else { return }
    let changed = try exif(block, facts)
    let isBehind = index.map { $0.range.lowerBound < segment.range.upperBound } ?? false
    if changed.count == block.count || isBehind || changed.count > 65_533 - 6 {
      guard let tiff = TIFFBlock(source, body) else { return }
      if let date = facts.date { ExifDates(tiff).patch(date, &patches) }
      guard let place = facts.place, !EarlierPlace.isSame(ExifWriter.place(in: tiff), as: place),
        let offset = tiff.pointer(locationPointer), offset != tiff.firstDirectory,
        let extent = tiff.extent(ofDirectoryAt: offset)
      else { return }
      patches.replace(extent.prefix(2), with: [0, 0])
    } else {
      patches.replace(
        segment.range,
        with: JPEGMarker.segment(JPEGMarker.app1, Array("Exif\0\0".utf8) + changed)
      )
    }
  }

  /// The length of the first picture in the index of several; places of the others count from the index itself.
  static func patchIndex(
    _ index: JPEGSegment,
    of source: ByteSource,
    behind range: Range<Int>,
    _ patches: inout BytePatches
  ) throws(MetadataError) {
    guard range.upperBound <= index.range.lowerBound else {
      throw MetadataError(.stripUnsupported, "XMP behind the index of several pictures")
    }
    guard let (block, entries) = JPEGMultiPicture.entries(in: index, of: source) else { return }
    let offset = entries.lowerBound + 4
    guard entries.count >= 16, let length = source.uint32(at: offset, order: block.order),
      length > 0
    else { return }
    patches.replace(offset..<(offset + 4), with: (length + patches.growth).bytes(4, block.order))
  }

  /// Returns an Exif block that is there with date and place, if that changes it.
  private static func changedExif(
    _ range: Range<Int>,
    of source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> [UInt8]? {
    guard let block = source.bytes(in: range, limit: TIFFBlock.maximumEmbeddedLength) else { return nil }
    let changed = try exif(block, facts)
    return changed == block ? nil : changed
  }

  /// The packet in an iTXt chunk behind the header; an Exif block that is there gets date and place too.
  static func png(
    _ source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    var parser = try PNGParser(source)
    var offset: Int?
    var existing: (range: Range<Int>, packet: [UInt8])?
    var exif: PNGChunk?
    while let chunk = try parser.next() {
      if chunk.type == "IHDR" { offset = offset ?? chunk.range.upperBound }
      if existing == nil, chunk.type == "iTXt", let packet = PNGMetadata.xmp(chunk, in: source) {
        existing = (chunk.range, packet)
      }
      if chunk.type == "eXIf" { exif = exif ?? chunk }
    }
    guard let offset else { throw MetadataError(.damaged, "no IHDR") }
    var patches = BytePatches()
    let packet = try packet(facts, into: existing?.packet)
    patches.replace(
      existing?.range ?? offset..<offset,
      with: PNG.chunk("iTXt", PNGMetadata.xmpHead + packet)
    )
    if let exif, let block = try PNGHeader(of: source).exif,
      let changed = try changedExif(block, of: source, facts)
    {
      patches.replace(exif.range, with: PNG.chunk("eXIf", changed))
    }
    return patches
  }

  /// The packet in a chunk at the end, or in the place of the one that is there; an Exif block that is there gets date
  /// and place too.
  ///
  /// Source: RFC 9649 section 2.7.
  static func webP(
    _ source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    let container = try WebPContainer(of: source)
    var (existing, exif): (RIFFChunk?, RIFFChunk?)
    for chunk in RIFFChunks(source, in: container.content) {
      if chunk.type == "XMP " { existing = existing ?? chunk }
      if chunk.type == "EXIF" { exif = exif ?? chunk }
    }
    var patches = BytePatches()
    try extend(container, of: source, flag: 0x04, &patches)
    let limit = FoundMetadata.maximumBlockLength
    let packet = try packet(facts, into: existing.flatMap { source.bytes(in: $0.data, limit: limit) })
    let chunk = RIFFChunk.bytes("XMP ", packet)
    if let exif, let changed = try changedExif(exif.tiff(in: source), of: source, facts) {
      let end = min(exif.range.upperBound + exif.data.count % 2, container.content.upperBound)
      patches.replace(exif.range.lowerBound..<end, with: RIFFChunk.bytes("EXIF", changed))
    }
    put(chunk, inPlaceOf: existing, container, &patches)
    return patches
  }

  /// Says in the extended header that there is a chunk of a kind.
  ///
  /// - Throws: `damaged` for a file that states no size.
  static func extend(
    _ container: WebPContainer,
    of source: ByteSource,
    flag: UInt8,
    _ patches: inout BytePatches
  ) throws(MetadataError) {
    if let extended = container.extended {
      let offset = extended.data.lowerBound
      let flags = source.byte(at: offset) ?? 0
      patches.replace(offset..<(offset + 1), with: [flags | flag])
    } else {
      guard let size = container.size else { throw MetadataError(.damaged, "no size") }
      let flags: [UInt8] = [(container.hasAlpha ? 0x10 : 0) | flag, 0, 0, 0]
      let sides = (size.width - 1).bytes(3, .little) + (size.height - 1).bytes(3, .little)
      patches.insert(RIFFChunk.bytes("VP8X", flags + sides), at: 12)
    }
  }

  /// Puts a chunk in the place of another one, or at the end, and states the length of the file.
  static func put(
    _ chunk: [UInt8],
    inPlaceOf existing: RIFFChunk?,
    _ container: WebPContainer,
    _ patches: inout BytePatches
  ) {
    let end = container.content.upperBound
    if let existing {
      let padded = min(existing.range.upperBound + existing.data.count % 2, end)
      patches.replace(existing.range.lowerBound..<padded, with: chunk)
    } else {
      patches.insert((end % 2 == 1 ? [0] : []) + chunk, at: end)
    }
    patches.replace(4..<8, with: (end - 8 + patches.growth).bytes(4, .little))
  }

  /// The packet in a new first directory behind the end; the file's own one stays, and nothing leads to it.
  ///
  /// Source: TIFF 6.0 section 2; XMP specification part 3, section 1.1.2 (tag 700).
  static func tiff(
    _ source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    guard let block = TIFFBlock(file: source), block.form == .classic,
      let extent = block.extent(ofDirectoryAt: block.firstDirectory),
      source.length < Int(UInt32.max) - 1 << 20
    else { throw MetadataError(.stripUnsupported, "a BigTIFF, or one without a directory") }
    var patches = BytePatches()
    if let date = facts.date { ExifDates(block).patch(date, &patches) }
    var existing: [UInt8]?
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      guard entry.tag == TIFFTag.xmp else { return }
      existing = source.bytes(in: entry.value, limit: FoundMetadata.maximumBlockLength)
    }
    var fields = try entries(in: extent, of: block).filter { $0.tag != TIFFTag.xmp }
    let packet = try packet(facts, into: existing, beside: block)
    let order = block.order
    var tail = [UInt8](repeating: 0, count: source.length % 2)
    if let directory = placeDirectory(of: block, facts, at: source.length + tail.count) {
      tail += directory.bytes
      let field = locationPointer.bytes(2, order) + 4.bytes(2, order) + 1.bytes(4, order)
      fields.removeAll { $0.tag == locationPointer }
      fields.append((locationPointer, field + directory.offset.bytes(4, order)))
    }
    let start = source.length + tail.count
    let field = 0x02BC.bytes(2, order) + 1.bytes(2, order) + packet.count.bytes(4, order)
    fields.append((TIFFTag.xmp, field + start.bytes(4, order)))
    fields.sort { $0.tag < $1.tag }
    let padding = packet.count % 2
    let directory =
      fields.count.bytes(2, order) + fields.flatMap(\.bytes)
      + (block.directory(after: block.firstDirectory) ?? 0).bytes(4, order)
    patches.replace(4..<8, with: (start + packet.count + padding).bytes(4, order))
    patches.insert(tail + packet + [UInt8](repeating: 0, count: padding) + directory, at: source.length)
    return patches
  }
}

/// The segments of a JPEG that facts get into.
struct JPEGBlocks {
  /// The first ones of an Exif block, of a packet, and of the index of several pictures.
  private(set) var (exif, packet, index): (JPEGSegment?, JPEGSegment?, JPEGSegment?)
  /// The offset behind the segments of JFIF.
  private(set) var start = 2

  init(of source: ByteSource) {
    for segment in JPEGSegments(source) {
      let body = segment.body.lowerBound
      switch segment.marker {
      case JPEGMarker.app0 where segment.range.lowerBound == start:
        start = segment.range.upperBound
      case JPEGMarker.app1:
        if source.holds("Exif\0", at: body), segment.body.count > 6 {
          exif = exif ?? segment
        } else if source.holds(JPEGMetadata.xmpIdentifier, at: body) {
          packet = packet ?? segment
        }
      case JPEGMarker.app2 where source.holds(JPEGMultiPicture.identifier, at: body):
        index = index ?? segment
      default: break
      }
    }
  }
}
