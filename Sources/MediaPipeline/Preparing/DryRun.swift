internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSandbox

/// The plan of a run. Making it takes no lock, writes no record and opens no file.
///
/// The process is confined like a run before it lists the allowed sources.
package struct DryRun {
  /// The planned outcome of one item.
  package struct Item: Sendable, Hashable {
    /// The item's source.
    package var source: SourceKind
    /// The path within the source.
    package var path: ItemPath
    /// Nil when only reading the file can tell.
    package var outcome: ItemOutcome?
    /// The reason for an outcome other than `unchanged`.
    package var reason: ItemReason?

    /// The outcome as a plan shows it.
    package var plan: String { outcome?.rawValue ?? "onReading" }
  }

  /// All items of the allowed sources.
  package private(set) var items: [Item] = []
  /// The sources with their decisions.
  package private(set) var sources: [RunReport.Source] = []
  /// Everything that a run would report or stop for.
  package private(set) var problems: [RunReport.Problem] = []
  /// Advice for each source that is not plainly allowed.
  package private(set) var advice: [StatusAdvice] = []
  /// The exit code of a run that stops before it opens a file.
  package private(set) var exitCode = RunExitCode.success

  /// Confines this process for good; call on the main thread, the only one.
  package init(_ loaded: LoadedManifest, options: RunOptions) {
    let access = AccessState(loaded)
    sources = access.reported
    advice = access.advice
    do {
      if let stop = access.stop(kernel: .probe(), enforcement: options.enforcement) {
        throw stop
      }
      try list(loaded, access, options)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  /// The catalogue of a library; nil where there is none that can be read.
  ///
  /// - Throws: `LibraryError` `.unknownSchema` for that of a newer version: a run would stop there too.
  private static func catalogue(of library: [UInt8]) throws(LibraryError) -> CatalogueReader? {
    do {
      return try CatalogueReader(library: library)
    } catch {
      guard error.code != .unknownSchema else { throw error }
      return nil
    }
  }

  private mutating func list(
    _ loaded: LoadedManifest,
    _ access: AccessState,
    _ options: RunOptions
  ) throws {
    let planned = try access.plannedSources()
    let guarded = access.guardedDevices
    let catalogue = try Self.catalogue(of: loaded.output)
    // A first read opens all files of the catalogue before confinement.
    _ = try catalogue?.auditPositions()
    let root = try? FileSystem.openFolder(loaded.output)
    let lost = try root.flatMap { root in
      try catalogue.map { try LostFiles(root: root, catalogue: $0) }
    }
    var limited: [SourceKind: SourceListing] = [:]
    let isEnforced = (options.enforcement ?? loaded.manifest.enforcement) == .kernel
    let confinement = try CoordinatorConfinement(sources: planned, library: nil, worker: nil)
    if isEnforced { try confinement.enforceFirstLayer() }
    for source in planned where source.selection != nil {
      limited[source.kind] = try SourceListing.orUnavailable(source, guardedDevices: guarded)
    }
    if isEnforced { try confinement.enforceSecondLayer(selected: limited.mapValues(\.items)) }
    for source in planned {
      let listing =
        try limited[source.kind] ?? SourceListing.orUnavailable(source, guardedDevices: guarded)
      for index in sources.indices where sources[index].source == source.kind {
        sources[index].ignored = listing.ignored
      }
      for warning in listing.warnings {
        problems.append(RunReport.Problem(code: .listing, message: warning))
      }
      let diff = try SourceDiff(
        listing,
        of: source.kind,
        catalogue: catalogue,
        writtenUnder: WrittenUnder.text(
          policy: source.policy,
          thumbnails: loaded.manifest.thumbnails
        ),
        failingUnder: options.retriesFailed
          ? nil : FailureConditions.digest(of: source, in: loaded.manifest),
        firstNumber: 1,
        reprocesses: options.reprocesses,
        lost: lost
      )
      items += diff.unchanged.map {
        Item(source: source.kind, path: $0, outcome: .unchanged, reason: nil)
      }
      items += diff.failedBefore.map {
        Item(source: source.kind, path: $0, outcome: .failedBefore, reason: nil)
      }
      if options.failsOnEarlier, !diff.failedBefore.isEmpty { exitCode = .itemsFailed }
      items += diff.pending.map { one in
        let reason = one.listed.reason
        return Item(
          source: source.kind,
          path: one.listed.path,
          outcome: reason?.outcome,
          reason: reason
        )
      }
    }
  }
}
