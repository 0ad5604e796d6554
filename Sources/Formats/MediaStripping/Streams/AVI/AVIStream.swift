import MediaCodecs
import MediaContainers
import MediaModel

/// A stream of an AVI: whether it is kept, and its headers written anew.
struct AVIStream {
  private let stream: AVIFile.Stream

  /// The coding of the data.
  private(set) var bitstream = Bitstream.plain
  /// The chunks of the headers, without the index.
  private(set) var headers = OutputPieces()
  /// The names of what was removed, and the places.
  private(set) var removed: [(name: String, range: Range<Int>)] = []
  /// The number of bytes of a sample; 0 where each chunk is one.
  let sampleLength: Int

  /// Whether the stream is sound.
  var isAudio: Bool { stream.kind == "auds" }
  /// Whether the stream is video, or frames of DV with the sound in them, which some programs call a stream of both.
  var isVideo: Bool { stream.kind == "vids" || isJoint }
  private var isJoint: Bool { stream.kind == "iavs" }
  /// The name of the stream when it is removed.
  var name: String {
    if isAudio { return RemovedMetadata.audioTrack }
    return isVideo ? "video track" : "other track"
  }

  /// Reads a stream; `removesAudio` says that its sound may not stay.
  ///
  /// - Throws: `stripUnsupported` for video and sound that share a stream, unless they are DV and may both stay.
  init(_ stream: AVIFile.Stream, removesAudio: Bool, of source: ByteSource) throws(MetadataError) {
    self.stream = stream
    let codecs = [("strh", 4), ("strf", 16)].compactMap { type, offset in
      stream.chunks.first { $0.type.name == type }.flatMap { source.code(at: $0.data.lowerBound + offset) }
    }
    let named = codecs.map { BitmapStreamFormat.dv.contains($0) }
    let isDV = stream.kind == "iavs" ? named.first == true : stream.kind == "vids" && named.contains(true)
    // libavformat reads "ivas" as "iavs".
    guard isDV ? !removesAudio : !["iavs", "ivas"].contains(stream.kind) else {
      throw MetadataError(.stripUnsupported, "video and sound in one stream")
    }
    let header = stream.chunks.first { $0.type == "strh" }?.data ?? 0..<0
    sampleLength = AVIStreamHeader.sampleSize(of: header, in: source)
  }

  /// Copies the headers as they are, without the index.
  mutating func copyHeaders(of source: ByteSource) {
    for chunk in stream.chunks where chunk.type != "indx" && chunk.type != "JUNK" {
      headers.literal(RIFFChunk.header(chunk.type, length: chunk.data.count))
      headers.bytes(of: chunk.data, in: source)
      if chunk.data.count % 2 == 1 { headers.literal([0]) }
    }
  }

  /// Writes the headers anew.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec; `damaged` without a format.
  mutating func writeHeaders(
    of source: ByteSource,
    firstFrame: ByteSource?
  ) throws(MetadataError) {
    var seen: Set<FourCharacterCode> = []
    var written: [FourCharacterCode: [UInt8]] = [:]
    var handler: [UInt8] = [0, 0, 0, 0]
    guard let format = stream.chunks.first(where: { $0.type == "strf" }) else {
      throw MetadataError(.damaged, "a stream without a format")
    }
    if isJoint {
      let (fields, codec) = try Self.jointFormat(stream, format, of: source)
      (bitstream, written["strf"], handler) = (.dv, fields, codec)
      if format.data.count > 32 { removed.append(("bytes after strf", format.data)) }
    } else if isVideo {
      let bitmap = try BitmapStreamFormat(ByteSource(source, format.data), firstFrame: firstFrame)
      (bitstream, written["strf"]) = (bitmap.bitstream, bitmap.bytes)
      for name in bitmap.removed { removed.append((name, format.data)) }
      let compression = bitmap.compression
      handler = compression.value == 0 ? Array("DIB ".utf8) : compression.bytes
    } else {
      let sound = try SoundStreamFormat(ByteSource(source, format.data))
      (bitstream, written["strf"]) = (sound.bitstream, sound.bytes)
    }
    for chunk in stream.chunks {
      let isKnown = AVIAllowList.stream[chunk.type]?.allows(chunk.data.count) == true
      guard chunk.type == "strh" || chunk.type == "strf" || isKnown,
        seen.insert(chunk.type).inserted
      else {
        if chunk.type != "JUNK" || !source.isZero(chunk.data) {
          removed.append((chunk.type.name, chunk.range))
        }
        continue
      }
      switch chunk.type {
      case "strh":
        let header = try AVIStreamHeader(chunk.data, of: source)
        written["strh"] = header.bytes(handler: handler)
        if header.language != 0 { removed.append(("language", chunk.data)) }
      case "vprp":
        written["vprp"] = source.bytes(in: chunk.data, limit: 128).map(Self.shape)
      default: break
      }
    }
    for type in ["strh", "strf", "vprp"] as [FourCharacterCode] {
      if let data = written[type] { headers.literal(RIFFChunk.bytes(type, data)) }
    }
  }

