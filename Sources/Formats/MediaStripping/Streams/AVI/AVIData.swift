import MediaCodecs
import MediaContainers

/// The data of an output's streams: the chunks that are kept, with the numbers that their streams
/// then have.
struct AVIData {
  /// A chunk of the output.
  struct Chunk {
    var type: FourCharacterCode
    var stream: Int
    /// The offset of its header from the first chunk of its list.
    var offset: Int
    /// The number of bytes of its data.
    var length: Int
    var isKey: Bool
  }

  /// The data of one RIFF chunk.
  struct List {
    var pieces = OutputPieces()
    var chunks: [Chunk] = []
  }

  private(set) var lists: [List] = []
  private(set) var removed = RemovedParts()

  private let source: ByteSource
  /// The ranges of the sound of each stream in which no frame is, in order.
  private var gaps: [Int: ArraySlice<Range<Int>>] = [:]
  /// The longest range that becomes zeros, which decoders skip as they skip other bytes, in bytes: sound
  /// whose chunks are no frames is timed by its bytes.
  private static let maximumZeros = 4096

  /// Copies the chunks of the streams in `numbers`, which gives their numbers in the output.
  ///
  /// - Throws: `damaged` for frames that do not follow their format; `stripUnsupported` for a change
  ///   of colors, and for chunks of an unknown type; `overLimit` for more than 4 GiB.
  init(
    _ file: AVIFile,
    _ numbers: [Int: Int],
    _ bitstreams: [Int: Bitstream],
    of source: ByteSource
  ) throws(MetadataError) {
    self.source = source
    for (stream, bitstream) in bitstreams {
      guard let sound = bitstream.sound else { continue }
      let ranges = file.segments.flatMap(\.chunks).filter { $0.stream == stream }.map {
        $0.data.clamped(to: 0..<source.length)
      }
      gaps[stream] = try Self.gaps(of: sound, in: ranges, of: source)[...]
    }
    for segment in file.segments {
      var list = List()
      for chunk in segment.chunks {
        guard let number = numbers[chunk.stream] else { continue }
        let bitstream = bitstreams[chunk.stream] ?? .plain
        try append(chunk, number, bitstream, to: &list)
      }
      lists.append(list)
    }
  }

  /// Returns the ranges of a stream's data in which no frame is.
  ///
  /// - Throws: `stripUnsupported` for one that is mostly something else.
  private static func gaps(
    of sound: SoundFrames,
    in ranges: [Range<Int>],
    of source: ByteSource
  ) throws(MetadataError) -> [Range<Int>] {
    let stream = ByteSource(joining: ranges, of: source)
    let gaps = sound.gaps(in: stream)
    let byteCount = gaps.filter { !stream.isZero($0) }.reduce(0) { $0 + $1.count }
    guard byteCount <= stream.length / 2 else {
      throw MetadataError(.stripUnsupported, "sound whose frames are not found")
    }
    var (gapsInFile, index, offset): ([Range<Int>], Int, Int) = ([], 0, 0)
    for gap in gaps {
      var start = gap.lowerBound
      while start < gap.upperBound, index < ranges.count {
        let range = ranges[index]
        let end = min(gap.upperBound, offset + range.count)
        if end > start {
          let shift = range.lowerBound - offset
          gapsInFile.append((start + shift)..<(end + shift))
          start = end
        }
        guard start < gap.upperBound else { break }
        (offset, index) = (offset + range.count, index + 1)
      }
    }
    return gapsInFile
  }

  private mutating func append(
    _ chunk: AVIFile.Chunk,
    _ number: Int,
    _ bitstream: Bitstream,
    to list: inout List
  ) throws(MetadataError) {
    let letters = Array(chunk.type.bytes.suffix(2))
    // Video and sound in one stream, which DV alone has.
    let isJoint = bitstream == .dv && letters == Array("__".utf8)
    guard isJoint || ["dc", "db", "wb"].contains(where: { Array($0.utf8) == letters }) else {
      throw MetadataError(.stripUnsupported, "data of type \(chunk.type.displayName)")
    }
    let digits = [UInt8(0x30 + number / 10), UInt8(0x30 + number % 10)]
    let type = FourCharacterCode(value: (digits + letters).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    let data =
      bitstream.sound == nil ? try content(chunk.data, bitstream) : framed(chunk.data, chunk.stream)
    let offset = list.pieces.length
    let length = data?.length ?? chunk.data.count
    let isPadded = length % 2 == 1
    let padding = chunk.data.upperBound..<(chunk.data.upperBound + (isPadded ? 1 : 0))
    if data == nil, type == chunk.type, source.isZero(padding), padding.upperBound <= source.length {
      list.pieces.copy(chunk.offset..<padding.upperBound)
    } else {
      list.pieces.literal(RIFFChunk.header(type, length: length))
      if let data { list.pieces.append(data) } else { list.pieces.copy(chunk.data) }
      if isPadded { list.pieces.literal([0]) }
    }
    list.chunks.append(
      Chunk(type: type, stream: number, offset: offset, length: length, isKey: chunk.isKey)
    )
    guard list.pieces.length < 0xF000_0000 else {
      throw MetadataError(.overLimit, "a list of more than 4 GiB")
    }
  }

  /// Returns the data of a sound without what is no frame; nil when nothing changes.
  private mutating func framed(_ data: Range<Int>, _ stream: Int) -> OutputPieces? {
    var output = OutputPieces()
    var start = data.lowerBound
    var isChanged = false
    while let gap = gaps[stream]?.first, gap.lowerBound < data.upperBound {
      gaps[stream]?.removeFirst()
      if source.isZero(gap) { continue }
      output.copy(start..<gap.lowerBound)
      if gap.count <= Self.maximumZeros {
        output.literal([UInt8](repeating: 0, count: gap.count))
      }
      removed.add(SoundFrames.noFrame, at: gap)
      (start, isChanged) = (gap.upperBound, true)
    }
    guard isChanged else { return nil }
    output.copy(start..<data.upperBound)
    return output
  }

  /// Returns the data without the parts that are removed; nil when nothing changes.
  private mutating func content(
    _ data: Range<Int>,
    _ bitstream: Bitstream
  ) throws(MetadataError) -> OutputPieces? {
    guard bitstream != .plain, !data.isEmpty else { return nil }
    var output = OutputPieces()
    if bitstream == .dv {
      guard let (mask, names) = try DIFFrame.mask(of: data, in: source) else { return nil }
      output.mask(data, with: mask)
      for name in names { removed.add(name, at: data) }
      return output
    }
    var start = data.lowerBound
    var isChanged = false
    try bitstream.forEachUnit(in: data, of: source) { unit, disposition in
      switch disposition {
      case .kept: return
      case .removed(let name):
        output.copy(start..<unit.lowerBound)
        removed.add(name, at: unit)
      case .rewritten(let bytes, let name):
        output.copy(start..<unit.lowerBound)
        output.literal(bitstream.prefixed(bytes))
        removed.add(name, at: unit)
      }
      (start, isChanged) = (unit.upperBound, true)
    }
    guard isChanged else { return nil }
    output.copy(start..<data.upperBound)
    return output
  }
}
