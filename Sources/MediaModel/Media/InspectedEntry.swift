/// One entry of a file's metadata, reported by a worker and checked by the coordinator.
package struct InspectedEntry: Sendable, Hashable {
  /// The container's own names from the outside in, such as `APP1 Exif/IFD0/Make`.
  package var path: String
  /// The offset of the entry in bytes from the file's start.
  package var offset: UInt64
  /// The length of the entry in bytes.
  package var byteCount: UInt64
  /// Whether `strip` removes the entry; an entry that is written again from its value counts as
  /// kept.
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
