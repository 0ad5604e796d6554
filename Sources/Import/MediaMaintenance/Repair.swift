internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaPipeline
internal import MediaSandbox
internal import MediaSources
package import MediaVerification
internal import MediaWorkerPool

/// Mends a library as its ``RepairPlan`` says.
///
/// The catalogue is made anew where it is damaged or has forgotten files, what a command was stopped in is carried out
/// to its end, damaged files are moved to `Quarantine`, and a run of the sources' own manifest brings originals back:
/// it decides, records and confines itself like any run. Lost thumbnails are made again from the library's own
/// originals, by that run or without one. No healthy file is moved or removed.
package struct Repair {
  /// The steps that were carried out, in the order of the plan.
  package private(set) var done: [RepairPlan.Step] = []
  /// The steps that could not be, and files that nothing here can mend, escaped.
  package private(set) var left: [String] = []
  /// The rebuild, if there was one.
  package private(set) var rebuild: Rebuild?
  /// The report of the run of the sources, if there was one.
  package private(set) var run: RunReport?
  /// The log's head after the last step that wrote into it, which may be a rebuild or a run; nil when none did.
  package private(set) var log: EndedLog?
  /// The error that stopped the repair, if any.
  package private(set) var problems: [RunReport.Problem] = []
  /// The exit code of the command: 65 when something is left.
  package private(set) var exitCode = RunExitCode.success

  /// Repairs a library.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - sources: The manifest of the sources from which lost files may come back, with the library as
  ///     its output; nil to bring none back.
  ///   - options: Those of the run of the sources; its signer signs the log of each step.
  ///   - enforcement: How workers are confined that read the library's own files.
  package init(
    library path: [UInt8],
    sources: LoadedManifest?,
    options: RunOptions,
    enforcement: Enforcement
  ) {
    self.init(
      library: path,
      sources: sources,
      options: options,
      enforcement: enforcement,
      openFacts: Rebuild.openWorkers(enforcement),
      openPool: Self.pool
    )
  }

  /// The workers that make thumbnails.
  static func pool(_ enforcement: Enforcement) throws(RunError) -> WorkerPool {
    try RunError.requireEnforcement(enforcement, of: "what reads the library's files")
    return try WorkerProgram.ofRun().pool(enforcement, size: Host.processors)
  }

  /// Repairs a library with another reader of the published files, and makes no thumbnails without a pool.
  init(
    library path: [UInt8],
    sources: LoadedManifest?,
    options: RunOptions,
    enforcement: Enforcement,
    openFacts: Rebuild.FactsOpener,
    openPool: ((Enforcement) throws(RunError) -> WorkerPool)? = nil
  ) {
    do {
      let path = FileSystem.resolved(path) ?? path
      if let sources, FileSystem.resolved(sources.output) != path {
        throw RunError(
          .manifestMistake,
          "The manifest of --from is of another library. If this one was moved, name a copy of the manifest, in the "
            + "same folder, with \"output\": { \"path\": \"\(EscapedText.percentEscaped(path))\" }."
        )
      }
      try repair(path, sources, options, enforcement, openFacts, openPool)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func repair(
    _ path: [UInt8],
    _ sources: LoadedManifest?,
    _ options: RunOptions,
    _ enforcement: Enforcement,
    _ openFacts: Rebuild.FactsOpener,
    _ openPool: ((Enforcement) throws(RunError) -> WorkerPool)?
  ) throws {
    var plan = try RepairPlan(library: path)
    let forgotten = plan.steps.filter { [.rebuilt, .adopted].contains($0.action) }
    if !forgotten.isEmpty {
      try rebuild(path, options, enforcement, openFacts)
      done += forgotten
      plan = try RepairPlan(library: path)
    }
    let unfinished = plan.steps.filter { $0.action == .finished }
    if !unfinished.isEmpty {
      try finish(path, options)
      done += unfinished
      plan = try RepairPlan(library: path)
    }
    let damaged = plan.steps.filter { $0.action == .quarantined }
    let unmoved = damaged.isEmpty ? [] : try moveAside(damaged, path, options)
    let lost = plan.steps.filter {
      [.restored, .remade].contains($0.action) && !unmoved.contains($0.path)
    }
    // SQLite's reader starts a thread when it fails to open a damaged catalogue, and a process with a
    // second thread cannot be confined any more.
    let canRun = (try? requireOneThread()) != nil
    var reasons: [String: String] = [:]
    if let sources, !lost.isEmpty, canRun {
      try run(sources, options)
    } else if let openPool, lost.contains(where: { $0.action == .remade }) {
      reasons = try remake(path, options, try openPool(enforcement))
    }
    try settle(lost, path, reasons, reason: reason(path, asked: sources != nil, canRun))
    left += plan.left
    // As verify says it, and ends with it.
    if let difference = plan.logDifference { left.append("Audit: \(difference)") }
    if exitCode == .success, !left.isEmpty { exitCode = .differencesFound }
  }

  /// The reason that a lost file is not there again, unless a closer one is known.
  private func reason(_ path: [UInt8], asked: Bool, _ canRun: Bool) -> String {
    if let stop = problems.first(where: { $0.code.exitCode == exitCode }), exitCode != .success {
      return "the run that was to bring it back has stopped: \(stop.message)"
    }
    if !asked {
      let library = ShellWord.quoted(EscapedText.printable(String(decoding: path, as: UTF8.self)))
      return "its source may still have it: mediabatch repair \(library) --from MANIFEST"
    }
    return canRun
      ? "no source has the same content"
      : "repair again, now that a damaged database is moved aside"
  }

  private mutating func rebuild(
    _ path: [UInt8],
    _ options: RunOptions,
    _ enforcement: Enforcement,
    _ openFacts: Rebuild.FactsOpener
  ) throws(RunError) {
    let rebuild = Rebuild(
      library: path,
      waits: options.waits,
      enforcement: enforcement,
      signer: options.signer,
      openFacts: openFacts
    )
    self.rebuild = rebuild
    log = rebuild.log
    guard let problem = rebuild.problems.first else { return }
    throw RunError(problem.code, exitCode: rebuild.exitCode, problem.message)
  }

  /// Carries out what another command was stopped in, with a log of this command.
  private mutating func finish(_ path: [UInt8], _ options: RunOptions) throws {
    let library = try MaintenanceLog.open(path, waits: options.waits)
    defer { library.catalogue.close() }
    let log = try MaintenanceLog(of: "repair", in: library, signer: options.signer)
    self.log = try log.end(exitCode: .success)
  }

  /// Moves damaged files to `Quarantine/<run>`, each behind a record of its own; a file that is healthy by now is
  /// left where it is.
  ///
  /// - Returns: The paths of files that could not be read or moved, which are among ``left``.
  private mutating func moveAside(
    _ steps: [RepairPlan.Step],
    _ path: [UInt8],
    _ options: RunOptions
  ) throws -> Set<String> {
    let library = try MaintenanceLog.open(path, waits: options.waits)
    let log = try MaintenanceLog(of: "repair", in: library, signer: options.signer)
    let folder = "\(LibraryFolder.quarantine)/\(log.run)"
    var unmoved: Set<String> = []
    for step in try recordMoves(of: steps, to: folder, log, &unmoved) {
      // A write-ahead log belongs to the database beside it.
      let files =
        step.path == Library.privateFactsFile ? Library.privateFactsFiles : [step.path]
      do throws(FileSystemError) {
        for file in files { try library.move(file, to: "\(folder)/\(file)") }
        done.append(step)
      } catch {
        leave(step, error, &unmoved)
      }
    }
    if done.contains(where: { $0.path == Library.privateFactsFile }) {
      try library.openPrivateFacts()
      try library.privateFacts?.takeWhole(from: path + Array("/\(folder)".utf8))
      library.privateFacts?.close()
    }
    do {
      try FileSystem.flush(fileSystemOf: library.root)
    } catch {
      throw RunError(writing: error)
    }
    self.log = try log.end(exitCode: .success)
    library.catalogue.close()
    return unmoved
  }

  private mutating func leave(
    _ step: RepairPlan.Step,
    _ error: FileSystemError,
    _ unmoved: inout Set<String>
  ) {
    unmoved.insert(step.path)
    left.append("\(step.shownPath): \(error)")
  }

  /// Records the files that are about to be moved aside, and flushes the records.
  ///
  /// - Returns: The steps that have a record.
  private mutating func recordMoves(
    of steps: [RepairPlan.Step],
    to folder: String,
    _ log: MaintenanceLog,
    _ unmoved: inout Set<String>
  ) throws -> [RepairPlan.Step] {
    let expected = Dictionary(
      try log.library.catalogue.publishedFiles(superseded: false).map { ($0.path, $0.sha256) },
      uniquingKeysWith: { $1 }
    )
    var damaged: [RepairPlan.Step] = []
    for step in steps {
      let digest: (bytes: Int64, sha256: String)
      do throws(FileSystemError) {
        digest = try FileDigest.of([UInt8](step.path.utf8), beneath: log.library.root)
      } catch {
        // One that was removed meanwhile is lost, and needs no move.
        if !error.isMissing { leave(step, error, &unmoved) }
        continue
      }
      if digest.sha256 == expected[step.path] { continue }
      let output = OutputFile(published: step.path, sha256: digest.sha256, bytes: Int64(digest.bytes))
      log.writer.append(AuditFileChange(.quarantined, output, to: folder))
      damaged.append(step)
    }
    try log.writer.flush()
    return damaged
  }

  /// Runs the manifest of the sources, looking for every file of the library.
  private mutating func run(_ sources: LoadedManifest, _ options: RunOptions) throws(RunError) {
    var options = options
    options.looksForAllFiles = true
    let report = Run(sources, options: options).perform()
    run = report
    log = EndedLog(report) ?? log
    if ![.success, .itemsFailed].contains(report.exitCode) {
      exitCode = report.exitCode
      problems += report.problems
    }
  }

  /// Makes lost thumbnails again from the library's own originals, with a log of this command.
  ///
  /// - Returns: The reasons that some could not be made, by their paths, escaped.
  private mutating func remake(
    _ path: [UInt8],
    _ options: RunOptions,
    _ pool: WorkerPool
  ) throws -> [String: String] {
    let library = try MaintenanceLog.open(path, waits: options.waits)
    defer { library.catalogue.close() }
    let log = try MaintenanceLog(of: "repair", in: library, signer: options.signer)
    let remaking = ThumbnailRemaking(log.records)
    try remaking.remake(LostFiles(of: library, limit: nil), by: pool)
    self.log = try log.end(exitCode: .success)
    return remaking.problems
  }

  /// Tells which lost files are there again, with the bytes that the catalogue says.
  private mutating func settle(
    _ lost: [RepairPlan.Step],
    _ path: [UInt8],
    _ reasons: [String: String],
    reason: String
  ) throws {
    if lost.isEmpty { return }
    // The process may be confined by now, and may not list the library's folder.
    let root = try FileSystem.openPath(path)
    let files = try CatalogueReader(library: path).look(up: lost.map { [UInt8]($0.path.utf8) })
    for (step, file) in zip(lost, files) {
      // A thumbnail that was made again has a place of its own, and its older one no row.
      if case .published(let file) = file,
        (try? FileDigest.of([UInt8](file.path.utf8), beneath: root))?.sha256 != file.sha256
      {
        left.append("\(step.shownPath): \(reasons[step.path] ?? reason)")
      } else {
        done.append(step)
      }
    }
  }
}
