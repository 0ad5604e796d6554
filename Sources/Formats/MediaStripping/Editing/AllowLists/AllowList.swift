package import MediaContainers

/// The parts of one container that a stripped output may have; every other part is removed.
///
/// The stripper, the verification, `inspect` and docs/metadata.md use the same list.
package struct AllowList<Key: PartKey>: Sendable {
  /// The origin of a part's bytes in an output.
  package enum Rule: String, Sendable {
    /// The bytes of the source.
    case copied
    /// Bytes that are written from fields of the source.
    case rewritten
    /// Bytes that are written from values that `except` keeps.
    case excepted = "with `except`"
  }

  /// A part that an output may have.
  package struct Part: Sendable {
    /// The types of the part; an output has one of them.
    package let keys: [Key]
    /// The origin of its bytes.
    package let rule: Rule
    /// The text for people that says how much of the part stays.
    package let content: String
    /// The lengths that its content may have in an output, in bytes.
    package let lengths: ClosedRange<Int>
    /// A number that divides the length.
    package let step: Int
    /// The lengths by the kind of picture, if they depend on it; other kinds have no such part.
    package let kinds: [Int: ClosedRange<Int>]?
    /// Whether an output may have several.
    package let isRepeated: Bool

    /// Creates a part; `other` is a second type of it.
    package init(
      _ key: Key,
      _ rule: Rule,
      _ content: String,
      _ lengths: ClosedRange<Int> = 0...Int.max,
      step: Int = 1,
      kinds: [Int: ClosedRange<Int>]? = nil,
      or other: Key? = nil,
      isRepeated: Bool = false
    ) {
      (keys, self.rule, self.content) = ([key] + (other.map { [$0] } ?? []), rule, content)
      (self.lengths, self.step, self.kinds, self.isRepeated) = (lengths, step, kinds, isRepeated)
    }

    /// Returns whether the content of the part may have `length` bytes.
    package func allows(_ length: Int, kind: Int = 0) -> Bool {
      let lengths = kinds.map { $0[kind] } ?? lengths
      return lengths?.contains(length) == true && length % step == 0
    }
  }

  /// The parts in the order of the list.
  package let parts: [Part]
  /// Whether parts stand in the order of the list.
  package let isOrdered: Bool
  private let indexes: [Key: Int]

  /// Creates a list.
  package init(isOrdered: Bool = true, _ parts: [Part]) {
    (self.parts, self.isOrdered) = (parts, isOrdered)
    let pairs = parts.enumerated().flatMap { part in part.element.keys.map { ($0, part.offset) } }
    indexes = Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Returns the index of the part of that type, or nil.
  package func index(of key: Key) -> Int? { indexes[key] }

  /// The part of that type, or nil.
  package subscript(key: Key) -> Part? { indexes[key].map { parts[$0] } }
}

/// A position in an allow-list, for parts that are read one after the other.
package struct PartCursor<Key: PartKey> {
  /// The list.
  package let list: AllowList<Key>
  private var last = -1
  private var seen: Set<Int> = []

  /// Starts ahead of the first part.
  package init(_ list: AllowList<Key>) {
    self.list = list
  }

  /// Returns why a part of this type and length may not come next, or nil; it then counts as read.
  package mutating func refusal(of key: Key, length: Int, kind: Int = 0) -> String? {
    guard let index = list.index(of: key) else { return key.name }
    let part = list.parts[index]
    guard part.allows(length, kind: kind) else { return "\(key.name) of another length" }
    guard !list.isOrdered || index >= last, part.isRepeated || !seen.contains(index) else {
      return "\(key.name) that is repeated or out of order"
    }
    seen.insert(index)
    last = index
    return nil
  }
}

/// The type of a part in its container.
package protocol PartKey: Hashable, Sendable {
  /// The name of the part in messages and documents.
  var name: String { get }
}

extension String: PartKey {
  /// The text itself.
  package var name: String { self }
}

extension FourCharacterCode: PartKey {}

extension Dictionary where Key: PartKey, Value == [UInt8] {
  /// Removes the part that is to be written when a part of the source already has its bytes.
  ///
  /// - Returns: Whether it has.
  package mutating func remove(
    _ key: Key,
    ifSameAs content: Range<Int>,
    of source: ByteSource
  ) -> Bool {
    guard let bytes = self[key], source.bytes(in: content, limit: bytes.count) == bytes else {
      return false
    }
    self[key] = nil
    return true
  }
}
