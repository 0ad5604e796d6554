/// An ICC profile without what it says beyond color.
///
/// Source: ICC.1:2022 sections 7.2 (header), 7.3 (tag table), 9 (tags).
package enum ICCProfile {
  /// A profile that is larger is no help to a picture; containers throw `overLimit` for one.
  package static let maximumLength = 4 << 20
  /// What lcms reads at most; a profile with more is none to it.
  private static let maximumTags = 100

  /// A part of a cleaned profile, so that a large table need not be written anew.
  package enum Piece: Sendable, Hashable {
    case written([UInt8])
    /// Bytes of the profile that was given.
    case copied(Range<Int>)

    /// In bytes.
    package var length: Int {
      switch self {
      case .written(let written): written.count
      case .copied(let range): range.count
      }
    }

    /// The bytes of this part of `profile`'s cleaned form.
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

  /// The tags that a color transform is made of. All others go: names, serial numbers, dates,
  /// measurements of a device, calibration curves of its screen, private ones.
  private static let colorTags: Set<FourCharacterCode> = [
    "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "cicp", "gamt",
    "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2",
    "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3",
  ]
  /// Input, display, output, color space: the classes that a picture's profile can be of.
  private static let classes: Set<FourCharacterCode> = ["scnr", "mntr", "prtr", "spac"]

  /// The profile with the same colors and nothing else: kept tags are bounded to their own content,
  /// description and copyright are neutral texts, and of the header only version, class, color
  /// spaces and rendering intent are left.
  ///
  /// - Parameter bytes: A profile from its first byte on; bytes behind its own end are not looked at.
  /// - Returns: Nil for what is no profile that a color engine could use: such a one changes no
  ///   color, so that containers leave it out. Cleaning a cleaned profile gives the same bytes.
  package static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
    cleanedPieces(bytes)?.flatMap { $0.bytes(of: bytes) }
  }

  /// The same as pieces: copied ranges ascend, never overlap, and are never short.
  package static func cleanedPieces(_ bytes: [UInt8]) -> [Piece]? {
    let source = ByteSource(bytes)
    guard let declared = declaredLength(of: source), declared <= bytes.count,
      declared <= maximumLength, source.code(at: 12).map(classes.contains) == true,
      let version = source.uint8(at: 8), let tags = tags(of: source, length: declared),
      isUsable(Set(tags.map(\.name)))
    else { return nil }
    var layout = Layout(of: source)
    let modern = version >= 4
    let description = ICCText.description("Colour profile", isMultilingual: modern)
    let copyright = ICCText.text("Not stated", isMultilingual: modern)
    layout.start(tagCount: tags.count + 2)
    layout.append("desc", written: description)
    layout.append("cprt", written: copyright)
    for tag in tags { layout.append(tag.name, tag.data, from: tag.offset, of: source) }
    return layout.finish()
  }

  /// Every tag that lies within the profile, in the table's order, and whether it is kept.
  package static func tagTable(
    of bytes: [UInt8]
  ) -> [(name: FourCharacterCode, data: Range<Int>, isKept: Bool)] {
    let source = ByteSource(bytes)
    guard let count = source.uint32(at: 128) else { return [] }
    var tags: [(name: FourCharacterCode, data: Range<Int>, isKept: Bool)] = []
    for index in 0..<min(count, maximumTags) {
      let place = 132 + 12 * index
      guard let name = source.code(at: place), let offset = source.uint32(at: place + 4),
        let size = source.uint32(at: place + 8), offset <= bytes.count, size <= bytes.count - offset
      else { continue }
      tags.append((name, offset..<(offset + size), colorTags.contains(name)))
    }
    return tags
  }

  /// The length that a profile says to have, or nil when no profile starts here.
  static func declaredLength(of source: ByteSource, at start: Int = 0) -> Int? {
    guard source.holds("acsp", at: start + 36), let length = source.uint32(at: start),
      length >= 132
    else { return nil }
    return length
  }

  /// The tags that are kept, by where their data start; a tag outside of the profile is passed over,
  /// as color engines do.
  private static func tags(of source: ByteSource, length: Int) -> [Tag]? {
    guard let count = source.uint32(at: 128), count <= maximumTags, 132 + 12 * count <= length
    else { return nil }
    var tags: [Tag] = []
    for index in 0..<count {
      let place = 132 + 12 * index
      guard let name = source.code(at: place), colorTags.contains(name),
        !tags.contains(where: { $0.name == name }),
        let offset = source.uint32(at: place + 4), let size = source.uint32(at: place + 8),
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

  /// Whether there is a way from device colors to the connection space.
  private static func isUsable(_ names: Set<FourCharacterCode>) -> Bool {
    names.isSuperset(of: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"])
      || names.contains("kTRC")
      || !names.isDisjoint(with: ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"])
  }
}

extension ICCProfile {
  /// Puts a profile together front to back.
  private struct Layout {
    /// Shorter runs are written: an operation costs more than they do.
    private static let shortestCopy = 256

    private var header: [UInt8]
    private var table: [UInt8] = []
    private var pieces: [Piece] = []
    private var length = 0
    /// Where the data of the tag that was appended last lie, in the source and here.
    private var last: (source: Int, size: Int, offset: Int)?
    private var copiedEnd = 0

    /// Takes over what decides about color: version, class, color space, connection space,
    /// rendering intent. The illuminant is always D50.
    init(of source: ByteSource) {
      var header = [UInt8](repeating: 0, count: 128)
      for index in Array(8..<10) + Array(12..<24) { header[index] = source.byte(at: index) ?? 0 }
      header.replaceSubrange(36..<40, with: Array("acsp".utf8))
      header[67] = (source.byte(at: 67) ?? 0) & 3
      header.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
      self.header = header
    }

    mutating func start(tagCount: Int) {
      table = TIFFWriter.uint32(tagCount)
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
        let place = (offset + range.lowerBound)..<(offset + range.upperBound)
        // Tags whose data overlap would be read twice; the second is written.
        if range.count >= Self.shortestCopy, place.lowerBound >= copiedEnd {
          pieces.append(.copied(place))
          length += range.count
          copiedEnd = place.upperBound
        } else {
          write(source.bytes(in: place, limit: ICCProfile.maximumLength) ?? [])
        }
        position = range.upperBound
      }
      pad()
    }

    consuming func finish() -> [Piece] {
      header.replaceSubrange(0..<4, with: TIFFWriter.uint32(length))
      guard case .written(let first) = pieces.first else { return pieces }
      pieces[0] = .written(header + table + first)
      return pieces
    }

    private mutating func entry(_ name: FourCharacterCode, offset: Int, size: Int) {
      table += name.bytes + TIFFWriter.uint32(offset) + TIFFWriter.uint32(size)
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
