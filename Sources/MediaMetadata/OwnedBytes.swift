/// Bytes that stand in memory of their own, such as a block that was put together or inflated.
struct OwnedBytes: ByteSource {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var length: Int { bytes.count }

  func withRun<Result>(from offset: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { all in
      guard offset >= 0, offset < all.count else {
        return body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      return body(UnsafeRawBufferPointer(rebasing: all[offset...]))
    }
  }
}
