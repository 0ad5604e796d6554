/// A metadata value of a file, listed by a worker and checked by the coordinator.
package struct InspectedEntry: Sendable, Hashable {
  /// The container's own names from the outside in, such as `APP1 Exif/IFD0/Make`. It contains no
  /// text of the file, except for escaped names that a program chose: of XMP properties, keys of
  /// sounds, films and content credentials, and keywords of PNG.
  package var path: String
  /// The class of the value, by the path alone.
  package var metadataClass: MetadataClass { MetadataTag.of(path: path).metadataClass }
  /// The offset in bytes from the file's start; for inflated data or a value within a text, the
  /// offset of the block around it.
  package var offset: UInt64
  /// The length of the value in bytes, or of the whole block if the block is not parsed.
  package var byteCount: UInt64
  /// Whether `strip` removes it; a value that is written anew counts as kept.
  package var isRemoved: Bool
  /// The value as one escaped line, which is private; nil unless values were requested, and for
  /// entries without text.
  package var value: String?

  /// Creates an entry.
  package init(
    path: String,
    offset: UInt64,
    byteCount: UInt64,
    isRemoved: Bool,
    value: String? = nil
  ) {
    self.path = path
    self.offset = offset
    self.byteCount = byteCount
    self.isRemoved = isRemoved
    self.value = value
  }
}
