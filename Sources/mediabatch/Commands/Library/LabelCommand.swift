internal import ArgumentParser
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

struct LabelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Give an asset another label: its files are renamed.",
    discussion: """
      Originals and thumbnails get the new name in their folders; identifier and content stay. A record \
      in the log comes before each rename, and what is interrupted is finished by the next command that \
      writes into the library. No manifest changes the label after that. The process confines itself to \
      the folders of the asset. Exits with 64 when no asset, or more than one, has such an identifier, \
      with 65 when one of its files is missing.

      EXAMPLES
        mediabatch label Library 0b7e5f2c "Harbour at dawn"
        mediabatch label Library 0b7e5f2c "Harbour at dawn" --format json
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(help: "The asset's localIdentifier, or the beginning of it that no other asset has.")
  var asset: String

  @Argument(
    help: "The new label; what a file name cannot have is left out of it.",
    transform: { text in
      try (text.allSatisfy(\.isWhitespace) ? nil : Label(text)).orThrow("The label is empty.")
    }
  )
  var label: Label

  @OptionGroup var options: EditOptions

  func run() throws {
    try options.carryOut(
      Relabelling([Relabelling.Request(asset: asset, label: label)]),
      in: library,
      schema: "mediabatch.label/1",
      members: {
        [
          "relabelled": .array($0.done.map(RelabelText.object)), "unchanged": $0.unchanged.json,
        ]
      },
      lines: RelabelText.lines
    )
  }
}

/// The renames of a relabelling, as text and as JSON.
enum RelabelText {
  static func lines(_ edit: AssetEdit) -> [String] {
    var lines: [String] = []
    for relabel in edit.done {
      lines += relabel.moves.map { file in
        "renamed: \(EscapedText.printable(file.from)) -> \(EscapedText.printable(file.to))"
      }
      lines.append("\(relabel.asset) has the label \"\(EscapedText.printable(relabel.label ?? ""))\".")
    }
    return lines + edit.unchanged.map { "\($0) has this label already." }
  }

  static func object(_ relabel: LibraryEdit) -> JSONValue {
    [
      "localIdentifier": .string(relabel.asset), "label": .string(relabel.label ?? ""),
      "files": .array(relabel.moves.map { ["from": .string($0.from), "to": .string($0.to)] }),
    ]
  }
}
