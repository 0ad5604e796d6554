/// Reduces an ICC profile to what it states about color.
///
/// Source: ICC.1:2022 sections 7.2 (header), 7.3 (tag table), 9 (tags).
package enum ICCProfile {
  /// The largest profile that is read, in bytes; containers throw `overLimit` for a larger one.
  package static let maximumLength = 4 << 20
  /// The largest number of tags that lcms reads; it rejects a profile with more.
  private static let maximumTags = 100

  /// A piece of a cleaned profile; copied pieces spare writing a large table again.
  package enum Piece: Sendable, Hashable {
    /// Bytes that were written anew.
    case written([UInt8])
    /// A range of bytes of the original profile.
    case copied(Range<Int>)

    /// The length in bytes.
    package var length: Int {
      switch self {
      case .written(let written): written.count
      case .copied(let range): range.count
      }
    }

    /// Returns the bytes of this piece; `profile` is the original profile.
    package func bytes(of profile: [UInt8]) -> ArraySlice<UInt8> {
      switch self {
      case .written(let written): written[...]
      case .copied(let range): profile[range]
      }
    }
  }

  private struct Tag {
    var name: FourCharacterCode
    var offset: Int
    var data: ICCTagData
  }

  /// The tags that define a color transform. All others are removed: names, serial numbers, dates,
  /// device measurements, screen calibration curves and private tags.
  private static let colorTags: Set<FourCharacterCode> = [
    "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "cicp", "gamt",
    "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2",
    "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3",
  ]
  /// The profile classes that a picture can use: input, display, output and color space.
  private static let classes: Set<FourCharacterCode> = ["scnr", "mntr", "prtr", "spac"]

  /// Returns the profile with the same colors and nothing else: kept tags are bounded to their own
  /// content, description and copyright are neutral texts, and the header keeps only version,
  /// class, color spaces and rendering intent.
  ///
  /// - Parameter bytes: A profile from its first byte on; bytes after its own end are ignored.
  /// - Returns: Nil for data that no color engine could use as a profile: they change no color, so
  ///   containers leave them out. Cleaning a cleaned profile gives the same bytes.
  package static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
    cleanedPieces(bytes)?.flatMap { $0.bytes(of: bytes) }
  }

  /// Returns the cleaned profile as pieces: copied ranges ascend, never overlap, and are never
  /// short.
  package static func cleanedPieces(_ bytes: [UInt8]) -> [Piece]? {
    let source = ByteSource(bytes)
    guard let declared = declaredLength(of: source), declared <= bytes.count,
      declared <= maximumLength, source.code(at: 12).map(classes.contains) == true,
      let version = source.uint8(at: 8), let tags = tags(of: source, length: declared),
      isUsable(Set(tags.map(\.name)))
    else { return nil }
    var layout = Layout(of: source)
    let modern = version >= 4
    let description = ICCText.description("Color profile", isMultilingual: modern)
    let copyright = ICCText.text("Not stated", isMultilingual: modern)
    layout.start(tagCount: tags.count + 2)
    layout.append("desc", written: description)
    layout.append("cprt", written: copyright)
    for tag in tags { layout.append(tag.name, tag.data, from: tag.offset, of: source) }
    return layout.finish()
  }

  /// Returns every tag that lies within the profile, in table order, and whether it is kept.
  package static func tagTable(
    of bytes: [UInt8]
  ) -> [(name: FourCharacterCode, data: Range<Int>, isKept: Bool)] {
    let source = ByteSource(bytes)
    guard let count = source.uint32(at: 128) else { return [] }
    var tags: [(name: FourCharacterCode, data: Range<Int>, isKept: Bool)] = []
    for index in 0..<min(count, maximumTags) {
      let entry = 132 + 12 * index
      guard let name = source.code(at: entry), let offset = source.uint32(at: entry + 4),
        let size = source.uint32(at: entry + 8), offset <= bytes.count, size <= bytes.count - offset
      else { continue }
      tags.append((name, offset..<(offset + size), colorTags.contains(name)))
    }
    return tags
  }

  /// Returns the length that the profile's header declares, or nil when no profile starts at
  /// `start`.
  package static func declaredLength(of source: ByteSource, at start: Int = 0) -> Int? {
    guard source.holds("acsp", at: start + 36), let length = source.uint32(at: start),
      length >= 132
    else { return nil }
    return length
  }

  /// Returns the kept tags, ordered by the offset of their data; a tag outside the profile is
  /// skipped, as color engines do.
  private static func tags(of source: ByteSource, length: Int) -> [Tag]? {
    guard let count = source.uint32(at: 128), count <= maximumTags, 132 + 12 * count <= length
    else { return nil }
    var tags: [Tag] = []
    for index in 0..<count {
      let entry = 132 + 12 * index
      guard let name = source.code(at: entry), colorTags.contains(name),
        !tags.contains(where: { $0.name == name }),
        let offset = source.uint32(at: entry + 4), let size = source.uint32(at: entry + 8),
        offset >= 132, offset <= length, size <= length - offset,
        let data = ICCTagData(of: source, in: offset..<(offset + size), tag: name)
      else { continue }
      tags.append(Tag(name: name, offset: offset, data: data))
    }
    // Sorting keeps the table's order where two tags share their data.
    return tags.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }
    .map(\.element)
  }

  /// Returns whether the tags define a transform from device colors to the connection space.
  private static func isUsable(_ names: Set<FourCharacterCode>) -> Bool {
    names.isSuperset(of: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"])
      || names.contains("kTRC")
      || !names.isDisjoint(with: ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"])
  }
}

extension ICCProfile {
  /// Assembles a profile from front to back.
  private struct Layout {
    /// The shortest copied run in bytes; shorter runs are written, since an operation costs more
    /// than they do.
    private static let shortestCopy = 256

    private var header: [UInt8]
    private var table: [UInt8] = []
    private var pieces: [Piece] = []
    private var length = 0
    /// The location of the data of the most recently appended tag, in the source and in the
    /// output.
    private var last: (source: Int, size: Int, offset: Int)?
    private var copiedEnd = 0

    /// Copies the header fields that affect color: version, class, color space, connection space
    /// and rendering intent. The illuminant is always D50.
    init(of source: ByteSource) {
      var header = [UInt8](repeating: 0, count: 128)
      for index in Array(8..<10) + Array(12..<24) { header[index] = source.byte(at: index) ?? 0 }
      header.replaceSubrange(36..<40, with: Array("acsp".utf8))
      header[67] = (source.byte(at: 67) ?? 0) & 3
      header.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
      self.header = header
    }

    mutating func start(tagCount: Int) {
      table = tagCount.bytes(4)
      length = 128 + 4 + 12 * tagCount
    }

    mutating func append(_ name: FourCharacterCode, written bytes: [UInt8]) {
      entry(name, offset: length, size: bytes.count)
      write(bytes)
      pad()
    }

    mutating func append(
      _ name: FourCharacterCode,
      _ data: ICCTagData,
      from offset: Int,
      of source: ByteSource
    ) {
      if let last, last.source == offset, last.size == data.length {
        return entry(name, offset: last.offset, size: data.length)
      }
      last = (offset, data.length, length)
      entry(name, offset: length, size: data.length)
      var position = 0
      for range in data.parts {
        write([UInt8](repeating: 0, count: range.lowerBound - position))
        let copied = (offset + range.lowerBound)..<(offset + range.upperBound)
        // Data shared by overlapping tags must not be copied twice; the second occurrence is
        // written.
        if range.count >= Self.shortestCopy, copied.lowerBound >= copiedEnd {
          pieces.append(.copied(copied))
          length += range.count
          copiedEnd = copied.upperBound
        } else {
          write(source.bytes(in: copied, limit: ICCProfile.maximumLength) ?? [])
        }
        position = range.upperBound
      }
      pad()
    }

    consuming func finish() -> [Piece] {
      header.replaceSubrange(0..<4, with: length.bytes(4))
      guard case .written(let first) = pieces.first else { return pieces }
      pieces[0] = .written(header + table + first)
      return pieces
    }

    private mutating func entry(_ name: FourCharacterCode, offset: Int, size: Int) {
      table += name.bytes + offset.bytes(4) + size.bytes(4)
    }

    private mutating func write(_ bytes: [UInt8]) {
      guard !bytes.isEmpty else { return }
      length += bytes.count
      if case .written(let before) = pieces.last {
        pieces[pieces.count - 1] = .written(before + bytes)
      } else {
        pieces.append(.written(bytes))
      }
    }

    private mutating func pad() {
      write([UInt8](repeating: 0, count: (4 - length % 4) % 4))
    }
  }
}
