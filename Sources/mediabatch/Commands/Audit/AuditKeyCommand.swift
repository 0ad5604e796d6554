internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

struct AuditKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Show or rotate the key that signs the heads of your runs.",
    subcommands: [Show.self, Rotate.self]
  )

  /// Ends the command with what is wrong with a key's file.
  private static func file(_ options: AuditKeyLocation, makesFolder: Bool) throws -> AuditKeyFile {
    try AuditKeyFile(path: try options.location(), makesFolder: makesFolder)
  }

  private static func end(_ error: any Error) throws {
    Console.note("\(error)")
    let isWriting = (error as? AuditKeyError)?.code == .cannotWrite
    try (isWriting ? RunExitCode.cannotWrite : .usage).exit()
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print the public key: give it to who has to trust your logs.",
      discussion: """
        Makes the key when there is none yet.

        EXAMPLES
          mediabatch audit key show
          mediabatch audit key show --format json
          mediabatch audit key show --format pem >audit.pem
        """
    )

    /// The forms of a public key.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, pem }

    @OptionGroup var options: AuditKeyLocation

    @Option(help: "How to print the key: text, json, or pem for other programs.")
    var format = Format.text

    func run() throws {
      let signer = try options.signer { path in
        Console.note(
          "No key was there: made \"\(EscapedText.percentEscaped(path))\". It has signed nothing yet."
        )
      }
      switch format {
      case .text: AuditKeyCommand.print(signer, format: .text)
      case .json: AuditKeyCommand.print(signer, format: .json)
      case .pem: Console.write(signer.verifierKey.pem)
      }
    }
  }

  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate",
      abstract: "Put a new key in the old one's place; each signs that the other is the next.",
      discussion: """
        The old key is gone then. The next run of each library writes the rotation into its log, so \
        that who trusts the old key also trusts the new one. Another rotation is waited for.

        EXAMPLES
          mediabatch audit key rotate
          mediabatch audit key rotate --key build.key --library Library
          mediabatch audit key rotate --format json
        """
    )

    @OptionGroup var options: AuditKeyLocation

    @Option(
      help: """
        A library that the key signs: a key within a source that its runs listed last is not replaced.
        """,
      completion: .directory
    )
    var library: PathArgument?

    @Option(help: "How to print the result: text or json.")
    var format = OutputFormat.text

    func run() throws {
      if let library { try requireOutsideSources(of: library.bytes) }
      let signer: AuditSigner
      do {
        signer = try AuditKeyCommand.file(options, makesFolder: false).rotate()
      } catch {
        return try AuditKeyCommand.end(error)
      }
      AuditKeyCommand.print(signer, format: format)
    }

    private func requireOutsideSources(of library: [UInt8]) throws {
      try Console.endingOnError {
        let log = try LibraryLog(library: library) { _ in }
        let option = options.key == nil ? "The key" : "--key"
        try SourceFolders(log.listedSources(), of: library)
          .requireOutside(try options.location(), option: option)
      }
    }
  }

  private static func print(_ signer: AuditSigner, format: OutputFormat) {
    let key = "\(signer.verifierKey)"
    format.print(
      [
        "schema": "mediabatch.auditKey/1", "key": .string(key),
        "identifier": .string(signer.verifierKey.identifier),
        "rotations": signer.rotations.map(\.serialized).json,
      ],
      [key]
    )
  }
}
