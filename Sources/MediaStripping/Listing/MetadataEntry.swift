/// One thing that a file says about itself, by its place.
package struct MetadataEntry: Sendable, Hashable {
  /// The container's own words from the outside in, such as `APP1 Exif/IFD0/Make`; never text of the
  /// file's own, but for a name that XMP gives a property, escaped.
  package var path: String
  /// Where it stands, in bytes from the file's start; for what was inflated or lies within a text,
  /// where the block around it stands.
  package var offset: Int
  /// How many bytes its value takes, or the whole of a block that is not looked into.
  package var byteCount: Int
  /// Whether `strip` takes it out. What is written anew from its value counts as kept.
  package var isRemoved: Bool
  /// The value as one escaped line of at most 200 characters; nil unless values were asked for, and
  /// for what has no text.
  package var value: String?

  package init(path: String, offset: Int, byteCount: Int, isRemoved: Bool, value: String? = nil) {
    self.path = path
    self.offset = offset
    self.byteCount = byteCount
    self.isRemoved = isRemoved
    self.value = value
  }
}
