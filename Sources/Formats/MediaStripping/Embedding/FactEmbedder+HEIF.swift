import MediaContainers
import MediaMetadata
import MediaModel

extension FactEmbedder {
  /// The packet, and date and place in an Exif block, in items that describe the primary one.
  ///
  /// Items that are there keep their numbers, and lie elsewhere. The meta box is written anew; what lies behind it,
  /// moves by as much as it grows, with the new items behind it.
  ///
  /// Source: ISO/IEC 23008-12 annexes A.2.1 (Exif) and A.3 (XMP).
  static func heif(
    _ source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    let (box, meta) = try pictures(of: source)
    let items = HEIFDescriptionItems(meta, of: source)
    var insertion = HEIFInsertion(source, box, meta)
    if let item = items.exifItem {
      if let block = items.exif {
        let changed = try exif(block, facts)
        if changed != block { insertion.replace(item, with: exifHead + changed) }
      }
    } else if let block = ExifWriter.block(orientation: 1, kept: kept(facts)) {
      try insertion.add("Exif", exifHead + block)
    }
    let block = items.exif.flatMap { TIFFBlock(ByteSource($0), 0..<$0.count) }
    if let item = items.xmpItem {
      guard let packet = items.xmp else {
        throw MetadataError(.stripUnsupported, "an XMP packet that cannot be read")
      }
      insertion.replace(item, with: try self.packet(facts, into: packet, beside: block))
    } else {
      try insertion.add("mime", try packet(facts, into: nil, beside: block))
    }
    return try insertion.patches()
  }

  /// Returns the meta box of a file of pictures, and what it says.
  ///
  /// - Throws: `stripUnsupported` for a file without one, or with a sequence; as ``HEIFMetaReader``.
  static func pictures(
    of source: ByteSource
  ) throws(MetadataError) -> (box: ISOBox, meta: HEIFMeta) {
    guard let box = try HEIFContainer(of: source).meta else {
      throw MetadataError(.stripUnsupported, "a HEIF without a picture")
    }
    for other in ISOBoxes(source, in: 0..<source.length).dropFirst() {
      // A second file behind the first has places of its own.
      if other.type == "ftyp" { break }
      if other.type == "moov" {
        throw MetadataError(.stripUnsupported, "a HEIF with a sequence")
      }
    }
    return (box, try HEIFMetaReader.read(box.body, of: source))
  }

  /// The distance from the end of this number to the TIFF header.
  private static let exifHead: [UInt8] = [0, 0, 0, 0]
}

/// Items that are put into the meta box of a picture file, in place of the data of others or beside them.
///
/// Source: ISO/IEC 14496-12 sections 8.11.3 (iloc), 8.11.6 (iinf) and 8.11.12 (iref).
struct HEIFInsertion {
  private let source: ByteSource
  private let box: ISOBox
  private let meta: HEIFMeta
  /// A box of properties in place of the one that is there.
  var properties: [UInt8]?
  /// The bytes of the new mdat, which is left out when there are none.
  private var data: [UInt8] = []
  /// The ranges in ``data`` of the items that lie there.
  private var ranges: [Int: Range<Int>] = [:]
  private var added: [(identifier: Int, type: FourCharacterCode)] = []

  init(_ source: ByteSource, _ box: ISOBox, _ meta: HEIFMeta) {
    (self.source, self.box, self.meta) = (source, box, meta)
  }

  /// Gives an item other data.
  mutating func replace(_ item: HEIFItem, with bytes: [UInt8]) {
    ranges[item.identifier] = data.count..<(data.count + bytes.count)
    data += bytes
  }

  /// Adds an item that describes the primary one.
  ///
  /// - Throws: `stripUnsupported` when no number is left.
  mutating func add(_ type: FourCharacterCode, _ bytes: [UInt8]) throws(MetadataError) {
    // Groups have numbers of the same kind.
    var used = Set(meta.items.map(\.identifier) + added.map(\.identifier))
    for group in ISOBoxes(source, in: meta.boxes.first { $0.type == "grpl" }?.body ?? 0..<0) {
      if let identifier = source.uint32(at: group.body.lowerBound + 4) { used.insert(identifier) }
    }
    guard let identifier = (1...0xFFFF).first(where: { !used.contains($0) }) else {
      throw MetadataError(.stripUnsupported, "a HEIF with as many items as there are numbers")
    }
    added.append((identifier, type))
    ranges[identifier] = data.count..<(data.count + bytes.count)
    data += bytes
  }

  /// - Throws: `stripUnsupported` for items that lie elsewhere, and within the meta box otherwise than in idat.
  func patches() throws(MetadataError) -> BytePatches {
    var patches = BytePatches()
    let head = data.isEmpty ? 0 : 8
    let length = try metaBox(shift: 0, base: 0).count
    let shift = length - box.range.count + head + data.count
    let meta = try metaBox(shift: shift, base: box.range.lowerBound + length + head)
    patches.replace(box.range, with: meta + (data.isEmpty ? [] : ISOWriter.box("mdat", data)))
    return patches
  }

