import Glibc
import MediaContainers
import MediaModel

/// Finds the JPEGs in a raw file that LibRaw cannot open: an unknown camera's or a truncated file.
///
/// Source: ITU-T T.81 annex B (a JPEG starts with FF D8 FF, its next marker begins a table, a frame
/// or an application segment).
enum RawPreviewScan {
  private static let maximumHitCount = 256
  private static let maximumPreviewCount = 4

  /// Returns the possible previews, the largest first, each from its start to the end of the file:
  /// the decoder stops at the picture's end.
  static func previews(in bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    guard let base = bytes.baseAddress else { return [] }
    var headers: [(pixelCount: Int, start: Int)] = []
    var offset = 0
    var hitCount = 0
    while hitCount < maximumHitCount, offset + 4 <= bytes.count,
      let hit = memchr(base + offset, 0xFF, bytes.count - offset - 3)
    {
      let start = UnsafeRawPointer(hit) - base
      offset = start + 1
      guard bytes[start + 1] == 0xD8, bytes[start + 2] == 0xFF, isFirstMarker(bytes[start + 3])
      else { continue }
      hitCount += 1
      guard let header = try? JPEGHeader(UnsafeRawBufferPointer(rebasing: bytes[start...])),
        header.frame.isDecodable, [1, 3].contains(header.frame.components.count)
      else { continue }
      headers.append((header.pixelSize.width * header.pixelSize.height, start))
    }
    return headers.sorted { $0.pixelCount > $1.pixelCount }.prefix(maximumPreviewCount)
      .map { UnsafeRawBufferPointer(rebasing: bytes[$0.start...]) }
  }

  private static func isFirstMarker(_ marker: UInt8) -> Bool {
    switch marker {
    case 0xC0...0xC2, 0xC4, 0xDB, 0xDD, 0xE0...0xEF, 0xFE: true
    default: false
    }
  }
}
