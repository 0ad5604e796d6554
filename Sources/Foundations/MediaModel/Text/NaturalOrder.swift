/// The order of names in which a person counts: `IMG_2` comes before `IMG_10`, and `IMG_1` before `IMG_1-edited`.
package enum NaturalOrder {
  /// Returns bytes that are in the order of names when they are compared as bytes, so that a catalogue can store them.
  ///
  /// Digits count by their value, letters without case (ASCII), and a name's extension counts last. Names that differ
  /// in case or leading zeros alone have one key.
  package static func key(of name: some Collection<UInt8>) -> [UInt8] {
    let name = ItemPath(bytes: Array(name))
    var key: [UInt8] = []
    key.reserveCapacity(name.bytes.count + 8)
    append(name.bytes[..<name.stem.endIndex], to: &key)
    // Lower than any character of a name, so that a name comes before those that it begins.
    key.append(0)
    append(name.bytes[name.stem.endIndex...], to: &key)
    return key
  }

  private static func append(_ text: ArraySlice<UInt8>, to key: inout [UInt8]) {
    var unread = text
    while let byte = unread.first {
      guard byte.isASCIIDigit else {
        key.append(byte.asciiLowercased)
        unread.removeFirst()
        continue
      }
      let number = unread.prefix(while: \.isASCIIDigit)
      unread = unread[number.endIndex...]
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      // Of two numbers the one with more digits is higher; the first byte puts numbers where digits stand.
      key += [UInt8(ascii: "0"), UInt8(clamping: digits.count)]
      key += digits
    }
  }
}

extension ItemPath {
  /// What its name is sorted by; see ``NaturalOrder``.
  package var nameOrder: [UInt8] { NaturalOrder.key(of: name) }

  /// Whether its name is in front of another's in ``NaturalOrder``, then its path by bytes.
  package func precedesNaturally(_ other: ItemPath) -> Bool {
    let (first, second) = (nameOrder, other.nameOrder)
    return first == second ? self < other : first.lexicographicallyPrecedes(second)
  }
}

extension Sequence {
  /// Returns the elements in the order of ``ItemPath/precedesNaturally(_:)``; what a name is sorted by is made once.
  package func sortedNaturally(by path: (Element) -> ItemPath) -> [Element] {
    map { (order: path($0).nameOrder, element: $0) }
      .sorted { first, second in
        first.order == second.order
          ? path(first.element) < path(second.element) : first.order.lexicographicallyPrecedes(second.order)
      }
      .map(\.element)
  }
}
