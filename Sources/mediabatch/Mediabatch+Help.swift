internal import ArgumentParser
internal import MediaModel
internal import MediaReports

extension Mediabatch {
  /// The commands by what a person wants: of each group the common ones, which the program alone shows, and the others.
  static var groups:
    [(
      name: String, common: [any ParsableCommand.Type], others: [any ParsableCommand.Type]
    )]
  {
    [
      (
        "Start", [DemoCommand.self, InitCommand.self, CheckCommand.self],
        [AccessCommand.self, SignCommand.self, DoctorCommand.self]
      ),
      ("Import", [RunCommand.self, WatchCommand.self], [ShardsCommand.self]),
      (
        "Look", [ListCommand.self, ExplainCommand.self],
        [AlbumsCommand.self, SimilarCommand.self, ChangesCommand.self, InspectCommand.self]
      ),
      ("Share", [GalleryCommand.self, ExportCommand.self], [ContactSheetCommand.self]),
      (
        "Change", [RepairCommand.self, WithdrawCommand.self],
        [RebuildCommand.self, LabelCommand.self, RotateCommand.self, StackCommand.self]
      ),
      ("Prove", [VerifyCommand.self, ReportCommand.self], [AuditCommand.self]),
    ]
  }

  /// What the program shows that is called without a command: the common ones, and the names of the others.
  static var overview: String {
    let common = groups.map { group in
      let lines = group.common.map {
        "  " + TextLayout.padded(name(of: $0), to: 12) + $0.configuration.abstract
      }
      return ([group.name] + lines).joined(separator: "\n")
    }
    let others = groups.flatMap(\.others).map(name).joined(separator: ", ")
    let last = TextLayout.wrapped(others + ".", to: Console.helpWidth, first: "Others: ")
    let advice = "mediabatch help COMMAND explains a command, and mediabatch --help lists all."
    return ([configuration.abstract] + common + [advice] + [last.joined(separator: "\n")])
      .joined(separator: "\n\n")
  }

  /// Whether the command line asks for a short help, with what most people need; `--help-hidden` shows everything.
  ///
  /// Each option of each command asks, so that it is found out once.
  static var isShortHelp: Bool { CommandArguments.current.asksForShortHelp }

  /// A command's help with the usage in lines that fit; a short one is without the details, which are the paragraphs
  /// behind its first examples.
  static func arranged(_ help: String) -> String {
    // A search costs half a million instructions, for the conformances that the runtime looks up once.
    guard help.hasPrefix("OVERVIEW: "), let heading = help.firstRange(of: "\n\nEXAMPLES\n"),
      let end = help[heading.upperBound...].firstRange(of: "\n\n"),
      let label = help[end.lowerBound...].firstRange(of: "\n\nUSAGE: ")
    else { return help }
    let usage = help[label.upperBound...].prefix { $0 != "\n" }
    // An option and its value stay in one line.
    let lines = TextLayout.wrapped(
      String(usage).replacing(" <", with: "\u{A0}<"),
      to: Console.helpWidth,
      first: "USAGE: ",
      rest: "       "
    )
    let shown = lines.joined(separator: "\n").replacing("\u{A0}", with: " ")
    let behind = "\n\n\(shown)\(help[usage.endIndex...])"
    guard isShortHelp else { return "\(help[..<label.lowerBound])\(behind)" }
    let name = usage.split(separator: " ").prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
    return
      "\(help[..<end.lowerBound])\(behind)\nAll options and details: \(name.joined(separator: " ")) --help-hidden"
  }

  static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }

  /// The exit codes of all commands, as `mediabatch help exit-codes` shows them.
  static var exitCodes: String {
    let lines = RunExitCode.allCases.flatMap { code in
      TextLayout.wrapped(
        code.sentence,
        to: Console.helpWidth,
        first: TextLayout.padded("\(code.rawValue)", to: 5),
        rest: "     "
      )
    }
    return (lines + ["Any other code means failure."]).joined(separator: "\n")
  }
}

extension ArgumentHelp {
  /// The help of an option that most people need, with details, which a short help leaves out.
  init(_ abstract: String, details: String, valueName: String? = nil) {
    self.init(abstract, discussion: Mediabatch.isShortHelp ? nil : details, valueName: valueName)
  }

  /// The help of an option that few people need, which a short help leaves out.
  ///
  /// Completions and the manual pages have it: they would lack what is always hidden.
  static func rare(_ abstract: String, details: String? = nil, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(
      abstract,
      discussion: details,
      valueName: valueName,
      visibility: Mediabatch.isShortHelp ? .hidden : .default
    )
  }
}
