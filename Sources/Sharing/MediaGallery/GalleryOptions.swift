package import MediaModel

/// The choices of the person who makes a gallery.
package struct GalleryOptions: Sendable, Hashable {
  /// The arrangement of the pictures of a page.
  package enum Grid: String, CaseIterable, Sendable {
    /// Squares that show the middle of a picture, as in a picker.
    case squares
    /// Rows of one height, in which each picture has its own ratio.
    case rows
  }

  /// The date by which pictures are put into months.
  package enum Months: String, CaseIterable, Sendable {
    /// The date on which they were taken; those without one come last.
    case created
    /// The date on which the library got them.
    case saved
  }

  /// The order of the pictures.
  package enum Order: String, Sendable {
    /// That of the date which makes the months; those without one come last.
    case newestFirst, oldestFirst
    /// Another one, in which there are no months.
    case other
  }

  /// The heading of all pages.
  package var title: String
  /// The arrangement that a browser starts with; who looks at the pages may choose the other.
  package var grid = Grid.rows
  /// The number of pictures beside each other; nil as many as there is room for.
  package var columns: Int?
  /// CSS pixels between pictures; nil what the window's width asks for.
  package var spacing: Int?
  package var months = Months.created
  package var order = Order.newestFirst
  /// What a person says to those who look at the pictures, on the first page; nil for nothing.
  package var note: String?
  /// Whether the pages have the files themselves, beside their thumbnails.
  package var includesOriginals = false
  /// Whether all of them can be downloaded as ZIPs.
  package var offersDownloadAll = false
  /// Whether the pages have captions and keywords.
  package var includesDescriptions = false
  /// Whether keywords that are names of people are among them.
  package var tellsPeople = false
  /// Whether the pages have no label and no album that was a folder of a source.
  package var isNeutral = false
  /// Whether the pages are made to be chosen from: hearts are there by touch too.
  package var isProofing = false
  /// The number of pictures that somebody is asked to choose.
  package var choiceCount: Int?
  /// The language of the pages where a browser has no scripts, or wants none of the others.
  package var language = PageTag.english
  /// The name under which a browser keeps favorites, and which a selection names.
  package var identifier = ""

  /// What opens a gallery with a password; nil of one that anybody can read.
  package var lock: GalleryLock?

  /// The most characters of ``note``.
  package static let longestNote = 1_000

  /// Creates the choices of somebody who has made none.
  package init(title: String) { self.title = title }

  /// The highest number of pictures of a page: with more, a browser is slow to lay it out.
  static let pageLength = 1000
  /// The highest number of pictures with which the first page shows all of them.
  static let indexLength = 500
  /// The number of pictures that the first page shows of more.
  static let firstLength = 60
}
