internal import MediaModel

/// The items of a source that have one cause and one remedy.
struct FailureGroup {
  /// The cause that all of them share, and the remedy; already escaped.
  let message: String
  /// The number of the items.
  let count: Int
  /// The first items, each with the words about it; already escaped.
  let items: [String]

  /// Groups failures, or missing thumbnails, by their source, their cause and the remedy, which may depend on the
  /// format; in the order of the first of each.
  static func all(of failures: [RunReport.Failure], _ settings: AdvisedSettings) -> [FailureGroup] {
    func message(_ failure: RunReport.Failure, count: Int) -> String {
      FailureAdvice.message(
        of: count,
        reason: failure.reason,
        source: failure.source,
        format: failure.format,
        detail: failure.detail,
        settings: settings
      )
    }
    // Items of one group are told alike.
    return Dictionary(grouping: failures.indices) { message(failures[$0], count: 2) }.values
      .sorted { $0[0] < $1[0] }
      .map { indices in
        let members = indices.map { failures[$0] }
        return FailureGroup(
          message: message(members[0], count: members.count),
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

extension FailureGroup {
  /// The items that were left out for one reason.
  init(_ group: RunReport.LeftOut, _ settings: AdvisedSettings) {
    self.init(
      message: FailureAdvice.message(group, settings),
      count: group.count,
      items: group.examples.map { "\"\(ReportText.path($0.bytes))\"" }
    )
  }
}
