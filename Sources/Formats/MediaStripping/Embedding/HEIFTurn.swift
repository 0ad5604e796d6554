import MediaContainers
import MediaMetadata
import MediaModel

/// How the pictures of a HEIC or AVIF are turned: the primary one, and those that are shown in its place or with it.
///
/// Source: ISO/IEC 23008-12 sections 6.5.10 (irot), 6.5.12 (imir) and 9.3 (iprp); ISO/IEC 23000-22 section 7.3.6.7
/// (the order of properties).
struct HEIFTurn {
  private let source: ByteSource
  private let degrees: Int
  private let box: ISOBox
  private let meta: HEIFMeta

  /// Reads a file.
  ///
  /// - Throws: As ``FactEmbedder/pictures(of:)``.
  init(_ source: ByteSource, degrees: Int) throws(MetadataError) {
    (self.source, self.degrees) = (source, degrees)
    (box, meta) = try FactEmbedder.pictures(of: source)
  }

  /// Returns the changes: a byte of each irot, or where there is none, a property of its own.
  ///
  /// - Throws: `stripUnsupported` for a file that cannot be turned without changing more.
  func patches() throws(MetadataError) -> BytePatches {
    let items = try turnedItems()
    var patches = BytePatches()
    var others: Set<Int> = []
    for item in meta.items where !items.contains(item.identifier) {
      others.formUnion(item.associations.map(\.index))
    }
    var own: [Int: UInt8] = [:]
    var isInPlace = true
    for item in meta.items where items.contains(item.identifier) {
      let (index, angle) = turn(of: item)
      guard let property = index.map({ item.associations[$0].index }), !others.contains(property)
      else {
        isInPlace = false
        continue
      }
      own[property] = angle
    }
    if isInPlace {
      for (property, angle) in own {
        let start = meta.properties[property - 1].body.lowerBound
        // The other bits are reserved.
        let reserved = (source.byte(at: start) ?? 0) & 0xFC
        patches.replace(start..<(start + 1), with: [reserved | angle])
      }
      return patches
    }
    var insertion = HEIFInsertion(source, box, meta)
    insertion.properties = try properties(of: items)
    return try insertion.patches()
  }

  // MARK: Items

  /// The irot and imir that apply to an item, in their order, each with its value.
  private func transformations(of item: HEIFItem) -> [[UInt8]] {
    meta.properties(of: item).filter { $0.type == "irot" || $0.type == "imir" }
      .map { $0.type.bytes + [(source.byte(at: $0.body.lowerBound) ?? 0) & 3] }
  }

  /// The primary item, its thumbnails and auxiliary pictures, and its alternatives, as far as they are turned as it is
  /// turned now. Another one is not shown turned with it, and stays as it is.
  ///
  /// - Throws: `stripUnsupported` for a file without a primary item, and for alternatives that would stay.
  private func turnedItems() throws(MetadataError) -> Set<Int> {
    guard let primary = meta.item(meta.primary), !primary.associations.isEmpty else {
      throw MetadataError(.stripUnsupported, "a primary picture without properties")
    }
    let wanted = transformations(of: primary)
    var items: Set<Int> = [primary.identifier]
    for group in meta.alternatives where group.entities.contains(primary.identifier) {
      for item in group.entities.compactMap(meta.item) where item.identifier != meta.primary {
        // Readers differ in whether a picture that is derived of a turned one is turned with it.
        guard transformations(of: item) == wanted, !(wanted.isEmpty && item.type == "tmap") else {
          throw MetadataError(.stripUnsupported, "a HEIF with alternatives that differ")
        }
        items.insert(item.identifier)
        if item.type == "tmap" { items.formUnion(like(wanted, meta.sources(of: item.identifier))) }
      }
    }
    var count = 0
    while count < items.count {
      count = items.count
      for (from, references) in meta.references {
        let isOfThem = references.contains { reference in
          (reference.type == "thmb" || reference.type == "auxl")
            && reference.to.contains(where: items.contains)
        }
        if isOfThem { items.formUnion(like(wanted, [from])) }
      }
    }
    return items
  }

  private func like(_ wanted: [[UInt8]], _ identifiers: [Int]) -> [Int] {
    identifiers.filter { meta.item($0).map { transformations(of: $0) == wanted } ?? false }
  }

  // MARK: Properties

