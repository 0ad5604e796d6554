internal import ArgumentParser
internal import MediaAudit
internal import MediaExport
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel

/// The options of commands that put stripped copies of a library's files into a folder.
struct StrippingOptions: ParsableArguments {
  static let rules: [OptionRule] = [
    "--except and --record go with --strip.",
    "--unsigned and --key go with --record.",
    "--strip does not combine with --private-facts.",
    OptionRule(
      "--strip changes copies of the files: name --as reflink or copy.",
      means: "--strip does not combine with --as hardlink or symlink."
    ),
  ]

  @Flag(
    help: ArgumentHelp(
      "Remove places, dates, names and other metadata from the copies.",
      details: """
        It is done as by an import with the policy strip. Files that cannot be stripped are left out and named, and \
        the command ends with 3. mediabatch-receipts.json says what was removed.
        """
    )
  )
  var strip = false

  @Option(
    help: ArgumentHelp("What --strip keeps, such as copyright or location:coarse.", valueName: "words"),
    transform: StripOptions.init(except:)
  )
  var except: StripOptions?

  @Flag(
    help: .rare(
      "Record in the library's log that stripped copies are made.",
      details: "The record has the number of assets, and is written first. No run may hold the library then."
    )
  )
  var record = false

  @OptionGroup var key: AuditKeyOptions

  /// The policy by which copies are stripped; nil for the library's files as they are.
  var policy: MetadataPolicy? {
    strip
      ? MetadataPolicy(except: except?.except ?? [], isLocationCoarse: except?.isLocationCoarse ?? false)
      : nil
  }

  /// Notes in the library's log that copies are about to be made, where that is asked for.
  ///
  /// - Parameters:
  ///   - command: The command that makes them.
  ///   - query: The assets that are chosen.
  ///   - reader: The library.
  ///   - library: Its folder.
  /// - Throws: `RunError`, 73 while a run holds the library; `LibraryError`.
  func record(
    _ command: any ParsableCommand.Type,
    of query: AssetQuery,
    _ reader: CatalogueReader,
    _ library: LibraryArgument
  ) throws {
    guard record, let policy else { return }
    try HoldOptions.requireNoShard(library)
    var copying = AuditCopying()
    copying.command = command.configuration.commandName ?? ""
    copying.metadataPolicy = policy
    copying.assets = try reader.select(query).rows.count
    let log = try copying.append(toLogOf: library.bytes, signer: key.signer())
    Console.note(EndedLogText.lines(log, library: library.bytes))
  }

  /// Refuses facts that stripping takes away again.
  ///
  /// - Throws: A `ValidationError` with the first of them.
  func check(embedding facts: [ExportedFact]) throws {
    guard let policy else { return }
    for fact in facts {
      guard let exception = fact.exception else {
        throw ValidationError("--strip takes \(fact.rawValue) away: leave that out of --embed.")
      }
      guard policy.keeps(exception) else {
        throw ValidationError(
          "--strip takes the \(fact.rawValue) away: name \(exception.rawValue) in --except, or leave it out of --embed."
        )
      }
    }
  }
}
