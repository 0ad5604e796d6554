internal import ArgumentParser
internal import MediaMaintenance
internal import MediaModel
internal import MediaSyntax

struct RotateCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Rotate assets by 90, 180 or 270 degrees.",
    discussion: """
      The originals stay as they are; thumbnails, lists and galleries show the assets rotated.

      EXAMPLES
        mediabatch rotate Library 0b7e5f2c --by 90
        mediabatch rotate Library 0b7e5f2c 91d0aa37 --by 180

      Confined workers make the thumbnails again. The log has a record of it, which rebuild follows. If it is \
      interrupted, the next command that writes into the library finishes it. The command exits with 64 when no asset, \
      or more than one, has such an identifier, and with 65 when an original is missing or a thumbnail cannot be made; \
      then nothing is rotated.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["--by takes 90, 180 or 270."]

  @OptionGroup var library: LibraryArgument

  @Argument(
    help: "The assets' localIdentifiers, or unique beginnings of them."
  )
  var assets: [String]

  @Option(help: "The degrees, clockwise: 90, 180 or 270.")
  var by: Int

  @OptionGroup var options: EditOptions

  func run() throws {
    try options.carryOut(
      Rotating(assets, by: by),
      in: library,
      schema: "mediabatch.rotate/1",
      members: { edit in
        [
          "rotated": .array(
            edit.done.map {
              ["localIdentifier": .string($0.asset), "rotation": JSONValue($0.rotation ?? 0)]
            }
          )
        ]
      },
      lines: { edit in
        edit.done.map { turned in
          let degrees = turned.rotation ?? 0
          return degrees == 0
            ? "\(turned.asset) is shown as its file says."
            : "\(turned.asset) is shown rotated by \(degrees) degrees clockwise."
        }
      }
    )
  }
}
