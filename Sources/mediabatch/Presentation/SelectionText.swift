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
        "The identifiers of \(Quantity.text(assets, "asset")) begin with \"\(identifier)\": give more of it."
      }
      + resolved.absent.map { owner in
        let reason =
          owner.digests.isEmpty
          ? "is stripped in the gallery's library, which does not know the SHA-256 of its source's file"
          : "is not in this library: none of its assets is from the same file"
        return "\(name(owner)) \(reason)."
      }
      + resolved.shared.map { "\($1) assets of this library are from the file of \(name($0))." }
      + selection.others.map { "\(quote($0, 40)) is no identifier: it needs 8 letters or more." }
    if missing.isEmpty { return }
    Console.note(
      missing,
      limit: 100,
      others: { "\(Quantity.text($0, "more line")) of the selection left out." }
    ) { $0 }
    if resolved.missesHidden {
      Console.note("Hidden assets are found only with --include-hidden.")
    }
  }

  private static func name(_ owner: SourceFileOwner) -> String {
    "\(quote(owner.label, 100)) (\(EscapedText.printable(owner.localIdentifier, limit: 100)))"
  }

  private static func quote(_ text: String, _ length: Int = shownLength) -> String {
    "\"" + EscapedText.printable(text, limit: length, keepsJoiners: true) + "\""
  }
}
