/// The byte ranges of the pictures in a track, and their timing.
///
/// Source: ISO/IEC 14496-12 sections 8.6.1 (stts, ctts, cslg), 8.6.2 (stss), 8.7.3 (stsz, stz2), 8.7.4
/// (stsc), 8.7.5 (stco, co64).
package struct HEIFSampleTable {
  /// A picture of a track.
  package struct Sample {
    /// The range of the picture data.
    package var range: Range<Int>
    /// The index into the sample entries, 1-based.
    package var description: Int
  }

  /// The maximum number of pictures over all tracks.
  package static let maximumSamples = 1 << 18

  /// The pictures in order.
  package var samples: [Sample]
  /// The rewritten boxes with display times and sync samples.
  package var timing: [UInt8]

  /// Parses the children of stbl.
  ///
  /// - Throws: `damaged` when they are inconsistent; `overLimit` for too many pictures.
  package init(_ boxes: [ISOBox], of source: ByteSource) throws(MetadataError) {
    let sizes = try Self.sizes(boxes, of: source)
    let chunks = try Self.chunks(boxes, of: source)
    samples = try Self.samples(sizes, in: chunks, boxes, of: source)
    timing = []
    for type in ["stts", "ctts", "cslg", "stss"] as [FourCharacterCode] {
      guard let box = try boxes.only(type) else { continue }
      timing += try Self.timing(type, ISOFields(source, box.body, type.displayName))
    }
  }

  /// Returns a table whose entries all have the same length.
  private static func timing(
    _ type: FourCharacterCode,
    _ fields: ISOFields
  ) throws(MetadataError) -> [UInt8] {
    var fields = fields
    let version = UInt8(truncatingIfNeeded: try fields.number(4) >> 24)
    if type == "cslg" {
      let length = version == 0 ? 20 : 40
      guard fields.left == length else { throw fields.damaged }
      return ISOWriter.full(type, version: version, try fields.bytes(length))
    }
    let count = try fields.number(4)
    guard count <= maximumSamples else { throw MetadataError(.overLimit, "too many samples") }
    let entries = try fields.bytes(count * (type == "stss" ? 4 : 8))
    let isSigned: UInt8 = type == "ctts" && version == 1 ? 1 : 0
    return ISOWriter.full(type, version: isSigned, ISOWriter.uint32(count) + entries)
  }

  private static func sizes(
    _ boxes: [ISOBox],
    of source: ByteSource
  ) throws(MetadataError) -> [Int] {
    if let box = try boxes.only("stsz") {
      var fields = ISOFields(source, box.body, "stsz")
      _ = try fields.number(4)
      let size = try fields.number(4)
      let count = try fields.number(4)
      guard count <= maximumSamples else { throw MetadataError(.overLimit, "too many samples") }
      if size > 0 { return [Int](repeating: size, count: count) }
      var sizes: [Int] = []
      for _ in 0..<count { sizes.append(try fields.number(4)) }
      return sizes
    }
    guard let box = try boxes.only("stz2") else {
      throw MetadataError(.damaged, "a track without stsz")
    }
    var fields = ISOFields(source, box.body, "stz2")
    _ = try fields.number(7)
    let bits = try fields.number(1)
    let count = try fields.number(4)
    guard count <= maximumSamples else { throw MetadataError(.overLimit, "too many samples") }
    guard [4, 8, 16].contains(bits) else { throw fields.damaged }
    var sizes: [Int] = []
    while sizes.count < count {
      let number = try fields.number(bits == 16 ? 2 : 1)
      if bits == 4 { sizes.append(number >> 4) }
      if sizes.count < count { sizes.append(bits == 4 ? number & 0xF : number) }
    }
    return sizes
  }

  /// Returns the offset of each chunk.
  private static func chunks(
    _ boxes: [ISOBox],
    of source: ByteSource
  ) throws(MetadataError) -> [Int] {
    let long = try boxes.only("co64")
    guard let box = try boxes.only("stco") ?? long else {
      throw MetadataError(.damaged, "a track without stco")
    }
    var fields = ISOFields(source, box.body, box.type.displayName)
    _ = try fields.number(4)
    let count = try fields.number(4)
    guard count <= maximumSamples else { throw MetadataError(.overLimit, "too many chunks") }
    var chunks: [Int] = []
    for _ in 0..<count { chunks.append(try fields.number(box.type == "stco" ? 4 : 8)) }
    return chunks
  }

  private static func samples(
    _ sizes: [Int],
    in chunks: [Int],
    _ boxes: [ISOBox],
    of source: ByteSource
  ) throws(MetadataError) -> [Sample] {
    guard let box = try boxes.only("stsc") else {
      throw MetadataError(.damaged, "a track without stsc")
    }
    var fields = ISOFields(source, box.body, "stsc")
    _ = try fields.number(4)
    let count = try fields.number(4)
    var samples: [Sample] = []
    var next = count > 0 ? try fields.number(4) : 0
    for entry in 0..<count {
      let first = next
      let samplesPerChunk = try fields.number(4)
      let description = try fields.number(4)
      next = entry + 1 < count ? try fields.number(4) : chunks.count + 1
      // Entries after the last sample would cost time and have no meaning.
      if samples.count == sizes.count { break }
      guard first >= 1, next > first else { throw fields.damaged }
      for chunk in first..<max(first, min(next, chunks.count + 1)) {
        var position = chunks[chunk - 1]
        for _ in 0..<min(samplesPerChunk, sizes.count - samples.count) {
          let size = sizes[samples.count]
          guard position <= source.length, size <= source.length - position else {
            throw MetadataError(.damaged, "a sample whose bytes are not in the file")
          }
          samples.append(Sample(range: position..<(position + size), description: description))
          position += size
        }
      }
    }
    guard samples.count == sizes.count else { throw fields.damaged }
    return samples
  }
}
