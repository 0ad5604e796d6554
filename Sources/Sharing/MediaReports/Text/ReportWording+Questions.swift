internal import MediaModel

/// The sentences about what a person saw and chose.
extension ReportWording {
  /// What a person was shown or asked, and the answer; without the time.
  static func question(_ question: ReportQuestion) -> String {
    let source = question.source.displayName
    let medium = question.basis == "userConsent" ? " at a terminal" : " in a browser"
    let isAdding = question.accessLevel == .addOnly
    let asked =
      if let count = question.shownCount {
        "shown \(Quantity.text(count, "name")) of the \(source)\(medium)"
      } else if isAdding {
        "asked\(medium) whether files may be added to the \(source)"
      } else {
        "asked\(medium) about the \(source)"
      }
    let answer =
      switch question.answer {
      case .allowed: isAdding ? ", and allowed it." : ", and allowed all of it."
      case .selected: ", and selected what may be read."
      case .picked: ", and picked what this run may read."
      case .refused: ", and refused it."
      case nil: "; no answer came."
      }
    let later = question.isEarlier ? " The run rests on this earlier answer." : ""
    return "A person was " + asked + answer + later
  }

  /// How many files of a selection the report has, and the words before their names; nil where nothing was selected.
  static func selection(_ question: ReportQuestion) -> String? {
    guard question.isSelection else { return nil }
    let files = Quantity.text(question.fileCount, "file")
    return "The selection has \(files) in this report" + (question.files.isEmpty ? "." : ": ")
  }
}
