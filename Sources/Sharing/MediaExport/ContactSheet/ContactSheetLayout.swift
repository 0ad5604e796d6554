package import MediaModel

/// The arrangement of the pictures on the pages of a contact sheet, in pixels.
package struct ContactSheetLayout: Sendable, Hashable {
  /// The number of pictures beside one another.
  package let columns: Int
  /// The number of pictures below one another.
  package let rows: Int
  /// The sides of the square box of each picture.
  package let side: Int
  /// The distance between boxes, and to the edges of the page.
  package let spacing: Int
  /// Whether there is a label below each picture.
  package let hasLabels: Bool

  /// Makes a layout; nil when one page would have too many pixels.
  ///
  /// - Parameters:
  ///   - columns: The number of pictures beside one another.
  ///   - rows: The number of pictures below one another; nil for as many as make a page of A4, as far as it
  ///     has no more than ``MediaModel/ContactSheetCell/maximumPixels``.
  ///   - side: The sides of the square box of each picture.
  ///   - spacing: The distance between boxes.
  ///   - hasLabels: Whether there is a label below each picture.
  package init?(columns: Int, rows: Int?, side: Int, spacing: Int, hasLabels: Bool) {
    (self.columns, self.side, self.spacing, self.hasLabels) = (columns, side, spacing, hasLabels)
    let width = Self.width(columns, side, spacing)
    let rowHeight = side + spacing + Self.labelHeight(side, hasLabels)
    let room = ContactSheetCell.maximumPixels / max(1, width) - spacing
    let mostRows = min(room, Self.largestSide - spacing) / max(1, rowHeight)
    guard columns > 0, width <= Self.largestSide, mostRows > 0 else { return nil }
    if let rows {
      guard (1...mostRows).contains(rows) else { return nil }
      self.rows = rows
    } else {
      // ISO 216: the sides are as 1 to the square root of 2.
      let tallest = (width * 14_142 / 10_000 - spacing) / rowHeight
      self.rows = min(max(1, tallest), mostRows)
    }
  }

  /// The most pixels on a side of a JPEG that every reader opens.
  private static let largestSide = 30_000

  private static func width(_ columns: Int, _ side: Int, _ spacing: Int) -> Int {
    spacing + columns * (side + spacing)
  }

  private static func labelHeight(_ side: Int, _ hasLabels: Bool) -> Int {
    hasLabels ? labelSize(side) * 3 / 2 : 0
  }

  private static func labelSize(_ side: Int) -> Int { min(max(side / 16, 10), 60) }

  /// The number of pictures on a page.
  package var cellsOfPage: Int { columns * rows }

  /// The size of every page.
  package var pageSize: PixelSize {
    PixelSize(
      width: Self.width(columns, side, spacing),
      height: spacing + rows * (side + spacing + Self.labelHeight(side, hasLabels))
    )
  }

  /// Returns the place of a picture on its page.
  ///
  /// - Parameters:
  ///   - index: The number of the picture on the page, from 0.
  ///   - label: The text below it.
  /// - Returns: The place.
  func cell(_ index: Int, label: String) -> ContactSheetCell {
    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
    return ContactSheetCell(
      left: spacing + column * (side + spacing),
      top: spacing + row * (side + spacing + Self.labelHeight(side, hasLabels)),
      size: PixelSize(width: side, height: side),
      label: hasLabels ? label : "",
      labelSize: hasLabels ? Self.labelSize(side) : 0
    )
  }
}
