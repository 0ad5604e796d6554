import MediaModel

/// An ID3v2 tag: its location and its frames.
///
/// Source: id3.org, ID3v2.2.0, ID3v2.3.0, ID3v2.4.0 structure.
package struct ID3Tag {
  /// The range of the tag with header, padding and footer.
  package var range: Range<Int>
  /// The major version: 2, 3 or 4; no specification defines others.
  package var version: Int
  private var flags: UInt8

  /// Parses a complete tag whose header is at `offset`; nil when there is none.
  package init?(of source: ByteSource, at offset: Int) {
    guard source.holds("ID3", at: offset), let version = source.uint8(at: offset + 3),
      version < 0xFF, let revision = source.byte(at: offset + 4), revision < 0xFF,
      let flags = source.byte(at: offset + 5),
      let length = Self.syncSafe(of: source, at: offset + 6)
    else { return nil }
    let end = offset + 10 + length + (flags & 0x10 != 0 && version >= 4 ? 10 : 0)
    guard end <= source.length else { return nil }
    self.version = version
    self.flags = flags
    range = offset..<end
  }

  /// Parses a tag whose footer ends at `end`; nil when there is none.
  ///
  /// Source: ID3v2.4.0 section 3.4.
  package init?(of source: ByteSource, endingAt end: Int) {
    guard source.holds("3DI", at: end - 10),
      let length = Self.syncSafe(of: source, at: end - 4),
      let tag = ID3Tag(of: source, at: end - 20 - length), tag.range.upperBound == end
    else { return nil }
    self = tag
  }

  /// Reads a syncsafe number: four bytes of seven bits.
  private static func syncSafe(of source: ByteSource, at offset: Int) -> Int? {
    guard let size = source.unsigned(at: offset, count: 4), size & 0x8080_8080 == 0 else {
      return nil
    }
    return [24, 16, 8, 0].reduce(0) { $0 << 7 | Int(size >> UInt64($1) & 0x7F) }
  }
}

/// A frame of a tag, such as `TIT2`.
package struct ID3Frame {
  /// The frame identifier: three letters or digits in version 2, four in versions 3 and 4.
  package var name: String
  /// The range of the content in the file; the whole tag when it was unsynchronized.
  package var range: Range<Int>
  /// The first bytes of the content, at most 64 KiB, without unsynchronization.
  package var content: [UInt8]
}

extension ID3Tag {
  private static let maximumFrames = 4096
  private static let maximumContent = 1 << 16
  /// The largest tag in bytes that is copied to undo its unsynchronization; a larger one is not
  /// read.
  private static let maximumUnsynchronized = 1 << 22

  /// Calls `body` with each frame in order; padding or an invalid frame ends the walk.
  package func forEachFrame(of source: ByteSource, _ body: (ID3Frame) -> Void) {
    guard (2...4).contains(version) else { return }
    let content = range.dropFirst(10)
    guard flags & 0x80 != 0, version < 4 else {
      return walk(source, content, isUnsynchronized: flags & 0x80 != 0, range: nil, body)
    }
    guard let bytes = source.bytes(in: content, limit: Self.maximumUnsynchronized) else { return }
    let whole = ByteSource(Self.synchronized(bytes))
    walk(whole, 0..<whole.length, isUnsynchronized: false, range: content, body)
  }

  private func walk(
    _ source: ByteSource,
    _ content: Range<Int>,
    isUnsynchronized: Bool,
    range: Range<Int>?,
    _ body: (ID3Frame) -> Void
  ) {
    let nameLength = version == 2 ? 3 : 4
    let headLength = version == 2 ? 6 : 10
    var offset = content.lowerBound
    if version >= 3, flags & 0x40 != 0 { offset += extendedHeaderLength(of: source, at: offset) }
    var count = 0
    while count < Self.maximumFrames, offset + headLength < content.upperBound,
      let name = source.bytes(in: offset..<(offset + nameLength), limit: 4),
      Self.isName(name, version),
      let length = frameLength(of: source, at: offset + nameLength, end: content.upperBound),
      length <= content.upperBound - offset - headLength
    {
      count += 1
      let data = (offset + headLength)..<(offset + headLength + length)
      offset = data.upperBound
      // ID3v2.4 section 4.1.2: compressed and encrypted frames are not readable.
      let frameFlags = version == 4 ? source.byte(at: data.lowerBound - 1) ?? 0 : 0
      guard frameFlags & 0x0C == 0 else {
        body(ID3Frame(name: Self.text(name), range: range ?? data, content: []))
        continue
      }
      var bytes = source.bytes(in: data.prefix(Self.maximumContent), limit: 1 << 16) ?? []
      if frameFlags & 0x01 != 0 { bytes.removeFirst(min(4, bytes.count)) }
      if isUnsynchronized || frameFlags & 0x02 != 0 { bytes = Self.synchronized(bytes) }
      body(ID3Frame(name: Self.text(name), range: range ?? data, content: bytes))
    }
  }

  /// Returns whether a frame has a name; early writers put names of version 2 into version 3, with a NUL or
  /// a space behind their three letters.
  private static func isName(_ name: [UInt8], _ version: Int) -> Bool {
    let isShort = version == 3 && (name.last == 0 || name.last == 0x20)
    return (isShort ? name.dropLast() : name[...])
      .allSatisfy { $0.isASCIIDigit || $0.isASCIIUppercase }
  }

  private static func text(_ name: [UInt8]) -> String {
    String(decoding: name.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
  }

  private func extendedHeaderLength(of source: ByteSource, at offset: Int) -> Int {
    guard version == 3 else { return Self.syncSafe(of: source, at: offset) ?? 0 }
    return (source.uint32(at: offset) ?? 0) + 4
  }

  private func frameLength(
    of source: ByteSource,
    at offset: Int,
    end: Int
  ) -> Int? {
    switch version {
    case 2: return source.unsigned(at: offset, count: 3).map { Int($0) }
    case 3: return source.uint32(at: offset)
    default:
      guard let plain = source.uint32(at: offset) else { return nil }
      guard let length = Self.syncSafe(of: source, at: offset) else { return plain }
      // iTunes once wrote lengths of version 3 into version 4: only one of the two leads to a
      // frame.
      let next = offset + 6 + length
      guard length != plain, next < end, source.byte(at: next) != 0,
        let first = source.byte(at: next), !first.isASCIIUppercase
      else { return length }
      return plain
    }
  }

  /// Returns `bytes` without the zero that follows each 0xFF.
  ///
  /// Source: ID3v2.3.0 section 5.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var wasFull = false
    for byte in bytes {
      if !wasFull || byte != 0 { result.append(byte) }
      wasFull = byte == 0xFF
    }
    return result
  }
}
