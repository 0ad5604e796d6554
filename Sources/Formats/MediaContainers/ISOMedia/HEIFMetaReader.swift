/// Parses the meta box of a picture file.
///
/// In a strict reading, what readers interpret differently is damage. A lenient reading takes the
/// first of two boxes and the last of two statements about an item, and continues after damage with
/// the next box.
///
/// Source: ISO/IEC 14496-12 section 8.11; ISO/IEC 23008-12 sections 6 and 9.3.
package struct HEIFMetaReader {
  private let source: ByteSource
  private let isStrict: Bool
  private var boxes: [ISOBox] = []
  private var meta = HEIFMeta()

  private init(_ source: ByteSource, isStrict: Bool) {
    (self.source, self.isStrict) = (source, isStrict)
  }

  /// Parses a meta box strictly; `body` includes its version and flags.
  ///
  /// - Throws: `damaged` for ambiguous data and for boxes that violate their format;
  ///   `stripUnsupported` for other versions; `overLimit` for too many items or too much about them.
  package static func read(
    _ body: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> HEIFMeta {
    var reader = HEIFMetaReader(source, isStrict: true)
    reader.read(body)
    if let damage = reader.meta.damage { throw damage }
    return reader.meta
  }

  /// Parses a meta box as far as possible; ``HEIFMeta/damage`` is the first error.
  package static func readLeniently(_ body: Range<Int>, of source: ByteSource) -> HEIFMeta {
    var reader = HEIFMetaReader(source, isStrict: false)
    reader.read(body)
    return reader.meta
  }

  private mutating func read(_ body: Range<Int>) {
    // Locations and properties are those of items, which therefore come first.
    let order: [FourCharacterCode] = [
      "meta", "hdlr", "iinf", "iloc", "iprp", "pitm", "iref", "grpl",
    ]
    for type in order {
      do throws(MetadataError) { try readBox(type, in: body) } catch {
        meta.damage = meta.damage ?? error
        if isStrict { return }
      }
    }
  }

  private mutating func readBox(
    _ type: FourCharacterCode,
    in body: Range<Int>
  ) throws(MetadataError) {
    switch type {
    case "meta":
      guard body.count >= 4 else { throw MetadataError(.damaged, "meta of impossible length") }
      boxes = Array(ISOBoxes(source, in: body.dropFirst(4)))
      meta.boxes = boxes
      // The list must be whole.
      _ = try ISOBox.children(of: "meta", in: body.dropFirst(4), of: source, isStrict: true)
    case "hdlr" where isStrict:
      guard let hdlr = try only("hdlr", of: boxes),
        source.code(at: hdlr.body.lowerBound + 8) == "pict", hdlr.body.count >= 12
      else { throw MetadataError(.stripUnsupported, "meta whose handler is not pict") }
    case "iinf": try readItems()
    case "iloc": try readLocations()
    case "iprp": try readProperties()
    case "pitm":
      var pitm = try fields("pitm")
      let version = try pitm.number(4) >> 24
      meta.primary = try pitm.number(version == 0 ? 2 : 4)
    case "iref": try readReferences()
    case "grpl" where isStrict: try readAlternatives()
    default: break
    }
  }

  /// Returns the only box of that type; in a lenient reading the first one.
  private func only(
    _ type: FourCharacterCode,
    of boxes: [ISOBox]
  ) throws(MetadataError) -> ISOBox? {
    isStrict ? try boxes.only(type) : boxes.first { $0.type == type }
  }

  private func fields(_ type: FourCharacterCode) throws(MetadataError) -> ISOFields {
    let name = type.displayName
    guard let box = try only(type, of: boxes) else { throw MetadataError(.damaged, "no \(name)") }
    return ISOFields(source, box.body, name)
  }

  /// Checks in a strict reading that there is nothing else of the kind.
  private func checkFirst(_ isFirst: Bool, _ text: String) throws(MetadataError) {
    guard isFirst || !isStrict else { throw MetadataError(.damaged, text) }
  }

  private mutating func readItems() throws(MetadataError) {
    var iinf = try fields("iinf")
    let version = try iinf.number(4) >> 24
    // The count is redundant: the boxes follow.
    _ = try iinf.number(version == 0 ? 2 : 4)
    for box in try ISOBox.children(of: "iinf", in: iinf.range, of: source, isStrict: true) {
      guard box.type == "infe" else { continue }
      var infe = ISOFields(source, box.body, "infe")
      let head = try infe.number(4)
      guard head >> 24 == 2 || head >> 24 == 3 else {
        // Older versions have no type; pictures do not use them.
        if !isStrict { continue }
        throw MetadataError(.stripUnsupported, "infe of version \(head >> 24)")
      }
      let identifier = try infe.number(head >> 24 == 2 ? 2 : 4)
      let protection = try infe.number(2)
      let type = try infe.code()
      let isNamed = !infe.text(limit: 1).isEmpty
      let contentType = type == "mime" ? infe.text(limit: 64) : []
      guard meta.items.count < Self.maximumItems else {
        throw MetadataError(.overLimit, "too many items")
      }
      let item = HEIFItem(
        identifier: identifier,
        type: type,
        isHidden: head & 1 == 1,
        isProtected: protection != 0,
        isNamed: isNamed,
        contentType: contentType
      )
      if let index = meta.indexes[identifier] {
        try checkFirst(false, "two items of one number")
        meta.items[index] = item
      } else {
        meta.indexes[identifier] = meta.items.count
        meta.items.append(item)
      }
    }
  }

  private mutating func readReferences() throws(MetadataError) {
    guard try only("iref", of: boxes) != nil else { return }
    var iref = try fields("iref")
    let size = try iref.number(4) >> 24 == 0 ? 2 : 4
    var left = Self.maximumLinks
    for box in try ISOBox.children(of: "iref", in: iref.range, of: source, isStrict: true) {
      var fields = ISOFields(source, box.body, "iref")
      let from = try fields.number(size)
      let count = try fields.number(2)
      left -= count + 1
      guard left >= 0 else { throw MetadataError(.overLimit, "too many references") }
      var to: [Int] = []
      for _ in 0..<count { to.append(try fields.number(size)) }
      if isStrict, box.type == "dimg" {
        let isSecond = meta.references[from]?.contains { $0.type == "dimg" } == true
        try checkFirst(!isSecond, "two dimg of one item")
      }
      meta.references[from, default: []].append(HEIFReference(type: box.type, from: from, to: to))
    }
  }

  private mutating func readAlternatives() throws(MetadataError) {
    guard let grpl = try only("grpl", of: boxes) else { return }
    for box in try grpl.children(in: source, isStrict: true) where box.type == "altr" {
      var fields = ISOFields(source, box.body, "altr")
      _ = try fields.number(8)
      let count = try fields.number(4)
      guard count <= fields.left / 4 else { throw fields.damaged }
      var entities: [Int] = []
      for _ in 0..<count { entities.append(try fields.number(4)) }
      meta.alternatives.append(HEIFAlternatives(entities: entities))
    }
  }

  /// Reads the children of ipco and associates them with items as ipma specifies.
  private mutating func readProperties() throws(MetadataError) {
    guard let iprp = try only("iprp", of: boxes) else { return }
    let children = try iprp.children(in: source, isStrict: true)
    guard let ipco = try only("ipco", of: children) else { return }
    var seen: Set<Int> = []
    var left = Self.maximumLinks
    for box in children where box.type == "ipma" {
      var ipma = ISOFields(source, box.body, "ipma")
      let head = try ipma.number(4)
      let entries = try ipma.number(4)
      for _ in 0..<entries {
        let identifier = try ipma.number(head >> 24 == 0 ? 2 : 4)
        try checkFirst(seen.insert(identifier).inserted, "two ipma of one item")
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
        if let index = meta.indexes[identifier] { meta.items[index].associations = associations }
      }
    }
    meta.properties = try ipco.children(in: source, isStrict: true)
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
    guard let dinf = try only("dinf", of: boxes),
      let dref = ISOBoxes.first("dref", in: dinf.body, of: source), dref.body.count >= 8
    else { return [] }
    var own: Set<Int> = []
    for (index, box) in ISOBoxes(source, in: dref.body.dropFirst(8)).enumerated()
    where source.uint32(at: box.body.lowerBound).map({ $0 & 1 }) == 1 {
      own.insert(index + 1)
    }
    return own
  }

  /// Assigns to each item the extents in iloc. A lenient reading looks for all of them in this file.
  private mutating func readLocations() throws(MetadataError) {
    var iloc = try fields("iloc")
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
    let idat = try only("idat", of: boxes)?.body ?? 0..<0
    let own = try ownReferences()
    let entries = try iloc.number(version < 2 ? 2 : 4)
    var left = Self.maximumExtents
    var seen: Set<Int> = []
    for _ in 0..<entries {
      let identifier = try iloc.number(version < 2 ? 2 : 4)
      try checkFirst(seen.insert(identifier).inserted, "two iloc of one item")
      let method = version == 0 ? 0 : try iloc.number(2) & 0xF
      let reference = try iloc.number(2)
      let isElsewhere = method > 1 || isStrict && reference != 0 && !own.contains(reference)
      let base = try iloc.number(baseSize)
      let count = try iloc.number(2)
      left -= count
      guard left >= 0 else { throw MetadataError(.overLimit, "too many extents") }
      let room = method == 1 ? idat : 0..<source.length
      var extents: [Range<Int>] = []
      var isCut = false
      for _ in 0..<count {
        _ = try iloc.number(indexSize)
        let offset = try iloc.number(offsetSize)
        let length = try iloc.number(lengthSize)
        let (start, overflow) = base.addingReportingOverflow(offset)
        // A range outside the file is not used; whether that matters depends on the user of the
        // item.
        guard !overflow, start <= room.count, length <= room.count - start else {
          isCut = true
          continue
        }
        // A length of zero means all remaining bytes.
        let end = length == 0 ? room.count : start + length
        extents.append((room.lowerBound + start)..<(room.lowerBound + end))
      }
      guard let index = meta.indexes[identifier] else { continue }
      meta.items[index].extents = isElsewhere ? [] : extents
      meta.items[index].isCut = isCut && !isElsewhere
      meta.items[index].isElsewhere = isElsewhere || isCut
    }
  }
}
