/// One item of a meta box: a coded picture, a derived one, or something else that was put in.
///
/// Source: ISO/IEC 14496-12 sections 8.11.3 (iloc), 8.11.6 (iinf), 8.11.12 (iref), 8.11.14 (iprp).
struct HEIFItem {
  /// A property that counts for the item; `index` is 1-based.
  struct Association: Hashable {
    var index: Int
    var isEssential: Bool
  }

  var identifier: Int
  var type: FourCharacterCode
  var isHidden: Bool
  var isProtected: Bool
  var isNamed: Bool
  /// Of a mime item only, at most 64 bytes.
  var contentType: [UInt8]
  /// In the order in which they apply.
  var associations: [Association] = []
  /// Where its bytes are in the file, in the item's order.
  var extents: [Range<Int>] = []
  /// Whether its place is one that this program does not follow: another file, another item.
  var isElsewhere = false

  static let xmpContentType = "application/rdf+xml"

  var isXMP: Bool {
    type == "mime" && contentType == Array(Self.xmpContentType.utf8)
  }
}

/// One reference of an iref box.
struct HEIFReference: Hashable {
  var type: FourCharacterCode
  var from: Int
  var to: [Int]
}

/// A group of items of which a reader picks the first that it knows.
struct HEIFAlternatives: Hashable {
  var entities: [Int]
}

/// All of a meta box that strip looks at.
struct HEIFMeta {
  /// In the order of iinf, each identifier once.
  var items: [HEIFItem]
  var primary: Int
  /// By the item that they start from, in the order of the file.
  var references: [Int: [HEIFReference]]
  /// The children of ipco.
  var properties: [ISOBox]
  var alternatives: [HEIFAlternatives]
  /// Types of boxes that stand in it and say nothing that is needed.
  var others: [FourCharacterCode]

  /// The place of each identifier in `items`.
  var places: [Int: Int]

  func item(_ identifier: Int) -> HEIFItem? {
    places[identifier].map { items[$0] }
  }

  /// What a derived item is made from, in order.
  func sources(of identifier: Int) -> [Int] {
    references[identifier]?.first { $0.type == "dimg" }?.to ?? []
  }

  /// The properties that count for the item and are there.
  func properties(of item: HEIFItem) -> [ISOBox] {
    item.associations.filter { $0.index <= properties.count }.map { properties[$0.index - 1] }
  }

  /// The first property of that type that counts for the item.
  func property(_ type: FourCharacterCode, of item: HEIFItem) -> ISOBox? {
    properties(of: item).first { $0.type == type }
  }
}
