internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaPredicate
internal import MediaSandbox
internal import MediaSources
internal import MediaWorkerPool

/// What a run would do, as far as it can be told before media are opened.
package struct DryRun {
  /// The planned outcome of one item.
  package struct Item: Sendable, Hashable {
    /// The item's source.
    package var source: SourceID
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
    /// Imported or skipped, or unchanged for an asset that only gets back what it lacks; nil where neither the
    /// name nor the source tells.
    package var outcome: ItemOutcome?
    /// The reason of an item that is skipped; nil where only reading can tell.
    package var reason: ItemReason?
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

  /// The allowed sources as they were listed, of which each item is made when it is asked for: there may be a million.
  private var listed: [Expectations] = []
  /// Whether access to an item was not taken back behind its listing.
  fileprivate var allows: (ItemPath, SourceID) -> Bool = { _, _ in true }
  /// The sources with their decisions.
  package fileprivate(set) var sources: [RunReport.Source] = []
  /// What a run would report of the listing or stop for.
  package fileprivate(set) var problems: [RunReport.Problem] = []
  /// Advice for each source that is not plainly allowed.
  package fileprivate(set) var advice: [StatusAdvice] = []
  /// The exit code of a run that stops before it opens media.
  package fileprivate(set) var exitCode = RunExitCode.success

  /// The digest of the files that a run would open, but for those that an earlier one has opened and left
  /// out; 0 without any. It is another one when a file is added, goes or changes.
  package private(set) var pendingDigest: UInt64 = 0
  /// The nanoseconds until the first of the files that may still be written can have settled; nil when
  /// there is none, or ``RunOptions/settle`` does not ask.
  package private(set) var settlesIn: Int64?

  /// Calls `body` with each item of the allowed sources, or of one of them.
  package func forEachItem(of source: SourceID? = nil, _ body: (Item) -> Void) {
    for expectations in listed where source == nil || source == expectations.source.id {
      let (id, diff) = (expectations.source.id, expectations.listed.diff)
      let settled: [(ListedPaths, ItemOutcome, ItemReason?)] = [
        (diff.unchanged, .unchanged, nil), (diff.failedBefore, .failedBefore, nil),
        (diff.notFetched, .skipped, .notFetched), (diff.withdrawn, .skipped, .withdrawn),
        (diff.stillChanging, .skipped, .stillChanging),
      ]
      for (paths, outcome, reason) in settled {
        for path in paths where allows(path, id) {
          body(Item(source: id, path: path, outcome: outcome, reason: reason))
        }
      }
      for item in diff.pending where allows(item.listed.path, id) {
        let reason = item.listed.reason
        body(
          Item(
            source: id,
            path: item.listed.path,
            outcome: reason?.outcome,
            reason: reason,
            expected: reason == nil ? expectations.expectation(of: item) : nil
          )
        )
      }
    }
  }

  /// Adds a source.
  fileprivate mutating func add(_ source: ComparedSource, _ loaded: LoadedManifest) {
    settlesIn = [settlesIn, source.settlesIn].compactMap(\.self).min()
    note(source.diff.pending)
    listed.append(Expectations(loaded, source))
  }

  private mutating func note(_ pending: PendingItems) {
    for (position, item) in pending.enumerated()
    where item.listed.reason == nil && !pending.wasLeftOut(at: position) {
      let status = item.listed.status
      for number in [
        status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.changed),
      ] {
        // FNV-1a, eight bytes at a time; the last bit keeps it from 0.
        pendingDigest = (pendingDigest ^ number) &* 0x100_0000_01B3 | 1
      }
    }
  }
}

extension Run {
  /// Lists what the run would import, without the library's lock and without a log: nothing is written, no media
  /// file is opened, and what only open files tell stays open. The sources are listed as a run lists them, by
  /// the same code and behind the same confinement.
  ///
  /// Confines this process for good; call on the main thread, the only one.
  ///
  /// - Returns: The plan, which also describes any error.
  package func dryRun() -> DryRun {
    var plan = DryRun()
    do {
      if let stop = basis.stop { throw stop }
      try list(into: &plan)
    } catch {
      let failure = RunError(wrapping: error)
      account.problems.append(failure.problem)
      plan.exitCode = failure.exitCode
    }
    plan.sources = account.sources(of: basis.access)
    plan.problems = account.problems
    plan.advice = advice
    return plan
  }

