internal import ArgumentParser
internal import MediaExport
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaReports
internal import MediaSandbox
internal import MediaSyntax
internal import MediaVerification

/// The option of commands that put the library's own files into a folder.
struct CopyOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: .rare(
      "How files get into the folder.",
      details: """
        reflink makes a copy that shares the data on the disk, where the file system can; copy makes an ordinary one; \
        hardlink and symlink lead to the library's own files.
        """
    )
  )
  var method = ExportFolder.Method.reflink
}

/// The options of commands that make a folder from a library for somebody else.
struct FolderOptions: ParsableArguments {
  /// What `--people` writes.
  static let peopleDetails =
    "They are names of people, and what lies below people in a hierarchy of keywords."

  @Flag(help: .rare("Write over files of the folder that were changed since it was made."))
  var replaceChanges = false

  @Flag(help: .rare("Also read private facts, such as the dates of stripped pictures."))
  var privateFacts = false

  @Flag(
    help: .rare(
      "Include assets that the present metadata policy of their source would strip.",
      details: "Without it they are left out and named, and the command ends with 3."
    )
  )
  var includeUnstripped = false

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  /// The part of a command that is its own.
  struct Work {
    /// The assets that are wanted.
    var query: AssetQuery
    /// The digest of the library's state and the choices; nil when there is none.
    var state: String?
    /// The rules that confinement needs beside those of the folders.
    var rules: [PathRule] = []
    /// Notes in the library's log that the folder is about to be made.
    var record: () throws -> Void = {}
    /// Fills the folder.
    var fill: () throws -> Filled
  }

  /// The content of a folder that was made.
  struct Filled {
    var assets: Int
    /// The end of the sentence about them; nil tells the files of the library.
    var text: String?
    /// What is missing or not as it was asked for, by its path, with the reason, escaped; if there is any, the command
    /// does its work again when it is repeated.
    var lacking: [[UInt8]: String] = [:]
    /// Members of the result in JSON that this command alone has.
    var members: [String: JSONValue] = [:]
  }

  /// Makes a folder, unless the one that is there is what it would be.
  ///
  /// `prepare` gets the query with what was selected, and with what it does with unstripped assets.
  ///
  /// - Throws: `ExitCode`; 3 behind a folder that was made without all that was selected, or without unstripped
  ///   assets, or without files of the library that are damaged, or that the folder's file system cannot hold.
  func make(
    at folder: [UInt8],
    from library: [UInt8],
    kind: String,
    method: ExportFolder.Method = .copy,
    _ selection: SelectionOptions,
    takesStacks: Bool = false,
    _ query: AssetQuery,
    _ prepare: (ExportFolder, CatalogueReader, AssetQuery) throws -> Work
  ) throws {
    var query = query
    var leftOut: [ListedAsset] = []
    var isWhole = true
    var lacking: [[UInt8]: String] = [:]
    try Console.endingOnError {
      // Before the folder, whose errors are about writing, and before confinement: SQLite may have to make a file.
      let reader = try CatalogueReader(library: library)
      let log = Result { try LibraryLog(root: FileSystem.openFolder(library), catalogue: nil) }
      // One reading serves the place of the folder and the policies.
      let listed = try (try? log.get())?.listedSources() ?? [:]
      try SourceFolders(listed, of: library).requireOutside(folder, option: "The folder")
      let output = try ExportFolder(
        at: folder,
        library: library,
        method: method,
        kind: kind,
        replacesChanges: replaceChanges
      )
      do {
        output.renamed = try reader.renamedPaths()
        if privateFacts { try reader.readPrivateFacts() }
        query.unstripped = try unstripped(reader) { try log.map { _ in listed }.get() }
        isWhole = try selection.narrow(&query, in: reader, takesStacks: takesStacks)
        let work = try prepare(output, reader, query)
        if work.query.rows?.isEmpty == true { throw Self.nothingChosen }
        leftOut = try assetsLeftOut(of: work.query, reader)
        warnOfLinks(method)
        if let state = work.state, output.isCurrent(state) {
          output.discard()
          printResult(output, folder, kind, nil, leftOut)
          return
        }
        try work.record()
        InterruptionNotice.begin(output)
        try confine(output, work.rules)
        let content = try work.fill()
        InterruptionNotice.end(output)
        lacking = content.lacking.merging(output.damaged) { $1 }.merging(output.refused) { $1 }
        try output.commit(lacking.isEmpty ? work.state ?? "-" : "-")
        noteDamage(output.damaged)
        noteRefusals(output.refused)
        printResult(output, folder, kind, content, leftOut)
      } catch {
        output.discard()
        throw error
      }
    }
    try Self.end(folder, lacking, lacksAssets: !isWhole || !leftOut.isEmpty)
  }

