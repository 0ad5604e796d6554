internal import ArgumentParser

struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Show and change what a person has answered.",
    discussion: """
      Answers are about the sources of a manifest. They are stored for the user who gives them, in \
      $XDG_DATA_HOME/mediabatch, else in ~/.local/share/mediabatch. A grant counts only as long as nothing \
      changes that the person saw: \
      the usage description, the folder, and where the manifest lies. A denial counts until it is \
      taken back. What a manifest or an organization's policy denies, no answer allows.

      EXIT CODES
        0   done, or there was nothing to do
        64  usage
        75  a person was asked and did not answer, or nobody can be asked
        74  the stored answers cannot be read or written
        77  nobody at this level can change it: the manifest says restricted
        78  manifest mistake, usage description missing, or answers not believed
      """,
    subcommands: [
      AccessListCommand.self, AccessAskCommand.self, AccessGrantCommand.self,
      AccessLimitCommand.self,
      AccessDenyCommand.self, AccessResetCommand.self, AccessExplainCommand.self,
      AccessReceiptCommand.self,
    ]
  )
}