  /// Returns the values of source and control of two sounds and of pictures, and the codec.
  ///
  /// - Throws: `damaged` for a format that ends early.
  ///
  /// Source: Microsoft, DVINFO.
  private static func jointFormat(
    _ stream: AVIFile.Stream,
    _ format: RIFFChunk,
    of source: ByteSource
  ) throws(MetadataError) -> (fields: [UInt8], codec: [UInt8]) {
    guard let fields = source.bytes(in: format.data.prefix(24), limit: 24), fields.count == 24,
      let header = stream.chunks.first(where: { $0.type == "strh" }),
      let codec = source.code(at: header.data.lowerBound + 4)
    else { throw MetadataError(.damaged, "a video format that ends early") }
    let packs: [DIFMask.Pack] = [
      .soundSource, .soundControl, .soundSource, .soundControl, .videoSource, .videoControl,
    ]
    let kept = packs.enumerated().flatMap { index, pack in
      pack.cleared(Array(fields[(4 * index)..<(4 * index + 4)]))
    }
    return (kept + [UInt8](repeating: 0, count: 8), codec.bytes)
  }

  /// Returns the properties of a picture with its ratio, its width, its height and the number of its
  /// fields; the signal that it came from, and the place of each field, are zero.
  ///
  /// Source: OpenDML AVI File Format Extensions 1.02, section 5.0 (Video Properties Header).
  static func shape(_ properties: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 0, count: 20) + properties[20..<32]
      + ((properties.count - 36) / 32).bytes(4, .little)
      + [UInt8](repeating: 0, count: properties.count - 36)
  }
}

/// The fields of a stream's header (`strh`) that an output has.
///
/// Source: Microsoft, AVISTREAMHEADER.
private struct AVIStreamHeader {
  /// `fccType`: 4 bytes that say whether the stream is video or sound.
  let type: [UInt8]
  /// `wLanguage`; 0 for none.
  let language: Int
  /// `dwInitialFrames`, by which sound is ahead of video; `dwScale` and `dwRate`, whose quotient is the
  /// samples in a second; `dwStart` and `dwLength` in these units; `dwSuggestedBufferSize` in bytes.
  let initialFrames, scale, rate, start, length, suggestedBufferSize: Int
  /// `dwSampleSize` in bytes; 0 where each chunk is a sample.
  let sampleSize: Int
  /// `rcFrame`: left, top, right and bottom in pixels, 8 bytes; zeros where the header ends before it.
  let frame: [UInt8]

  /// Reads the header.
  ///
  /// - Throws: `damaged` for one that ends before `rcFrame`.
  init(_ chunk: Range<Int>, of source: ByteSource) throws(MetadataError) {
    guard let head = source.bytes(in: chunk.prefix(56), limit: 56), head.count >= 48 else {
      throw MetadataError(.damaged, "a stream without a header")
    }
    func number(_ offset: Int) -> Int {
      head[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    type = Array(head[0..<4])
    language = Int(head[14]) | Int(head[15]) << 8
    (initialFrames, scale, rate) = (number(16), number(20), number(24))
    (start, length, suggestedBufferSize) = (number(28), number(32), number(36))
    sampleSize = number(44)
    frame = head.count == 56 ? Array(head[48..<56]) : [UInt8](repeating: 0, count: 8)
  }

  /// Returns `dwSampleSize` of the header at `chunk`; 0 where it is not there.
  static func sampleSize(of chunk: Range<Int>, in source: ByteSource) -> Int {
    source.uint32(at: chunk.lowerBound + 44, order: .little) ?? 0
  }

  /// Returns the header as it is written, with a codec (`fccHandler`) of 4 bytes; `dwFlags`, `wPriority`
  /// and `wLanguage` are zero, and `dwQuality` is the default, all ones.
  func bytes(handler: [UInt8]) -> [UInt8] {
    let times = [initialFrames, scale, rate, start, length, suggestedBufferSize]
    return type + handler + [UInt8](repeating: 0, count: 8) + times.flatMap { $0.bytes(4, .little) }
      + [0xFF, 0xFF, 0xFF, 0xFF] + sampleSize.bytes(4, .little) + frame
  }
}
