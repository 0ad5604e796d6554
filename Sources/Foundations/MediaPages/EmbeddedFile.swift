/// A file for browsers, which the C compiler has put into the program.
///
/// As array literals the 120 KB of all pages took Swift 15 s.
package enum EmbeddedFile {
  /// Copies a file.
  ///
  /// - Parameter locate: A function of a C module: it gives where the file is, and writes its length.
  /// - Returns: The bytes of the file.
  package static func bytes(
    _ locate: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
  ) -> [UInt8] {
    var length = 0
    let start = locate(&length)
    return Array(UnsafeBufferPointer(start: start, count: length))
  }
}
