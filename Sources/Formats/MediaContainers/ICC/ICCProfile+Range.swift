extension ICCProfile {
  /// Returns the profile in `range` with what color needs alone; nil when it is none.
  ///
  /// - Throws: `overLimit` for more than 4 MiB.
  package static func cleaned(
    _ range: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8]? {
    guard let bytes = source.bytes(in: range, limit: maximumLength) else {
      throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
    }
    return cleaned(bytes)
  }
}
