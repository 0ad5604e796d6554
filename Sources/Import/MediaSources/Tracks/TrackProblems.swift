internal import MediaModel

/// Sentences about what is not used of a source's tracks, of which the first are kept.
package struct TrackProblems {
  /// A folder may have many files that are no tracks.
  private static let maximumCount = 100

  private var named: [String] = []
  private var count = 0

  mutating func append(_ sentence: String) {
    count += 1
    if named.count < Self.maximumCount { named.append(sentence) }
  }

  /// The first sentences, and one about how many there are more.
  package var sentences: [String] {
    let more = count - named.count
    if more == 0 { return named }
    return named + [Quantity.text(more, "other problem") + " with tracks or their patterns."]
  }
}
