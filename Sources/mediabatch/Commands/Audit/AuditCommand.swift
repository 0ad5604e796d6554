internal import ArgumentParser

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Check a library's log, and prove what it says.",
    subcommands: [
      AuditVerifyCommand.self, AuditProveCommand.self, AuditCheckProofCommand.self,
      AuditConsistencyCommand.self, AuditExportCommand.self, AuditTimestampCommand.self,
      AuditKeyCommand.self,
    ]
  )
}
