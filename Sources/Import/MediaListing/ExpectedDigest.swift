internal import MediaDigest
package import MediaFileSystem

/// A digest of a file's content that a plan has from somewhere else, such as a listing of object storage.
package enum ExpectedDigest: Sendable, Hashable {
  /// 16 bytes.
  case md5([UInt8])
  /// 20 bytes.
  case sha1([UInt8])
  /// 32 bytes.
  case sha256([UInt8])

  /// The most bytes that are in memory at once.
  private static let bufferLength = 1 << 18

  /// Whether a file, read once in constant memory, has this digest.
  ///
  /// - Throws: `FileSystemError` when it cannot be read.
  package func isThat(of file: Descriptor) throws(FileSystemError) -> Bool {
    switch self {
    case .md5(let bytes): try Self.digest(of: file, MD5()) == bytes
    case .sha1(let bytes): try Self.digest(of: file, SHA1()) == bytes
    case .sha256(let bytes): try Self.digest(of: file, SHA256()) == bytes
    }
  }

  private static func digest(
    of file: Descriptor,
    _ function: some MessageDigest
  ) throws(FileSystemError) -> [UInt8] {
    var function = function
    var buffer = [UInt8](repeating: 0, count: bufferLength)
    var offset: UInt64 = 0
    var reader = SparseReader(file)
    while true {
      let count = try buffer.withUnsafeMutableBytes { bytes in
        Result { () throws(FileSystemError) in try reader.read(into: bytes, at: offset).count }
      }.get()
      if count == 0 { return function.finalize() }
      buffer.withUnsafeBytes { function.update(.init(rebasing: $0[..<count])) }
      offset += UInt64(count)
    }
  }
}
