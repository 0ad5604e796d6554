import MediaModel

/// The pictures of a HEIF file and their relations, read before a decoder opens the file.
///
/// libheif allocates the memory that a file claims to need, and follows derived pictures to any
/// depth; the cost of a decode is therefore computed here first.
///
/// Source: ISO/IEC 14496-12 section 8.11 (pitm, iinf, iref, iloc, iprp); ISO/IEC 23008-12 sections
/// 6 and 9.
struct HEIFItems {
  struct Reference {
    var type: UInt32
    var from: Int
    var to: [Int]
  }

  struct Property {
    var type: UInt32
    var body: Range<Int>
  }

  private struct Location {
    /// The construction method: 0 in the file, 1 in `idat`.
    var construction: Int
    var extents: [(offset: Int, length: Int)]
  }

  /// The limit on items, the same as libheif's.
  private static let maximumItemCount = 20_000
  /// The limit on extents of all items; each takes memory, even without any byte in the file.
  private static let maximumExtentCount = 1 << 18

  let bytes: HEIFBytes
  private(set) var primary = 0
  private(set) var types: [Int: UInt32] = [:]
  private(set) var references: [Reference] = []
  /// The offsets of the box types that are hidden from libheif, which does not need them:
  /// references of metadata to pictures. libheif reports a file as damaged if they refer to a kind
  /// of picture that it does not know (a tone-mapped one, as phones write since 2024).
  private(set) var hidden: [Int64] = []
  private var properties: [Property] = []
  private var associations: [Int: [Int]] = [:]
  private var locations: [Int: Location] = [:]
  private var extentCount = 0
  private var itemData: Range<Int> = 0..<0

  /// Reads the boxes of a file.
  ///
  /// - Throws: `damaged` when the boxes contradict each other; `unsupported` for a file with an
  ///   image sequence and no still picture; `overLimit` for more items than any file needs.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    self.bytes = HEIFBytes(bytes: bytes)
    var meta: Range<Int>?
    var hasMovie = false
    // A truncated last box may still hold the picture: its data is checked below.
    _ = self.bytes.forEachBox(in: self.bytes.all) { box in
      if box.type == Self.moov { hasMovie = true }
      if box.type == Self.meta, meta == nil { meta = box.body }
      return meta == nil
    }
    guard let meta, meta.count >= 4 else {
      throw hasMovie
        ? ImagingError(.unsupported, "an image sequence without a picture")
        : ImagingError(.damaged, "no meta box")
    }
    var boxes: [UInt32: Range<Int>] = [:]
    let isWhole = self.bytes.forEachBox(in: (meta.lowerBound + 4)..<meta.upperBound) { box in
      boxes[box.type] = boxes[box.type] ?? box.body
      return true
    }
    guard isWhole, let pitm = boxes[Self.pitm], let iinf = boxes[Self.iinf],
      let iloc = boxes[Self.iloc], let iprp = boxes[Self.iprp]
    else { throw ImagingError(.damaged, "no picture in the meta box") }
    itemData = boxes[Self.idat] ?? 0..<0
    guard readPrimary(pitm), readTypes(iinf), readLocations(iloc), readProperties(iprp),
      boxes[Self.iref].map({ readReferences($0) }) ?? true
    else { throw ImagingError(.damaged, "boxes of the meta box") }
    guard types.count <= Self.maximumItemCount else {
      throw ImagingError(.overLimit, "\(types.count) items")
    }
    guard extentCount <= Self.maximumExtentCount else {
      throw ImagingError(.overLimit, "more than \(Self.maximumExtentCount) places of items")
    }
    guard types[primary] != nil else { throw ImagingError(.damaged, "no primary picture") }
  }

  /// Returns the properties of an item, in their order.
  func properties(of item: Int) -> [Property] {
    (associations[item] ?? []).compactMap { index in
      index > 0 && index <= properties.count ? properties[index - 1] : nil
    }
  }

  /// Returns the items to which an item's references of one type point, in their order.
  func targets(of item: Int, _ type: UInt32) -> [Int] {
    references.filter { $0.from == item && $0.type == type }.flatMap(\.to)
  }

  /// Returns the items that have a reference of one type to an item.
  func sources(to item: Int, _ type: UInt32) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(item) }.map(\.from)
  }

  /// Returns the ranges of an item's bytes in the file, if any.
  ///
  /// - Returns: Nil if the file ends before they do.
  func ranges(of item: Int) -> [Range<Int>]? {
    guard let location = locations[item] else { return nil }
    let whole = location.construction == 1 ? itemData : bytes.all
    var ranges: [Range<Int>] = []
    for extent in location.extents {
      let (start, overflow) = whole.lowerBound.addingReportingOverflow(extent.offset)
      guard !overflow, start <= whole.upperBound else { return nil }
      let length = extent.length == 0 ? whole.upperBound - start : extent.length
      guard length <= whole.upperBound - start else { return nil }
      ranges.append(start..<(start + length))
    }
    return ranges
  }

  /// Whether the bytes of every item are in the file.
  var isWhole: Bool { locations.keys.allSatisfy { ranges(of: $0) != nil } }

  /// Returns the size from the ispe property, before the picture is turned.
  func size(of item: Int) -> PixelSize? {
    guard let ispe = properties(of: item).first(where: { $0.type == Self.ispe })?.body,
      let width = bytes.number(at: ispe.lowerBound + 4, count: 4, in: ispe),
      let height = bytes.number(at: ispe.lowerBound + 8, count: 4, in: ispe)
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}

