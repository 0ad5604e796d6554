internal import MediaAudit
internal import MediaLibrary
internal import MediaModel

/// Assets that a person takes out of the library, as `withdrawn` records tell it.
extension LogReplay {
  /// Takes the next file of a withdrawn asset; the records of an asset stand behind each other.
  mutating func withdraw(_ change: AuditFileChange, _ run: String) {
    var edit = LibraryEdit(.withdraw, [change.asset])
    if case .edit(let last, run)? = operations.last, last.kind == .withdraw,
      last.asset == edit.asset
    {
      edit = last
      operations.removeLast()
    }
    edit.moves.append(LibraryEdit.Move(from: Self.text(change.output.path), to: "", bytes: 0, sha256: ""))
    operations.append(.edit(edit, run: run))
  }

  /// Whether a decision was carried out, as each is but that to withdraw an asset whose files are all at their
  /// places.
  ///
  /// None of them was moved then: the command was stopped before, and with the catalogue the work that it left is
  /// lost. Such an asset stays, so that a person can withdraw it again. A single file that is there is left, or has
  /// come back; a repair moves it aside.
  mutating func isCarriedOut(_ edit: LibraryEdit) -> Bool {
    if edit.kind != .withdraw { return true }
    let paths = edit.moves.map(\.from)
    if paths.allSatisfy({ isThere(ItemPath(bytes: [UInt8]($0.utf8))) }) { return false }
    for path in paths { findings[path] = nil }
    return true
  }
}
