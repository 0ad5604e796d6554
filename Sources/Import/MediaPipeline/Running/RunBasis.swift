internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaSandbox
internal import MediaSources

/// What a run was asked for, and what was decided about its sources: all of its later phases, and a dry run, are made
/// of this value.
struct RunBasis {
  let options: RunOptions
  let identifier: String
  let kernel = KernelSupport.probe()
  /// The party that enforces the confinement, and how, for the report.
  let enforcementDetail: String
  /// The path of the library, for messages: as it was resolved when the run began, or opened its library.
  var library: String
  var access: AccessState
  /// What a person has answered to this run.
  var asked = Asked()

  /// Decides about each source with the answers that are stored now; opens nothing.
  init(_ loaded: LoadedManifest, _ options: RunOptions) {
    self.options = options
    identifier = options.identifier ?? RunLog.makeIdentifier()
    access = AccessState(loaded, canPrompt: options.openAsker != nil)
    library = String(decoding: FileSystem.resolved(loaded.output) ?? loaded.output, as: UTF8.self)
    let isByKernel = (options.enforcement ?? loaded.manifest.enforcement) == .kernel
    enforcementDetail =
      (isByKernel ? kernel.detail : "none; \(kernel.detail)") + access.guardedByProcessAlone
  }

  var loaded: LoadedManifest { access.loaded }
  var manifest: Manifest { loaded.manifest }
  var enforcement: Enforcement { options.enforcement ?? manifest.enforcement }

  /// Why the run stops before it opens anything; nil when it continues.
  var stop: RunError? { access.stop(kernel: kernel, enforcement: options.enforcement) }
}

extension RunAccount {
  /// Enters a source that was listed.
  func note(_ listed: ComparedSource, _ basis: RunBasis) {
    let source = listed.source
    tally.totals.discovered += listed.listing.items.count
    if listed.diff.hasNewItems { tally.totals.hasNewItems = true }
    ignored[source.id] = listed.listing.ignored
    problems += [
      RunReport.Problem.catalogueDiffers(listed.damaged.map(\.text)),
      RunReport.Problem.albumsElsewhere(listed.albums.elsewhere.count, of: source.id, in: basis.manifest),
    ].compactMap(\.self)
    problems += RunReport.Problem.problems(
      in: listed.listing,
      listed.diff,
      of: source,
      in: basis.manifest,
      labels: basis.options.assignment == nil ? basis.loaded.labels[source.id] : nil
    )
  }

  /// Enters the sources to which access was revoked while the run went on.
  ///
  /// - Returns: Whether the run required one of them.
  func noteRevoked(_ access: AccessState) -> Bool {
    problems += tally.revoked.map(RunReport.Problem.accessRevoked)
    return tally.revoked.contains { revoked in
      access.permissions.sources.contains { $0.source == revoked.source && $0.isRequired }
    }
  }

  /// The sources as a summary lists them, with what was counted of each.
  func sources(of access: AccessState) -> [RunReport.Source] {
    access.reported.map { source in
      var source = source
      guard source.accessLevel == .readWrite else { return source }
      source.counts = tally.counts[source.source] ?? [:]
      source.ignored = ignored[source.source] ?? 0
      return source
    }
  }
}

extension RunReport {
  /// Makes the report of a run that has ended, or does not begin.
  init(of basis: RunBasis, _ account: RunAccount, exitCode: RunExitCode) {
    self.init(
      run: basis.identifier,
      manifestPath: basis.loaded.path,
      manifestSHA256: basis.loaded.sha256,
      library: basis.library,
      enforcement: basis.enforcement,
      enforcementDetail: basis.enforcementDetail,
      exitCode: exitCode
    )
    settings = AdvisedSettings(basis.manifest)
    problems = account.problems
    sources = account.sources(of: basis.access)
    totals = account.tally.totals
    totals.leftOut.sort { ($0.source, $0.reason.rawValue) < ($1.source, $1.reason.rawValue) }
  }
}
