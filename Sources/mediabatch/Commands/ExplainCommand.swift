internal import ArgumentParser
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaReports
internal import MediaSyntax
internal import MediaVerification

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show what happened to one file, and why.",
    discussion: """
      It also says where the file is now, and shows each record of it in the log.

      EXAMPLES
        mediabatch explain Library IMG_0001.JPG
        mediabatch explain Library DCIM/IMG_0001.JPG --format json

      It reads the catalogue and the log without a lock, and verifies nothing. It exits with 64 when no record names \
      the file, or several assets have the name.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Argument(
    help: ArgumentHelp(
      "The file's name or path, or an asset's label or localIdentifier.",
      details: """
        The path is that within its source, a longer one, or that of an original or thumbnail in the library. The \
        beginning of a localIdentifier is enough.
        """
    ),
    completion: .file()
  )
  var file: PathArgument

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    let histories = try Console.endingOnError(histories)
    let exitCode: RunExitCode = histories.isEmpty ? .usage : .success
    format.print(
      [
        "schema": "mediabatch.explain/1", "exitCode": exitCode.json,
        "items": .array(histories.map(\.json)),
      ],
      Array(
        histories.map { $0.lines(library: library.text, isThere: isThere, width: Console.width) }
          .joined(separator: [""])
      )
    )
    if histories.isEmpty { Console.note(absence) }
    try exitCode.exit()
  }

  private func isThere(_ path: String) -> Bool {
    FileSystem.exists(library.bytes + Array("/\(path)".utf8))
  }

  private func histories() throws -> [ItemHistory] {
    let path = library.bytes
    let catalogue = try CatalogueReader(library: path)
    let log = try LibraryLog(root: FileSystem.openFolder(path), catalogue: catalogue)
    let prover = try log.prover()
    // The prover reads by the descriptor that the log owns.
    return try withExtendedLifetime(log) {
      for name in EscapedText.readings(of: file.bytes) {
        let histories = try ItemHistory.find(
          name,
          published: Self.path(name, below: path),
          catalogue: catalogue,
          log: log,
          prover: prover
        )
        if !histories.isEmpty { return histories }
      }
      return []
    }
  }

  /// A path below the library; nil when it leads elsewhere or nowhere.
  private static func path(_ path: [UInt8], below library: [UInt8]) -> [UInt8]? {
    guard let path = FileSystem.resolved(path), let root = FileSystem.resolved(library),
      path.starts(with: root + [UInt8.slash])
    else { return nil }
    return Array(path.dropFirst(root.count + 1))
  }

  /// Says why there may be nothing to tell.
  private var absence: String {
    let input = EscapedText.printable(file.text)
    let path = ItemPath(bytes: EscapedText.readings(of: file.bytes).last ?? file.bytes)
    let rules = IgnoreRules()
    let ignored = path.bytes.split(separator: UInt8.slash).map(Array.init).first { name in
      rules.ignores(name, at: ItemPath(bytes: name), isFolder: false, isInBundle: false)
    }
    if let ignored {
      return
        "No record names \"\(input)\": the name \"\(EscapedText.percentEscaped(ignored))\" is ignored by default. To "
        + "import it, set \"ignoreDefaults\": false for its source in the manifest."
    }
    return
      "No record names \"\(input)\". FILE is a file's name, or its path within its source. A file that is hidden, "
      + "shared or outside \"fetch\" is counted, not named: `mediabatch run MANIFEST --dry-run` says whether a run would "
      + "import it."
  }
}