  /// Writes the meta box.
  ///
  /// - Parameters:
  ///   - shift: By how much what lies behind the box moves.
  ///   - base: The place of ``data``.
  /// - Returns: The box, whose length does not depend on them.
  /// - Throws: As ``patches()``; `overLimit` for a box of more than 4 MiB.
  private func metaBox(shift: Int, base: Int) throws(MetadataError) -> [UInt8] {
    var body = try copied(box.body.prefix(4))
    var hasReferences = false
    for child in meta.boxes {
      guard source.uint32(at: child.range.lowerBound) != 0 else {
        throw MetadataError(.stripUnsupported, "a box without an end in meta")
      }
      switch child.type {
      case "iinf": body += try entries(child)
      case "iref":
        hasReferences = true
        body += try references(child)
      case "iloc": body += try locations(shift, base)
      case "iprp" where properties != nil: body += properties ?? []
      default: body += try copied(child.range)
      }
    }
    if !hasReferences, !added.isEmpty {
      let isLong = meta.primary > 0xFFFF
      body += ISOWriter.full("iref", version: isLong ? 1 : 0, newReferences(isLong ? 4 : 2))
    }
    return ISOWriter.box("meta", body)
  }

  private func copied(_ range: Range<Int>) throws(MetadataError) -> [UInt8] {
    guard let bytes = source.bytes(in: range, limit: 1 << 22) else {
      throw MetadataError(.overLimit, "meta of more than 4 MiB")
    }
    return bytes
  }

  private func entries(_ iinf: ISOBox) throws(MetadataError) -> [UInt8] {
    let start = iinf.body.lowerBound
    let version = source.byte(at: start) ?? 0
    let size = version == 0 ? 2 : 4
    guard let count = source.number(at: start + 4, count: size) else {
      throw MetadataError(.damaged, "iinf of impossible length")
    }
    let entries = added.flatMap { item in
      ISOWriter.full(
        "infe",
        version: 2,
        flags: 1,
        item.identifier.bytes(2) + [0, 0] + item.type.bytes + [0]
          + (item.type == "mime" ? Array(HEIFItem.xmpContentType.utf8) + [0] : [])
      )
    }
    return ISOWriter.full(
      "iinf",
      version: version,
      (count + added.count).bytes(size) + (try copied(iinf.body.dropFirst(4 + size))) + entries
    )
  }

  private func references(_ iref: ISOBox) throws(MetadataError) -> [UInt8] {
    let size = source.byte(at: iref.body.lowerBound) == 0 ? 2 : 4
    return ISOWriter.box("iref", try copied(iref.body) + newReferences(size))
  }

  private func newReferences(_ size: Int) -> [UInt8] {
    added.flatMap { item in
      ISOWriter.box("cdsc", item.identifier.bytes(size) + 1.bytes(2) + meta.primary.bytes(size))
    }
  }

  private func locations(_ shift: Int, _ base: Int) throws(MetadataError) -> [UInt8] {
    let idat = meta.boxes.first { $0.type == "idat" }?.body ?? 0..<0
    let isLarge = meta.items.contains { $0.identifier > 0xFFFF }
    // Numbers of 4 bytes reach to 4 GiB; the file grows by far less than 1 GiB.
    let size = source.length >= 1 << 32 - 1 << 30 ? 8 : 4
    let items =
      meta.items.map { (identifier: $0.identifier, item: Optional($0)) }
      + added.map { (identifier: $0.identifier, item: nil) }
    var (entries, count): ([UInt8], Int) = ([], 0)
    let version: UInt8 = isLarge ? 2 : idat.isEmpty ? 0 : 1
    for (identifier, item) in items {
      var (method, extents): (Int, [Range<Int>]) = (0, [])
      if let range = ranges[identifier] {
        extents = [(base + range.lowerBound)..<(base + range.upperBound)]
      } else if let item {
        guard !item.isElsewhere else {
          throw MetadataError(.stripUnsupported, "an item that lies elsewhere")
        }
        let isInside = item.extents.allSatisfy {
          $0.lowerBound >= idat.lowerBound && $0.upperBound <= idat.upperBound && !idat.isEmpty
        }
        method = isInside && !item.extents.isEmpty ? 1 : 0
        for extent in item.extents {
          extents.append(try moved(extent, isInside ? -idat.lowerBound : shift, isInside))
        }
      }
      if extents.isEmpty { continue }
      count += 1
      entries += identifier.bytes(isLarge ? 4 : 2) + (version > 0 ? method.bytes(2) : []) + [0, 0]
      entries += extents.count.bytes(2)
      for extent in extents { entries += extent.lowerBound.bytes(size) + extent.count.bytes(size) }
    }
    return ISOWriter.full(
      "iloc",
      version: version,
      [UInt8(size << 4 | size), 0] + count.bytes(isLarge ? 4 : 2) + entries
    )
  }

  private func moved(
    _ extent: Range<Int>,
    _ distance: Int,
    _ isInside: Bool
  ) throws(MetadataError) -> Range<Int> {
    if !isInside, extent.upperBound <= box.range.lowerBound { return extent }
    guard isInside || extent.lowerBound >= box.range.upperBound else {
      throw MetadataError(.stripUnsupported, "an item within meta")
    }
    return (extent.lowerBound + distance)..<(extent.upperBound + distance)
  }
}
