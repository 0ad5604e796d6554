internal import ArgumentParser
internal import MediaMaintenance
internal import MediaModel
internal import MediaSyntax

struct RotateCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Turn assets by a quarter, a half or three quarters.",
    discussion: """
      Confined workers make the thumbnails anew from the originals, whose bytes stay as they are; lists, galleries \
      and sheets show the assets turned, and so does each thumbnail that is made later. Four quarter turns are none. \
      The log has a record of it, which rebuild follows, and what is interrupted is finished by the next command that \
      writes into the library. The process confines itself before the new thumbnails get their names. Exits with 64 \
      when no asset, or more than one, has such an identifier, with 65 when an original is missing or a thumbnail \
      cannot be made; then nothing is turned.

      EXAMPLES
        mediabatch rotate Library 0b7e5f2c --by 90
        mediabatch rotate Library 0b7e5f2c 91d0aa37 --by 180 --format json
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["--by takes 90, 180 or 270."]

  @OptionGroup var library: LibraryArgument

  @Argument(
    help: "The assets' localIdentifiers, or beginnings that no other asset has."
  )
  var assets: [String]

  @Option(help: "The degrees, clockwise, by which what is shown is turned: 90, 180 or 270.")
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
            : "\(turned.asset) is shown turned by \(degrees) degrees clockwise."
        }
      }
    )
  }
}
