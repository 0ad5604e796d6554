import MediaModel

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Texts that stand nowhere by accident, to be planted where metadata hide and looked for afterwards.
enum Canaries {
  /// Twenty of them, of different lengths, so that no alignment or cut hides them all.
  static let all: [String] = (0..<20).map { index in
    "CaNaRy\(index)" + String(repeating: "qZ", count: index % 5) + "xW\(index * 7919)"
  }

  /// All of them with a NUL between each two.
  static let ascii: [UInt8] = all.flatMap { Array($0.utf8) + [0] }

  /// The same as UTF-16, least significant byte first.
  static let wide: [UInt8] = ascii.flatMap { [$0, 0] }

  /// The canaries that stand in `bytes`: raw, in UTF-16 of either order, or in any zlib stream.
  static func present(in bytes: [UInt8]) -> Set<String> {
    var canaries = raw(bytes)
    for start in bytes.indices.dropLast() where bytes[start] == 0x78 {
      let stream = Array(bytes[start...].prefix(1 << 16))
      if let inflated = try? ZlibStream.content(of: ByteSource(stream), limit: 1 << 20) {
        canaries.formUnion(raw(inflated))
      }
    }
    return canaries
  }

  private static func raw(_ bytes: [UInt8]) -> Set<String> {
    // UTF-16 without its zero bytes is ASCII.
    let narrow = bytes.filter { $0 != 0 }
    return Set(all.filter { holds(bytes, Array($0.utf8)) || holds(narrow, Array($0.utf8)) })
  }

  private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    for start in 0...(bytes.count - part.count) where bytes[start] == part[0] {
      if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }
}
