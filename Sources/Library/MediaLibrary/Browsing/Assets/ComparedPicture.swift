package import MediaModel

/// A picture or film of a library, with what tells which of two that look alike is the better one.
package struct ComparedPicture: Sendable {
  /// The row of its asset.
  package var row: Int64
  package var localIdentifier: String
  package var mediaType: MediaType
  /// As it is shown; nil where it is not known.
  package var size: PixelSize?
  /// Of its main file.
  package var format: MediaFormat?
  package var isRaw: Bool
  package var isEdited: Bool
  /// How much of camera and time of capture is known, 0 to 2.
  package var factCount: Int
  /// Of its main file.
  package var bytes: Int64
  /// The cover of the stack that it is in; nil where it is in none.
  package var stackCover: Int64?
  /// Nil where no thumbnail has brought one.
  package var hash: PerceptualHash?

  /// The reason that a picture is better than one that looks like it, in the order of the rule.
  package enum Reason: String, CaseIterable, Sendable {
    case pixels, format, edited, facts, bytes, earlier

    /// The reason as a part of a sentence.
    package var text: String {
      switch self {
      case .pixels: "most pixels"
      case .format: "better format"
      case .edited: "edited"
      case .facts: "camera and date known"
      case .bytes: "largest file"
      case .earlier: "saved first"
      }
    }
  }

  /// The rule by which the best of pictures is found, as a sentence.
  package static let rule =
    "The best has the most pixels; of as many the one in the better format (raw, then HEIC, then others), the edited "
    + "one, the one of which camera and date are known, the one with the larger file, the one that was saved first."

  /// The place of its format: raw files hold what others were made of; of those the order is that of stacks' covers.
  /// One that is in no such stack counts as a JPEG, since as often it is what the JPEG was made of.
  private var formatRank: Int {
    if isRaw { return -1 }
    return format.flatMap(StackRules.rank) ?? StackRules.rank(.jpeg) ?? 0
  }

  private var pixels: Int { size.map { $0.width * $0.height } ?? 0 }

  /// Why this one is better than another one; nil where the other is the better.
  package func reason(over other: ComparedPicture) -> Reason? {
    if pixels != other.pixels { return pixels > other.pixels ? .pixels : nil }
    if formatRank != other.formatRank { return formatRank < other.formatRank ? .format : nil }
    if isEdited != other.isEdited { return isEdited ? .edited : nil }
    if factCount != other.factCount { return factCount > other.factCount ? .facts : nil }
    if bytes != other.bytes { return bytes > other.bytes ? .bytes : nil }
    return row < other.row ? .earlier : nil
  }
}
