package import MediaModel

/// An item of a meta box: a coded picture, a derived one, or other data.
///
/// Source: ISO/IEC 14496-12 sections 8.11.3 (iloc), 8.11.6 (iinf), 8.11.12 (iref), 8.11.14 (iprp).
package struct HEIFItem {
  /// A property associated with the item; `index` is 1-based.
  package struct Association: Hashable {
    /// The index into the properties, 1-based.
    package var index: Int
    /// Whether a reader must understand the property.
    package var isEssential: Bool

    /// Creates an association.
    package init(index: Int, isEssential: Bool) {
      (self.index, self.isEssential) = (index, isEssential)
    }
  }

  /// The item identifier.
  package var identifier: Int
  /// The item type.
  package var type: FourCharacterCode
  /// Whether the item is not to be displayed.
  package var isHidden: Bool
  /// Whether the item is protected.
  package var isProtected: Bool
  /// Whether the item has a name.
  package var isNamed: Bool
  /// The content type of a mime item, at most 64 bytes.
  package var contentType: [UInt8]
  /// The properties in the order in which they apply.
  package var associations: [Association] = []
  /// The ranges of the item's bytes in the file, in the item's order.
  package var extents: [Range<Int>] = []
  /// Whether data are stored where this program does not read: in another file or another item, or
  /// beyond the end of the file.
  package var isElsewhere = false
  /// Whether data are stored beyond the end of the file.
  package var isCut = false

  /// The content type of an XMP packet.
  package static let xmpContentType = "application/rdf+xml"

  /// Whether the item is an XMP packet.
  package var isXMP: Bool {
    type == "mime" && contentType == Array(Self.xmpContentType.utf8)
  }
}

/// A reference of an iref box.
package struct HEIFReference: Hashable {
  /// The reference type.
  package var type: FourCharacterCode
  /// The identifier of the referring item.
  package var from: Int
  /// The identifiers of the referenced items.
  package var to: [Int]

  /// Creates a reference.
  package init(type: FourCharacterCode, from: Int, to: [Int]) {
    self.type = type
    self.from = from
    self.to = to
  }
}

/// A group of items from which a reader selects the first that it supports.
package struct HEIFAlternatives: Hashable {
  /// The identifiers of the items, in order of preference.
  package var entities: [Int]
}

/// The contents of a meta box.
package struct HEIFMeta {
  /// The items in the order of iinf, each identifier once.
  package var items: [HEIFItem] = []
  /// The identifier of the primary item.
  package var primary = 0
  /// The references by referring item, in file order.
  package var references: [Int: [HEIFReference]] = [:]
  /// The children of ipco.
  package var properties: [ISOBox] = []
  /// The groups of alternatives; none in a lenient reading.
  package var alternatives: [HEIFAlternatives] = []
  /// The boxes in the meta box.
  package var boxes: [ISOBox] = []
  /// The index in `items` of each identifier.
  package var indexes: [Int: Int] = [:]
  /// The first damage that a lenient reading found.
  package var damage: MetadataError?

  /// Returns the item with the given identifier.
  package func item(_ identifier: Int) -> HEIFItem? {
    indexes[identifier].map { items[$0] }
  }

  /// Returns the items to which an item's references of one type point, in order.
  package func targets(of identifier: Int, _ type: FourCharacterCode) -> [Int] {
    (references[identifier] ?? []).filter { $0.type == type }.flatMap(\.to)
  }

  /// Returns the items from which a derived item is made, in order.
  package func sources(of identifier: Int) -> [Int] { targets(of: identifier, "dimg") }

  /// Returns the existing properties that apply to the item.
  package func properties(of item: HEIFItem) -> [ISOBox] {
    item.associations.filter { $0.index <= properties.count }.map { properties[$0.index - 1] }
  }

  /// Returns the first property of that type that applies to the item.
  package func property(_ type: FourCharacterCode, of item: HEIFItem) -> ISOBox? {
    properties(of: item).first { $0.type == type }
  }

  /// Returns the size in its ispe property, or without one that in the data of a grid or an overlay,
  /// before the picture is cropped and turned.
  package func pixelSize(of item: HEIFItem, in source: ByteSource) -> PixelSize? {
    guard property("ispe", of: item) != nil else { return derivedSize(of: item, in: source) }
    guard let ispe = property("ispe", of: item)?.body, ispe.count >= 12,
      let width = source.uint32(at: ispe.lowerBound + 4),
      let height = source.uint32(at: ispe.lowerBound + 8)
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Source: ISO/IEC 23008-12 sections 6.6.2.2 and 6.6.2.3.
  private func derivedSize(of item: HEIFItem, in source: ByteSource) -> PixelSize? {
    // Version and flags come first; then rows and columns of a grid, or the color of an overlay.
    let offset: Int
    switch item.type {
    case "grid": offset = 4
    case "iovl": offset = 10
    default: return nil
    }
    let data = ByteSource(joining: item.extents, of: source)
    guard let flags = data.uint8(at: 1) else { return nil }
    let size = flags & 1 == 1 ? 4 : 2
    guard let width = data.number(at: offset, count: size),
      let height = data.number(at: offset + size, count: size)
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}
