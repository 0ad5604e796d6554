/// The tags of a Flash Video: sound, pictures, and scripts that describe them.
///
/// Source: Adobe, Video File Format Specification 10.1, annex E.
package struct FLVFile {
  /// A tag.
  package struct Tag {
    /// The kind of content.
    package var kind: Kind
    /// The range of the content.
    package var data: Range<Int>
    /// The time in milliseconds.
    package var milliseconds: Int
  }

  /// What a tag has.
  package enum Kind: Int {
    case audio = 8
    case video = 9
    case script = 18
  }

  /// The number of bytes of a tag's header, and of the length behind each tag.
  private static let (headerLength, trailerLength) = (11, 4)
  /// Those of a day at 60 pictures and 50 packets of sound a second.
  private static let maximumTags = 1 << 24

  private let source: ByteSource
  private let start: Int

  /// Reads the header; nil for a file that does not begin with one and a tag.
  package init?(of source: ByteSource) {
    guard source.holds("FLV\u{1}", at: 0), let flags = source.uint8(at: 4), flags & ~5 == 0,
      let length = source.uint32(at: 5), (9...4096).contains(length),
      source.uint32(at: length) == 0
    else { return nil }
    (self.source, start) = (source, length + Self.trailerLength)
    guard tag(at: start) != nil else { return nil }
  }

  /// Returns the first tags.
  package func tags(_ count: Int) -> [Tag] {
    var tags: [Tag] = []
    var position = start
    while tags.count < count, let tag = tag(at: position) {
      tags.append(tag)
      position = tag.data.upperBound + Self.trailerLength
    }
    return tags
  }

  /// The time of the last tag in milliseconds; nil when the file does not end with a tag.
  package var lastMilliseconds: Int? {
    guard let length = source.uint32(at: source.length - Self.trailerLength), length >= Self.headerLength,
      let tag = tag(at: source.length - Self.trailerLength - length),
      tag.data.upperBound == source.length - Self.trailerLength
    else { return nil }
    return tag.milliseconds
  }

  /// Whether the last tag ends behind the file.
  package var isCut: Bool {
    var position = start
    for _ in 0..<Self.maximumTags {
      guard let tag = tag(at: position) else {
        // Of another tag there is a part of its header.
        let isTag = source.uint8(at: position).flatMap { Kind(rawValue: $0) } != nil
        return isTag && source.length - position < Self.headerLength
      }
      if tag.data.upperBound > source.length { return true }
      position = tag.data.upperBound + Self.trailerLength
    }
    return false
  }

  /// Reads a tag's header, whose content may end behind the file; nil for bytes that are none.
  private func tag(at offset: Int) -> Tag? {
    guard let kind = source.uint8(at: offset).flatMap({ Kind(rawValue: $0) }),
      let length = source.number(at: offset + 1, count: 3),
      let time = source.number(at: offset + 4, count: 3),
      let high = source.uint8(at: offset + 7), source.number(at: offset + 8, count: 3) == 0
    else { return nil }
    let data = offset + Self.headerLength
    return Tag(kind: kind, data: data..<(data + length), milliseconds: high << 24 | time)
  }
}

/// The numbers and texts of a script's first object.
///
/// Source: Adobe, Action Message Format AMF 0.
package struct FLVScript {
  /// The deepest object within another one that is passed over.
  private static let maximumDepth = 8
  private static let maximumValues = 64

  /// The first numbers by their names.
  package private(set) var numbers: [String: Double] = [:]
  /// The first texts by their names, of at most 64 bytes each.
  package private(set) var texts: [String: [UInt8]] = [:]

  private let source: ByteSource
  private var position: Int
  private let end: Int

  /// Reads a script that is called `onMetaData`; nil for another one. What follows a broken value is not read.
  package init?(of source: ByteSource, in range: Range<Int>) {
    let name = "onMetaData"
    guard source.holds([2, 0, UInt8(name.utf8.count)] + Array(name.utf8), at: range.lowerBound) else {
      return nil
    }
    self.source = source
    position = range.lowerBound + 3 + name.utf8.count
    end = min(range.upperBound, source.length)
    let kind = source.byte(at: position)
    guard kind == 3 || kind == 8 else { return nil }
    position += kind == 8 ? 5 : 1
    _ = readMembers(depth: 0)
  }

  /// Reads the members of an object up to its end; false for what is broken.
  private mutating func readMembers(depth: Int) -> Bool {
    while let length = source.uint16(at: position), position + 2 + length < end {
      let name = source.bytes(in: (position + 2)..<(position + 2 + length), limit: 64) ?? []
      position += 2 + length
      if length == 0, source.byte(at: position) == 9 {
        position += 1
        return true
      }
      guard readValue(depth: depth, String(decoding: name, as: UTF8.self)) else { return false }
    }
    return false
  }

  private mutating func readValue(depth: Int, _ name: String = "") -> Bool {
    guard position < end, depth < Self.maximumDepth, let kind = source.byte(at: position) else {
      return false
    }
    let start = position + 1
    switch kind {
    case 0:
      guard let bits = source.unsigned(at: start, count: 8) else { return false }
      if depth == 0, numbers.count < Self.maximumValues { numbers[name] = Double(bitPattern: bits) }
      position = start + 8
    case 1: position = start + 1
    case 2:
      guard let length = source.uint16(at: start) else { return false }
      if depth == 0, texts.count < Self.maximumValues {
        texts[name] = source.bytes(in: (start + 2)..<(start + 2 + length), limit: 64)
      }
      position = start + 2 + length
    case 3, 8:
      position = start + (kind == 8 ? 4 : 0)
      return readMembers(depth: depth + 1)
    case 5, 6: position = start
    case 10:
      guard let count = source.uint32(at: start) else { return false }
      position = start + 4
      for _ in 0..<count where !readValue(depth: depth + 1) { return false }
    case 11: position = start + 10
    case 12:
      guard let length = source.uint32(at: start) else { return false }
      position = start + 4 + length
    default: return false
    }
    return position <= end
  }
}
