/// The output for a camera raw file that `strip` cannot rewrite: any but most DNGs.
package enum RawUnderStrip: String, CaseIterable, Sendable, Hashable {
  /// There is none: the item fails.
  case refuse
  /// The largest preview in it, stripped, as a JPEG.
  case previewOnly
}
