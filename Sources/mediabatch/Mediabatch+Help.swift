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
        "Mend", [RepairCommand.self, WithdrawCommand.self],
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

  private static func name(of command: any ParsableCommand.Type) -> String {
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
