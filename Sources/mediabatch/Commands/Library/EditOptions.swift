internal import ArgumentParser
internal import MediaMaintenance
internal import MediaModel
internal import MediaReports
internal import MediaSharding
internal import MediaSyntax

/// The library that a command is about.
struct LibraryArgument: ParsableArguments {
  @Argument(help: "The library's folder.", completion: .directory)
  var library: PathArgument

  var bytes: [UInt8] { library.bytes }
  var text: String { library.text }
}

/// How a command holds a library in which a person changes something.
struct HoldOptions: ParsableArguments {
  @Flag(help: .rare("Wait while a run holds the library."))
  var wait = false

  @Option(help: Enforcement.help)
  var enforcement = Enforcement.kernel

  @OptionGroup var key: AuditKeyOptions

  /// Carries a decision out.
  ///
  /// - Throws: What the options of the key refuse.
  func edit(_ library: LibraryArgument, _ decision: some AssetDecision) throws -> AssetEdit {
    AssetEdit(
      library: library.bytes,
      decision,
      waits: wait,
      enforcement: enforcement,
      signer: try key.signer()
    )
  }

  /// Refuses the library of a shard.
  static func requireNoShard(_ library: LibraryArgument) throws {
    guard let shard = PlanFolder.shard(ofLibrary: library.bytes) else { return }
    // No rule knows the library.
    throw ValidationError(
      "This is the library of shard \(shard) of a plan. Merge the plan first, and change the merged library: a "
        + "shard that has changed cannot be merged."
    )
  }
}

/// The options of the commands by which a person changes what a library says of its assets.
struct EditOptions: ParsableArguments {
  @OptionGroup var holding: HoldOptions

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  /// Carries a decision out, prints what came of it and exits.
  ///
  /// - Parameters:
  ///   - decision: The decision.
  ///   - library: The library's folder.
  ///   - schema: The schema of the JSON.
  ///   - members: Its members besides those of each decision.
  ///   - lines: The lines of the text before those about the log.
  /// - Throws: The exit code, unless it is 0; what the options of the key refuse.
  func carryOut(
    _ decision: some AssetDecision,
    in library: LibraryArgument,
    schema: String,
    members: (AssetEdit) -> [String: JSONValue],
    lines: (AssetEdit) -> [String]
  ) throws {
    try HoldOptions.requireNoShard(library)
    let edit = try holding.edit(library, decision)
    try edit.end(
      library,
      format,
      object: members(edit).merging(["schema": .string(schema)]) { $1 },
      lines: lines(edit)
    )
  }
}
