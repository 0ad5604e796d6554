/// One thing that a file says about itself, as a worker told it and the coordinator checked it.
package struct InspectedEntry: Sendable, Hashable {
  /// The container's own words from the outside in, such as `APP1 Exif/IFD0/Make`.
  package var path: String
  /// Where it stands, in bytes from the file's start.
  package var offset: UInt64
  /// How many bytes it takes.
  package var byteCount: UInt64
  /// Whether `strip` takes it out; what is written anew from its value counts as kept.
  package var isRemoved: Bool
  /// One escaped line, private; nil unless values were asked for, and for what has no text.
  package var value: String?

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
