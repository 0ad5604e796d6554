internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

struct AuditKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Show or replace the key that signs your logs.",
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
      abstract: "Print the public key, for those who check your logs.",
      discussion: """
        It makes the key if there is none yet.

        EXAMPLES
          mediabatch audit key show
          mediabatch audit key show --format pem >audit.pem
        """
    )

    /// The forms of a public key.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, pem }

    @OptionGroup var options: AuditKeyLocation

    @Option(help: "How to print the key; pem is for other programs.")
    var format = Format.text

    func run() throws {
      let signer = try options.signer { path in
        Console.note("Made the key \"\(EscapedText.percentEscaped(path))\". It has signed nothing yet.")
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
      abstract: "Replace the key by a new one, which the old one signs.",
      discussion: """
        Whoever trusts the old key can then trust the new one.

        EXAMPLES
          mediabatch audit key rotate
          mediabatch audit key rotate --key build.key --library Library

        The old key is removed. Each of the two keys signs the other, and the next run of each library writes that \
        into its log. If another command is replacing the key, this one waits for it.
        """
    )

    @OptionGroup var options: AuditKeyLocation

    @Option(
      help: .rare(
        "A library that the key signs.",
        details: "A key that lies in a source of the library's last runs is not replaced."
      ),
      completion: .directory
    )
    var library: PathArgument?

    @Option(help: "How to print the result.")
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
