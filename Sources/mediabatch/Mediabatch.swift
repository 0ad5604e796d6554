internal import ArgumentParser
internal import Glibc
internal import MediaModel

/// The command line: one file a subcommand; each parses, calls and maps to an exit code.
@main
struct Mediabatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mediabatch",
    abstract: "Imports photos, videos and sound that a person has allowed, and proves it.",
    discussion: """
      EXIT CODES
        0   everything that was allowed was done
        3   some items failed, or the metadata policy changed
        4   check --against: something was widened
        64  usage
        65  verify, audit verify, report: differences found
        66  a required source is not there
        69  the kernel cannot enforce what the manifest promises
        70  accounting or an internal check failed
        73  another run holds the library
        74  the library cannot be written, or the stored answers cannot be read; run again to resume
        75  a person has to decide first
        77  a required source is refused, or was taken back during the run
        78  manifest mistake, usage description missing, not a library, or stored answers that cannot
            be believed
        130, 143  interrupted, terminated; run again to resume
      Any other code means failure.
      """,
    version: BuildInfo.version,
    subcommands: [
      RunCommand.self, CheckCommand.self, AccessCommand.self, VerifyCommand.self, CleanCommand.self,
      AuditCommand.self, ReportCommand.self,
      DoctorCommand.self, InspectCommand.self, PickerCommand.self, SelfTestCommand.self,
    ]
  )

  static func main() {
    // A reader that has gone away must not stop an import.
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
