import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// Lays the output of an AVI out: headers, the data of kept streams in the RIFF chunks of the source,
/// and indexes of the output's own chunks.
///
/// A single RIFF chunk has the old index; several have one for each stream in each of them as well.
///
/// Source: Microsoft, AVI RIFF File Reference; OpenDML AVI File Format Extensions 1.02.
struct AVILayout: FilmLayout {
  private static let hasIndexFlag = 0x10
  /// The flags that stay: that the index decides the order, and that data are interleaved.
  private static let keptFlags = 0x120

  private let source: ByteSource
  private let file: AVIFile
  private let keepsAll: Bool
  private let texts: [UInt8]?
  private var streams: [AVIStream] = []
  private let data: AVIData

  private(set) var removed = RemovedParts()

  /// Plans the output.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - keepsAll: Whether only sound is removed.
  ///   - removesAudio: Whether sound is removed.
  ///   - kept: The values that are written.
  /// - Throws: `damaged` for a file that does not follow its format; `stripUnsupported` for an
  ///   unknown codec, and when nothing would be left; `overLimit` for too many chunks.
  init(
    of source: ByteSource,
    keepsAll: Bool,
    removesAudio: Bool,
    kept: KeptMetadata
  ) throws(MetadataError) {
    let file = try AVIFile(of: source)
    (self.source, self.file, self.keepsAll) = (source, file, keepsAll)
    texts = keepsAll ? nil : WAVInfo.list(kept)
    var numbers: [Int: Int] = [:]
    var bitstreams: [Int: Bitstream] = [:]
    var removedParts: [(name: String, range: Range<Int>)] = []
    for (index, entry) in file.streams.enumerated() {
      var stream = try AVIStream(entry, removesAudio: removesAudio, of: source)
      let isKept = stream.isAudio ? !removesAudio : keepsAll || stream.isVideo
      guard isKept else {
        removedParts.append((stream.name, entry.range))
        continue
      }
      numbers[index] = streams.count
      if keepsAll {
        stream.copyHeaders(of: source)
      } else {
        let first = file.segments.first?.chunks.first { $0.stream == index && !$0.data.isEmpty }
        let frame = first.map { ByteSource(source, $0.data) }
        try stream.writeHeaders(of: source, firstFrame: frame)
        removedParts += stream.removed
        bitstreams[index] = stream.bitstream
      }
      streams.append(stream)
    }
    guard !streams.isEmpty else {
      throw MetadataError(.stripUnsupported, "nothing but \(removedParts.first?.name ?? "headers")")
    }
    data = try AVIData(file, numbers, bitstreams, of: source)
    guard data.lists.contains(where: { !$0.chunks.isEmpty }) else {
      throw MetadataError(.damaged, "no pictures or sound")
    }
    for part in removedParts { removed.add(part.name, at: part.range) }
    if !keepsAll {
      for other in file.others where !isSpace(other) && !isSame(other) {
        removed.add(other.name, at: other.range)
      }
    }
    removed.add(data.removed)
  }

  /// Returns whether a part is space that holds nothing.
  private func isSpace(_ other: AVIFile.Other) -> Bool {
    (other.name == "JUNK" || other.name == "bytes between chunks" || other.name == "trailer")
      && source.isZero(other.range.dropFirst(other.name == "JUNK" ? 8 : 0))
  }

  /// Returns whether a list of texts is the one that is written.
  private func isSame(_ other: AVIFile.Other) -> Bool {
    guard other.name == "LIST INFO", let texts else { return false }
    return source.bytes(in: other.range.dropFirst(8), limit: texts.count) == texts
  }

  /// Whether each RIFF chunk has an index for each stream.
  private var isLong: Bool { data.lists.dropFirst().contains { !$0.chunks.isEmpty } }

  /// Whether the source has an index of the data that are kept.
  private var hasIndex: Bool { data.lists.contains { $0.chunks.contains(where: \.isKey) } }

  /// Returns the whole output.
  ///
  /// - Throws: `overLimit` for a RIFF chunk of more than 4 GiB.
  func output() throws(MetadataError) -> OutputPieces {
    // The lengths do not depend on the offsets, which are known after the first pass.
    let offsets = try render(nil).offsets
    return try render(offsets).output
  }

  /// The offsets of an output.
  private struct Offsets {
    /// The offset of the first chunk of each list of data.
    var data: [Int] = []
    /// The offset and length of the index of each stream, in each RIFF chunk.
    var indexes: [[(offset: Int, length: Int)]] = []
  }

  private func render(
    _ earlier: Offsets?
  ) throws(MetadataError) -> (output: OutputPieces, offsets: Offsets) {
    var output = OutputPieces()
    var offsets = Offsets()
    for (number, list) in data.lists.enumerated() {
      if number > 0, list.chunks.isEmpty { continue }
      var riff = OutputPieces()
      if number == 0 {
        riff.append(try headers(earlier))
        if let texts { riff.literal(RIFFChunk.bytes("LIST", texts)) }
        if keepsAll { appendOthers(to: &riff) }
      }
      let start = output.length + 12 + riff.length + 12
      offsets.data.append(start)
      var movi = OutputPieces(Array("movi".utf8))
      movi.append(list.pieces)
      var indexes: [(offset: Int, length: Int)] = []
      if isLong, hasIndex {
        for stream in streams.indices {
          let index = standardIndex(of: stream, in: list, base: start)
          indexes.append((output.length + 12 + riff.length + 8 + movi.length, index.count))
          movi.literal(index)
        }
      }
      offsets.indexes.append(indexes)
      riff.append(try chunk("LIST", movi))
      if number == 0, hasIndex { riff.literal(oldIndex(of: list)) }
      var whole = OutputPieces(Array((number == 0 ? "AVI " : "AVIX").utf8))
      whole.append(riff)
      output.append(try chunk("RIFF", whole))
    }
    return (output, offsets)
  }

