internal import ArgumentParser
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaReports
internal import MediaSyntax

struct WithdrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Take assets out: their files go to Quarantine.",
    discussion: """
      Originals and thumbnails are moved to a folder of this command below Quarantine, which a person may \
      remove; the asset is in no listing any more. A record in the log comes before each move, and what is \
      interrupted is finished by the next command that writes into the library. Later runs do not import the \
      same files again; `run --reprocess` does. The process confines itself to the folders of the assets. \
      A file that the library has lost is named as missing. Exits with 65 then, with 64 when no asset, or more \
      than one, has such an identifier, and for the library of a shard within its plan, with 73 while a run \
      holds the library.

      EXAMPLES
        mediabatch list Library --where 'metadataPolicy == "keep"'
        mediabatch withdraw Library 0b7e5f2c 91d0aa37
        mediabatch withdraw Library 0b7e5f2c --format json
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(
    help: "The assets' localIdentifiers, or beginnings that no other asset has."
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
