internal import ArgumentParser
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaReports
internal import MediaSyntax

struct WithdrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Remove assets; their files go to Quarantine.",
    discussion: """
      The files are moved to a folder below Quarantine, which you may delete.

      EXAMPLES
        mediabatch withdraw Library 0b7e5f2c 91d0aa37
        mediabatch withdraw Library 0b7e5f2c --format json

      Later runs do not import these files again; `mediabatch run --reprocess` does. A record in the log comes before \
      each move. If it is interrupted, the next command that writes into the library finishes it. The command exits \
      with 65 when a file is missing, which it names, with 64 when no asset, or more than one, has such an identifier, \
      or the library is that of a shard in its plan, and with 73 while a run holds the library.

      EXAMPLES
        mediabatch list Library --where 'metadataPolicy == "keep"'
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(
    help: "The assets' localIdentifiers, or unique beginnings of them."
  )
  var assets: [String]

  @OptionGroup var options: EditOptions

  func run() throws {
    try options.carryOut(
      Withdrawing(assets),
      in: library,
      schema: "mediabatch.withdraw/1",
      members: { edit in
        [
          "withdrawn": .array(edit.done.map { Self.object($0, edit.missing) }),
          "unchanged": edit.unchanged.json,
        ]
      },
      lines: Self.lines
    )
  }

  private static func lines(_ edit: AssetEdit) -> [String] {
    var lines: [String] = []
    for withdrawal in edit.done {
      lines += withdrawal.moves.map { file in
        let path = EscapedText.printable(file.from)
        return edit.missing.contains(file.from)
          ? "missing: \(path)" : "moved: \(path) -> \(EscapedText.printable(file.to))"
      }
      lines.append("\(withdrawal.asset) is withdrawn.")
    }
    return lines + edit.unchanged.map { "\($0) was withdrawn before." }
  }

  private static func object(_ withdrawal: LibraryEdit, _ missing: Set<String>) -> JSONValue {
    let paths = withdrawal.moves.map(\.from)
    return [
      "localIdentifier": .string(withdrawal.asset),
      "folder": .string(withdrawal.folder ?? ""),
      "files": paths.filter { !missing.contains($0) }.json,
      "missing": paths.filter { missing.contains($0) }.json,
    ]
  }
}
