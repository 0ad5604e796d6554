import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped AVI: compares its chunks with the allow-list, and follows each entry of its
/// index to the chunk that it names.
enum AVIVerification {
  /// Verifies an output.
  ///
  /// - Throws: `residue` naming the first chunk that should not be there; `damaged` when the output
  ///   is no such file.
  static func verify(_ output: ByteSource, options: StripOptions) throws(MetadataError) {
    var riffs = RIFFChunks(output, in: 0..<output.length)
    var isFirst = true
    let texts = WAVInfo.list(options.kept(of: AVIMetadata.find(in: output)))
    while let riff = try riffs.nextWhole() {
      let form: FourCharacterCode = isFirst ? "AVI " : "AVIX"
      guard riff.type == "RIFF", output.code(at: riff.data.lowerBound) == form else {
        throw MetadataError(.residue, riff.type.name)
      }
      try walk(riff.data.dropFirst(4), AVIAllowList.file, output) {
        type,
        data throws(MetadataError)
        in
        switch type {
        case "hdrl":
          guard isFirst else { throw MetadataError(.residue, "headers") }
          try verifyHeaders(data, output)
        case "INFO":
          guard output.bytes(in: (data.lowerBound - 4)..<data.upperBound, limit: 1 << 16) == texts
          else { throw MetadataError(.residue, "LIST INFO") }
        default: break
        }
      }
      isFirst = false
    }
    guard riffs.isAtEnd, !isFirst else { throw MetadataError(.residue, "trailer") }
    try verifyData(output)
  }

  /// Verifies an output without sound.
  ///
  /// - Throws: `residue` when a sound stream, or data of no stream, are left.
  static func verifyMuted(_ output: ByteSource) throws(MetadataError) {
    let file = try AVIFile(of: output)
    for stream in file.streams where stream.kind == "auds" || stream.kind == "iavs" {
      throw MetadataError(.residue, RemovedMetadata.audioTrack)
    }
    for other in file.others where other.section == .data {
      throw MetadataError(.residue, other.name)
    }
    try verifyIndex(file, output)
  }

  /// Calls `body` with each chunk or list in a range, whose types a list must have; the range of a
  /// list is that after its type.
  private static func walk(
    _ range: Range<Int>,
    _ list: AllowList<FourCharacterCode>,
    _ output: ByteSource,
    _ body: (FourCharacterCode, Range<Int>) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    var cursor = PartCursor(list)
    var chunks = RIFFChunks(output, in: range)
    while let chunk = try chunks.nextWhole() {
      var (type, data) = (chunk.type, chunk.data)
      if type == "LIST" {
        guard let inner = output.code(at: data.lowerBound) else {
          throw MetadataError(.residue, "LIST")
        }
        (type, data) = (inner, data.dropFirst(4))
      }
      if let refusal = cursor.refusal(of: type, length: data.count) {
        throw MetadataError(.residue, refusal)
      }
      if chunk.data.count % 2 == 1, output.byte(at: chunk.data.upperBound) != 0 {
        throw MetadataError(.residue, "padding of \(type.name)")
      }
      try body(type, data)
    }
    guard chunks.isAtEnd else { throw MetadataError(.residue, "bytes between chunks") }
  }

  private static func verifyHeaders(
    _ range: Range<Int>,
    _ output: ByteSource
  ) throws(MetadataError) {
    try walk(range, AVIAllowList.headers, output) { type, data throws(MetadataError) in
      switch type {
      case "strl":
        try walk(data, AVIAllowList.stream, output) { type, data throws(MetadataError) in
          // Flags, priority and language.
          if type == "strh", !output.isZero(data.dropFirst(8).prefix(8)) {
            throw MetadataError(.residue, "language")
          }
          if type == "vprp", let shape = output.bytes(in: data, limit: 128),
            AVIStream.shape(shape) != shape
          {
            throw MetadataError(.residue, "vprp")
          }
        }
      case "odml":
        guard data.count == 256, output.holds("dmlh", at: data.lowerBound),
          output.isZero(data.dropFirst(12))
        else { throw MetadataError(.residue, "odml") }
      case "avih":
        guard output.isZero(data.dropFirst(8).prefix(4)), output.isZero(data.dropFirst(40)) else {
          throw MetadataError(.residue, "avih")
        }
      default: break
      }
    }
  }

  /// Checks that the lists of data hold nothing but data and indexes.
  private static func verifyData(_ output: ByteSource) throws(MetadataError) {
    let file = try AVIFile(of: output)
    for other in file.others where other.name != "LIST INFO" {
      throw MetadataError(.residue, other.name)
    }
    try verifyIndex(file, output)
  }

  /// Checks that the index names each chunk of the first RIFF chunk once, in order.
  private static func verifyIndex(
    _ file: AVIFile,
    _ output: ByteSource
  ) throws(MetadataError) {
    guard let segment = file.segments.first, let index = segment.index else {
      guard !file.hasIndex else { throw MetadataError(.residue, "no index") }
      return
    }
    let wrong = MetadataError(.residue, "an entry of the index that leads nowhere")
    guard index.count == 16 * segment.chunks.count else { throw wrong }
    for (number, chunk) in segment.chunks.enumerated() {
      let offset = index.lowerBound + 16 * number
      guard output.code(at: offset) == chunk.type,
        output.uint32(at: offset + 8, order: .little) == chunk.offset - segment.movi,
        output.uint32(at: offset + 12, order: .little) == chunk.data.count
      else { throw wrong }
    }
  }
}
