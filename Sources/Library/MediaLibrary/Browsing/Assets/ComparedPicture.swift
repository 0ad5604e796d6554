package import MediaModel

/// A picture or film of a library, with what tells which of two that look alike is the better one.
package struct ComparedPicture: Sendable {
  /// The row of its asset.
  package var row: Int64
  package var mediaType: MediaType
  package var pixels: Int
  package var isRaw: Bool
  package var isEdited: Bool
  /// Nil where no thumbnail has brought one.
  package var hash: PerceptualHash?
}
