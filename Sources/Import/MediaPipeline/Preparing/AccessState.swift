internal import Glibc
internal import MediaAudit
internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSandbox
internal import MediaSources

/// The decisions about a manifest's sources, made before any of them is opened.
package struct AccessState {
  /// The decision about each source.
  package private(set) var permissions: PermissionPlan.Result
  /// The facts that the decisions depend on.
  package private(set) var context: PermissionContext
  /// Nil when the store of answers cannot be trusted.
  let answers: StoredAnswers?
  let loaded: LoadedManifest
  /// The sources of which this run itself has shown names on a page: the log has a record of that already.
  var shownSources: Set<SourceID> = []
  /// The reason that nothing can be decided: the store of answers cannot be trusted.
  let failure: RunError?

  /// Decides about each source. Only device and inode of the sources' folders are read, to tell
  /// which exist and which folder an answer is bound to.
  ///
  /// - Parameters:
  ///   - loaded: The client and what it asks for.
  ///   - canPrompt: Whether there is a person at a terminal.
  package init(_ loaded: LoadedManifest, canPrompt: Bool = false) {
    self.loaded = loaded
    var context = PermissionContext(now: Int64(time(nil)))
    context.folders = Self.folders(loaded)
    context.manifestPath = loaded.resolvedPath
    context.policies = loaded.policies.policies
    context.canPrompt = canPrompt
    context.languages = LanguageRange.environment { name in getenv(name).map { String(cString: $0) } }
    var failure: RunError?
    var answers: StoredAnswers?
    do {
      let store = try StoredAnswers(client: loaded.manifest.client.identifier, folders: context.folders)
      context.stored = try store.all()
      answers = store
    } catch {
      failure = error
    }
    self.context = context
    self.answers = answers
    self.failure = failure
    permissions = Self.permissions(loaded, context)
  }

  /// Decides again with a changed context. The folders are not checked again: one that has
  /// disappeared is not access that a person took back.
  mutating func reconsider(_ change: (inout PermissionContext) -> Void) {
    change(&context)
    permissions = Self.permissions(loaded, context)
  }

  /// Does the same as ``reconsider(_:)`` with the answers that are stored now, at the present time: an
  /// answer from after `now` would not count.
  ///
  /// - Throws: `RunError` when they cannot be read: a denial may be among them.
  mutating func readAnswers(
    _ change: (inout PermissionContext) -> Void = { _ in }
  ) throws(RunError) {
    let stored = try answers?.all() ?? []
    reconsider { context in
      context.stored = stored
      context.now = Int64(time(nil))
      change(&context)
    }
  }

  private static func permissions(
    _ loaded: LoadedManifest,
    _ context: PermissionContext
  ) -> PermissionPlan.Result {
    PermissionPlan.decide(manifest: loaded.manifest, context: context) { source in
      context.folders[source] == nil ? .unavailable : .available
    }
  }

  private static func folders(_ loaded: LoadedManifest) -> [SourceID: FolderIdentity] {
    var folders: [SourceID: FolderIdentity] = [:]
    for source in loaded.manifest.sources.keys {
      folders[source] = loaded.address(of: source)?.identity
    }
    return folders
  }

  /// One sentence and one command for each status that is not plainly allowed.
  package var advice: [StatusAdvice] {
    failure != nil
      ? []
      : permissions.all.filter(\.isNeeded)
        .compactMap { StatusAdvice(for: $0, manifestPath: loaded.path, policies: loaded.policies) }
  }

  /// The sources as a summary lists them.
  package var reported: [RunReport.Source] {
    // Without the stored answers there is no decision to report.
    failure != nil ? [] : permissions.all.map { RunReport.Source(told($0)) }
  }

  /// The log's records of these decisions, each with that of the names which were shown for its answer.
  var records: [AuditRecord] {
    permissions.all.flatMap { source in
      let decision = AuditRecord(told(source))
      guard source.level == .readWrite, source.decidedBy == .storedAnswer,
        let answer = source.answer, answer.shownCount > 0, !shownSources.contains(source.source)
      else { return [decision] }
      var shown = AuditCount(.shown, of: source.source, answer.shownCount)
      shown.answeredAt = StoredAnswer.timestamp(answer.decidedAt)
      return [decision, AuditRecord(shown)]
    }
  }

  /// The decision about a source as log and summary tell it.
  private func told(_ source: DecidedSource) -> SourceDecision {
    let key = UsageDescriptionKey(source: source.source.kind, level: source.level)
    var decision = SourceDecision()
    let texts = loaded.manifest.usageDescriptions[key]?.texts ?? []
    // In the language that a person was shown, where one has answered; no other text depends on who runs it.
    let answered = source.decidedBy == .storedAnswer ? source.answer?.binding.shownText : nil
    if let text = answered.map({ texts.text(after: $0) }) ?? texts.first {
      decision.usageTextSHA256 = Hexadecimal.text(SHA256.hash(Array(text.words.utf8)))
      (decision.usageText, decision.usageTextLanguage) = (text.words, text.language)
    }
    decision.source = source.source
    decision.authorizationStatus = source.status
    decision.accessLevel = source.level
    decision.verdict = source.decision.verdict
    decision.reason = source.decision.reason
    decision.row = source.decision.row
    decision.decidedBy = source.decidedBy?.rawValue
    decision.basis = source.basis?.rawValue
    // A person's answer rests on it too: nobody is asked about a manifest without the signature that it needs.
    if decision.verdict == .allow || source.decidedBy == .manifest { decision.signature = loaded.signature }
    decision.availability = source.availability
    decision.usageKey = key.rawValue
    decision.required = source.isRequired
    return decision
  }

  /// Opens the folder of each allowed source with O_PATH, resolving its symbolic links once.
  func plannedSources() throws(RunError) -> [PlannedSource] {
    var planned: [PlannedSource] = []
    let table = MountTable()
    for source in permissions.sources where source.isRead {
      guard let declaration = loaded.manifest.sources[source.source],
        let path = declaration.path
      else { continue }
      let identity = context.folders[source.source]
      let others =
        loaded.manifest.sources.keys.filter { $0 != source.source }.compactMap { loaded.path(of: $0) }
        + [loaded.output]
      guard let address = loaded.address(of: source.source) else { continue }
      let (root, media) = try address.open(
        as: identity,
        of: source.source,
        others: others,
        selection: source.selection
      )
      let isCamera = source.source.kind == .camera
      planned.append(
        PlannedSource(
          id: source.source,
          media: media,
          path: path,
          resolvedPath: identity?.path ?? [],
          root: root,
          basis: source.decision.reason,
          policy: loaded.manifest.metadataPolicy(of: source.source),
          selection: source.selection.map { Selection($0) },
          captureMode: isCamera ? declaration.captureMode : nil,
          mediaTypes: source.source.kind == .microphone
            ? [.audio] : declaration.mediaTypes ?? Set(MediaType.allCases),
          fetch: loaded.manifest.fetchOptions(of: source.source),
          crossMounts: declaration.crossMounts,
          boundary: SourceBoundary(others: others, table: table),
          allowsHardLinks: declaration.hardLinks == .allow,
          ignored: IgnoreRules(declaration.ignore, usesDefaults: declaration.ignoresDefaults),
          audioRefusal: isCamera && permissions.isAudioRefused
            ? loaded.manifest.onMicrophoneRefused : nil,
          readsSidecars: loaded.wantsDescription(under: loaded.manifest.metadataPolicy(of: source.source)),
          storesAlbums: loaded.manifest.storesAlbums(of: source.source)
        )
      )
    }
    return planned
  }

  /// The sources that are not allowed whole: denied, limited, or not decided.
  var closedSources: [SourceID] {
    permissions.sources.filter { !$0.isRead || $0.selection != nil }.map(\.source)
  }

  /// The folders in which no location data is read: those of the sources that are not allowed whole, and the library.
  var foldersWithoutTracks: [[UInt8]] {
    loaded.closed(self).folders.map(\.path) + [loaded.output]
  }

  /// The error of tracks, or names of places, that lie in one of ``foldersWithoutTracks``; nil when there is none,
  /// and while a person has to be asked.
  var misplacedTracks: RunError? {
    guard permissions.questions.isEmpty else { return nil }
    let readSources = permissions.sources.filter(\.isRead)
    var folders = readSources.flatMap { loaded.manifest.sources[$0.source]?.tracks ?? [] }
      .compactMap(\.folderOfFiles)
      .map { folder -> (path: [UInt8], data: LocationData) in
        (folder.isEmpty ? loaded.folder : loaded.folder + [UInt8.slash] + folder, .tracks)
      }
    if let path = loaded.placeData, !readSources.isEmpty {
      let folder = Array(ItemPath(bytes: path).folder)
      folders.append((folder.isEmpty ? [UInt8.slash] : folder, .placeNames))
    }
    if folders.isEmpty { return nil }
    // A bind mount shows a folder under another path.
    let table = MountTable()
    let refused = foldersWithoutTracks.map { ($0, table.location(ofPath: $0)) }
    for (path, data) in folders {
      let location = table.location(ofPath: path)
      let isRefused = refused.contains { other, otherLocation in
        if SourcesOverlap.isWithin(path, folder: other) { return true }
        guard let location, let otherLocation else { return false }
        return location.isWithin(otherLocation)
      }
      if isRefused { return OpenedRoot.misplaced(data, in: path) }
    }
    return nil
  }

  /// The patterns of tracks that match no file's name, of the sources that a run reads. No file is opened.
  package var unmatchedTracks: [UnmatchedRule] {
    permissions.sources.filter(\.isRead).flatMap { source in
      let patterns = loaded.manifest.sources[source.source]?.tracks ?? []
      let files = try? TrackFiles(patterns, relativeTo: loaded.folder, refused: foldersWithoutTracks)
      return (files?.unmatched ?? []).map { UnmatchedRule(.tracks, of: source.source, $0.text) }
    }
  }

  /// Opens the photo library as a place that is added to, and makes the folder in which its files are
  /// written; nil when nothing is to be added, or may be.
  ///
  /// - Throws: `RunError`, 66 when the folder is missing or another one than was decided about, 74 when
  ///   nothing can be written there.
  func photoLibraryFolder(of library: Library) throws(RunError) -> PhotoLibraryFolder? {
    guard let adding = permissions.adding, adding.mayProceed,
      let path = loaded.path(of: adding.source)
    else { return nil }
    let identity = context.folders[adding.source]
    let root = try OpenedRoot.open(path, as: identity, of: adding.source)
    do {
      return try PhotoLibraryFolder(
        root: root,
        path: identity?.path ?? path,
        library: try library.catalogue.identifier()
      )
    } catch let error as FileSystemError {
      throw RunError(
        .cannotWrite,
        "Not run: nothing can be added to the photo library (\(error)). Let this user write there, on a "
          + "file system like ext4, xfs or btrfs; or leave out "
          + "\"savesCapturedPhotosToPhotoLibrary\"."
      )
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Whether this manifest adds to the photo library at a path, and a person or a policy refuses it.
  func refusesAdding(to path: [UInt8]) -> Bool {
    guard let adding = permissions.adding, adding.decision.outcome == .refuse else { return false }
    return context.folders[adding.source]?.path == path
  }

  /// Names the refused sources that lie below a folder which every worker may read for its
  /// libraries, so that the kernel does not refuse them; empty for none.
  var guardedByProcessAlone: String {
    let readable = WorkerConfinement.systemRules.map { FileSystem.resolved($0.path) ?? $0.path }
    let names = permissions.sources.filter { source in
      guard !source.isRead, let path = context.folders[source.source]?.path else { return false }
      return readable.contains { path.starts(with: $0 + [UInt8.slash]) || path == $0 }
    }
    .map(\.source.displayName)
    return names.isEmpty
      ? "" : "; by the program's own checks alone, since workers read there: \(names.joined(separator: ", "))"
  }

  /// Devices that hold a refused or limited source: an allowed folder could contain a hard link to
  /// a file there.
  var guardedDevices: Set<UInt64> {
    Set(
      permissions.sources.filter { !$0.isRead || $0.selection != nil }
        .compactMap { context.folders[$0.source]?.device }
    )
  }
}
