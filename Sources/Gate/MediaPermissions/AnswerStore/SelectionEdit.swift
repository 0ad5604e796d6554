package import MediaModel

/// The reason that a stored selection cannot be edited.
package enum SelectionEditError: Error, Sendable, Hashable {
  /// There is no stored selection; the status is that of the stored answer.
  case noSelection(AuthorizationStatus)
  /// The stored selection does not count any more: its patterns would mean other items.
  case changed([AnswerBinding.Change])
  /// The pattern to remove is not in the stored selection.
  case unknownPattern(String)
}

/// Lists of selection patterns, compared by bytes: two that are equal for Unicode may name two files.
package enum SelectionEdit {
  /// Returns each pattern once, in the order of its first place.
  package static func unique(_ patterns: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return patterns.filter { seen.insert([UInt8]($0.utf8)).inserted }
  }

  /// Returns the patterns that are not among `others`.
  package static func without(_ others: [String], _ patterns: [String]) -> [String] {
    let others = Set(others.map { [UInt8]($0.utf8) })
    return patterns.filter { !others.contains([UInt8]($0.utf8)) }
  }

  /// Edits a stored selection.
  ///
  /// - Parameters:
  ///   - answer: The stored answer; nil when there is none.
  ///   - binding: The binding of an answer that is given now.
  ///   - removed: Patterns that must be in the stored selection.
  ///   - added: Patterns that may be in it already.
  /// - Returns: The selection without `removed` and with `added`, each pattern once.
  /// - Throws: ``SelectionEditError``; nothing is edited then.
  package static func edited(
    _ answer: StoredAnswer?,
    for binding: AnswerBinding,
    removing removed: [String],
    adding added: [String]
  ) throws(SelectionEditError) -> [String] {
    guard let answer, answer.status == .limited else {
      throw .noSelection(answer?.status ?? .notDetermined)
    }
    let changes = answer.binding.changes(to: binding)
    guard changes.isEmpty else { throw .changed(changes) }
    if let unknown = without(answer.selection, removed).first { throw .unknownPattern(unknown) }
    return unique(without(removed, answer.selection) + added)
  }
}
