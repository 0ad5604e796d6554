internal import ArgumentParser
internal import Foundation
internal import MediaConsent
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaPicking
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// `similar --act` and `similar --keep`: what becomes of the groups.
extension SimilarCommand {
  /// The groups on one page, at most.
  private static let mostGroupsOfPage = 500

  /// Asks about the groups, or decides by the rule, carries it out and prints it.
  ///
  /// - Throws: The exit code, unless it is 0.
  func decide(about asked: SimilarAsked) throws {
    var answers: [GroupAnswer] = []
    if keep != nil {
      answers = asked.groups.indices.map { index in
        // What is in a stack with the best is one with it to a person already.
        let kept = asked.assets[index].indices.filter { $0 == 0 || asked.assets[index][$0].isStackedWithBest }
        return GroupAnswer(group: index, .keep, kept)
      }
    } else if !asked.groups.isEmpty {
      answers = try Console.endingOnError { try ask(about: asked) }
    }
    let decisions = answers.map { asked.decision($0) }
    if dryRun || decisions.isEmpty {
      return outputFormat.print(
        .object([
          "schema": .string(Self.actingSchema), "dryRun": .bool(dryRun), "rule": rule,
          "decisions": .array(answers.map(asked.object)), "exitCode": RunExitCode.success.json,
        ]),
        text(answers, asked, isDone: false)
      )
    }
    let edit = try holding.edit(library, SimilarEdit(decisions))
    let isDone = !edit.done.isEmpty
    try edit.end(
      library,
      outputFormat,
      object: [
        "schema": .string(Self.actingSchema), "dryRun": false, "rule": rule,
        "decisions": .array(isDone ? answers.map(asked.object) : []),
        "missing": edit.missing.sorted().json, "unchanged": edit.unchanged.json,
      ],
      lines: isDone
        ? text(answers, asked, isDone: true)
          + edit.missing.sorted().map { "missing: \(EscapedText.printable($0))" } : []
    )
  }

  private static let actingSchema = "mediabatch.similarDecisions/1"

  private var rule: JSONValue { keep == nil ? .null : .string(ComparedPicture.rule) }

  private var outputFormat: OutputFormat { format == .json ? .json : .text }

  private func text(_ answers: [GroupAnswer], _ asked: SimilarAsked, isDone: Bool) -> [String] {
    var lines = keep == nil ? [] : [ComparedPicture.rule]
    lines += answers.flatMap { asked.lines($0, isDone: isDone) }
    let count = answers.filter { $0.choice == .keep }
      .reduce(0) { $0 + asked.assets[$1.group].count - $1.numbers.count }
    if asked.groups.isEmpty {
      lines.append("There are no pictures that look alike and are not decided yet.")
    } else if answers.isEmpty {
      lines.append("Nothing was changed.")
    } else if dryRun {
      lines.append("\(Quantity.text(count, "picture")) would go to Quarantine. Nothing was changed.")
    } else if isDone, count > 0 {
      lines.append("\(Quantity.text(count, "picture")) moved to Quarantine.")
    }
    return lines
  }

  /// Asks a person.
  ///
  /// - Throws: `ValidationError`, 64, where nobody can be asked; `RunError`.
  private func ask(about asked: SimilarAsked) throws -> [GroupAnswer] {
    do throws(ConsentError) {
      if page.web { return try askOnPage(about: asked) }
      return try SimilarPrompt.ask(
        asked.groups,
        on: try Terminal(environment: ProcessInfo.processInfo.environment)
      )
    } catch {
      let exitCode: RunExitCode =
        switch error.code {
        case .noTerminal, .notInForeground: .usage
        case .pageUnavailable: .undecided
        case .interrupted: .interrupted
        case .terminated: .terminated
        case .pickerNotConfined: .enforcementUnavailable
        default: .internalCheck
        }
      let reason: String =
        switch error.code {
        case .noTerminal, .notInForeground:
          "--act asks at a terminal, and this process has none. Use --act --web, or --keep best."
        case .interrupted, .terminated: "Stopped on request. Nothing was changed."
        default: "Nothing was changed: \(error)"
        }
      throw RunError(.cannotPick, exitCode: exitCode, reason)
    }
  }

  private func askOnPage(about asked: SimilarAsked) throws(ConsentError) -> [GroupAnswer] {
    var count = 0
    let shown = asked.groups.prefix(Self.mostGroupsOfPage).prefix { group in
      count += group.pictures.count
      return count <= PictureGroup.mostPictures
    }
    if shown.count < asked.groups.count {
      Console.note(
        "The page has the first \(shown.count) of \(asked.groups.count) groups; repeat the command for the others."
      )
    }
    let folder: Descriptor
    do {
      folder = try FileSystem.openPath(library.bytes)
    } catch {
      throw ConsentError(.folderUnreadable, "\(error)")
    }
    let question = SimilarQuestion(
      Array(shown),
      files: asked.assets.prefix(shown.count).flatMap { $0.map(\.shown) },
      in: folder,
      command: "mediabatch similar \(EscapedText.printable(library.text)) --act --web"
    )
    let endpoint = page.socket.map { AskingPage.Endpoint.socket($0.bytes) } ?? .loopback
    return try AskingPage(at: endpoint, language: page.language?.tag) { Console.note($0) }.decide(
      about: question
    )
  }
}

extension SimilarAsked {
  /// The assets that a decision is about: those it names first, then the others of the group.
  private func split(_ answer: GroupAnswer) -> (named: [Asset], others: [Asset]) {
    let group = assets[answer.group]
    let named = Set(answer.numbers)
    return (answer.numbers.map { group[$0] }, group.indices.filter { !named.contains($0) }.map { group[$0] })
  }

  /// An answer as what is carried out.
  fileprivate func decision(_ answer: GroupAnswer) -> SimilarDecision {
    let (named, others) = split(answer)
    return switch answer.choice {
    case .keep: .keep(named.map(\.localIdentifier), withdrawing: others.map(\.localIdentifier))
    case .stack: .stack((named + others).map(\.localIdentifier))
    case .distinguish: .distinguish((named + others).map(\.localIdentifier))
    }
  }

  /// Why the first of the group is the best, as a part of a sentence.
  private func reason(_ answer: GroupAnswer) -> String {
    ComparedPicture.Reason(rawValue: groups[answer.group].reason)?.text ?? ""
  }

  fileprivate func object(_ answer: GroupAnswer) -> JSONValue {
    let (named, others) = split(answer)
    return switch answer.choice {
    case .keep:
      [
        "decision": "keep", "kept": named.map(\.localIdentifier).json,
        "withdrawn": others.map(\.localIdentifier).json,
        "reason": .string(reason(answer)),
      ]
    case .stack: ["decision": "stack", "assets": (named + others).map(\.localIdentifier).json]
    case .distinguish:
      ["decision": "notTheSame", "assets": (named + others).map(\.localIdentifier).json]
    }
  }

  fileprivate func lines(_ answer: GroupAnswer, isDone: Bool) -> [String] {
    func names(_ assets: [Asset]) -> String {
      assets.map { "\"\(EscapedText.printable($0.label))\" (\($0.localIdentifier))" }.joined(separator: ", ")
    }
    let (named, others) = split(answer)
    switch answer.choice {
    case .keep where others.isEmpty: return []
    case .keep:
      let verb = isDone ? "withdrawn" : "to withdraw"
      let reason = answer.numbers == [0] ? ", \(reason(answer))" : ""
      return ["kept: \(names(named))\(reason); \(verb): \(names(others))."]
    case .stack: return ["stack: \(names(named + others))."]
    case .distinguish: return ["not the same: \(names(named + others))."]
    }
  }
}
