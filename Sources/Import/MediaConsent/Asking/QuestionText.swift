internal import MediaModel
internal import MediaPermissions
internal import MediaPicking

/// The text of a question on a terminal.
///
///     mediabatch: question 1 of 2
///       name   | "Feed importer"
///       would like to use your photos.
///       client | org.example.feed
///       folder | /home/ann/media/Photos
///       why    | "You choose which photos to publish."
///       It makes copies. Yours stay as they are.
///
///       s  Select photos…  you pick the files next
///       a  Allow all       all of it, until you take it back
///       d  Don't allow
///       n  Not now         nothing is stored
///
/// Our own words stand at the left edge or before a bar; what somebody else wrote stands behind the
/// bar, is made safe and wrapped by us, and is the last thing on its line. The line to answer on is
/// ours again and says once more what is asked, by the client's name between quotation marks.
struct QuestionText {
  /// Characters of a usage description that are shown.
  static let usageDescriptionLimit = 500
  static let nameLimit = 100
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
    let number =
      question.count > 1 ? "question \(question.number) of \(question.count)" : "a question"
    return ["", "mediabatch: \(number)"]
      + quoted("name  ", safe.prose(question.clientName, limit: Self.nameLimit))
      + ["  would like to \(access.wish)."]
      + behindBar("client", identifier)
      + (question.sources.isEmpty ? folder : sources)
      + quoted("why   ", safe.prose(question.usageDescription, limit: Self.usageDescriptionLimit))
      + wrapped(access.meanings(question.policy).map(\.text).joined(separator: " "))
      + changes + [""] + choices + [""]
  }

  /// Gives a page the same texts, without what the terminal needs around them.
  func fill(_ task: inout PageTask) {
    func whole(_ text: String, limit: Int) -> String {
      let prose = safe.prose(text, limit: limit, isBetweenQuotes: false)
      return prose.isWhole ? prose.text : prose.text + " …"
    }
    task.access = access
    task.clientIdentifier = identifier
    task.clientName = whole(question.clientName, limit: Self.nameLimit)
    task.folder = question.folder.map { safe.shortPath($0, limit: Self.folderLimit) } ?? ""
    task.sources = question.sources.map { source in
      AskedSource(
        name: Self.ownName(of: source.source, safe) ?? "",
        folder: source.folder.map { safe.shortPath($0, limit: Self.folderLimit) } ?? "",
        words: source.source.commandWords
      )
    }
    task.policy = question.policy
    (task.number, task.count) = (question.number, question.count)
    task.usageDescriptions = question.translations.map {
      LocalizedText(whole($0.words, limit: Self.usageDescriptionLimit), in: $0.language)
    }
    task.changes = changesOfPage
  }

  /// The source as a row of a page on which a person chooses from several.
  var row: PageTask.Row {
    var task = PageTask()
    fill(&task)
    let folders = task.sources.isEmpty ? [task.folder] : task.sources.map(\.folder)
    let isMissing = folders.allSatisfy(\.isEmpty) && access != .sound
    var row = PageTask.Row(
      access,
      usageDescriptions: task.usageDescriptions,
      folder: task.folder,
      obstacle: isMissing ? .missing : nil
    )
    row.sources = task.sources
    return row
  }

  /// Sources of a kind that nobody may allow, as a row of such a page.
  static func obstacle(_ sources: [DecidedSource]) -> PageTask.Row? {
    guard let first = sources.first else { return nil }
    let access = AskedAccess(first.source.kind, first.level, hasFolder: first.path != nil)
    var row = PageTask.Row(access, obstacle: first.decidedBy == .policy ? .policy : .manifest)
    if sources.contains(where: { $0.source.ownName != nil }) {
      row.sources = sources.map {
        AskedSource(name: ownName(of: $0.source, TerminalText(isUTF8: true)) ?? "", folder: "", words: "")
      }
    }
    return row
  }

  /// Before which the person types: the question once more, and below it, in a short line, the ways to
  /// answer.
  var answerLine: String {
    let letters = answers.map(\.letter).dropLast().joined(separator: ", ") + " or n"
    let shortQuestion = WrappedText.lines(
      "May \"\(safe.prose(question.clientName, limit: Self.nameLimit).text)\" \(access.wish)?",
      columns: columns - 2,
      first: "",
      others: "  "
    )
    return shortQuestion.joined(separator: "\n") + "\n\(letters) + Enter (Ctrl-C: not now): "
  }

  /// The answer that a line gives; nil for none. An empty line is none: nothing is the default.
  func answer(_ line: String) -> PromptAnswer? {
    answers.first { $0.letter == line || $0.letter.uppercased() == line }?.answer
  }

  /// The answers, each with its letter.
  private var answers: [(letter: String, answer: PromptAnswer)] {
    (question.mayLimit ? [("s", .allowOnlyThese)] : [])
      + [("a", .allow)]
      + (question.mayChooseEach ? [("e", .each)] : [])
      + [question.mayLeaveOut ? ("l", .leaveOut) : ("d", .deny), ("n", .undecided)]
  }

  /// The confirmation after an answer.
  static func confirmation(_ answer: PromptAnswer) -> String {
    switch answer {
    case .allow: "Allowed."
    case .allowOnlyThese: "Only the files that you pick now."
    case .deny: "Not allowed."
    case .each: "You are asked about each of them."
    case .leaveOut: "Left out; nothing is stored about it."
    case .undecided: "Not decided; nothing is stored."
    }
  }

  private var identifier: String {
    safe.prose(question.clientIdentifier, limit: 155).text
  }

  private var access: AskedAccess {
    AskedAccess(question.source.kind, question.level, hasFolder: question.folder != nil)
  }

  private var folder: [String] {
    guard let folder = question.folder else {
      return ["  folder   \(missingFolder)"]
    }
    return behindBar("folder", safe.shortPath(folder, limit: Self.folderLimit))
  }

  /// The sources by their names, each with its folder.
  private var sources: [String] {
    question.sources.flatMap { source in
      behindBar("source", Self.ownName(of: source.source, safe) ?? access.name)
        + (source.folder.map { behindBar("folder", safe.shortPath($0, limit: Self.folderLimit)) }
          ?? ["  folder   \(missingFolder)"])
    }
  }

  private static func ownName(of source: SourceID, _ safe: TerminalText) -> String? {
    source.ownName.map { safe.prose($0, limit: SourceID.maximumNameLength, isBetweenQuotes: false).text }
  }

  private var missingFolder: String {
    question.source.kind == .microphone
      ? "none: it is about the sound of other sources' videos" : "not there right now"
  }

  private func quoted(_ label: String, _ prose: (text: String, isWhole: Bool)) -> [String] {
    behindBar(label, "\"" + prose.text + "\"")
      + (prose.isWhole ? [] : ["  (shortened)"])
  }

  private func wrapped(_ text: String) -> [String] {
    WrappedText.lines(text, columns: columns, first: "  ", others: "  ")
  }

  private func behindBar(_ label: String, _ text: String) -> [String] {
    WrappedText.lines(text, columns: columns, first: "  \(label) | ", others: "         | ")
  }

  private var changes: [String] {
    if question.changes.isEmpty { return [] }
    let earlier =
      switch question.earlierStatus {
      case .authorized: " \"\(allow)\""
      case .limited: " \"Select photos\""
      case .denied: " \"Don't allow\""
      case .notDetermined, .restricted, nil: ""
      }
    if question.changes.contains(.folderMoved) {
      return ["  You answered\(earlier) when this folder was in another place."]
    }
    if question.changes.contains(.manifest) {
      let isGranted = question.earlierStatus != .denied
      return [
        "  You answered\(earlier) for another manifest of this client"
          + (isGranted ? "; \"Don't allow\" takes that back." : ".")
      ]
    }
    let names = question.changes.map { change in
      switch change {
      case .usageDescription: "the reason why"
      case .folder, .folderMoved: "the folder"
      case .manifest: "the manifest"
      }
    }
    let verb = names.count == 1 ? "has" : "have"
    return [
      "  Asked again: since you answered\(earlier), \(Quantity.list(names)) \(verb) changed."
    ]
  }

  /// What a page says of the same changes, in its own sentences.
  private var changesOfPage: [PageTask.Change] {
    if question.changes.isEmpty { return [] }
    let earlier: PageTask.Change =
      switch question.earlierStatus {
      case .authorized: .authorized
      case .limited: .limited
      case .denied: .denied
      case .notDetermined, .restricted, nil: .asked
      }
    if question.changes.contains(.folderMoved) { return [earlier, .folderMoved] }
    if question.changes.contains(.manifest) {
      return [earlier, .manifest] + (question.earlierStatus == .denied ? [] : [.manifestGranted])
    }
    return [earlier] + question.changes.map { $0 == .usageDescription ? .usageDescription : .folder }
  }

  /// What is selected from can be allowed as a whole, too, and so can all sources of a kind.
  private var allow: String { question.mayLimit || question.mayChooseEach ? "Allow all" : "Allow" }

  private var choices: [String] {
    let scope =
      question.source.kind == .microphone
      ? "until you take it back"
      : "all of \(question.mayChooseEach ? "them" : "it"), until you take it back"
    return answers.map { letter, answer in
      let (label, meaning) =
        switch answer {
        case .allowOnlyThese: ("Select photos…", "you pick the files next")
        case .allow: (allow, scope)
        case .each: ("Ask for each", "you are asked about one after the other")
        case .leaveOut: ("Leave it out", "this time; nothing is stored about it")
        case .deny: ("Don't allow", question.mayChooseEach ? "none of them" : "")
        case .undecided: ("Not now", "nothing is stored")
        }
      let gap = meaning.isEmpty ? "" : String(repeating: " ", count: 16 - label.count)
      let line = "  \(letter)  \(label)\(gap)\(meaning)"
      return safe.isUTF8 ? line : line.replacingEllipsis
    }
  }
}

extension String {
  /// The name in ASCII.
  fileprivate var replacingEllipsis: String {
    var view = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      view.append(contentsOf: scalar == "…" ? "...".unicodeScalars : String(scalar).unicodeScalars)
    }
    return String(view)
  }
}