  /// Ends the command with 3, and says why, if something is missing.
  private static func end(_ folder: [UInt8], _ lacking: [[UInt8]: String], lacksAssets: Bool) throws {
    let files = named(lacking)
    if files.isEmpty, !lacksAssets { return }
    var cause = "lacks what is named above (exit code 3)"
    if !lacksAssets, let file = files.first {
      cause = "is incomplete (exit code 3) because of \"\(file.path)\""
      cause += files.count == 1 ? ": \(file.detail)" : " and \(Quantity.text(files.count - 1, "more file"))"
    }
    Console.note("\"\(EscapedText.percentEscaped(folder))\" \(cause).")
    throw RunExitCode.itemsFailed.end
  }

  private func warnOfLinks(_ method: ExportFolder.Method) {
    guard method == .hardlink || method == .symlink else { return }
    let warning =
      "The files are the library's own: changing one there changes the library, which `mediabatch "
      + "verify` then reports as damaged."
    if format == .text { Console.output(warning) } else { Console.note(warning) }
  }

  /// Names the files of the library that are left out.
  private func noteDamage(_ damaged: [[UInt8]: String]) {
    if damaged.isEmpty { return }
    Console.note(
      Self.sorted(damaged),
      others: { "\(Quantity.text($0, "more damaged file")) left out." }
    ) { "The library's \"\($0.path)\" is left out: \($0.detail)." }
    Console.note(
      "`mediabatch verify LIBRARY --repairable` says what `mediabatch repair LIBRARY` can repair. Repeat the command "
        + "after that."
    )
  }

  /// Names the files that are left out since the folder's file system cannot hold them.
  private func noteRefusals(_ refused: [[UInt8]: String]) {
    if refused.isEmpty { return }
    Console.note(
      Self.sorted(refused),
      others: { "\(Quantity.text($0, "more file")) left out of the folder." }
    ) { "\"\($0.path)\" is left out of the folder: \($0.detail)." }
    Console.note(
      "Another file system may hold them. `mediabatch label` renames an asset, and --neutral names all files by "
        + "numbers."
    )
  }

  /// A selection of which the library has nothing, such as that of another library's gallery: an earlier folder
  /// stays.
  private static let nothingChosen = CommandFailure(
    "This library has no asset of the selection. Nothing was made. If the gallery is another library's, name that "
      + "library with --selected-in.",
    .itemsFailed
  )

  /// Workers that show how far films have come.
  ///
  /// - Throws: `ExportError` where they are needed, and there are none.
  static func workers(
    _ display: ProgressDisplay,
    areNeeded: Bool
  ) throws(ExportError) -> Result<ExportWorkers, ExportError> {
    let workers = Result { () throws(ExportError) in
      var workers = try ExportWorkers()
      workers.showsFilm = display.show
      return workers
    }
    if areNeeded { _ = try workers.get() }
    return workers
  }

  /// What a query does with the assets that are unstripped by the policies of the last runs.
  ///
  /// - Throws: `LibraryError` when the catalogue cannot be read; what `listed` throws, which is asked only
  ///   where there may be such assets.
  private func unstripped(
    _ reader: CatalogueReader,
    _ listed: () throws -> [SourceID: ListedSource]
  ) throws -> UnstrippedAssets {
    if includeUnstripped { return .included }
    let sources = try reader.sourcesOfLooseAssets()
    if sources.isEmpty { return .included }
    let policies = try listed().filter { sources.contains($0.key) }
      .compactMapValues(\.metadataPolicy)
    return policies.isEmpty ? .included : .leftOut(RequiredPolicies(policies))
  }

  /// The assets that a query would have if it did not leave unstripped ones out, each of which is named.
  private func assetsLeftOut(
    of query: AssetQuery,
    _ reader: CatalogueReader
  ) throws -> [ListedAsset] {
    guard case .leftOut(let required) = query.unstripped else { return [] }
    var query = query
    query.unstripped = .only(required)
    var assets: [ListedAsset] = []
    try reader.forEachAsset(of: reader.select(query)) { assets.append($0) }
    if assets.isEmpty { return [] }
    Console.note(
      assets,
      others: { "\(Quantity.text($0, "more asset")) left out for that reason." }
    ) { asset in
      "\"\(EscapedText.printable(asset.label))\" (\(asset.localIdentifier)) is left out: it was imported "
        + "under \"\(asset.policy)\", and its source has a stricter metadata policy now."
    }
    Console.note(
      "`mediabatch run MANIFEST --reprocess` strips what can be stripped, and `mediabatch withdraw` takes an asset out "
        + "of the library; --include-unstripped includes them here."
    )
    return assets
  }

