/// The parts of an AVI: the headers of its streams, and the chunks of their data.
///
/// A file of more than 1 GiB has several RIFF chunks, of which all but the first have the type
/// `AVIX`. The last one of a recording that was interrupted is cut, or states no length.
///
/// Source: Microsoft, AVI RIFF File Reference; OpenDML AVI M-JPEG File Format Subcommittee, OpenDML
/// AVI File Format Extensions 1.02.
package struct AVIFile {
  /// The maximum number of data chunks: a day of video at 60 frames per second and its sound.
  private static let maximumChunks = 1 << 24
  private static let maximumStreams = 100
  private static let maximumParts = 65_536

  /// A stream and its headers.
  package struct Stream {
    /// The range of the whole list, with its header.
    package var range: Range<Int>
    /// The chunks of the list, in order.
    package var chunks: [RIFFChunk]
    /// The kind of data: `vids`, `auds`, `txts` …
    package var kind: FourCharacterCode
  }

  /// A chunk of a stream's data.
  package struct Chunk {
    /// The type: two digits of the stream, and two letters.
    package var type: FourCharacterCode
    /// The number of the stream.
    package var stream: Int
    /// The range of the data.
    package var data: Range<Int>
    /// Whether an index names the chunk as one at which decoding can begin.
    package var isKey = false

    /// The offset of the header.
    package var offset: Int { data.lowerBound - 8 }
  }

  /// The content of a RIFF chunk.
  package struct Segment {
    /// The data chunks, in order.
    package var chunks: [Chunk] = []
    /// The range of the index of the first RIFF chunk.
    package var index: Range<Int>?
    /// The offset of the list's type `movi`.
    package var movi = 0
  }

  /// The place of a part.
  package enum Section {
    /// The list of headers.
    case header
    /// A RIFF chunk.
    case file
    /// A list of data, or bytes that belong to no chunk.
    case data
  }

  /// A part that is no header, data or index of a stream.
  package struct Other {
    /// The name, such as `LIST INFO`.
    package var name: String
    /// The range with its header.
    package var range: Range<Int>
    /// The place of the part.
    package var section: Section
  }

  /// The range of the main header's data.
  package private(set) var header: Range<Int> = 0..<0
  /// The streams in order.
  package private(set) var streams: [Stream] = []
  /// The RIFF chunks in order.
  package private(set) var segments: [Segment] = []
  /// All other parts, in order; of the data of streams, only those that belong to none.
  package private(set) var others: [Other] = []
  /// The range of the total number of frames of all RIFF chunks.
  package private(set) var total: Range<Int>?
  /// Whether any index names chunks at which decoding can begin.
  package private(set) var hasIndex = false

  private let source: ByteSource
  private var chunkCount = 0
  /// The offsets of chunks at which decoding can begin.
  private var keys: Set<Int> = []

  /// Reads the headers and the places of all data.
  ///
  /// - Throws: `damaged` without headers, and for data outside of the file other than at its end;
  ///   `overLimit` for too many chunks.
  package init(of source: ByteSource) throws(MetadataError) {
    self.source = source
    var position = 0
    while source.length - position >= 12, let form = source.code(at: position + 8),
      source.holds("RIFF", at: position), form == (position == 0 ? "AVI " : "AVIX"),
      let length = source.uint32(at: position + 4, order: .little)
    {
      // A wrong length hides nothing: only another RIFF chunk ends this one.
      let end = position + 8 + length + length % 2
      let hasNext = source.holds("RIFF", at: end) && source.holds("AVIX", at: end + 8)
      let range = (position + 12)..<(hasNext ? max(end, position + 12) : source.length)
      try readSegment(range, isFirst: position == 0)
      position = range.upperBound
    }
    guard !header.isEmpty, !streams.isEmpty else { throw MetadataError(.damaged, "no hdrl list") }
    for segment in segments.indices {
      for chunk in segments[segment].chunks.indices {
        let offset = segments[segment].chunks[chunk].offset
        segments[segment].chunks[chunk].isKey = keys.contains(offset)
      }
    }
    hasIndex = segments.contains { $0.chunks.contains(where: \.isKey) }
    keys = []
  }

  /// Reads the chunks of one RIFF chunk.
  private mutating func readSegment(
    _ range: Range<Int>,
    isFirst: Bool
  ) throws(MetadataError) {
    segments.append(Segment())
    var position = range.lowerBound
    while range.upperBound - position >= 8, let type = source.code(at: position),
      let length = source.uint32(at: position + 4, order: .little)
    {
      let start = position + 8
      let left = range.upperBound - start
      let list = type == "LIST" ? source.code(at: start) : nil
      // A recorder fills in the length of the data at the end.
      let isOpen = length > left || list == "movi" && length <= 4 && left > 4
      guard !isOpen || range.upperBound == source.length else {
        throw MetadataError(.damaged, "a chunk that ends early")
      }
      let data = start..<(isOpen ? range.upperBound : start + length)
      switch (type, list) {
      case ("LIST", "hdrl") where isFirst && streams.isEmpty:
        guard !isOpen else { throw MetadataError(.damaged, "a header that ends early") }
        try readHeaders(data.dropFirst(4))
      case ("LIST", "movi"):
        segments[segments.count - 1].movi = start
        try readData(data.dropFirst(4), mayBeCut: isOpen, depth: 0)
      case ("idx1", _) where isFirst && !isOpen:
        segments[segments.count - 1].index = data
        readIndex(data)
      default:
        let end = min(data.upperBound + length % 2, source.length)
        try addOther(type, list, position..<end, isOpen ? .data : .file)
      }
      position = data.upperBound + (isOpen ? 0 : length % 2)
    }
    let end = min(position, range.upperBound)
    if end < range.upperBound {
      others.append(Other(name: "trailer", range: end..<range.upperBound, section: .data))
    }
  }

  private mutating func addOther(
    _ type: FourCharacterCode,
    _ list: FourCharacterCode?,
    _ range: Range<Int>,
    _ section: Section
  ) throws(MetadataError) {
    guard others.count < Self.maximumParts else {
      throw MetadataError(.overLimit, "too many chunks of other types")
    }
    let name = list.map { "LIST \($0.name)" } ?? type.name
    others.append(Other(name: name, range: range, section: section))
  }

  private mutating func readHeaders(_ range: Range<Int>) throws(MetadataError) {
    var chunks = RIFFChunks(source, in: range)
    while let chunk = try chunks.nextWhole() {
      let end = min(chunk.data.upperBound + chunk.data.count % 2, range.upperBound)
      let whole = chunk.range.lowerBound..<end
      let list = chunk.type == "LIST" ? source.code(at: chunk.data.lowerBound) : nil
      switch (chunk.type, list) {
      case ("avih", _) where header.isEmpty && chunk.data.count >= 56: header = chunk.data
      case ("LIST", "strl"):
        guard streams.count < Self.maximumStreams else {
          throw MetadataError(.overLimit, "too many streams")
        }
        var parts = RIFFChunks(source, in: chunk.data.dropFirst(4))
        var members: [RIFFChunk] = []
        while let part = try parts.nextWhole() {
          guard members.count < 1024 else { throw MetadataError(.overLimit, "too many chunks") }
          members.append(part)
        }
        guard let head = members.first(where: { $0.type == "strh" }), head.data.count >= 48,
          let kind = source.code(at: head.data.lowerBound)
        else { throw MetadataError(.damaged, "a stream without a header") }
        streams.append(Stream(range: whole, chunks: members, kind: kind))
      case ("LIST", "odml"):
        let inner = RIFFChunks(source, in: chunk.data.dropFirst(4))
        let first = inner.first { $0.type == "dmlh" && $0.data.count >= 4 }
        total = first?.data
      default: try addOther(chunk.type, list, whole, .header)
      }
    }
  }

  private mutating func readData(
    _ range: Range<Int>,
    mayBeCut: Bool,
    depth: Int
  ) throws(MetadataError) {
    var position = range.lowerBound
    while range.upperBound - position >= 8, let type = source.code(at: position),
      let length = source.uint32(at: position + 4, order: .little)
    {
      let start = position + 8
      guard length <= range.upperBound - start else {
        guard mayBeCut else { throw MetadataError(.damaged, "a chunk that ends early") }
        let incomplete = position..<range.upperBound
        return others.append(Other(name: "incomplete chunk", range: incomplete, section: .data))
      }
      let data = start..<(start + length)
      let next = min(data.upperBound + length % 2, range.upperBound)
      if type == "LIST" || type == "RIFF" {
        // Some recorders put the chunks of a moment into a list.
        guard depth == 0, source.holds("rec ", at: start) else {
          throw MetadataError(.damaged, "a list within the data")
        }
        try readData(data.dropFirst(4), mayBeCut: false, depth: 1)
      } else if let stream = Self.stream(of: type), stream < streams.count {
        chunkCount += 1
        guard chunkCount <= Self.maximumChunks else {
          throw MetadataError(.overLimit, "too many chunks")
        }
        segments[segments.count - 1].chunks.append(Chunk(type: type, stream: stream, data: data))
      } else if type.bytes.starts(with: "ix".utf8) {
        readStandardIndex(data)
      } else {
        try addOther(type, nil, position..<next, .data)
      }
      position = next
    }
    if position < range.upperBound {
      others.append(Other(name: "bytes between chunks", range: position..<range.upperBound, section: .data))
    }
  }

  /// Returns the number of the stream that a chunk belongs to; nil for another chunk.
  private static func stream(of type: FourCharacterCode) -> Int? {
    let bytes = type.bytes
    let digits = bytes.prefix(2).map { Int($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    return digits[0] * 10 + digits[1]
  }

  /// Reads the keyframes of the index at the end of the first RIFF chunk.
  private mutating func readIndex(_ data: Range<Int>) {
    guard let segment = segments.last, let first = segment.chunks.first else { return }
    let count = min(data.count / 16, 2 * segment.chunks.count + 1024)
    // Offsets count from the list's type, or in some files from the start of the file.
    var base = segment.movi
    for entry in 0..<count {
      let position = data.lowerBound + 16 * entry
      guard source.code(at: position) == first.type,
        let offset = source.uint32(at: position + 8, order: .little)
      else { continue }
      if offset == first.offset { base = 0 }
      break
    }
    for entry in 0..<count {
      let position = data.lowerBound + 16 * entry
      guard let flags = source.uint32(at: position + 4, order: .little), flags & 0x10 != 0,
        let offset = source.uint32(at: position + 8, order: .little)
      else { continue }
      keys.insert(base + offset)
    }
  }

  /// Reads the keyframes of an index within the data.
  private mutating func readStandardIndex(_ data: Range<Int>) {
    let start = data.lowerBound
    guard data.count >= 24, let longs = source.uint16(at: start, order: .little), longs >= 2,
      source.byte(at: start + 3) == 1, let base = source.uint64(at: start + 12, order: .little),
      let used = source.uint32(at: start + 4, order: .little), base <= source.length
    else { return }
    for entry in 0..<min(used, (data.count - 24) / (4 * longs)) {
      let position = start + 24 + 4 * longs * entry
      guard let offset = source.uint32(at: position, order: .little),
        let size = source.uint32(at: position + 4, order: .little), size >> 31 == 0
      else { continue }
      keys.insert(base + offset - 8)
    }
  }
}
