internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaSharding
internal import MediaSyntax

struct ShardsMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make one library of the shards of a plan.",
    discussion: """
      The library is the one that a single run would have made.

      EXAMPLES
        mediabatch shards merge Plan --output Library
        mediabatch shards merge Plan --format json

      It has the same files, the same catalogue except for identifiers and times, and the logs of all shards, and it \
      appears in one step. If shards have no receipt, they are named in the form of array jobs, and the command exits \
      with 65. It exits with 3 when items of a shard failed.
      """
  )

  @Argument(help: "The folder of the plan.", completion: .directory)
  var plan: PathArgument

  @Option(help: "The library to make; by default that of the manifest.", completion: .directory)
  var output: PathArgument?

  @Option(
    name: .customLong("as"),
    help: .rare(
      "How files get into the library.",
      details: "hardlink gives them a second name, where that is possible; reflink and copy make copies."
    )
  )
  var method = MergedFiles.Method.hardlink

  @Option(help: .rare("The manifest, if it was moved since the plan was made."))
  var manifest: PathArgument?

  @Option(help: Enforcement.help)
  var enforcement = Enforcement.kernel

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  /// The argument of the process that assembles: the folder in which the library grows.
  @Option(help: .private)
  var assembleIn: PathArgument?

  /// Whether that process leaves nothing to a run.
  @Flag(help: .private)
  var apart = false

  func run() throws {
    if let assembleIn { return try assemble(assembleIn.bytes) }
    let merge = try Console.endingOnError {
      do throws(ShardingError) {
        return try ShardMerge(PlanFolder(path: plan.bytes))
      } catch {
        if format == .json { Console.output(ShardText.object(error)) }
        throw error
      }
    }
    let library = try Console.endingOnError { try MergePlace(try target(merge)) }
    if let code = try Console.endingOnError({ try library.merged(merge.plan) }) {
      return try endAsMerged(library, merge, code)
    }
    let lock = try Console.endingOnError { try library.hold() }
    defer { withExtendedLifetime(lock) { library.release() } }
    // Another merge may have been in this place meanwhile.
    if let code = try Console.endingOnError({ try library.merged(merge.plan) }) {
      return try endAsMerged(library, merge, code)
    }
    try Console.endingOnError { try library.begin() }
    var result = try assembled(in: library, [])
    var exitCode = merge.exitCode
    if result.left > 0 {
      let code = try importLeftItems(in: library, merge)
      if code != RunExitCode.success.rawValue {
        Console.note(
          "\(Quantity.text(result.left, "file")) of live photos in two shards could not be read again (\(code)), so "
            + "each half stays an asset of its own. Merge where the sources are to join them."
        )
        try Console.endingOnError { try library.begin() }
        result = try assembled(in: library, ChildCommand.words("--apart"))
        exitCode = .itemsFailed
      }
    }
    try Console.endingOnError { try library.finish() }
    try printResult(result, library, merge, exitCode)
    try exitCode.exit()
  }

  /// Ends for a place where this plan's library is already.
  private func endAsMerged(
    _ library: MergePlace,
    _ merge: ShardMerge,
    _ code: RunExitCode
  ) throws {
    Console.note("\"\(library.shown)\" is the library of this plan already. Nothing was done.")
    try printResult(ShardMerge.Result(), library, merge, code)
    try code.exit()
  }

  private func target(_ merge: ShardMerge) throws -> [UInt8] {
    if let output {
      let path = output.bytes
      // A merge needs no manifest; where it is, the place is held against its sources.
      let manifestPath = manifest?.bytes ?? merge.plan.manifest
      if let loaded = try? LoadedManifest(
        path: manifestPath,
        policies: merge.plan.policies,
        signature: .none
      ) {
        try SourceFolders(of: loaded).requireOutside(path, option: "--output")
      }
      return path
    }
    return try loaded(merge.plan).output
  }

  private func loaded(_ plan: Plan) throws -> LoadedManifest {
    try LoadedManifest.orExit(
      manifest ?? PathArgument(plan.manifest),
      policies: plan.policies.map { PathArgument($0) },
      format: format
    )
  }

  // MARK: Processes of their own

  /// Assembles in a process that confines itself.
  private func assembled(in library: MergePlace, _ words: [[UInt8]]) throws -> ShardMerge.Result {
    let answer = try FileSystem.temporaryFile()
    let code = try ChildCommand.run(
      ChildCommand.arguments(
        with: ChildCommand.words("--assemble-in") + [library.growing] + words,
        behind: 2
      ),
      output: answer.raw
    )
    guard code == RunExitCode.success.rawValue else {
      library.discard()
      throw ExitCode(code)
    }
    let size = Int(clamping: try answer.status().size)
    let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = try answer.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    guard let result = ShardMerge.Result(bytes) else {
      library.discard()
      Console.note("The merge has lost its result. Merge again.")
      throw RunExitCode.internalCheck.end
    }
    return result
  }

  private func assemble(_ path: [UInt8]) throws {
    let result = try Console.endingOnError {
      try WorkerConfinement.endWithParent()
      let merge = try ShardMerge(PlanFolder(path: plan.bytes))
      if enforcement == .kernel {
        try RunError.requireEnforcement(enforcement, of: "what reads the shards")
      }
      let folder = try FileSystem.openFolder(MergePlace.parent(of: path))
      let file = try FileSystem.createFile(
        in: folder,
        MergePlace.name(of: Self.leftItemsPath(of: path)),
        mode: 0o600
      )
      return try merge.assemble(
        into: path,
        method: method,
        joins: !apart,
        signer: try key.signer(),
        enforcement: enforcement,
        leftItems: file
      )
    }
    Console.write(result.serialized)
  }

  /// The file with the items that a merge has left, beside the library that grows.
  static func leftItemsPath(of growing: [UInt8]) -> [UInt8] { growing + Array(".rest".utf8) }

  /// Imports what no shard could import as one run would.
  ///
  /// - Returns: The exit code.
  private func importLeftItems(in library: MergePlace, _ merge: ShardMerge) throws -> Int32 {
    var words = ChildCommand.words("shards", "run", "--merged-library") + [library.growing]
    if let manifest { words += ChildCommand.words("--manifest") + [manifest.bytes] }
    if key.unsigned { words += ChildCommand.words("--unsigned") }
    if let file = key.key { words += ChildCommand.words("--key") + [file.bytes] }
    words += ChildCommand.words("--") + [plan.bytes]
    let scratch = try FileSystem.temporaryFile()
    return try withExtendedLifetime(scratch) { try ChildCommand.run(words, output: scratch.raw) }
  }

  // MARK: The result

  private func printResult(
    _ result: ShardMerge.Result,
    _ library: MergePlace,
    _ merge: ShardMerge,
    _ exitCode: RunExitCode
  ) throws {
    let reader = try Console.endingOnError { try CatalogueReader(library: library.target) }
    let (counts, assets) = try Console.endingOnError(reader.outcomeCounts)
    format.print(
      ShardText.object(result, counts, assets, library, merge.plan, exitCode),
      ShardText.lines(result, counts, assets, library)
    )
  }
}

extension MergedFiles.Method: ExpressibleByArgument {}