// The readers of the boxes; each returns false if the box is invalid.
extension HEIFItems {
  private mutating func readPrimary(_ body: Range<Int>) -> Bool {
    guard let version = bytes.number(at: body.lowerBound, count: 1, in: body),
      let item = bytes.number(
        at: body.lowerBound + 4,
        count: version == 0 ? 2 : 4,
        in: body
      )
    else { return false }
    primary = item
    return true
  }

  private mutating func readTypes(_ body: Range<Int>) -> Bool {
    guard let version = bytes.number(at: body.lowerBound, count: 1, in: body) else {
      return false
    }
    let start = body.lowerBound + (version == 0 ? 6 : 8)
    guard start <= body.upperBound else { return false }
    var isClean = true
    var rest = start
    // `forEachBox` visits at most 4,096 boxes, but a list of items may hold more.
    while isClean, rest < body.upperBound, types.count <= Self.maximumItemCount {
      let from = rest
      _ = bytes.forEachBox(in: from..<body.upperBound) { box in
        rest = box.body.upperBound
        guard box.type == Self.infe else { return true }
        isClean = readType(box.body)
        return isClean && types.count <= Self.maximumItemCount
      }
      if rest == from { return false }
    }
    return isClean
  }

  private mutating func readType(_ body: Range<Int>) -> Bool {
    guard let version = bytes.number(at: body.lowerBound, count: 1, in: body) else {
      return false
    }
    // Older versions have no type; pictures do not use them.
    guard version >= 2 else { return true }
    let width = version == 2 ? 2 : 4
    guard let item = bytes.number(at: body.lowerBound + 4, count: width, in: body),
      let type = bytes.number(at: body.lowerBound + 6 + width, count: 4, in: body)
    else { return false }
    types[item] = UInt32(type)
    return true
  }

  private mutating func readReferences(_ body: Range<Int>) -> Bool {
    guard let version = bytes.number(at: body.lowerBound, count: 1, in: body),
      body.count >= 4
    else { return false }
    let width = version == 0 ? 2 : 4
    var total = 0
    var isClean = true
    let isWhole = bytes.forEachBox(in: (body.lowerBound + 4)..<body.upperBound) { box in
      guard let from = bytes.number(at: box.body.lowerBound, count: width, in: box.body),
        let count = bytes.number(at: box.body.lowerBound + width, count: 2, in: box.body),
        box.body.count >= width + 2 + width * count
      else {
        isClean = false
        return false
      }
      if box.type == Self.cdsc {
        hidden.append(Int64(box.typeOffset))
        return true
      }
      total += count
      let to = (0..<count).compactMap { index in
        bytes.number(
          at: box.body.lowerBound + width + 2 + width * index,
          count: width,
          in: box.body
        )
      }
      references.append(Reference(type: box.type, from: from, to: to))
      isClean = total <= 1 << 18
      return isClean
    }
    return isWhole && isClean
  }

  private mutating func readProperties(_ body: Range<Int>) -> Bool {
    var isClean = true
    let isWhole = bytes.forEachBox(in: body) { box in
      switch box.type {
      case Self.ipco:
        isClean = bytes.forEachBox(in: box.body) { property in
          properties.append(Property(type: property.type, body: property.body))
          return true
        }
      case Self.ipma: isClean = readAssociations(box.body)
      default: break
      }
      return isClean
    }
    return isWhole && isClean
  }

