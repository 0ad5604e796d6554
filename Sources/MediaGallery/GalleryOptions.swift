/// The choices of the person who makes a gallery.
package struct GalleryOptions: Sendable, Hashable {
  /// The arrangement of the pictures of a page.
  package enum Grid: String, CaseIterable, Sendable {
    /// Squares that show the middle of a picture, as in a picker.
    case squares
    /// Rows of one height.
    case rows
  }

  /// The date by which pictures are put into months.
  package enum Months: String, CaseIterable, Sendable {
    /// The date on which they were taken; those without one are on a page of their own.
    case created
    /// The date on which the library got them.
    case saved
  }

  /// The heading of all pages.
  package var title: String
  package var grid = Grid.squares
  /// The number of pictures beside each other; nil as many as there is room for.
  package var columns: Int?
  /// CSS pixels between pictures.
  package var spacing = 2
  package var months = Months.created
  /// Whether the pages have the files themselves, beside their thumbnails.
  package var includesOriginals = false
  /// Whether the pages have captions and keywords.
  package var includesDescriptions = false
  /// Whether the pages have no label and no album that was a folder of a source.
  package var isNeutral = false

  /// Creates the choices of somebody who has made none.
  package init(title: String) { self.title = title }

  /// The highest number of pictures of a page: with more, a browser is slow to lay it out.
  static let pageLength = 500
}
