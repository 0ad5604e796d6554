extension [UInt8] {
  /// Lends the bytes as a C string, valid during the call only; a NUL among them ends it.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = map { CChar(bitPattern: $0) } + [0]
    return text.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return body("") }
      return body(start)
    }
  }
}
