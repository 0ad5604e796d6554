/// The place of one picture on a page of a contact sheet, with its label.
package struct ContactSheetCell: Sendable, Hashable {
  /// The most pixels that a page has.
  package static let maximumPixels = 24_000_000

  /// The distance from the page's left edge, in pixels.
  package var left: Int
  /// The distance from the page's top edge, in pixels.
  package var top: Int
  /// The size of the box for the picture, in pixels.
  package var size: PixelSize
  /// The text below the box; empty for none.
  package var label: String
  /// The height of the text, in pixels.
  package var labelSize: Int

  /// Creates a cell.
  package init(left: Int, top: Int, size: PixelSize, label: String = "", labelSize: Int = 0) {
    self.left = left
    self.top = top
    self.size = size
    self.label = label
    self.labelSize = labelSize
  }
}
