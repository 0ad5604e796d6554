internal import MediaExport
internal import MediaLibrary
internal import MediaModel

/// The selection of a gallery, as a command tells it to people.
enum SelectionText {
  /// The number of characters that are shown of a text in the file.
  private static let shownLength = 1_000

  /// Says who chose, the note, and each identifier that leads to no asset, or to several.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - resolved: What it leads to in the library.
  ///   - isOfOther: Whether it is one of another library's gallery.
  static func write(
    _ selection: ClientSelection,
    _ resolved: ClientSelection.Resolved,
    isOfOther: Bool
  ) {
    var sentence = Quantity.text(resolved.rows.count, "asset") + " of a selection"
    if !selection.from.isEmpty { sentence += " by \(quote(selection.from))" }
    if !selection.gallery.isEmpty { sentence += " in the gallery \(quote(selection.gallery))" }
    Console.note(sentence + ".")
    if !selection.note.isEmpty { Console.note("Their note: \(quote(selection.note))") }
    let missing =
      resolved.unknown.map { "The library\(isOfOther ? " of the gallery" : "") has no asset \"\($0)\"." }
      + resolved.ambiguous.map { identifier, assets in
        "\"\(identifier)\" begins the identifiers of \(Quantity.text(assets, "asset")); more of it tells one."
      }
      + resolved.absent.map { owner in
        let reason =
          owner.digests.isEmpty
          ? "is stripped in the library of the gallery, which so has no SHA-256 of its file"
          : "is not in this library: no asset of it was made of the same file"
        return "\(name(owner)) \(reason)."
      }
      + resolved.shared.map { "\($1) assets of this library were made of the file of \(name($0))." }
      + selection.others.map { "\(quote($0, 40)) is no identifier, of which 8 letters are enough." }
    if missing.isEmpty { return }
    Console.note(
      missing,
      limit: 100,
      others: { "\(Quantity.text($0, "more line")) of the selection left out." }
    ) { $0 }
    if resolved.missesHidden {
      Console.note("A hidden asset is found with --include-hidden alone.")
    }
  }

  private static func name(_ owner: SourceFileOwner) -> String {
    "\(quote(owner.label, 100)) (\(EscapedText.printable(owner.localIdentifier, limit: 100)))"
  }

  private static func quote(_ text: String, _ length: Int = shownLength) -> String {
    "\"" + EscapedText.printable(text, limit: length, keepsJoiners: true) + "\""
  }
}
