internal import MediaModel
internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// The HTML behind an answer: all answers so far, and how each is taken back.
extension PageHTML {
  /// The page behind an answer.
  ///
  /// - Parameters:
  ///   - task: The question that was answered.
  ///   - choice: The answer.
  ///   - count: The items that were selected.
  ///   - fileCount: Their files.
  /// - Returns: The last page, or one that is shown until the next question comes.
  static func answered(
    _ task: PageTask,
    _ choice: PageTask.Choice,
    count: Int,
    fileCount: Int
  ) -> Markup {
    var last = AnsweredQuestion(task.access, choice)
    (last.count, last.fileCount, last.folder) = (count, fileCount, task.folder)
    last.sources = task.sources
    last.isStored = !task.usageDescription.isEmpty && ![.later, .skip].contains(choice)
    // A person who refuses every source has given an answer about each.
    let refused = task.rows.filter { choice == .none && $0.obstacle.isEmpty }
      .map { row in
        var refused = AnsweredQuestion(row.access, .deny)
        refused.sources = row.sources
        return refused
      }
    let isQuestion = task.rows.isEmpty && ![.later, .each].contains(choice)
    let all = task.answered + (isQuestion ? [last] : refused)
    let (heading, lead) = words(task, choice)
    let items = all.enumerated().map {
      item($0.element, task, isLast: $0.offset == all.count - 1)
    }
    let kept: Markup = """
      <p class="small faint">Your answers are kept on this computer, with the time and the number of photos \
      that were shown. <code>mediabatch access list</code> shows them.</p>

      """
    let lines: Markup = """
      <p class="lead">\(lead)</p>
      \("<ul class=\"results\">\n\(items)</ul>\n", if: !all.isEmpty)\(kept, if: all.contains(where: \.isStored))
      """
    return state(choice == .later ? "clock" : "check", heading, lines, class: "answered")
  }

  private static func words(
    _ task: PageTask,
    _ choice: PageTask.Choice
  ) -> (heading: String, lead: Markup) {
    // Only who is asked about a source by its name is told a status, and it goes on.
    if choice == .later, !task.status.isEmpty {
      return (
        "Nothing was changed",
        "What was answered before stays as it is, and nothing was opened. You can close this page."
      )
    }
    if choice == .later, !task.answered.isEmpty {
      return (
        "This question was not answered",
        "Nothing is stored about it, and nothing was opened. Your other answers stand below. You "
          + "are asked about it again with the next run. You can close this page."
      )
    }
    if choice == .later {
      return (
        "Nothing was decided",
        "Nothing is stored, and nothing was opened. You are asked again with the next run. "
          + "You can close this page."
      )
    }
    if task.hasNext(after: choice) { return ("Thank you", "The next question comes.") }
    let name = task.clientName.isEmpty ? "The run" : Markup.isolated(task.clientName)
    return (
      "Thank you. That was everything.",
      task.goesOn ? "\(name) goes on now. You can close this page." : "You can close this page."
    )
  }

  private static func item(_ answer: AnsweredQuestion, _ task: PageTask, isLast: Bool) -> Markup {
    let isAllowed = ![.deny, .skip].contains(answer.choice)
    let access = answer.access
    let commands = commands(answer, task).map { "<code>\($0)</code>" as Markup }
    let back: Markup = "<details><summary>Take this back</summary>\(commands)</details>"
    let names = answer.sources.enumerated().map { number, source -> Markup in
      "\(", ", if: number > 0)\(isolated: source.name)"
    }
    return """
      <li><span class="sign small \(isAllowed ? access.rawValue : "")">\(icon: iconName(access))</span><div>\
      <h2>\(access.name)\(": \(names)", if: !names.isEmpty) <span class="tag\(isAllowed ? " good" : "")">\(tag(answer))</span></h2>\
      <p>\(effect(answer))</p>\("<div class=\"pile\"></div>", if: isLast && answer.choice == .select)\
      \(back, if: answer.isStored && !task.manifest.isEmpty)</div></li>

      """
  }

  private static func tag(_ answer: AnsweredQuestion) -> String {
    switch answer.choice {
    case .select: "\(answer.count) selected"
    case .allow: "Allowed"
    case .keep: "As before"
    case .skip: "Left out"
    default: "Not allowed"
    }
  }

  /// A sentence on what happens next.
  private static func effect(_ answer: AnsweredQuestion) -> Markup {
    switch (answer.choice, answer.access) {
    case (.select, _):
      let files = answer.fileCount > answer.count ? " (\(answer.fileCount) files)" : ""
      return "Only \(answer.count == 1 ? "this 1 is" : "these \(answer.count) are") copied\(files)"
        + (answer.isStored ? ", and no other is opened." : ", in this run alone.")
    case (.keep, _): return "What you had selected before stays allowed, and nothing else."
    case (.allow, .adding): return "Copies are added to it, now and in later runs."
    case (.allow, .sound): return "The sound of videos is read, now and in later runs."
    case (.skip, _): return "It is not opened, and nothing is stored about it."
    case (.allow, _):
      let folder: Markup =
        answer.sources.count > 1 ? "them" : answer.folder.isEmpty ? "it" : Markup.isolated(answer.folder)
      return "Everything in \(folder) is copied, now and in later runs."
    case (_, .adding): return "Nothing is added."
    case (_, .microphone), (_, .sound): return "No sound is read."
    default: return "Nothing of it is opened."
    }
  }

  /// The commands that take an answer back; a denial is of all sources of its kind.
  private static func commands(_ answer: AnsweredQuestion, _ task: PageTask) -> [String] {
    let kind =
      switch answer.access {
      case .library: "library"
      case .adding: "library --level addOnly"
      case .camera: "camera"
      case .microphone, .sound: "microphone"
      }
    let named = answer.choice == .deny ? answer.sources.prefix(1) : answer.sources[...]
    let words = named.isEmpty ? [kind] : named.map(\.words)
    return words.map { "mediabatch access reset \(task.manifest) \($0)" }
  }
}
