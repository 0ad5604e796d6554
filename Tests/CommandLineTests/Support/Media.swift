import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Media that a test makes out of the project's own: small, valid, and each with bytes of its own.
enum Media {
  /// A JPEG photo that no other text gives; the text stands in it as a comment.
  static func photo(_ text: String, from file: String = Samples.harbour) throws -> [UInt8] {
    let bytes = try readBytes(file)
    let comment = Array(text.utf8)
    let length = comment.count + 2
    // After the start marker: a comment segment. Source: ITU-T T.81, B.2.4.5.
    return bytes[..<2] + [0xFF, 0xFE] + big(length, 2) + comment
      + bytes[2...]
  }

  /// Both halves of a live photo that no other text gives.
  static func livePhoto(_ text: String) throws -> (still: [UInt8], movie: [UInt8]) {
    let movie = try readBytes(Samples.movie)
    // A box that every reader skips, at the end. Source: ISO/IEC 14496-12, 8.1.2.
    let free = isoBox("free", Array(text.utf8))
    return (try photo(text, from: Samples.still), movie + free)
  }

  /// A Targa picture of 4 × 4 pixels, a format that is imported and not stripped; the text is its image
  /// identification. Source: Truevision TGA file format specification 2.0, sections 1 to 6 and the footer.
  static func targa(_ text: String) -> [UInt8] {
    let header: [UInt8] = [
      UInt8(text.utf8.count), 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0x20,
    ]
    let pixels = (0..<48).map { UInt8($0 * 5) }
    return header + Array(text.utf8) + pixels + [UInt8](repeating: 0, count: 8)
      + Array("TRUEVISION-XFILE.\0".utf8)
  }

  /// Writes a file whose name is any bytes.
  static func write(_ bytes: [UInt8], folder: String, name: [UInt8]) throws {
    let path = Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]
    let file = path.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { path in
        path.baseAddress.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) } ?? -1
      }
    }
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(file) }
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw POSIXError(.EIO) }
  }
}
