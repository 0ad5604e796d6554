/// Parses the meta box of a picture file strictly: ambiguous data are damaged.
///
/// Source: ISO/IEC 14496-12 section 8.11; ISO/IEC 23008-12 sections 6 and 9.3.
package struct HEIFMetaReader {
  private let source: ByteSource
  private let boxes: [ISOBox]

  /// Parses a meta box; `body` includes its version and flags.
  package static func read(
    _ body: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> HEIFMeta {
    guard body.count >= 4 else { throw MetadataError(.damaged, "meta of impossible length") }
    let boxes = try ISOBox.children(of: "meta", in: body.dropFirst(4), of: source, isStrict: true)
    return try HEIFMetaReader(source: source, boxes: boxes).meta()
  }

  private func meta() throws(MetadataError) -> HEIFMeta {
    guard let hdlr = try boxes.only("hdlr"),
      source.code(at: hdlr.body.lowerBound + 8) == "pict", hdlr.body.count >= 12
    else { throw MetadataError(.stripUnsupported, "meta whose handler is not pict") }
    var items = try readItems()
    var places: [Int: Int] = [:]
    for (place, item) in items.enumerated() {
      guard places.updateValue(place, forKey: item.identifier) == nil else {
        throw MetadataError(.damaged, "two items of one number")
      }
    }
    try readLocations(into: &items, places)
    let properties = try readProperties(into: &items, places)
    var known: Set<FourCharacterCode> = ["hdlr", "pitm", "iinf", "iref", "iprp", "iloc", "idat"]
    known.formUnion(["dinf", "grpl"])
    return HEIFMeta(
      items: items,
      primary: try readPrimary(),
      references: try readReferences(),
      properties: properties,
      alternatives: try readAlternatives(),
      others: boxes.map(\.type).filter { !known.contains($0) },
      places: places
    )
  }

  private func fields(
    _ type: FourCharacterCode
  ) throws(MetadataError) -> ISOFields? {
    try boxes.only(type).map { box in
      ISOFields(source, box.body, type.displayName)
    }
  }

  private func readPrimary() throws(MetadataError) -> Int {
    guard var pitm = try fields("pitm") else { throw MetadataError(.damaged, "no pitm") }
    let version = try pitm.number(4) >> 24
    return try pitm.number(version == 0 ? 2 : 4)
  }

  private func readItems() throws(MetadataError) -> [HEIFItem] {
    guard var iinf = try fields("iinf") else { throw MetadataError(.damaged, "no iinf") }
    let version = try iinf.number(4) >> 24
    // The count is redundant: the boxes follow.
    _ = try iinf.number(version == 0 ? 2 : 4)
    var items: [HEIFItem] = []
    for box in try ISOBox.children(of: "iinf", in: iinf.range, of: source, isStrict: true) {
      guard box.type == "infe" else { continue }
      var infe = ISOFields(source, box.body, "infe")
      let head = try infe.number(4)
      guard head >> 24 == 2 || head >> 24 == 3 else {
        throw MetadataError(.stripUnsupported, "infe of version \(head >> 24)")
      }
      let identifier = try infe.number(head >> 24 == 2 ? 2 : 4)
      let protection = try infe.number(2)
      let type = try infe.code()
      let isNamed = !infe.text(limit: 1).isEmpty
      let contentType = type == "mime" ? infe.text(limit: 64) : []
      guard items.count < Self.maximumItems else {
        throw MetadataError(.overLimit, "too many items")
      }
      items.append(
        HEIFItem(
          identifier: identifier,
          type: type,
          isHidden: head & 1 == 1,
          isProtected: protection != 0,
          isNamed: isNamed,
          contentType: contentType
        )
      )
    }
    return items
  }

  private func readReferences() throws(MetadataError) -> [Int: [HEIFReference]] {
    guard var iref = try fields("iref") else { return [:] }
    let size = try iref.number(4) >> 24 == 0 ? 2 : 4
    var references: [Int: [HEIFReference]] = [:]
    var left = Self.maximumLinks
    for box in try ISOBox.children(of: "iref", in: iref.range, of: source, isStrict: true) {
      var fields = ISOFields(source, box.body, "iref")
      let from = try fields.number(size)
      let count = try fields.number(2)
      left -= count + 1
      guard left >= 0 else { throw MetadataError(.overLimit, "too many references") }
      var to: [Int] = []
      for _ in 0..<count { to.append(try fields.number(size)) }
      let reference = HEIFReference(type: box.type, from: from, to: to)
      if box.type == "dimg", references[from]?.contains(where: { $0.type == "dimg" }) == true {
        throw MetadataError(.damaged, "two dimg of one item")
      }
      references[from, default: []].append(reference)
    }
    return references
  }

  private func readAlternatives() throws(MetadataError) -> [HEIFAlternatives] {
    guard let grpl = try boxes.only("grpl") else { return [] }
    var groups: [HEIFAlternatives] = []
    for box in try grpl.children(in: source, isStrict: true)
    where box.type == "altr" {
      var fields = ISOFields(source, box.body, "altr")
      _ = try fields.number(8)
      let count = try fields.number(4)
      guard count <= fields.left / 4 else { throw fields.damaged }
      var entities: [Int] = []
      for _ in 0..<count { entities.append(try fields.number(4)) }
      groups.append(HEIFAlternatives(entities: entities))
    }
    return groups
  }

  /// Returns the children of ipco and associates them with items as ipma specifies.
  private func readProperties(
    into items: inout [HEIFItem],
    _ places: [Int: Int]
  ) throws(MetadataError) -> [ISOBox] {
    guard let iprp = try boxes.only("iprp") else { return [] }
    let children = try iprp.children(in: source, isStrict: true)
    guard let ipco = try children.only("ipco") else { return [] }
    var seen: Set<Int> = []
    var left = Self.maximumLinks
    for box in children where box.type == "ipma" {
      var ipma = ISOFields(source, box.body, "ipma")
      let head = try ipma.number(4)
      let entries = try ipma.number(4)
      for _ in 0..<entries {
        let identifier = try ipma.number(head >> 24 == 0 ? 2 : 4)
        guard seen.insert(identifier).inserted else {
          throw MetadataError(.damaged, "two ipma of one item")
        }
        var associations: [HEIFItem.Association] = []
        let size = head & 1 == 1 ? 2 : 1
        let count = try ipma.number(1)
        left -= count + 1
        guard left >= 0 else { throw MetadataError(.overLimit, "too many properties") }
        for _ in 0..<count {
          let value = try ipma.number(size)
          let mask = size == 2 ? 0x7FFF : 0x7F
          guard value & mask != 0 else { continue }
          associations.append(.init(index: value & mask, isEssential: value & ~mask != 0))
        }
        if let place = places[identifier] { items[place].associations = associations }
      }
    }
    return try ipco.children(in: source, isStrict: true)
  }
}

extension HEIFMetaReader {
  /// The maximum number of extents.
  private static var maximumExtents: Int { 65_536 }
  private static var maximumItems: Int { 65_000 }
  /// The maximum number of references and property associations: four for each item.
  private static var maximumLinks: Int { 1 << 18 }

  /// Returns the indices of the data references that mean this file.
  private func ownReferences() throws(MetadataError) -> Set<Int> {
    guard let dinf = try boxes.only("dinf"),
      let dref = ISOBoxes.first("dref", in: dinf.body, of: source), dref.body.count >= 8
    else { return [] }
    var own: Set<Int> = []
    for (place, box) in ISOBoxes(source, in: dref.body.dropFirst(8)).enumerated()
    where source.uint32(at: box.body.lowerBound).map({ $0 & 1 }) == 1 {
      own.insert(place + 1)
    }
    return own
  }

  /// Assigns to each item the extents in iloc.
  private func readLocations(
    into items: inout [HEIFItem],
    _ places: [Int: Int]
  ) throws(MetadataError) {
    guard var iloc = try fields("iloc") else { throw MetadataError(.damaged, "no iloc") }
    let version = try iloc.number(4) >> 24
    guard version <= 2 else {
      throw MetadataError(.stripUnsupported, "iloc of version \(version)")
    }
    let sizes = try iloc.number(2)
    let offsetSize = sizes >> 12
    let lengthSize = sizes >> 8 & 0xF
    let baseSize = sizes >> 4 & 0xF
    let indexSize = version == 0 ? 0 : sizes & 0xF
    for size in [offsetSize, lengthSize, baseSize, indexSize] where ![0, 4, 8].contains(size) {
      throw iloc.damaged
    }
    let idat = try boxes.only("idat")?.body ?? 0..<0
    let own = try ownReferences()
    let entries = try iloc.number(version < 2 ? 2 : 4)
    var left = Self.maximumExtents
    var seen: Set<Int> = []
    for _ in 0..<entries {
      let identifier = try iloc.number(version < 2 ? 2 : 4)
      guard seen.insert(identifier).inserted else {
        throw MetadataError(.damaged, "two iloc of one item")
      }
      let method = version == 0 ? 0 : try iloc.number(2) & 0xF
      let reference = try iloc.number(2)
      let isElsewhere = reference != 0 && !own.contains(reference)
      let base = try iloc.number(baseSize)
      let count = try iloc.number(2)
      left -= count
      guard left >= 0 else { throw MetadataError(.overLimit, "too many extents") }
      let room = method == 1 ? idat : 0..<source.length
      var extents: [Range<Int>] = []
      for _ in 0..<count {
        _ = try iloc.number(indexSize)
        let offset = try iloc.number(offsetSize)
        let length = try iloc.number(lengthSize)
        guard let place = places[identifier], method <= 1, !isElsewhere else { continue }
        let (start, overflow) = base.addingReportingOverflow(offset)
        // A range outside the file is not used; whether that matters depends on the user of the
        // item.
        guard !overflow, start <= room.count, length <= room.count - start else {
          items[place].isElsewhere = true
          continue
        }
        // A length of zero means all remaining bytes.
        let end = length == 0 ? room.count : start + length
        extents.append((room.lowerBound + start)..<(room.lowerBound + end))
      }
      if let place = places[identifier] {
        items[place].extents = extents
        if method > 1 || isElsewhere { items[place].isElsewhere = true }
      }
    }
  }
}
