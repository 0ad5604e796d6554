internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaReports
internal import MediaVerification

struct ReportCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a report of the runs, for people or for CI.",
    discussion: """
      It says what was allowed, read, imported and removed, and what needs a person.

      EXAMPLES
        mediabatch report Library
        mediabatch report Library --output report.html
        mediabatch report Library --run last --format csv

      The library is only read, without a lock: an import can go on meanwhile. All formats have the same counts. The \
      command exits with 65 when the log is not as it was written, and with 5 when no run was found for what was \
      asked; the report is still made, and says so.

      EXAMPLES
        mediabatch report Library --format in-toto --sign >report.dsse.json
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    "--sign goes with --format in-toto.",
    "--key goes with --sign.",
    "--run does not combine with --since, --until and --asset.",
    "--asset does not combine with --since and --until.",
    "--thumbnails takes a number from 0 to 10000.",
    "--page takes a number from 1 to 1000000000.",
    OptionRule("--page and --thumbnails go with --format html.", isDefault: true),
    OptionRule("--with-manifest goes with --format html or json.", isDefault: true),
    "--step-summary goes with --format github.",
  ]

  @OptionGroup var library: LibraryArgument

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("Only this run; last is the newest.", valueName: "id")
  )
  var runIdentifier: String?

  @Option(
    help: ArgumentHelp(
      "Only runs from this date (UTC): 2026-11-21 or 2026-11-21T08:00:00Z.",
      valueName: "date"
    ),
    transform: ReportScope.timestamp(option:)
  )
  var since: String?

  @Option(
    help: ArgumentHelp("Only runs up to the end of this day, or of this second.", valueName: "date"),
    transform: ReportScope.timestamp(option:)
  )
  var until: String?

  @Option(
    help: ArgumentHelp(
      "Only one asset, by its label, path, or the beginning of its localIdentifier.",
      valueName: "asset"
    )
  )
  var asset: String?

  @Option(
    help: "The form of the report; by default text on a terminal, else html. GitLab and Jenkins read junit."
  )
  var format: ReportFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file, not to standard output.", valueName: "file")
  )
  var output: PathArgument?

  @Option(
    help: .rare("html: how many imported items a page shows; 0 shows none.", valueName: "n")
  )
  var thumbnails = 60

  @Option(help: .rare("html: which page of imported items, from 1.", valueName: "n"))
  var page = 1

  @Option(
    help: .rare(
      "github: add the step summary to this file; by default to $GITHUB_STEP_SUMMARY.",
      valueName: "file"
    )
  )
  var stepSummary: PathArgument?

  @Flag(
    help: .rare("html, json: show the text of each run's manifest.")
  )
  var withManifest = false

  @Flag(
    help: .rare("in-toto: sign the report with the key of the log, in a DSSE envelope.")
  )
  var sign = false

  @OptionGroup var signing: AuditKeyLocation

  @OptionGroup var kept: WitnessOptions

  func validate() throws {
    try checkRules()
    // A rule does not compare values.
    if let since, let until, !ReportScope.holds(since, since: nil, until: until) {
      throw ValidationError("--until is before --since.")
    }
  }

  /// The format that was asked for; without one that which whoever reads it can read.
  private var shownFormat: ReportFormat {
    let isOfPage = output != nil || thumbnails != 60 || page != 1 || withManifest
    return format ?? (isOfPage || isatty(STDOUT_FILENO) == 0 ? .html : .text)
  }

  private var scope: ReportScope {
    if let asset { return .asset(asset) }
    if let runIdentifier {
      return runIdentifier == "last" ? .lastRun : .run(runIdentifier)
    }
    if since == nil, until == nil { return .all }
    return .began(since: since, until: until)
  }

  func run() throws {
    let model = try Console.endingOnError(report)
    if model.verification.difference != nil {
      Console.note("The log is not as it was written; the report says where.")
      try RunExitCode.differencesFound.exit()
    }
    if model.catalogueDiffers {
      Console.note("The catalogue differs from the log; `mediabatch verify` says where.")
      try RunExitCode.differencesFound.exit()
    }
    if model.isAboutNothing {
      Console.note("The report is about nothing: no run was found for what was asked.")
      try RunExitCode.nothingReported.exit()
    }
  }

  private func report() throws -> ReportModel {
    // Without the keys nothing is begun.
    let signer = sign ? try signing.signer() : nil
    let path = library.bytes
    let catalogue = try CatalogueReader(library: path)
    let root = try FileSystem.openFolder(path)
    try requireOutputsOutsideSources(path)
    let model = try ReportModel.gathered(
      from: ReportLibrary(
        path: path,
        log: LibraryLog(root: root, catalogue: catalogue),
        catalogue: catalogue,
        witnesses: try kept.witnesses(),
        tool: BuildInfo.version,
        now: .now
      ),
      scope: scope,
      options: ReportOptions(
        itemsPerPage: thumbnails,
        page: page,
        rowLimit: shownFormat == .html ? 100_000 : 0,
        listsFiles: shownFormat == .inToto,
        showsManifests: withManifest
      )
    )
    try write(model, root, signer)
    return model
  }

  /// The file of a step summary, where there is one.
  private var summaryFile: PathArgument? {
    guard format == .github else { return nil }
    let environment = getenv("GITHUB_STEP_SUMMARY").map { name in
      PathArgument(Array(UnsafeRawBufferPointer(start: name, count: strlen(name))))
    }
    return (stepSummary ?? environment).flatMap { $0.bytes.isEmpty ? nil : $0 }
  }

  private func requireOutputsOutsideSources(_ library: [UInt8]) throws {
    let outputs = [("--output", output), ("--step-summary", summaryFile)]
    guard outputs.contains(where: { $0.1 != nil }) else { return }
    let sources = try SourceFolders(listedFor: library)
    for case (let option, let file?) in outputs {
      try sources.requireOutside(file.bytes, option: option)
    }
  }

  private func write(
    _ model: ReportModel,
    _ root: Descriptor,
    _ signer: AuditSigner?
  ) throws {
    let target = try output.map { try ReportOutput(file: $0, outside: root) } ?? ReportOutput()
    let isShown = shownFormat == .csv && target.isTerminal
    let sink = ReportSink { try target.write(isShown ? CSVReport.shown($0) : $0) }
    switch shownFormat {
    case .text: try TextReport.write(model, columns: Console.helpWidth, to: sink)
    case .html:
      try HTMLReport.write(model, to: sink) { Self.thumbnail($0, beneath: root) }
    case .json: try JSONReport.write(model, to: sink)
    case .csv: try CSVReport.write(model, to: sink)
    case .junit: try JUnitReport.write(model, to: sink)
    case .sarif: try SARIFReport.write(model, to: sink)
    case .inToto:
      if let signer {
        try Self.writeEnvelope(model, signer, to: sink)
      } else {
        try InTotoReport.write(model, to: sink)
      }
    case .github:
      try GitHubReport.write(model, to: sink)
      if let file = summaryFile {
        let summary = try ReportOutput(appendingTo: file, outside: root)
        try summary.write(Array(StepSummary.text(model).utf8))
        try summary.commit()
      }
    }
    try target.commit()
  }

  /// Writes the statement in an envelope. It is in memory for that, since a signature is over all of it.
  private static func writeEnvelope(
    _ model: ReportModel,
    _ signer: AuditSigner,
    to sink: ReportSink
  ) throws {
    var statement: [UInt8] = []
    try InTotoReport.write(model, to: ReportSink { statement += $0 })
    sink.value(signer.envelope(of: statement, type: DSSEEnvelope.inTotoType).value)
    sink.text("\n")
    try sink.finish()
  }

  /// A thumbnail as the catalogue knows it: one that was changed since is not shown.
  private static func thumbnail(
    _ file: Catalogue.PublishedFile,
    beneath root: Descriptor
  ) -> [UInt8]? {
    guard (0...4 << 20).contains(file.bytes),
      let opened = try? FileSystem.openForReading(
        beneath: root,
        [UInt8](file.path.utf8),
        crossMounts: true
      ),
      let digest = try? FileDigest.of(opened), digest.sha256 == file.sha256
    else { return nil }
    return try? FileSystem.readSmallFile(opened, limit: Int(file.bytes))
  }
}

extension ReportScope {
  /// Reads the value of an option.
  ///
  /// - Throws: ``OptionWordError``.
  fileprivate static func timestamp(option text: String) throws -> String {
    try timestamp(text).orThrow("it takes 2026-11-21 or 2026-11-21T08:00:00Z, in UTC.")
  }
}

/// The formats of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, html, json, csv, junit, sarif, github
  case inToto = "in-toto"
}
