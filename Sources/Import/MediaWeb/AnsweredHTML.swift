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
  func answered(
    _ task: PageTask,
    _ choice: PageTask.Choice,
    count: Int,
    fileCount: Int
  ) -> Markup {
    var last = AnsweredQuestion(task.access, choice)
    (last.count, last.fileCount, last.folder) = (count, fileCount, task.folder)
    last.sources = task.sources
    last.isStored = !task.usageDescriptions.isEmpty && ![.later, .skip].contains(choice)
    // A person who refuses every source has given an answer about each.
    let refused = task.rows.filter { choice == .none && $0.obstacle == nil }
      .map { row in
        var refused = AnsweredQuestion(row.access, .deny)
        refused.sources = row.sources
        return refused
      }
    let isQuestion = task.rows.isEmpty && ![.later, .each].contains(choice)
    let all = task.answered + (isQuestion ? [last] : refused)
    let (heading, lead) = lines(task, choice)
    let items = all.enumerated().map {
      item($0.element, task, isLast: $0.offset == all.count - 1)
    }
    let stored = words.markup("ask.stored", nil, ["command": "<code>mediabatch access list</code>"])
    let lines: Markup = """
      <p class="lead">\(lead)</p>
      \("<ul class=\"results\">\n\(items)</ul>\n", if: !all.isEmpty)\
      \("<p class=\"small faint\">\(stored)</p>\n", if: all.contains(where: \.isStored))
      """
    return state(choice == .later ? "clock" : "check", heading, lines, class: "answered")
  }

  /// The key of the heading, and what stands below it.
  private func lines(_ task: PageTask, _ choice: PageTask.Choice) -> (heading: String, lead: Markup) {
    if choice == .later {
      // Only who is asked about a source by its name is told a status, and it goes on.
      let key = task.status != nil ? "unchanged" : task.answered.isEmpty ? "undecided" : "unanswered"
      return ("ask.\(key)", words.markup("ask.\(key).lead"))
    }
    if task.hasNext(after: choice) { return ("ask.thanks", words.markup("ask.thanks.next")) }
    let client = ["client": Markup.isolated(task.clientName)]
    let lead = !task.goesOn ? "closePage" : task.clientName.isEmpty ? "runGoesOn" : "goesOn"
    return ("ask.thanks.all", words.markup("ask.\(lead)", nil, client))
  }

  private func item(_ answer: AnsweredQuestion, _ task: PageTask, isLast: Bool) -> Markup {
    let isAllowed = ![.deny, .skip].contains(answer.choice)
    let access = answer.access
    let commands = commands(answer, task).map { "<code>\($0)</code>" as Markup }
    let back: Markup = "<details><summary>\(words("ask.takeBack"))</summary>\(commands)</details>"
    let names = answer.sources.map { name(of: $0, access) }.joined(separator: ", ")
    return """
      <li><span class="sign small \(isAllowed ? access.rawValue : "")">\(icon: iconName(access))</span><div>\
      <h2>\(name(of: access))\(": \(names)", if: !names.isEmpty) <span class="tag\(isAllowed ? " good" : "")">\(tag(answer))</span></h2>\
      <p>\(effect(answer))</p>\("<div class=\"pile\"></div>", if: isLast && answer.choice == .select)\
      \(back, if: answer.isStored && !task.manifest.isEmpty)</div></li>

      """
  }

  private func tag(_ answer: AnsweredQuestion) -> String {
    switch answer.choice {
    case .select: words("ask.selected", answer.count)
    case .allow: words("ask.tag.allowed")
    case .keep: words("ask.tag.keep")
    case .skip: words("ask.tag.skip")
    default: words("ask.tag.denied")
    }
  }

  /// Sentences on what happens next.
  private func effect(_ answer: AnsweredQuestion) -> Markup {
    func effect(_ key: String, _ number: Int? = nil) -> Markup {
      words.markup("ask.effect.\(key)", number, ["folder": .isolated(answer.folder)])
    }
    switch (answer.choice, answer.access) {
    case (.select, _):
      let files = answer.fileCount > answer.count ? [effect("files", answer.fileCount)] : []
      let rest = effect(answer.isStored ? "noOther" : "once")
      return ([effect("select", answer.count)] + files + [rest]).joined(separator: " ")
    case (.keep, _): return effect("keep")
    case (.allow, .adding): return effect("adding")
    case (.allow, .sound): return effect("sound")
    case (.skip, _): return effect("skip")
    case (.allow, _):
      return effect(answer.sources.count > 1 ? "allowThem" : answer.folder.isEmpty ? "allowIt" : "allow")
    case (_, .adding): return effect("noAdding")
    case (_, .microphone), (_, .sound): return effect("noSound")
    default: return effect("nothing")
    }
  }

  /// The commands that take an answer back; a denial is of all sources of its kind.
  private func commands(_ answer: AnsweredQuestion, _ task: PageTask) -> [String] {
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
