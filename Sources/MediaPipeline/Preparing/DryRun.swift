internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSandbox
internal import MediaSources

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
    /// The outcome that the item's name promises, where only reading can tell.
    package var expected: Expectation?

    /// The outcome as a plan shows it.
    package var plan: String { outcome?.rawValue ?? "onReading" }
  }

  /// The outcome of an item if its content is what its name says, whole and new.
  package struct Expectation: Sendable, Hashable {
    /// Imported or skipped; nil where the name is not that of media.
    package var outcome: ItemOutcome?
    /// The media type that the name promises.
    package var mediaType: MediaType?
    /// Nil where the label depends on what the file says.
    package var label: String?
    /// The path of the original below the library, in which `*` stands for the time of saving; nil where
    /// the label or the format is not known.
    package var destination: String?
    /// The item of the same folder and stem that may be the other half of a live photo.
    package var counterpart: ItemPath?
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

  /// The digest of the files that a run would open, but for those that an earlier one has opened and left
  /// out; 0 without any. It is another one when a file is added, goes or changes.
  package private(set) var pendingDigest: UInt64 = 0
  /// The nanoseconds until the first of the files that may still be written can have settled; nil when
  /// there is none, or ``RunOptions/settle`` does not ask.
  package private(set) var settlesIn: Int64?

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

  /// Starts the processes of sources that only they can list.
  private static func start(
    _ sources: [PlannedSource],
    _ loaded: LoadedManifest,
    _ options: RunOptions
  ) throws {
    if sources.isEmpty { return }
    let preparation = SourcePreparation(
      worker: [],
      nullDevice: try FileSystem.openDevice([UInt8]("/dev/null".utf8)),
      enforcement: options.enforcement ?? loaded.manifest.enforcement,
      maximumFileBytes: Int64(loaded.manifest.limits.bytes),
      isDivided: false
    ) { _, _, _ in
    } isInterrupted: {
      false
    }
    for source in sources { try source.media.start(source, preparation) }
  }

  private mutating func list(
    _ loaded: LoadedManifest,
    _ access: AccessState,
    _ options: RunOptions
  ) throws {
    let planned = try access.plannedSources()
    try Self.start(planned.filter { !$0.media.isFolder }, loaded, options)
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
    var number = 1
    for source in planned {
      let listing =
        try limited[source.kind] ?? SourceListing.orUnavailable(source, guardedDevices: guarded)
      for index in sources.indices where sources[index].isRead(source.kind) {
        sources[index].ignored = listing.ignored
      }
      for warning in listing.warnings {
        problems.append(RunReport.Problem(code: .listing, message: warning))
      }
      let diff = try diff(of: listing, source, loaded, options, catalogue, lost, &number)
      add(diff, listing, of: source, loaded)
      if options.failsOnEarlier, !diff.failedBefore.isEmpty { exitCode = .itemsFailed }
    }
  }

  /// Compares a listing with the catalogue, and leaves out what may still be written.
  private mutating func diff(
    of listing: SourceListing,
    _ source: PlannedSource,
    _ loaded: LoadedManifest,
    _ options: RunOptions,
    _ catalogue: CatalogueReader?,
    _ lost: LostFiles?,
    _ number: inout Int
  ) throws -> SourceDiff {
    var diff = try SourceDiff(
      listing,
      DiffContext(
        of: source.kind,
        catalogue: catalogue,
        writtenUnder: WrittenUnder.text(
          policy: source.policy,
          thumbnails: loaded.manifest.thumbnails
        ),
        failingUnder: options.retriesFailed
          ? nil : FailureConditions.digest(of: source, in: loaded.manifest, listing.items),
        firstNumber: number,
        reprocesses: options.reprocesses,
        lost: lost
      )
    )
    number += diff.pending.count
    if let quiet = options.settle {
      var settling = Settling(quiet: quiet)
      try diff.leaveOutChanging(&settling, of: source) { usleep(UInt32(clamping: $0 / 1000)) }
      settlesIn = [settlesIn, settling.next].compactMap(\.self).min()
    }
    return diff
  }

  /// Adds the items of a source.
  private mutating func add(
    _ diff: SourceDiff,
    _ listing: SourceListing,
    of source: PlannedSource,
    _ loaded: LoadedManifest
  ) {
    let settled: [(ListedPaths, ItemOutcome, ItemReason?)] = [
      (diff.unchanged, .unchanged, nil), (diff.failedBefore, .failedBefore, nil),
      (diff.notFetched, .skipped, .notFetched), (diff.withdrawn, .skipped, .withdrawn),
      (diff.stillChanging, .skipped, .stillChanging),
    ]
    for (paths, outcome, reason) in settled {
      items += paths.map {
        Item(source: source.kind, path: $0, outcome: outcome, reason: reason)
      }
    }
    note(diff.pending)
    let expectations = Expectations(loaded, source, listing.items, diff.pending)
    items += diff.pending.map { one in
      let reason = one.listed.reason
      return Item(
        source: source.kind,
        path: one.listed.path,
        outcome: reason?.outcome,
        reason: reason,
        expected: reason == nil ? expectations.expectation(of: one) : nil
      )
    }
  }

  private mutating func note(_ pending: PendingItems) {
    for (position, one) in pending.enumerated()
    where one.listed.reason == nil && !pending.wasLeftOut(at: position) {
      let status = one.listed.status
      for number in [
        status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.changed),
      ] {
        // FNV-1a, eight bytes at a time; the last bit keeps it from 0.
        pendingDigest = (pendingDigest ^ number) &* 0x100_0000_01B3 | 1
      }
    }
  }
}

