import MediaContainers
import MediaModel

extension JPEGHeader {
  /// Reads the header of a picture that will be decoded.
  ///
  /// - Throws: `damaged` if the frame header or the scan is missing or impossible.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    do throws(MetadataError) {
      self = try JPEGHeader(of: ByteSource(bytes))
    } catch {
      throw ImagingError(.damaged, error.detail)
    }
    guard scan != nil else { throw ImagingError(.damaged, "no scan") }
    guard frame.areFactorsValid else { throw ImagingError(.damaged, "sampling factors") }
  }

  /// The number of 8×8 blocks of all components, as stored.
  var blockCount: Int {
    guard let widest = frame.components.map(\.horizontal).max(),
      let tallest = frame.components.map(\.vertical).max()
    else { return 0 }
    let columns = (pixelSize.width + 8 * widest - 1) / (8 * widest)
    let rows = (pixelSize.height + 8 * tallest - 1) / (8 * tallest)
    return frame.components.reduce(0) { $0 + columns * rows * $1.horizontal * $1.vertical }
  }

  /// Returns the number of scans, by counting SOS markers; entropy-coded data holds no such marker.
  func scanCount(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var offset = scan?.range.lowerBound ?? bytes.count
    while offset + 1 < bytes.count {
      if bytes[offset] == 0xFF, bytes[offset + 1] == JPEGMarker.sos { count += 1 }
      offset += 1
    }
    return count
  }

  /// Whether it is known that all tables by which the picture is decoded stand before its data: it has one scan, as a
  /// camera's has.
  func definesTables(in bytes: UnsafeRawBufferPointer) -> Bool {
    let source = ByteSource(bytes)
    guard !frame.isProgressive, !frame.isArithmetic, let scan,
      scan.body.count == 4 + 2 * frame.components.count
    else { return false }
    // Bits 0 to 31 are tables of Huffman codes by their first byte, class and number; the others of quantization.
    var defined: UInt64 = 0
    for segment in JPEGSegments(source) where [JPEGMarker.dht, JPEGMarker.dqt].contains(segment.marker) {
      let shift: UInt64 = segment.marker == JPEGMarker.dht ? 0 : 32
      for table in JPEGTables.definitions(in: segment, of: source) {
        guard let first = source.byte(at: table.lowerBound) else { return false }
        defined |= 1 << (shift + UInt64(shift == 0 ? first & 31 : first & 15))
      }
    }
    return frame.components.enumerated().allSatisfy { index, component in
      guard let coding = source.byte(at: scan.body.lowerBound + 2 + 2 * index), component.quantization < 16
      else {
        return false
      }
      let needed: UInt64 =
        1 << UInt64(coding >> 4) | 1 << (16 + UInt64(coding & 15)) | 1
        << (32 + UInt64(component.quantization))
      return defined & needed == needed
    }
  }

  /// Copies the file without the bytes between the segments before its first scan.
  ///
  /// - Returns: The copy, valid as long as the buffer holds it.
  /// - Throws: `overLimit` if memory runs out.
  func withoutStrayBytes(
    _ bytes: UnsafeRawBufferPointer,
    _ buffer: PlaneBuffer
  ) throws(ImagingError) -> UnsafeRawBufferPointer {
    let memory = try buffer.reserve(bytes.count)
    let clean = UnsafeMutableRawBufferPointer(start: memory, count: bytes.count)
    var count = 0
    func append(_ range: Range<Int>) {
      UnsafeMutableRawBufferPointer(rebasing: clean[count...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
      count += range.count
    }
    append(0..<2)
    for segment in JPEGSegments(ByteSource(bytes)) { append(segment.range) }
    append((scan?.range.lowerBound ?? bytes.count)..<bytes.count)
    return UnsafeRawBufferPointer(rebasing: clean[..<count])
  }

  /// Copies a file with the usual values in the place of odd ones of which libjpeg warns, and for which it takes them.
  ///
  /// - Returns: The copy, valid as long as the buffer holds it; nil when there are none.
  /// - Throws: `overLimit` if memory runs out.
  static func withUsualValues(
    _ bytes: UnsafeRawBufferPointer,
    _ buffer: PlaneBuffer
  ) throws(ImagingError) -> UnsafeRawBufferPointer? {
    let values = usualValues(in: bytes)
    guard !values.isEmpty else { return nil }
    let memory = UnsafeMutableRawBufferPointer(start: try buffer.reserve(bytes.count), count: bytes.count)
    memory.copyMemory(from: bytes)
    for (offset, value) in values { memory[offset] = value }
    return UnsafeRawBufferPointer(memory)
  }

  /// The offsets of odd values, with the usual ones.
  ///
  /// Source: get_sos and examine_app0 of jdmarker.c, default_decompress_parms of jdapimin.c, start_pass_huff_decoder of
  /// jdhuff.c (libjpeg-turbo 2.1).
  private static func usualValues(in bytes: UnsafeRawBufferPointer) -> [(offset: Int, value: UInt8)] {
    let source = ByteSource(bytes)
    guard let header = try? JPEGHeader(of: source) else { return [] }
    var values: [(offset: Int, value: UInt8)] = []
    func set(_ offset: Int, _ value: UInt8) {
      if bytes[offset] != value { values.append((offset, value)) }
    }
    let hasInk = header.frame.components.count == 4
    for segment in JPEGSegments(source) {
      let start = segment.body.lowerBound
      if segment.marker == JPEGMarker.app0, segment.body.count >= 14, source.holds("JFIF\0", at: start) {
        set(start + 5, 1)
      }
      if segment.marker == JPEGMarker.app14, segment.body.count >= 12, source.holds("Adobe", at: start),
        bytes[start + 11] != 0
      {
        set(start + 11, hasInk ? 2 : 1)
      }
    }
    guard !header.frame.isProgressive, let first = header.scan?.range.lowerBound else { return values }
    // Entropy-coded data holds no such marker.
    for offset in first..<max(first, bytes.count - 4)
    where bytes[offset] == 0xFF && bytes[offset + 1] == JPEGMarker.sos {
      let end = offset + 2 + Int(source.uint16(at: offset + 2) ?? 0)
      guard end >= offset + 8, end <= bytes.count else { continue }
      for (place, value) in zip((end - 3)..<end, [0, 63, 0] as [UInt8]) { set(place, value) }
    }
    return values
  }
}
