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
    abstract: "Give an asset of a library another label: its files are renamed.",
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

  @Argument(help: "The library's folder.", completion: .directory)
  var library: PathArgument

  @Argument(help: "The asset's localIdentifier, or the beginning of it that no other asset has.")
  var asset: String

  @Argument(help: "The new label; what a file name cannot have is left out of it.")
  var label: String

  @OptionGroup var options: EditOptions

  func validate() throws {
    if label.allSatisfy(\.isWhitespace) { throw ValidationError("The label is empty.") }
  }

  func run() throws {
    let relabelling = Relabelling(
      library: library.bytes,
      [Relabelling.Request(asset: asset, label: Label(label))],
      waits: options.wait,
      enforcement: options.enforcement,
      signer: try options.key.signer()
    )
    for problem in relabelling.problems { Console.note(problem.message) }
    switch options.format {
    case .json:
      Console.output([
        "schema": "mediabatch.label/1",
        "exitCode": JSONValue(Int(relabelling.exitCode.rawValue)),
        "relabelled": .array(relabelling.done.map(RelabelText.object)),
        "unchanged": .array(relabelling.unchanged.map { .string($0) }),
        "audit": EndedLogText.object(relabelling.log),
        "problems": SummaryJSON.problems(relabelling.problems),
      ])
    case .text:
      for line in RelabelText.lines(relabelling)
        + EndedLogText.lines(relabelling.log, library: library.text)
      {
        Console.output(line)
      }
    }
    try relabelling.exitCode.exit()
  }
}

/// The renames of a relabelling, as text and as JSON.
enum RelabelText {
  static func lines(_ relabelling: Relabelling) -> [String] {
    var lines: [String] = []
    for relabel in relabelling.done {
      lines += relabel.files.map { file in
        "renamed: \(EscapedText.printable(file.from)) -> \(EscapedText.printable(file.to))"
      }
      lines.append(
        "\(relabel.localIdentifier) has the label \"\(EscapedText.printable(relabel.label))\"."
      )
    }
    return lines + relabelling.unchanged.map { "\($0) has this label already." }
  }

  static func object(_ relabel: Relabel) -> JSONValue {
    [
      "localIdentifier": .string(relabel.localIdentifier), "label": .string(relabel.label),
      "files": .array(
        relabel.files.map { ["from": .string($0.from), "to": .string($0.to)] }
      ),
    ]
  }
}
