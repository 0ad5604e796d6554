internal import ArgumentParser
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaWatch

struct WatchCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Import what is new, as it comes, until stopped.",
    discussion: """
      It asks nobody: allow the sources before, with `mediabatch access grant` or one run at a terminal. Ctrl-C stops \
      it after the current batch.

      EXAMPLES
        mediabatch watch manifest.json
        mediabatch watch manifest.json --settle 30 --every 300

      Each round is an ordinary run, with its own decision and log. A file is taken when it has not changed for the \
      time of --settle. The signal SIGTERM also stops it after the current batch.

      EXAMPLES
        mediabatch watch manifest.json --events >events.ndjson
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    [
      "--settle takes a number from 0.01 to 86400.",
      "--every takes a number from 0.1 to 604800.",
    ] + WorkerOptions.rules

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument

  @Option(help: "Take a file when it has not changed for so many seconds.")
  var settle = 5.0

  @Option(
    help: ArgumentHelp(
      "List everything again after so many seconds.",
      details: "The system's notices of changes can be lost."
    )
  )
  var every = 900.0

  @Flag(help: .rare("Print a line of JSON for each item as soon as it is published."))
  var events = false

  @Option(help: Enforcement.help)
  var enforcement: Enforcement?

  @OptionGroup var workers: WorkerOptions

  @OptionGroup var loading: LoadingOptions

  func run() throws {
    let loaded = try loading.load(manifest, format: .text)
    let key = loading.key
    // A key that cannot be used is found now, and not in each round.
    _ = try key.signing()
    guard let program = try? WorkerProcess.ownFile() else {
      Console.note("/proc/self/exe cannot be read.")
      throw RunExitCode.internalCheck.end
    }
    // Behind `--` a name that begins with a hyphen is no option.
    let last = ChildCommand.words("--") + [manifest.bytes]
    var common = ChildCommand.words("run", RunCommand.watchedName, "--no-input", "--settle")
    common += ChildCommand.words("\(settle)")
    for file in loading.policy { common += ChildCommand.words("--policy") + [file.bytes] }
    if let enforcement { common += ChildCommand.words("--enforcement", enforcement.rawValue) }
    if let file = key.key { common += ChildCommand.words("--key") + [file.bytes] }
    var run = common
    if key.unsigned { run += ChildCommand.words("--unsigned") }
    if events { run += ChildCommand.words("--events") }
    if let workers = workers.count { run += ChildCommand.words("--workers", "\(workers)") }
    var options = Watch.Options(
      program: program,
      look: common + ChildCommand.words("--dry-run") + last,
      run: run + last,
      settle: Int64(settle * 1e9),
      every: Int64(every * 1e9)
    )
    options.printsEvents = events
    options.enforcement = enforcement
    options.policies = loading.policy.map(\.bytes)
    options.key = key.used?.bytes
    try Watch(loaded, options: options, note: Console.note).perform().exit()
  }
}
