import MediaModel

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The output of a HEIC or AVIF, looked at a second time, and what was taken out.
func stripHEIF(
  _ bytes: [UInt8],
  _ options: StripOptions = StripOptions()
) throws -> (output: [UInt8], list: EditList) {
  let list = try withSource(bytes) { source in
    let list = try HEIFStripper.editList(of: source, options: options)
    try HEIFVerification.verify(try ByteSource(applying: list, to: source), options: options)
    return list
  }
  return (apply(list, to: bytes), list)
}

func facts(ofHEIF bytes: [UInt8]) -> Facts? {
  withSource(bytes) { source in
    try? HEIFFacts.facts(of: source, format: .heic)
  }
}

extension [UInt8] {
  /// Whether these bytes stand anywhere.
  func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return false }
    return withUnsafeBufferPointer { bytes in
      for start in 0...(bytes.count - part.count) where bytes[start] == first {
        if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
      }
      return false
    }
  }

  func contains(_ text: String) -> Bool {
    contains(Array(text.utf8))
  }
}
