/// XMP in a GIF.
///
/// Source: XMP specification part 3, section 1.1.2.
package enum GIFXMP {
  /// Wherever a reader that knows no XMP lands in it, the next length leads to its end.
  package static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

  package static func block(_ packet: [UInt8]) -> [UInt8] {
    [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + trailer
  }
}
