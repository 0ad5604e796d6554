internal import ArgumentParser
internal import MediaLibrary
internal import MediaModel
internal import MediaReports
internal import MediaSyntax

struct ChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "List what is new or changed since an earlier call.",
    discussion: """
      The token that it prints last is for the next call. Without --since it lists all changes.

      EXAMPLES
        mediabatch changes Library
        mediabatch changes Library --since 7d2c91f0a1b2c3d4-1084-5f1c2b3a4d5e6f70

      Changes are known since the catalogue was made. The library is only read, without a lock: an import can go on \
      meanwhile. The command exits with 6 when the token is not of this library's history, as after a rebuild: \
      then list everything, and go on from the token that is printed.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table
    /// Exactly one JSON object.
    case json
    /// A JSON object a line for each change, with the token behind it.
    case ndjson
  }

  @OptionGroup var library: LibraryArgument

  @Option(
    help: "The token that an earlier call printed.",
    transform: {
      try ChangeToken($0).orThrow("it takes a token that `changes` printed.")
    }
  )
  var since: ChangeToken?

  @Option(help: "How to print the changes.")
  var format = Format.table

  func run() throws {
    try Console.endingOnError {
      let catalogue = try CatalogueReader(library: library.bytes)
      do {
        try show(catalogue)
      } catch let error as ChangeTokenError {
        if format == .json { Console.output(Self.object(error)) }
        if format == .table { Console.output("token: \(error.current)") }
        throw error
      }
    }
  }

  private func show(_ catalogue: CatalogueReader) throws {
    let sink = Console.sink()
    switch format {
    case .table:
      let end = try catalogue.forEachChange(since: since) { changes in
        for change in changes { sink.text(Self.line(change) + "\n") }
      }
      sink.text("token: \(end)\n")
    case .ndjson:
      _ = try catalogue.forEachChange(since: since) { changes in
        for change in changes {
          sink.value(Self.object(change))
          sink.text("\n")
        }
      }
    case .json:
      // Nothing is printed before the token is known to be good.
      var result: JSONPieces?
      var list: JSONPieces?
      func begin() {
        guard result == nil else { return }
        result = JSONPieces.object(sink)
        result?.begin("changes")
        list = JSONPieces.array(sink)
      }
      let end = try catalogue.forEachChange(since: since) { changes in
        begin()
        for change in changes { list?.add(Self.object(change)) }
      }
      begin()
      list?.close()
      result?.add("exitCode", 0)
      result?.add("schema", .string(Self.schema))
      result?.add("token", .string("\(end)"))
      result?.close()
      sink.text("\n")
    }
    try sink.finish()
  }

  private static let schema = "mediabatch.changes/1"

  /// A line of the table; kinds and parts are columns.
  private static func line(_ change: AssetChange) -> String {
    func column(_ word: String, _ width: Int) -> String {
      word + String(repeating: " ", count: max(1, width + 2 - word.utf8.count))
    }
    return column(change.kind.rawValue, 8) + column(change.what.rawValue, 10)
      + column(change.localIdentifier, 36) + change.run
  }

  private static func object(_ change: AssetChange) -> JSONValue {
    [
      "kind": .string(change.kind.rawValue), "localIdentifier": .string(change.localIdentifier),
      "what": .string(change.what.rawValue), "run": .string(change.run),
      "sequence": .integer(change.token.sequence), "token": .string("\(change.token)"),
    ]
  }

  private static func object(_ error: ChangeTokenError) -> JSONValue {
    [
      "schema": .string(schema), "exitCode": error.exitCode.json,
      "reason": .string(error.reason.rawValue), "message": .string("\(error)"),
      "token": .string("\(error.current)"),
    ]
  }
}

extension ChangeTokenError: CommandError {}
