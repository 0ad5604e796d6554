/// The locations of the chunks of a WAV.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0; EBU Tech 3306
/// (RF64); ITU-R BS.2088 (BW64).
package struct WAVContainer {
  private static let maximumChunks = 65_536

  /// The form type: `RIFF`, `RF64` or `BW64`.
  package var form: FourCharacterCode
  /// The sample format.
  package var format: WAVFormat
  /// The range of the samples, whole blocks only.
  package var audio: Range<Int>
  /// The number of samples of compressed audio.
  package var sampleCount: Int?
  /// All chunks in order.
  package var chunks: [RIFFChunk] = []
  /// All other chunks in order, including a second fmt or data.
  package var others: [RIFFChunk] = []
  /// The offset at which the chunks of the file end.
  package var end: Int

  /// Whether lengths may have 64 bits.
  package var isLong: Bool { form != "RIFF" }

  /// The chunk types for format, samples and their number.
  private static let own: Set<FourCharacterCode> = ["fmt ", "data", "fact", "ds64"]

  /// Parses the chunks of a WAV.
  ///
  /// - Throws: `damaged` when the file is not a WAV, or has no format or no samples.
  package init(of source: ByteSource) throws(MetadataError) {
    guard let form = source.code(at: 0), ["RIFF", "RF64", "BW64"].contains(form),
      source.holds("WAVE", at: 8)
    else { throw MetadataError(.damaged, "no RIFF header") }
    self.form = form
    let isLong = form != "RIFF"
    var position = 12
    var declared: WAVFormat?
    var data: Range<Int>?
    var lengths: (data: Int, samples: Int)?
    var seen: Set<FourCharacterCode> = []
    while source.length - position >= 8, others.count < Self.maximumChunks,
      let type = source.code(at: position),
      var length = source.uint32(at: position + 4, order: .little), Self.isType(type)
    {
      let start = position + 8
      let isFirst = Self.own.contains(type) && seen.insert(type).inserted
      if type == "data", length == 0xFFFF_FFFF {
        length = lengths?.data ?? source.length - start
      }
      let range = start..<(start + min(length, source.length - start))
      position = start + min(length, source.length) + length % 2
      let chunk = RIFFChunk(type: type, data: range, declaredLength: length)
      chunks.append(chunk)
      switch type {
      case "fmt " where isFirst:
        declared = WAVFormat(of: source, in: range)
        if declared == nil { throw MetadataError(.damaged, "fmt of impossible shape") }
        if range.count > declared?.bytes.count ?? 0 { others.append(chunk) }
      case "ds64" where isFirst && isLong:
        guard let size = source.uint64(at: start + 8, order: .little),
          let samples = source.uint64(at: start + 16, order: .little), range.count >= 24
        else { throw MetadataError(.damaged, "ds64 that ends early") }
        lengths = (size, samples)
        if range.count > 28 { others.append(chunk) }
      case "fact" where isFirst && range.count >= 4:
        sampleCount = source.uint32(at: start, order: .little)
        if range.count > 4 { others.append(chunk) }
      case "data" where isFirst: data = range
      default: others.append(chunk)
      }
    }
    end = min(position, source.length)
    guard let declared else { throw MetadataError(.damaged, "no fmt chunk") }
    guard let data else { throw MetadataError(.damaged, "no data chunk") }
    format = declared
    if sampleCount == 0xFFFF_FFFF, isLong { sampleCount = lengths?.samples }
    audio = declared.isPlain ? data.prefix(data.count - data.count % declared.blockLength) : data
    // An interrupted recorder leaves a length of 0 followed by the samples.
    if audio.isEmpty, end < source.length {
      throw MetadataError(.damaged, "data of no length, and bytes behind it")
    }
  }

  /// Returns whether the type is printable ASCII: other bytes are not a chunk, but data after the
  /// last one.
  private static func isType(_ type: FourCharacterCode) -> Bool {
    type.bytes.allSatisfy { 0x20...0x7E ~= $0 }
  }

  /// The number of samples per channel.
  package var frameCount: Int? {
    format.isPlain ? audio.count / format.blockLength : sampleCount
  }
}
