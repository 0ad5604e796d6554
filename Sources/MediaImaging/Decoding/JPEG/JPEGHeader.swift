/// The segments before a JPEG's first scan, read without a decoder.
///
/// Source: ITU-T T.81 annex B; ICC.1:2022 annex B.4 (profiles in APP2).
struct JPEGHeader {
  var width = 0
  var height = 0
  /// The number of bits per sample.
  var precision = 8
  /// The horizontal and vertical sampling factors, one pair for each component.
  var components: [(horizontal: Int, vertical: Int)] = []
  var isProgressive = false
  /// Whether the process is SOF0, 1, 2, 9 or 10, which libjpeg-turbo decodes.
  var isDecodable = false
  /// The ICC profile, joined from its chunks; nil if there is none or a chunk is missing.
  var profile: [UInt8]?
  /// The offset of the first SOS marker.
  var scanOffset = 0
  /// The number of bytes between segments that belong to none; a decoder skips them with a warning.
  var strayByteCount = 0
  /// The ranges of the segments before the first scan, markers and lengths included.
  var segments: [Range<Int>] = []

  /// The number of 8×8 blocks of all components, as stored.
  var blockCount: Int {
    guard let widest = components.map(\.horizontal).max(),
      let tallest = components.map(\.vertical).max()
    else { return 0 }
    let columns = (width + 8 * widest - 1) / (8 * widest)
    let rows = (height + 8 * tallest - 1) / (8 * tallest)
    return components.reduce(0) { $0 + columns * rows * $1.horizontal * $1.vertical }
  }

  /// Reads the segments.
  ///
  /// - Throws: `damaged` if the frame header or the scan is missing.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
      throw ImagingError(.damaged, "no SOI marker")
    }
    var chunks: [UInt8: Range<Int>] = [:]
    var chunkCount: UInt8 = 0
    var offset = 2
    while true {
      let stray = offset
      while offset < bytes.count, bytes[offset] != 0xFF { offset += 1 }
      strayByteCount += offset - stray
      while offset + 1 < bytes.count, bytes[offset + 1] == 0xFF { offset += 1 }
      guard offset + 3 < bytes.count else { throw ImagingError(.damaged, "no scan") }
      let marker = bytes[offset + 1]
      switch marker {
      case 0x00:
        strayByteCount += 2
        offset += 2
        continue
      case 0x01, 0xD0...0xD7:
        offset += 2
        continue
      case 0xD8, 0xD9:
        throw ImagingError(.damaged, "SOI or EOI before the first scan")
      default: break
      }
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      let end = offset + 2 + length
      guard length >= 2, end <= bytes.count else {
        throw ImagingError(.damaged, "segment \(marker) of \(length) bytes ends early")
      }
      let body = (offset + 4)..<end
      if marker == 0xDA {
        scanOffset = offset
        break
      }
      segments.append(offset..<end)
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        try readFrame(UnsafeRawBufferPointer(rebasing: bytes[body]), marker: marker)
      case 0xE2:
        Self.readProfileChunk(bytes, body, into: &chunks, count: &chunkCount)
      default: break
      }
      offset = end
    }
    guard !components.isEmpty else { throw ImagingError(.damaged, "no frame header") }
    profile = Self.join(chunks, count: chunkCount, of: bytes)
  }

  private mutating func readFrame(
    _ body: UnsafeRawBufferPointer,
    marker: UInt8
  ) throws(ImagingError) {
    guard body.count >= 6, body.count >= 6 + 3 * Int(body[5]), body[5] > 0, components.isEmpty
    else { throw ImagingError(.damaged, "frame header") }
    precision = Int(body[0])
    height = Int(body[1]) << 8 | Int(body[2])
    width = Int(body[3]) << 8 | Int(body[4])
    for index in 0..<Int(body[5]) {
      let factors = body[7 + 3 * index]
      let (horizontal, vertical) = (Int(factors >> 4), Int(factors & 15))
      guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
        throw ImagingError(.damaged, "sampling factors \(horizontal)x\(vertical)")
      }
      components.append((horizontal, vertical))
    }
    isProgressive = [0xC2, 0xCA].contains(marker)
    isDecodable = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker)
  }

  private static let profileSignature = Array("ICC_PROFILE\0".utf8)

  private static func readProfileChunk(
    _ bytes: UnsafeRawBufferPointer,
    _ body: Range<Int>,
    into chunks: inout [UInt8: Range<Int>],
    count: inout UInt8
  ) {
    guard body.count > 14, bytes[body].prefix(12).elementsEqual(profileSignature) else { return }
    let sequence = bytes[body.lowerBound + 12]
    count = max(count, bytes[body.lowerBound + 13])
    if chunks[sequence] == nil { chunks[sequence] = (body.lowerBound + 14)..<body.upperBound }
  }

  private static func join(
    _ chunks: [UInt8: Range<Int>],
    count: UInt8,
    of bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    guard count > 0, chunks.count == Int(count) else { return nil }
    var profile: [UInt8] = []
    for sequence in 1...count {
      guard let chunk = chunks[sequence] else { return nil }
      profile.append(contentsOf: bytes[chunk])
    }
    return profile
  }

  /// Returns the number of scans, by counting SOS markers; entropy-coded data holds no such marker.
  func scanCount(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var offset = scanOffset
    while offset + 1 < bytes.count {
      if bytes[offset] == 0xFF, bytes[offset + 1] == 0xDA { count += 1 }
      offset += 1
    }
    return count
  }

  /// Copies the file without the stray bytes before its first scan.
  ///
  /// - Returns: The copy, valid as long as the buffer holds it.
  /// - Throws: `overLimit` if memory runs out.
  func withoutStrayBytes(
    _ bytes: UnsafeRawBufferPointer,
    _ buffer: PlaneBuffer
  ) throws(ImagingError) -> UnsafeRawBufferPointer {
    let parts = [0..<2] + segments + [scanOffset..<bytes.count]
    let count = parts.reduce(0) { $0 + $1.count }
    let clean = UnsafeMutableRawBufferPointer(start: try buffer.reserve(count), count: count)
    var offset = 0
    for part in parts {
      UnsafeMutableRawBufferPointer(rebasing: clean[offset...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
      offset += part.count
    }
    return UnsafeRawBufferPointer(clean)
  }
}
