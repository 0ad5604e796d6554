/// One item of a meta box: a coded picture, a derived one, or something else that was put in.
///
/// Source: ISO/IEC 14496-12 sections 8.11.3 (iloc), 8.11.6 (iinf), 8.11.12 (iref), 8.11.14 (iprp).
package struct HEIFItem {
  /// A property that counts for the item; `index` is 1-based.
  package struct Association: Hashable {
    package var index: Int
    package var isEssential: Bool

    package init(index: Int, isEssential: Bool) {
      (self.index, self.isEssential) = (index, isEssential)
    }
  }

  package var identifier: Int
  package var type: FourCharacterCode
  package var isHidden: Bool
  package var isProtected: Bool
  package var isNamed: Bool
  /// Of a mime item only, at most 64 bytes.
  package var contentType: [UInt8]
  /// In the order in which they apply.
  package var associations: [Association] = []
  /// Where its bytes are in the file, in the item's order.
  package var extents: [Range<Int>] = []
  /// Whether its place is one that this program does not follow: another file, another item.
  package var isElsewhere = false

  package static let xmpContentType = "application/rdf+xml"

  package var isXMP: Bool {
    type == "mime" && contentType == Array(Self.xmpContentType.utf8)
  }
}

/// One reference of an iref box.
package struct HEIFReference: Hashable {
  package var type: FourCharacterCode
  package var from: Int
  package var to: [Int]

  package init(type: FourCharacterCode, from: Int, to: [Int]) {
    self.type = type
    self.from = from
    self.to = to
  }
}

/// A group of items of which a reader picks the first that it knows.
package struct HEIFAlternatives: Hashable {
  package var entities: [Int]
}

/// All of a meta box that strip looks at.
package struct HEIFMeta {
  /// In the order of iinf, each identifier once.
  package var items: [HEIFItem]
  package var primary: Int
  /// By the item that they start from, in the order of the file.
  package var references: [Int: [HEIFReference]]
  /// The children of ipco.
  package var properties: [ISOBox]
  package var alternatives: [HEIFAlternatives]
  /// Types of boxes that stand in it and say nothing that is needed.
  package var others: [FourCharacterCode]

  /// The place of each identifier in `items`.
  package var places: [Int: Int]

  package func item(_ identifier: Int) -> HEIFItem? {
    places[identifier].map { items[$0] }
  }

  /// What a derived item is made from, in order.
  package func sources(of identifier: Int) -> [Int] {
    references[identifier]?.first { $0.type == "dimg" }?.to ?? []
  }

  /// The properties that count for the item and are there.
  package func properties(of item: HEIFItem) -> [ISOBox] {
    item.associations.filter { $0.index <= properties.count }.map { properties[$0.index - 1] }
  }

  /// The first property of that type that counts for the item.
  package func property(_ type: FourCharacterCode, of item: HEIFItem) -> ISOBox? {
    properties(of: item).first { $0.type == type }
  }
}
