internal import ArgumentParser

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Work with a library's access log.",
    subcommands: [
      AuditVerifyCommand.self, AuditProveCommand.self, AuditCheckProofCommand.self,
      AuditConsistencyCommand.self, AuditExportCommand.self, AuditTimestampCommand.self,
      AuditKeyCommand.self,
    ]
  )
}
