internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

struct AuditTimestampCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "timestamp",
    abstract: "Request and keep a timestamp of the log's newest signed head.",
    discussion: """
      You send the request to a time-stamping authority (RFC 3161): this program sends nothing.

      EXAMPLES
        mediabatch audit timestamp Library --query head.tsq
        mediabatch audit timestamp Library --reply head.tsr --query head.tsq

      --query writes the request to a new file, for curl. --reply keeps the answer beside the head as Audit/….tsr, and \
      overwrites none. With both, the answer must be to that request. The command exits with 65 when the answer does \
      not hold.

      EXAMPLES
        mediabatch audit timestamp Library --reply head.tsr --tsa-ca authority.pem
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    "--tsa-ca goes with --reply.",
    "Say where to write the request with --query, or give a --reply.",
  ]

  @OptionGroup var library: LibraryArgument

  @Option(
    help: ArgumentHelp(
      "The file of the request, which is written unless --reply is given.",
      valueName: "file"
    ),
    completion: .file()
  )
  var query: PathArgument?

  @Option(
    help: ArgumentHelp("The authority's answer, at most 1 MiB.", valueName: "file"),
    completion: .file()
  )
  var reply: PathArgument?

  @OptionGroup var authorities: AuthorityOptions

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    guard let reply else { return try ask() }
    let answer = try AuthorityOptions.read(reply)
    let request = try query.map { try AuthorityOptions.read($0) }
    let trusted = try authorities.certificates()
    try LibraryLog.forCommand(library.bytes) { log in
      let (timestamp, wasThere) = try log.store(timestamp: answer, query: request, authorities: trusted)
      let result = timestamp.members.merging([
        "schema": "mediabatch.timestamp/1", "wasThere": .bool(wasThere),
      ]) { $1 }
      format.print(.object(result), [(wasThere ? "Already stored. " : "Stored. ") + timestamp.text])
    }
  }

  private func ask() throws {
    guard let query else { return }
    try LibraryLog.forCommand(library.bytes) { log in
      let request = try log.timestampQuery()
      try NewFile.write(request.bytes, to: query, option: "--query", library: library.bytes)
      format.print(
        [
          "schema": "mediabatch.timestampQuery/1", "head": .string("Audit/" + request.head),
          "sha256": .string(request.sha256), "bytes": JSONValue(request.bytes.count),
        ],
        [
          "A request about Audit/\(request.head), SHA-256 \(request.sha256). Send it to an authority, and give "
            + "the answer with --reply."
        ]
      )
    }
  }
}

/// The option that names whom to trust for timestamps.
struct AuthorityOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Certificates (PEM) of the authorities that you trust.", valueName: "file"),
    completion: .file()
  )
  var tsaCa: PathArgument?

  /// The certificates' PEM; nil without the option.
  ///
  /// - Throws: The command's end, 64, for a file that cannot be read or has no certificate.
  func certificates() throws -> [UInt8]? {
    guard let tsaCa else { return nil }
    let authorities = try Self.read(tsaCa)
    let file = EscapedText.printable(tsaCa.text)
    try Console.endingOnError { try TimestampFailure.checkAuthorities(authorities, of: file) }
    return authorities
  }

  /// Reads a file of at most 1 MiB.
  ///
  /// - Throws: The command's end, 64.
  static func read(_ path: PathArgument) throws -> [UInt8] {
    do {
      return try FileSystem.readSmallStream(path.bytes, limit: 1 << 20)
    } catch {
      Console.note(
        "\(EscapedText.printable(path.text)) cannot be read: \(error.reason(besides: path.text))."
      )
      throw RunExitCode.usage.end
    }
  }
}

extension AuditTimestamp {
  /// A sentence for a person.
  var text: String {
    "Audit/\(file): timestamp of \(time) present, signer \(EscapedText.printable(signer)) "
      + (isTrusted ? "trusted." : "not trusted: --tsa-ca says whom you trust.")
  }

  /// The members of the timestamp as JSON.
  var members: [String: JSONValue] {
    [
      "file": .string("Audit/" + file), "time": .string(time), "signer": .string(signer),
      "trusted": .bool(isTrusted),
    ]
  }
}

extension TimestampFailure: CommandError {}