  /// Names originals of which nothing was made, by their paths in the library with the reason, escaped.
  static func note(_ originals: [[UInt8]: String], _ text: (_ what: String) -> String) {
    Console.note(named(originals), others: { text(Quantity.text($0, "more file")) + "." }) {
      text("\"\($0.path)\"") + ": \($0.detail)."
    }
  }

  /// Names files that could not be converted.
  static func noteNotConverted(_ files: [[UInt8]: String]) {
    Console.note(named(files), others: { "\(Quantity.text($0, "more file")) could not be converted." }) {
      file in
      "\"\(file.path)\" was not converted, and is as it is in the library: \(file.detail)."
    }
  }

  /// Names files that could not be stripped, by their paths in the library.
  static func noteNotStripped(_ files: [[UInt8]: String]) {
    Console.note(
      named(files),
      others: { "\(Quantity.text($0, "more file")) left out, since they cannot be stripped." }
    ) { file in
      "\"\(file.path)\" is left out: \(file.detail)."
    }
  }

  /// Files in the order of their paths, which are escaped, each with what is wrong with it in words.
  static func sorted(_ files: [[UInt8]: String]) -> [(path: String, detail: String)] {
    inOrder(files).map { ($0.path, FailureAdvice.explained($0.detail)) }
  }

  /// The same, each by its name if no other of them has that.
  private static func named(_ files: [[UInt8]: String]) -> [(path: String, detail: String)] {
    let paths = Dictionary(grouping: files.keys) { ItemPath(bytes: $0).name }
    return files.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { path, detail in
      let name = ItemPath(bytes: path).name
      return (
        EscapedText.percentEscaped(paths[name]?.count == 1 ? name : path[...]),
        FailureAdvice.explained(detail)
      )
    }
  }

  private static func inOrder(_ files: [[UInt8]: String]) -> [(path: String, detail: String)] {
    files.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (EscapedText.percentEscaped($0.key), $0.value) }
  }

  /// Says how many files of a folder tell where they were taken.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - stripping: How its copies were stripped.
  ///   - otherwise: What else makes a folder without that.
  static func notePlaces(_ folder: ExportFolder, _ stripping: StrippingOptions, otherwise: String = "") {
    if folder.placed == 0 { return }
    let (verb, clause) = folder.placed == 1 ? ("says", "it was") : ("say", "they were")
    Console.note(
      "\(Quantity.grouped(folder.placed)) of these files \(verb) where \(clause) taken. For a folder without that, "
        + (stripping.strip ? "leave location out of --except" : "repeat the command with --strip")
        + "\(otherwise)."
    )
  }

  /// Files with what is wrong with them, as a member of a result.
  static func details(_ files: [[UInt8]: String]) -> JSONValue {
    .array(inOrder(files).map { ["path": .string($0.path), "detail": .string($0.detail)] })
  }

  private func confine(_ output: ExportFolder, _ rules: [PathRule]) throws {
    guard KernelSupport.probe().landlockABI >= KernelSupport.requiredLandlockABI else {
      Console.note("This kernel cannot confine the command to the folder, so it runs unconfined.")
      return
    }
    try output.confine(rules)
  }

  private func printResult(
    _ output: ExportFolder,
    _ folder: [UInt8],
    _ kind: String,
    _ content: Filled?,
    _ leftOut: [ListedAsset]
  ) {
    let path = EscapedText.percentEscaped(folder)
    let result: [String: JSONValue] = [
      "schema": .string("mediabatch.\(kind)/1"), "isCurrent": .bool(content == nil),
      "assets": JSONValue(content?.assets), "filesAdded": JSONValue(output.added),
      "unstripped": leftOut.map(\.localIdentifier).json, "filesKept": JSONValue(output.kept),
      "folder": .string(path), "damaged": Self.details(output.damaged),
      "refused": Self.details(output.refused),
    ]
    let files =
      "\(Quantity.text(output.added, "file")) added, \(Quantity.grouped(output.kept)) unchanged"
    let line = content.map { content in
      "\(Quantity.text(content.assets, "asset")) in \"\(path)\": \(content.text ?? files)."
    }
    format.print(
      .object(result.merging(content?.members ?? [:]) { $1 }),
      [line ?? "Nothing is new: \"\(path)\" is as it was."]
    )
  }
}

extension ExportFolder.Method: ExpressibleByArgument {}
extension ExportError: CommandError {}
