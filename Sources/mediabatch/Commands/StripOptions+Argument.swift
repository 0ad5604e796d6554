internal import ArgumentParser
internal import MediaModel

extension StripOptions {
  /// Reads `--except`: the manifest's words with commas between them, `location:coarse` for
  /// `{"location": "coarse"}`.
  ///
  /// - Throws: ``OptionWordError`` for a word that is unknown or comes twice.
  init(except words: String) throws {
    self.init()
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      let isCoarse = word == "location:coarse"
      guard let exception = MetadataException(rawValue: isCoarse ? "location" : String(word)) else {
        let exceptions = MetadataException.allCases.map(\.rawValue) + ["location:coarse"]
        throw OptionWordError(
          description: "\"\(EscapedText.printable(String(word), limit: 40))\" is none of "
            + exceptions.joined(separator: ", ") + "."
        )
      }
      guard except.insert(exception).inserted else {
        throw OptionWordError(description: "\(exception.rawValue) is there twice.")
      }
      if isCoarse { isLocationCoarse = true }
    }
  }
}
