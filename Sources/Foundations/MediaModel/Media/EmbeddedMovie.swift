/// The movie within a picture's file that makes a motion photo: it has no file of its own.
package struct EmbeddedMovie: Sendable, Hashable {
  /// Where it begins in the file, in bytes.
  package var offset: Int
  /// Its length in bytes, at least 1; it ends within the file.
  package var length: Int
  /// The length in bytes of the picture that stays when the file is cut in front of the movie and of
  /// what only announces it; at most ``offset``. Nil where the picture needs bytes behind that.
  package var stillLength: Int?
  /// The number of its sound tracks.
  package var soundTrackCount: Int

  /// Creates a movie from its place.
  package init(offset: Int, length: Int, stillLength: Int?, soundTrackCount: Int = 0) {
    self.offset = offset
    self.length = length
    self.stillLength = stillLength
    self.soundTrackCount = soundTrackCount
  }

  /// Whether it lies within a file of this length, and its still in front of it.
  package func fits(_ fileLength: Int) -> Bool {
    offset > 0 && length > 0 && soundTrackCount >= 0 && offset <= fileLength
      && length <= fileLength - offset && (stillLength.map { (1...offset).contains($0) } ?? true)
  }
}