  /// Returns a chunk, which has an even length.
  private func chunk(
    _ type: FourCharacterCode,
    _ data: OutputPieces
  ) throws(MetadataError) -> OutputPieces {
    guard data.length <= Int(UInt32.max) - 8 else {
      throw MetadataError(.overLimit, "a chunk of more than 4 GiB")
    }
    var whole = OutputPieces(RIFFChunk.header(type, length: data.length))
    whole.append(data)
    if data.length % 2 == 1 { whole.literal([0]) }
    return whole
  }

  /// Returns the list of headers.
  private func headers(_ offsets: Offsets?) throws(MetadataError) -> OutputPieces {
    var body = OutputPieces(Array("hdrl".utf8))
    body.literal(RIFFChunk.bytes("avih", try mainHeader()))
    for (number, stream) in streams.enumerated() {
      var list = OutputPieces(Array("strl".utf8))
      list.append(stream.headers)
      if isLong, hasIndex {
        list.literal(RIFFChunk.bytes("indx", superIndex(of: number, offsets)))
      }
      body.append(try chunk("LIST", list))
    }
    if let total = file.total, let count = source.bytes(in: total.prefix(4), limit: 4) {
      let frames = RIFFChunk.bytes("dmlh", count + [UInt8](repeating: 0, count: 244))
      body.literal(RIFFChunk.bytes("LIST", Array("odml".utf8) + frames))
    }
    if keepsAll {
      for other in file.others where other.section == .header && other.name != "JUNK" {
        body.bytes(of: other.range, in: source)
        if other.range.count % 2 == 1 { body.literal([0]) }
      }
    }
    return try chunk("LIST", body)
  }

  /// Appends the parts that only a change of metadata would remove.
  private func appendOthers(to riff: inout OutputPieces) {
    for other in file.others where other.section == .file && other.name != "JUNK" {
      riff.bytes(of: other.range, in: source)
      if other.range.count % 2 == 1 { riff.literal([0]) }
    }
  }

  private func mainHeader() throws(MetadataError) -> [UInt8] {
    guard let head = source.bytes(in: file.header.prefix(56), limit: 56), head.count == 56,
      let flags = source.uint32(at: file.header.lowerBound + 12, order: .little)
    else { throw MetadataError(.damaged, "no avih") }
    let kept = keepsAll ? flags & ~Self.hasIndexFlag : flags & Self.keptFlags
    let written = kept | (hasIndex ? Self.hasIndexFlag : 0)
    return head[0..<8] + (keepsAll ? Array(head[8..<12]) : [0, 0, 0, 0]) + written.bytes(4, .little)
      + head[16..<24] + streams.count.bytes(4, .little) + head[28..<40]
      + [UInt8](repeating: 0, count: 16)
  }

  /// Returns the index at the end of the first RIFF chunk.
  private func oldIndex(of list: AVIData.List) -> [UInt8] {
    var entries: [UInt8] = []
    entries.reserveCapacity(16 * list.chunks.count)
    for chunk in list.chunks {
      // Offsets count from the type of the list.
      entries += chunk.type.bytes + (chunk.isKey ? 0x10 : 0).bytes(4, .little)
      entries += (chunk.offset + 4).bytes(4, .little) + chunk.length.bytes(4, .little)
    }
    return RIFFChunk.bytes("idx1", entries)
  }

  /// Returns the index of a stream in one RIFF chunk, whose first chunk is at `base`.
  private func standardIndex(of stream: Int, in list: AVIData.List, base: Int) -> [UInt8] {
    let chunks = list.chunks.filter { $0.stream == stream }
    var body: [UInt8] = [2, 0, 0, 1] + chunks.count.bytes(4, .little)
    body += identifier(of: stream, chunks) + base.bytes(8, .little) + [0, 0, 0, 0]
    for chunk in chunks {
      let length = chunk.length | (chunk.isKey ? 0 : 1 << 31)
      body += (chunk.offset + 8).bytes(4, .little) + length.bytes(4, .little)
    }
    let type = FourCharacterCode(stringLiteral: "ix\(stream / 10)\(stream % 10)")
    return RIFFChunk.bytes(type, body)
  }

  /// Returns the index of a stream's indexes.
  private func superIndex(of stream: Int, _ offsets: Offsets?) -> [UInt8] {
    let lists = data.lists.enumerated().filter { $0.offset == 0 || !$0.element.chunks.isEmpty }
    let first = lists.first { $0.element.chunks.contains { $0.stream == stream } }
    let firstChunks = first?.element.chunks.filter { $0.stream == stream } ?? []
    var body: [UInt8] = [4, 0, 0, 0] + lists.count.bytes(4, .little)
    body += identifier(of: stream, firstChunks) + [UInt8](repeating: 0, count: 12)
    for (index, list) in lists.enumerated() {
      let entry: (offset: Int, length: Int) = offsets?.indexes[index][stream] ?? (0, 0)
      let chunks = list.element.chunks.filter { $0.stream == stream }
      let length = streams[stream].sampleLength
      let duration =
        length > 0 ? chunks.reduce(0) { $0 + $1.length } / length : chunks.count
      body += entry.offset.bytes(8, .little) + entry.length.bytes(4, .little)
      body += duration.bytes(4, .little)
    }
    return body
  }

  /// Returns the type of a stream's chunks.
  private func identifier(of stream: Int, _ chunks: [AVIData.Chunk]) -> [UInt8] {
    chunks.first?.type.bytes
      ?? Array("\(stream / 10)\(stream % 10)\(streams[stream].isAudio ? "wb" : "dc")".utf8)
  }
}
