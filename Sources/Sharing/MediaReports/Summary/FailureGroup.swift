internal import MediaModel

/// The failures of a source, or its missing thumbnails, that have one cause and one remedy.
struct FailureGroup {
  /// The cause that all of them share, and the remedy; already escaped.
  let message: String
  /// The number of the items.
  let count: Int
  /// The first items, each with the words about it; already escaped.
  let items: [String]

  /// Groups failures by their source, their cause and the remedy, which may depend on the format; in the order
  /// of the first of each.
  static func all(of failures: [RunReport.Failure]) -> [FailureGroup] {
    struct Key: Hashable {
      var source: SourceKind
      var reason: ItemReason
      var remedy: String
    }
    var order: [Key] = []
    var groups: [Key: [RunReport.Failure]] = [:]
    for failure in failures {
      let key = Key(
        source: failure.source,
        reason: failure.reason,
        remedy: FailureAdvice.remedy(failure)
      )
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(failure)
    }
    return order.map { key in
      let members = groups[key] ?? []
      return FailureGroup(
        message: FailureAdvice.message(
          of: members.count,
          reason: key.reason,
          source: key.source,
          format: members.first?.format,
          acceptsDamaged: members.first?.acceptsDamaged ?? false
        ),
        count: members.count,
        // What an earlier run has said already comes last.
        items: (members.filter { !$0.isRepeated } + members.filter(\.isRepeated))
          .prefix(SummaryTable.listLimit).map { failure in
            let words = FailureAdvice.words(failure.detail, reason: failure.reason)
            return "\"\(ReportText.path(failure.path.bytes))\""
              + (words.isEmpty ? "" : " (\(words))")
          }
      )
    }
  }
}
