import MediaContainers

/// Collects the keys of the maps in CBOR data, at any depth.
///
/// Source: RFC 8949 sections 3 and 3.2.
struct CBORFields {
  private static let maximumDepth = 32
  private static let maximumNames = 512
  private static let maximumNameLength = 80
  /// The number of items after which hostile data are not read on.
  private static let maximumItems = 100_000

  private let source: ByteSource
  private let end: Int
  private var position: Int
  private var itemsLeft = maximumItems

  /// Creates a reader of the items in `range`.
  init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// Adds the keys that are texts and whose values are not empty, up to the first damage.
  mutating func read(into names: inout Set<String>) {
    while position < end, names.count < Self.maximumNames, item(&names, depth: 0) != nil {}
  }

  /// What an item is: a text, nothing at all, or something else.
  private enum Item {
    case text(Range<Int>)
    case empty
    case other
    /// The end of a list whose length is not stated.
    case end
  }

  /// Reads one item with all in it; nil for damaged data.
  private mutating func item(_ names: inout Set<String>, depth: Int) -> Item? {
    itemsLeft -= 1
    guard itemsLeft > 0, depth < Self.maximumDepth, position < end,
      let head = source.uint8(at: position)
    else { return nil }
    position += 1
    if head == 0xFF { return .end }
    let kind = head >> 5
    let isOpen = head & 0x1F == 31
    guard let number = isOpen ? 0 : argument(head & 0x1F) else { return nil }
    switch kind {
    case 0, 1: return .other
    case 2, 3:
      if isOpen { return list(of: .max, &names, depth) }
      guard number <= end - position else { return nil }
      let content = position..<(position + number)
      position = content.upperBound
      return content.isEmpty ? .empty : kind == 3 ? .text(content) : .other
    case 4: return list(of: isOpen ? .max : number, &names, depth)
    case 5: return map(of: isOpen ? .max : number, &names, depth)
    case 6: return item(&names, depth: depth + 1)
    // Null and undefined.
    default: return head == 0xF6 || head == 0xF7 ? .empty : .other
    }
  }

  private mutating func list(of count: Int, _ names: inout Set<String>, _ depth: Int) -> Item? {
    var left = count
    while left > 0 {
      guard let element = item(&names, depth: depth + 1) else { return nil }
      if case .end = element { break }
      left -= 1
    }
    return left == count ? .empty : .other
  }

  private mutating func map(of count: Int, _ names: inout Set<String>, _ depth: Int) -> Item? {
    var left = count
    while left > 0 {
      guard let key = item(&names, depth: depth + 1) else { return nil }
      if case .end = key { break }
      guard let value = item(&names, depth: depth + 1) else { return nil }
      left -= 1
      guard case .text(let range) = key, range.count <= Self.maximumNameLength,
        names.count < Self.maximumNames
      else { continue }
      if case .empty = value { continue }
      names.insert(String(decoding: source.bytes(in: range, limit: 80) ?? [], as: UTF8.self))
    }
    return left == count ? .empty : .other
  }

  /// Reads the number that belongs to an item's head; nil for one that is cut or too large.
  private mutating func argument(_ low: Int) -> Int? {
    guard low > 23 else { return low }
    guard low <= 27 else { return nil }
    let size = 1 << (low - 24)
    guard size <= end - position, let number = source.unsigned(at: position, count: size) else {
      return nil
    }
    position += size
    return Int(exactly: number)
  }
}