  /// Returns where the last irot stands among an item's associations, if it has one, and the angle that it gets.
  ///
  /// Mirroring after a turn equals mirroring before the opposite turn. irot counts counterclockwise.
  private func turn(of item: HEIFItem) -> (index: Int?, angle: UInt8) {
    let types = item.associations.map { type(ofProperty: $0.index) }
    let index = types.lastIndex(of: "irot")
    let isMirrored = types.indices.count { types[$0] == "imir" && $0 > index ?? -1 } % 2 == 1
    let start = index.map { meta.properties[item.associations[$0].index - 1].body.lowerBound }
    let own = start.flatMap { source.uint8(at: $0) } ?? 0
    let quarters = isMirrored ? degrees / 90 : 4 - degrees / 90
    return (index, UInt8((own + quarters) & 3))
  }

  /// The type of a property by its number, from 1; nil for 0, which is none, and for one that is not there.
  private func type(ofProperty number: Int) -> FourCharacterCode? {
    number >= 1 && number <= meta.properties.count ? meta.properties[number - 1].type : nil
  }

  /// Returns the iprp box, with a new irot behind all properties.
  private func properties(of items: Set<Int>) throws(MetadataError) -> [UInt8] {
    guard let iprp = meta.boxes.first(where: { $0.type == "iprp" }) else {
      throw MetadataError(.stripUnsupported, "a HEIF without properties")
    }
    // All of them are turned as the primary one is.
    let angle = meta.item(meta.primary).map { turn(of: $0).angle } ?? 0
    var body: [UInt8] = []
    var missing = items
    for child in ISOBoxes(source, in: iprp.body) {
      switch child.type {
      case "ipco":
        body += ISOWriter.box("ipco", try bytes(child.body) + ISOWriter.box("irot", [angle]))
      case "ipma": body += try associations(child, items, &missing)
      default: body += try bytes(child.range)
      }
    }
    guard missing.isEmpty else {
      throw MetadataError(.stripUnsupported, "a picture without properties")
    }
    return ISOWriter.box("iprp", body)
  }

  /// Returns an ipma box in which items have the new property: in place of their irot, or ahead of their first imir, or
  /// as the last one.
  private func associations(
    _ box: ISOBox,
    _ items: Set<Int>,
    _ missing: inout Set<Int>
  ) throws(MetadataError) -> [UInt8] {
    let added = meta.properties.count + 1
    var fields = ISOFields(source, box.body, "ipma")
    let head = try fields.number(4)
    let (isLong, isWide) = (head >> 24 > 0, head & 1 == 1)
    var entries: [(identifier: Int, values: [Int])] = []
    let count = try fields.number(4)
    for _ in 0..<count {
      let identifier = try fields.number(isLong ? 4 : 2)
      var values: [Int] = []
      for _ in 0..<(try fields.number(1)) {
        let value = try fields.number(isWide ? 2 : 1)
        // The first bit says that the property is essential.
        values.append(isWide ? value : (value & 0x80) << 8 | value & 0x7F)
      }
      if items.contains(identifier) {
        missing.remove(identifier)
        let types = values.map { type(ofProperty: $0 & 0x7FFF) }
        if let index = types.lastIndex(of: "irot") {
          values[index] = 0x8000 | added
        } else {
          values.insert(0x8000 | added, at: types.firstIndex(of: "imir") ?? values.count)
        }
      }
      guard values.count < 256 else {
        throw MetadataError(.stripUnsupported, "a picture of as many properties as there can be")
      }
      entries.append((identifier, values))
    }
    guard added <= 0x7FFF else {
      throw MetadataError(.stripUnsupported, "as many properties as there are numbers")
    }
    let needsWide = isWide || added > 0x7F
    var content = entries.count.bytes(4)
    for (identifier, values) in entries {
      content += identifier.bytes(isLong ? 4 : 2) + values.count.bytes(1)
      for value in values {
        content += needsWide ? value.bytes(2) : [UInt8(value >> 8 & 0x80 | value & 0x7F)]
      }
    }
    return ISOWriter.full(
      "ipma",
      version: UInt8(head >> 24),
      flags: head & 0xFF_FFFE | (needsWide ? 1 : 0),
      content
    )
  }

  private func bytes(_ range: Range<Int>) throws(MetadataError) -> [UInt8] {
    guard let bytes = source.bytes(in: range, limit: 1 << 22) else {
      throw MetadataError(.overLimit, "properties of more than 4 MiB")
    }
    return bytes
  }
}
