import CDeflate

/// The CRC-32 of PNG and gzip, which vector instructions compute.
///
/// Source: PNG (3rd edition) annex D; libdeflate_crc32 (libdeflate 1.14).
package struct CRC32 {
  /// The checksum of the bytes so far.
  package private(set) var value: UInt32 = 0

  /// Creates the checksum of no bytes.
  package init() {}

  /// Continues the checksum with `bytes`.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // libdeflate starts again where there is no address.
    if let base = bytes.baseAddress { value = libdeflate_crc32(value, base, bytes.count) }
  }
}
