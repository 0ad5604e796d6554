internal import ArgumentParser
internal import Glibc
internal import MediaModel

/// The command line: one file per subcommand; each parses, calls a room and maps to an exit code.
@main
struct Mediabatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mediabatch",
    abstract: "Imports photos, videos and sound that a person has allowed, and proves it.",
    discussion: "EXIT CODES\n\(RunExitCode.table)\nAny other code means failure.",
    version: BuildInfo.version,
    subcommands: [
      InitCommand.self, RunCommand.self, CheckCommand.self, AccessCommand.self, VerifyCommand.self,
      CleanCommand.self, RebuildCommand.self, RepairCommand.self, AuditCommand.self,
      ReportCommand.self, ExplainCommand.self, DoctorCommand.self, InspectCommand.self,
      PickerCommand.self, SelfTestCommand.self,
    ]
  )

  static func main() {
    // An import goes on when the reader of its output is gone.
    signal(SIGPIPE, SIG_IGN)
    // A limit on file sizes is then an error of write(2), like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    // Where standard output is closed, its number would go to the next file that is opened, and the
    // summary into that file.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    main(nil)
  }
}