/// Derives from names alone how items of one source will end.
private struct Expectations {
  private let loaded: LoadedManifest
  private let source: PlannedSource
  /// The pictures and the videos by what the halves of a live photo share.
  private var halves: [[UInt8]: [ItemPath]] = [:]

  init(
    _ loaded: LoadedManifest,
    _ source: PlannedSource,
    _ listed: ListedItems,
    _ pending: PendingItems
  ) {
    self.loaded = loaded
    self.source = source
    guard source.publishesLivePhotos, !pending.isEmpty else { return }
    let hashes = Set(pending.indices.lazy.map { pending.path(at: $0).pairingHash })
    for index in listed.indices where listed.reason(at: index) == nil {
      let path = listed.path(at: index)
      guard hashes.contains(path.pairingHash), let type = Self.format(of: path)?.mediaType,
        type != .audio
      else { continue }
      halves[path.pairingKey, default: []].append(path)
    }
  }

  private static func format(of path: ItemPath) -> MediaFormat? {
    MediaFormat(fileExtension: path.fileExtension)
  }

  func expectation(of item: PendingItem) -> DryRun.Expectation {
    let path = item.listed.path
    var expected = DryRun.Expectation()
    if item.owner != nil {
      // Whether an undecided one belongs to a file, its content tells.
      if !item.isUndecided { expected.outcome = source.policy.strips ? .skipped : .imported }
      return expected
    }
    // The original names may be in a database, which a plan does not open.
    let isNamed =
      !source.media.describesFiles || loaded.labels[source.kind]?[path] != nil
      || loaded.manifest.labels.neutral
    if isNamed, loaded.knowsLabel(of: path, in: source.kind) {
      expected.label =
        loaded.label(of: path, in: source.kind, number: item.number, creationDate: nil).text
    }
    guard let format = Self.format(of: path) else { return expected }
    expected.mediaType = format.mediaType
    let type = format.mediaType
    expected.counterpart = halves[path.pairingKey]?.first { other in
      Self.format(of: other)?.mediaType == (type == .image ? .video : .image)
    }
    // A video may be half of a live photo, which its name does not tell.
    let mayPair = source.captureMode == .photoAndLivePhoto && type == .video
    if mayPair, expected.counterpart != nil { return expected }
    let isAccepted = source.acceptedMediaTypes.contains(type) && !mayPair
    expected.outcome = isAccepted ? .imported : .skipped
    if isAccepted, let label = expected.label {
      let name = Label(label)
        .fileName(role: ResourceRole(mediaType: type), fileExtension: format.fileExtension)
      expected.destination = "Originals/*/\(name)"
    }
    return expected
  }
}
