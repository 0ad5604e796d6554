/// Writes XMP as a GIF application extension.
///
/// Source: XMP specification part 3, section 1.1.2.
package enum GIFXMP {
  /// The bytes after a packet: wherever a reader that does not know XMP enters them, the next
  /// length leads to their end.
  package static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

  /// Returns an application extension that holds `packet`.
  package static func block(_ packet: [UInt8]) -> [UInt8] {
    [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + trailer
  }
}
