internal import MediaModel
internal import MediaPermissions
internal import MediaPicking

/// The text of a question on a terminal.
///
///     mediabatch: org.example.feed asks to read the photo library.
///       name   | "Feed importer"
///       folder | /home/ann/media/Photos
///       why    | "You choose which photos to publish."
///       The folder has changed since you answered "Allow".
///
///       a  Allow              all that is in the folder, until you take it back
///       o  Allow only these…  you pick the files next
///       d  Don't Allow
///
/// Our own words stand at the left edge or before a bar; what somebody else wrote stands behind the
/// bar, is made safe and wrapped by us, and is the last thing on its line. The line to answer on is
/// ours again and says once more what is asked.
struct QuestionText {
  /// Characters of a usage description that are shown.
  static let usageDescriptionLimit = 500
  private static let nameLimit = 100
  private static let folderLimit = 500

  let question: Question
  let columns: Int
  let safe: TerminalText

  init(_ question: Question, columns: Int, isUTF8: Bool) {
    self.question = question
    self.columns = columns
    safe = TerminalText(isUTF8: isUTF8)
  }

  /// All lines but the one to answer on.
  var lines: [String] {
    ["", "mediabatch: \(identifier) asks to \(deed)."]
      + quoted("name  ", safe.prose(question.clientName, limit: Self.nameLimit))
      + folder
      + quoted(
        "why   ",
        safe.prose(question.usageDescription, limit: Self.usageDescriptionLimit)
      )
      + changes + [""] + choices + [""]
  }

  /// Gives a page the same texts, without what the terminal needs around them.
  func fill(_ task: inout PageTask) {
    func whole(_ prose: (text: String, isWhole: Bool)) -> String {
      prose.isWhole ? prose.text : prose.text + " … (only the beginning)"
    }
    task.heading = "\(identifier) asks to \(deed)"
    task.clientName = whole(safe.prose(question.clientName, limit: Self.nameLimit))
    task.folder =
      question.folder.map { safe.shortPath($0, limit: Self.folderLimit) } ?? missingFolder
    task.usageDescription = whole(
      safe.prose(question.usageDescription, limit: Self.usageDescriptionLimit)
    )
    task.changes = changes.joined(separator: " ").trimmingSpaces
  }

  /// Before which the person types: the question once more, and below it, in a short line, the ways to
  /// answer.
  var answerLine: String {
    let letters = question.mayLimit ? "a, o or d" : "a or d"
    let again = WrappedText.lines(
      "Allow \(identifier) to \(deed)?",
      columns: columns - 2,
      first: "",
      others: "  "
    )
    return again.joined(separator: "\n") + "\n\(letters), then Enter (Ctrl-C: not now): "
  }

  /// The answer that a line gives; nil for none. An empty line is none: nothing is the default.
  func answer(_ line: String) -> PromptAnswer? {
    switch line {
    case "a", "A": .allow
    case "o", "O": question.mayLimit ? .allowOnlyThese : nil
    case "d", "D": .deny
    default: nil
    }
  }

  /// The confirmation after an answer.
  static func confirmation(_ answer: PromptAnswer) -> String {
    switch answer {
    case .allow: "Allowed."
    case .allowOnlyThese: "Only the files that you pick now."
    case .deny: "Not allowed."
    case .undecided: "Not decided; nothing is stored."
    }
  }

  private var identifier: String {
    safe.prose(question.clientIdentifier, limit: 155).text
  }

  private var deed: String {
    switch (question.source, question.level) {
    case (.camera, _): "read the camera"
    case (.library, .addOnly): "add to the photo library (addOnly)"
    case (.library, .readWrite): "read the photo library (readWrite)"
    case (.microphone, _): "use the microphone's sound"
    }
  }

  private var folder: [String] {
    guard let folder = question.folder else {
      return ["  folder   \(missingFolder)"]
    }
    return behindBar("folder", safe.shortPath(folder, limit: Self.folderLimit))
  }

  private var missingFolder: String {
    question.source == .microphone
      ? "none: this is about the sound of other sources' videos" : "not there at this time"
  }

  private func quoted(_ label: String, _ prose: (text: String, isWhole: Bool)) -> [String] {
    behindBar(label, "\"" + prose.text + "\"")
      + (prose.isWhole ? [] : ["  (of that, only the beginning)"])
  }

  private func behindBar(_ label: String, _ text: String) -> [String] {
    WrappedText.lines(
      text,
      columns: columns,
      first: "  \(label) | ",
      others: "         | "
    )
  }

  private var changes: [String] {
    if question.changes.isEmpty { return [] }
    let earlier =
      switch question.earlierStatus {
      case .authorized: " \"Allow\""
      case .limited: " \"Allow only these\""
      case .denied: " \"Don't Allow\""
      case .notDetermined, .restricted, nil: ""
      }
    if question.changes.contains(.manifest) {
      let isGranted = question.earlierStatus != .denied
      return [
        "  You answered\(earlier) for another manifest of this client"
          + (isGranted ? "; \"Don't Allow\" takes that back." : ".")
      ]
    }
    let names = question.changes.map { change in
      switch change {
      case .usageDescription: "the reason why"
      case .folder: "the folder"
      case .manifest: "the manifest"
      }
    }
    let verb = names.count == 1 ? "has" : "have"
    let list = names.joined(separator: " and ")
    return ["  Asked again: since you answered\(earlier), \(list) \(verb) changed."]
  }

  private var choices: [String] {
    let all =
      question.source == .microphone
      ? "until you take it back" : "all of it, until you take it back"
    var choices = ["  a  Allow              \(all)"]
    if question.mayLimit { choices.append("  o  Allow only these…  you pick the files next") }
    choices.append("  d  Don't Allow")
    return choices.map { safe.isUTF8 ? $0 : $0.replacingEllipsis }
  }
}

extension String {
  fileprivate var trimmingSpaces: String { String(drop(while: { $0 == " " })) }

  /// The name in ASCII.
  fileprivate var replacingEllipsis: String {
    var view = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      view.append(contentsOf: scalar == "…" ? "...".unicodeScalars : String(scalar).unicodeScalars)
    }
    return String(view)
  }
}
