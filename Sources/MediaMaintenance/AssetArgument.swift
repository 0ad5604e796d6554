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
    let found = try library.catalogue.assets(
      beginningWith: word,
      limit: 5,
      includesWithdrawn: includesWithdrawn
    )
    guard let asset = found.first, found.count == 1 || asset == word else {
      throw RunError(.noSuchAsset, refusal(of: word, found))
    }
    return asset
  }

  private static func refusal(of word: String, _ found: [String]) -> String {
    let shown = EscapedText.printable(word, limit: 100)
    if found.isEmpty {
      return "No asset of the library has an identifier that begins with \"\(shown)\"."
    }
    return "\"\(shown)\" begins the identifiers of several assets: \(found.joined(separator: ", "))"
      + (found.count == 5 ? " …" : "") + ". Name one of them with more digits."
  }
}