  private func list(into plan: inout DryRun) throws {
    let (log, program) = (AccessLog(nil), try WorkerProgram.ofRun())
    // Without the signals of a run, the first one ends this process.
    let started = try ConfinedSources.start(of: basis, log, program: program, staging: nil) { false }
    let library = try comparedLibrary(for: started)
    let sources = try ConfinedSources(
      confining: started,
      of: basis,
      by: CoordinatorConfinement(sources: started, library: nil, worker: program.path),
      log,
      account
    )
    try sources.list(comparedWith: library, pause: Self.pause) { listed in
      account.note(listed, basis)
      plan.add(listed, basis.loaded)
      let options = basis.options
      if options.failsOnEarlier && !listed.diff.failedBefore.isEmpty
        || options.failsOnUnsupported && listed.diff.pending.hasUnsupported
      {
        plan.exitCode = .itemsFailed
      }
    }
    // Access to a source may have been taken back behind its listing.
    try sources.watch.checkForRevocation()
    plan.allows = { [watch = sources.watch] in watch.allows($0, of: $1) }
    if account.noteRevoked(basis.access) { plan.exitCode = .sourceRefused }
  }

  /// Reads what there is of the library, before confinement.
  ///
  /// - Throws: `LibraryError` `.unknownSchema` for a catalogue of another version: a run would stop there too.
  private func comparedLibrary(for sources: [PlannedSource]) throws -> ComparedLibrary {
    var library = ComparedLibrary()
    let catalogue: CatalogueReader
    do throws(LibraryError) {
      catalogue = try CatalogueReader(library: basis.loaded.output)
    } catch {
      guard error.code != .unknownSchema else { throw error }
      return library
    }
    if let conflict = basis.loaded.nameConflict(with: try catalogue.sources()) { throw conflict }
    library.catalogue = catalogue
    // A first read opens all files of the catalogue before confinement.
    _ = try catalogue.auditPositions()
    if let root = try? FileSystem.openFolder(basis.loaded.output) {
      library.lost = try LostFiles(root: root, catalogue: catalogue, limit: basis.options.lostLimit)
    }
    if sources.contains(where: \.hasAlbums) {
      library.digestKey = try Library.identity(at: basis.loaded.output)?.key
    }
    return library
  }

  /// Waits for so many nanoseconds; calls `look` twenty times a second meanwhile.
  private static func pause(
    _ nanoseconds: Int64,
    _ look: () throws(RunError) -> Void
  ) throws(RunError) {
    let end = MonotonicClock.now + nanoseconds
    while MonotonicClock.now < end {
      usleep(50_000)
      try look()
    }
  }
}

/// Derives how items of one source will end from their names, and from what the source says of them.
private struct Expectations {
  private let loaded: LoadedManifest
  let listed: ComparedSource
  /// The pictures and the videos: half of the hash of what the halves of a live photo share, above the index in the
  /// listing; in order.
  private var halves: [UInt64] = []

  var source: PlannedSource { listed.source }

  init(_ loaded: LoadedManifest, _ listed: ComparedSource) {
    self.loaded = loaded
    self.listed = listed
    let items = listed.listing.items
    guard source.publishesLivePhotos || mayRefuseLivePhotos, !listed.diff.pending.isEmpty else { return }
    for index in items.indices where items.reason(at: index) == nil {
      let path = items.path(at: index)
      guard let type = Self.format(of: path)?.mediaType, type != .audio else { continue }
      halves.append(Self.beginning(of: path) | UInt64(index))
    }
    halves.sort()
  }

