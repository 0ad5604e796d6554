internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaFileSystem
internal import MediaListing
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSandbox
internal import MediaSharding
internal import MediaSyntax

struct ShardsPlanCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Divide a run into shards for several machines.",
    discussion: """
      Then `mediabatch shards run` imports each shard, on any machine, and `mediabatch shards merge` makes one library \
      of them.

      EXAMPLES
        mediabatch shards plan manifest.json --shards 16 --output Plan
        mediabatch shards plan Plan --emit slurm >import.sbatch

      The plan asks and lists as a run does, and has the files of each shard.

      EXAMPLES
        mediabatch shards plan Plan --files 3
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    [
      "--shards goes with --output.",
      "--output, --facts and --listing go with --shards.",
      "--shards takes a number from 1 to 65535.",
      "--files does not combine with --emit and --shards.",
      "--facts does not combine with --listing.",
      "--listing goes with --source.",
      "--media goes with --results.",
      "--results goes with --media.",
      "--media goes with --emit.",
      "--web does not combine with --no-input.",
      "Name --shards and --output for a new plan, or --files or --emit for one that is there.",
      OptionRule("--source goes with --listing.", where: "--shards"),
    ] + PageOptions.rules

  @Argument(
    help: "The manifest; with --files and --emit the folder of a plan.",
    completion: .file(extensions: ["json"])
  )
  var path: PathArgument

  @Option(help: "The number of shards.")
  var shards: Int?

  @Option(help: "The folder of the plan, outside of all sources.", completion: .directory)
  var output: PathArgument?

  @Flag(
    help: .rare(
      "Open every file, to keep the halves of live photos in one shard.",
      details: "Without it, halves with different names can be in two shards."
    )
  )
  var facts = false

  @Option(
    help: .rare("A listing by `rclone lsjson -R`, in place of the folder of --source.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var listing: PathArgument?

  @Option(help: .rare("The source of --listing, by its kind or name."))
  var source: SourceWord?

  @Option(help: ArgumentHelp("Print the files that a shard needs, one a line.", valueName: "shard"))
  var files: Int?

  @Option(
    help: """
      Print a job file for a scheduler.
      """
  )
  var emit: JobScheduler?

  @Option(
    help: .rare(
      "In a job file: copy each shard's files from this place of rclone.",
      details: "It is the place that --listing has listed.",
      valueName: "remote:path"
    )
  )
  var media: String?

  @Option(
    help: .rare(
      "In a job file: copy libraries and receipts to this place of rclone.",
      valueName: "remote:path"
    )
  )
  var results: String?

  @Option(
    help: .rare("In a job file: the merged library; by default that of the manifest.")
  )
  var library: PathArgument?

  @Flag(help: "Ask nobody; end with 75 if a source is not decided.")
  var noInput = false

  @OptionGroup var page: PageOptions

  @Option(help: Enforcement.help)
  var enforcement: Enforcement?

  @OptionGroup var loading: LoadingOptions

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  /// The argument of the process that lists.
  @Flag(help: .private)
  var listAlone = false

  private var makesPlan: Bool { shards != nil || output != nil }

  func run() throws {
    if listAlone { return try list() }
    if makesPlan { return try make() }
    let folder = PlanFolder(path: path.bytes)
    let plan = try Console.endingOnError(folder.plan)
    if let files { return try printFiles(of: files, in: folder, plan) }
    if let emit { try printJob(for: emit, folder, plan) }
  }

  // MARK: Making a plan

  private func make() throws {
    guard let shards, let output else { return }
    let loaded = try loading.load(path, format: format)
    try Console.endingOnError {
      try SourceFolders(of: loaded).requireOutside(output.bytes, option: "--output")
    }
    try page.check(loaded)
    let folder = try Console.endingOnError { try Planning.makeFolder(at: output.bytes) }
    let words = ChildCommand.arguments(with: ChildCommand.words("--list-alone"), behind: 2)
    let code = try ChildCommand.run(words)
    guard code == RunExitCode.success.rawValue else { throw ExitCode(code) }
    let plan = try Console.endingOnError(Planning(folder, shards: shards).finish)
    if let emit { return try printJob(for: emit, folder, plan) }
    format.print(ShardText.object(plan, in: folder), ShardText.lines(plan, in: folder))
  }

  /// Lists, in a process of its own.
  private func list() throws {
    guard let shards, let output else { return }
    try Console.endingOnError { try WorkerConfinement.endWithParent() }
    let loaded = try loading.load(path, format: format)
    let display = ProgressDisplay()
    var options = try loading.runOptions(display, enforcement)
    if let listing, let source = try source.map({ try loaded.source($0) }) {
      _ = try folder(of: source, in: loaded, "whose files --listing names")
      options.listings = try Console.endingOnError {
        [source: try RcloneListing.read(try openListing(listing, loaded))]
      }
    }
    if !noInput { options.openAsker = page.asker() }
    options.isOutdated = { loaded.isOutdated(by: loading) }
    let planning = Planning(PlanFolder(path: output.bytes), shards: shards)
    let report = try Console.endingOnError {
      try planning.list(loaded, options, policies: loading.policy.map(\.bytes), groupsByContent: facts)
    }
    display.clear()
    Console.note(report.problems)
    try report.exitCode.exit()
  }

  /// Opens the listing, which may lie in no source that is not allowed whole.
  private func openListing(_ listing: PathArgument, _ loaded: LoadedManifest) throws -> Descriptor {
    let name = "The listing \"\(EscapedText.printable(listing.text))\""
    do {
      return try loaded.closed(AccessState(loaded)).open(listing.bytes, name)
    } catch let error as LoadedManifest.Mistakes {
      throw error.reported(in: format)
    } catch {
      throw ShardingError(.manifestMistake, "\(name) cannot be read: \(error).")
    }
  }

  // MARK: A plan that is there

  private func printFiles(of shard: Int, in folder: PlanFolder, _ plan: Plan) throws {
    try Console.endingOnError {
      try folder.check(shard: shard, of: plan)
      let items = try PlanItems.read(shard: shard, of: plan, in: folder)
      if source == nil, items.count > 1 {
        let names = Quantity.list(items.keys.sorted().map { EscapedText.printable($0.name) })
        throw ShardingError(
          .usage,
          "Shard \(shard) has files of \(names), each with a folder of its own. Name one with --source."
        )
      }
      for (item, paths) in items.sorted(by: { $0.key < $1.key })
      where source.map({ item.isMeant(by: $0, among: items.keys) }) ?? true {
        for index in 0..<paths.count {
          Console.write(paths.path(at: index).bytes + [UInt8.newline])
        }
      }
    }
  }

  private func printJob(for scheduler: JobScheduler, _ folder: PlanFolder, _ plan: Plan) throws {
    let target = try library ?? PathArgument(loaded(plan).output)
    let library = target.text
    if FileSystem.exists(target.bytes) {
      Console.note(
        "\"\(EscapedText.printable(library))\" is there already, and a merge makes a new library: name another "
          + "one with --library."
      )
    }
    let program = CommandArguments.programName
    let job = JobFile(
      plan: String(decoding: folder.path, as: UTF8.self),
      shards: plan.shards.count,
      program: String(
        decoding: program.contains(.slash) ? FileSystem.resolved(program) ?? program : program,
        as: UTF8.self
      ),
      output: library.hasPrefix("/")
        ? library : FileManager.default.currentDirectoryPath + "/" + library,
      stage: try stage(plan)
    )
    guard let job else {
      // No rule knows the plan.
      throw ValidationError(
        "A job file cannot have a path with a line break, or one that is not UTF-8. Name other folders."
      )
    }
    Console.write(job.text(for: scheduler))
  }

  /// The manifest of a plan.
  private func loaded(_ plan: Plan) throws -> LoadedManifest {
    try LoadedManifest.orExit(
      PathArgument(plan.manifest),
      policies: plan.policies.map { PathArgument($0) },
      format: format
    )
  }

  /// - Throws: A `ValidationError` for a source without a folder, since no rule knows the manifest.
  private func folder(
    of source: SourceID,
    in loaded: LoadedManifest,
    _ clause: String
  ) throws -> [UInt8] {
    if let folder = loaded.path(of: source) { return folder }
    throw ValidationError("The manifest has no path for the \(source.displayName), \(clause).")
  }

  private func stage(_ plan: Plan) throws -> StageSteps? {
    guard let media, let results else { return nil }
    let loaded = try loaded(plan)
    let source = try loaded.source(source ?? SourceWord(.library))
    let folder = try folder(of: source, in: loaded, "into which files are copied")
    return StageSteps(media: media, source: String(decoding: folder, as: UTF8.self), results: results)
  }
}

extension JobScheduler: ExpressibleByArgument {}
