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
    abstract: "Give an asset another label, and rename its files.",
    discussion: """
      Its originals and thumbnails get the new name; identifier and content stay.

      EXAMPLES
        mediabatch label Library 0b7e5f2c "Harbour at dawn"
        mediabatch label Library 0b7e5f2c "Harbour at dawn" --format json

      A record in the log comes before each rename. If it is interrupted, the next command that writes into the \
      library finishes it. No manifest changes the label after that. The command exits with 64 when no asset, or more \
      than one, has such an identifier, and with 65 when one of its files is missing.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(help: "The asset's localIdentifier, or a unique beginning of it.")
  var asset: String

  @Argument(
    help: "The new label; characters that file names cannot have are left out.",
    transform: { argument in
      let bytes = PathArgument(argument: argument).bytes
      let text = String(validating: bytes, as: UTF8.self) ?? EscapedText.name(bytes)
      return try (text.allSatisfy(\.isWhitespace) ? nil : Label(text)).orThrow("The label is empty.")
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
