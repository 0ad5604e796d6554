internal import ArgumentParser

struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Show and change the answers to requests for access.",
    discussion: """
      An answer is about a source of a manifest. A grant counts as long as nothing changes that the person saw: the \
      usage description, the folder, and the manifest's place. A denial counts until it is taken back. No answer \
      allows what a manifest or an organization's policy denies. Answers are stored for the user who gives them, in \
      ~/.local/share/mediabatch ($XDG_DATA_HOME/mediabatch).

      EXIT CODES
        0   done, or there was nothing to do
        64  wrong usage
        75  a person was asked and did not answer, or nobody can be asked
        74  the stored answers cannot be read or written
        77  the manifest says restricted, which no answer can change
        78  a mistake in the manifest, a missing usage description, or stored answers that were altered
      """,
    subcommands: [
      AccessListCommand.self, AccessAskCommand.self, AccessGrantCommand.self,
      AccessLimitCommand.self,
      AccessDenyCommand.self, AccessResetCommand.self, AccessExplainCommand.self,
      AccessReceiptCommand.self,
    ]
  )
}