  /// The upper half of an entry of ``halves``.
  private static func beginning(of path: ItemPath) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: path.pairingHash)) << 32
  }

  /// The first item that may be the other half of a live photo.
  private func counterpart(of path: ItemPath, _ type: MediaType) -> ItemPath? {
    let beginning = Self.beginning(of: path)
    var range = halves.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        halves[middle] < beginning ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    let items = listed.listing.items
    for half in halves[range.lowerBound...] {
      guard half >> 32 == beginning >> 32 else { return nil }
      let other = items.path(at: Int(half & 0xFFFF_FFFF))
      if other.pairingKey == path.pairingKey,
        Self.format(of: other)?.mediaType == (type == .image ? .video : .image)
      {
        return other
      }
    }
    return nil
  }

  /// Whether a still is refused with its movie, for the sound of that.
  private var mayRefuseLivePhotos: Bool {
    source.captureMode?.needsSound == true && source.audioRefusal == .refuse
  }

  private static func format(of path: ItemPath) -> MediaFormat? {
    // The movie of a motion photo may have a name without a movie's extension.
    MediaFormat(fileExtension: path.fileExtension)
      ?? (MotionPhotoName.stem(of: path.name) == nil ? nil : MediaFormat.mp4)
  }

  /// Whether only open files tell which new items are fetched. A source that describes its files has said by its
  /// listing which are hidden.
  private var fetchesByContent: Bool {
    let fetch = source.fetch
    return listed.isLimitedByContent || fetch.contentPredicate != nil
      || !fetch.includesAllBurstAssets
      || !fetch.includesHiddenAssets && !source.media.describesFiles
  }

  private func label(of path: ItemPath, number: Int) -> String {
    loaded.label(
      of: path,
      in: source.id,
      number: number,
      creationDate: nil,
      originalName: source.media.knowledge(of: path)?.originalName
    ).text
  }

  private func expectation(ofSidecar path: ItemPath, of owner: ItemPath) -> DryRun.Expectation {
    let format = SidecarName(path)?.format ?? source.media.sidecarFormat
    let type = Self.format(of: owner)?.mediaType
    var expected = DryRun.Expectation()
    expected.outcome = .skipped
    if format?.isPublished == false {
      // What belongs to no file may describe one that nobody has.
      expected.reason = owner == path ? nil : .sidecarRead
    } else if let type, !source.acceptedMediaTypes.contains(type) {
      expected.reason = .sidecarUnused
    } else if source.policy.strips {
      expected.reason = .sidecar
    } else {
      expected.outcome = .imported
    }
    return expected
  }

  func expectation(of item: PendingItem) -> DryRun.Expectation {
    let path = item.listed.path
    var expected = DryRun.Expectation()
    if let owner = item.owner {
      // Whether an undecided one belongs to a file, its content tells.
      return item.isUndecided ? expected : expectation(ofSidecar: path, of: owner)
    }
    if loaded.knowsLabel(of: path, in: source.id) {
      expected.label = label(of: path, number: item.number)
    }
    guard let format = Self.format(of: path) else { return expected }
    expected.mediaType = format.mediaType
    let type = format.mediaType
    expected.counterpart = counterpart(of: path, type)
    // The movie of a live photo gets the label of its still.
    if type == .video, let still = expected.counterpart,
      expected.label != label(of: still, number: item.number + 1)
    {
      expected.label = nil
    }
    if !item.isNew, !item.isRewritten {
      expected.outcome = .unchanged
      return expected
    }
    if fetchesByContent, item.isNew { return expected }
    // A video may be half of a live photo, which its name does not tell.
    let mayPair = source.captureMode == .photoAndLivePhoto && type == .video
    if mayPair || mayRefuseLivePhotos && type == .image, expected.counterpart != nil { return expected }
    let isAccepted = source.acceptedMediaTypes.contains(type) && !mayPair
    expected.outcome = isAccepted ? .imported : .skipped
    if !isAccepted {
      let isRefused = source.captureMode == .photoAndVideo && type == .video
      expected.reason = isRefused ? .microphoneRefused : .mediaTypeExcluded
    }
    if isAccepted, let label = expected.label {
      let name = Label(label)
        .fileName(role: ResourceRole(mediaType: type), fileExtension: format.fileExtension)
      expected.destination = "Originals/*/\(name)"
    }
    return expected
  }
}
