internal import ArgumentParser
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

struct StackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack",
    abstract: "Show, make and split stacks of assets.",
    subcommands: [StackListCommand.self, StackAddCommand.self, StackSplitCommand.self]
  )
}

struct StackAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Show assets of a library as one: the first is the cover.",
    discussion: """
      The assets and their files stay as they are.

      EXAMPLES
        mediabatch stack add Library 0b7e5f2c 91d0aa37
        mediabatch stack add Library 0b7e5f2c 91d0aa37 --format json

      An asset that is in a stack brings the whole of it. No rule changes the stack later. The log has a record of it, \
      which rebuild follows. The command exits with 64 when no asset, or more than one, has such an identifier.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(
    help: "The assets' localIdentifiers, or unique beginnings of them; the cover first."
  )
  var assets: [String]

  @OptionGroup var options: EditOptions

  func run() throws { try options.edit(library, assets, isApart: false) }
}

struct StackSplitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Take the stacks of assets apart, for good.",
    discussion: """
      Each asset of the stacks is shown by itself again.

      EXAMPLES
        mediabatch stack split Library 0b7e5f2c
        mediabatch stack split Library 0b7e5f2c 91d0aa37

      No rule stacks the assets again; only `mediabatch stack add` does. The log has a record of it, which rebuild \
      follows. The command exits with 64 when no asset, or more than one, has such an identifier.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(help: "An asset of each stack: its localIdentifier, or a unique beginning of it.")
  var assets: [String]

  @OptionGroup var options: EditOptions

  func run() throws { try options.edit(library, assets, isApart: true) }
}

extension EditOptions {
  /// Changes stacks, prints the result and exits.
  fileprivate func edit(_ library: LibraryArgument, _ assets: [String], isApart: Bool) throws {
    try carryOut(
      StackEdit(assets, isApart: isApart),
      in: library,
      schema: "mediabatch.stack/1",
      members: { ["isApart": .bool(isApart), "assets": ($0.done.first?.assets ?? []).json] },
      lines: { edit in
        guard let change = edit.done.first else {
          if !edit.problems.isEmpty { return [] }
          return [isApart ? "None of them is in a stack." : "They are already this stack."]
        }
        let count = Quantity.text(change.assets.count, "asset")
        return [
          isApart
            ? "\(count) are shown by themselves again."
            : "\(count) are a stack. Its cover is \(change.asset)."
        ]
      }
    )
  }
}