  private mutating func readAssociations(_ body: Range<Int>) -> Bool {
    guard let version = bytes.number(at: body.lowerBound, count: 1, in: body),
      let flags = bytes.number(at: body.lowerBound + 1, count: 3, in: body),
      let count = bytes.number(at: body.lowerBound + 4, count: 4, in: body)
    else { return false }
    let itemWidth = version == 0 ? 2 : 4
    let indexWidth = flags & 1 == 0 ? 1 : 2
    var offset = body.lowerBound + 8
    for _ in 0..<count {
      guard let item = bytes.number(at: offset, count: itemWidth, in: body),
        let indexCount = bytes.number(at: offset + itemWidth, count: 1, in: body)
      else { return false }
      offset += itemWidth + 1
      for _ in 0..<indexCount {
        guard let index = bytes.number(at: offset, count: indexWidth, in: body) else {
          return false
        }
        // The highest bit marks the property as essential: a reader that does not know it must not
        // show the picture.
        associations[item, default: []].append(index & (indexWidth == 1 ? 0x7F : 0x7FFF))
        offset += indexWidth
      }
    }
    return true
  }

  private mutating func readLocations(_ body: Range<Int>) -> Bool {
    let start = body.lowerBound
    guard let version = bytes.number(at: start, count: 1, in: body), version <= 2,
      let sizes = bytes.number(at: start + 4, count: 2, in: body)
    else { return false }
    let widths = (
      offset: sizes >> 12, length: sizes >> 8 & 15, base: sizes >> 4 & 15,
      index: version == 0 ? 0 : sizes & 15
    )
    let itemWidth = version == 2 ? 4 : 2
    guard [widths.offset, widths.length, widths.base, widths.index].allSatisfy({ $0 <= 8 }),
      let count = bytes.number(at: start + 6, count: itemWidth, in: body)
    else { return false }
    var offset = start + 6 + itemWidth
    func next(_ count: Int) -> Int? {
      defer { offset += count }
      return bytes.number(at: offset, count: count, in: body)
    }
    for _ in 0..<count {
      guard let item = next(itemWidth), let method = version == 0 ? 0 : next(2),
        next(2) != nil, let base = next(widths.base), let count = next(2)
      else { return false }
      extentCount += max(1, count)
      if extentCount > Self.maximumExtentCount { return true }
      var location = Location(construction: method & 15, extents: [])
      for _ in 0..<count {
        guard next(widths.index) != nil, let from = next(widths.offset),
          let length = next(widths.length)
        else { return false }
        let (sum, overflow) = base.addingReportingOverflow(from)
        if overflow { return false }
        location.extents.append((sum, length))
      }
      locations[item] = location
    }
    return true
  }
}

// The names of boxes, items, references and properties.
extension HEIFItems {
  static let meta = HEIFBytes.code("meta")
  static let moov = HEIFBytes.code("moov")
  static let pitm = HEIFBytes.code("pitm")
  static let iinf = HEIFBytes.code("iinf")
  static let infe = HEIFBytes.code("infe")
  static let iloc = HEIFBytes.code("iloc")
  static let iprp = HEIFBytes.code("iprp")
  static let ipco = HEIFBytes.code("ipco")
  static let ipma = HEIFBytes.code("ipma")
  static let iref = HEIFBytes.code("iref")
  static let idat = HEIFBytes.code("idat")
  static let ispe = HEIFBytes.code("ispe")
  static let cdsc = HEIFBytes.code("cdsc")
  static let dimg = HEIFBytes.code("dimg")
  static let thmb = HEIFBytes.code("thmb")
  static let hvcC = HEIFBytes.code("hvcC")
  static let colr = HEIFBytes.code("colr")
  static let auxl = HEIFBytes.code("auxl")
  static let clap = HEIFBytes.code("clap")
  static let irot = HEIFBytes.code("irot")
  static let imir = HEIFBytes.code("imir")
  static let hvc1 = HEIFBytes.code("hvc1")
  static let av01 = HEIFBytes.code("av01")
  static let grid = HEIFBytes.code("grid")
  static let iden = HEIFBytes.code("iden")
  static let iovl = HEIFBytes.code("iovl")
}
