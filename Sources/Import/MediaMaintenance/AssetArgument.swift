internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// Assets as a person names them.
enum AssetArgument {
  /// Finds the asset whose localIdentifier is, or alone begins with, a text.
  ///
  /// Withdrawn assets are meant only where `includesWithdrawn` says so.
  ///
  /// - Throws: `RunError`, 64, when there is none or more than one.
  static func asset(
    _ word: String,
    in library: Library,
    includesWithdrawn: Bool = false
  ) throws -> String {
    let matches = try library.catalogue.assets(
      beginningWith: word,
      limit: 5,
      includesWithdrawn: includesWithdrawn
    )
    guard let asset = matches.first, matches.count == 1 || asset == word else {
      throw RunError(.noSuchAsset, refusal(of: word, matches))
    }
    return asset
  }

  private static func refusal(of word: String, _ matches: [String]) -> String {
    let shown = EscapedText.printable(word, limit: 100)
    if matches.isEmpty {
      return "No asset of the library has an identifier that begins with \"\(shown)\"."
    }
    return
      "\"\(shown)\" begins the identifiers of several assets: \(matches.joined(separator: ", "))"
      + (matches.count == 5 ? " …" : "") + ". Name one of them with more digits."
  }
}
