internal import MediaAudit
internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
package import MediaModel
package import MediaPipeline

/// Makes a plan: decides as a run does, lists the sources, and divides their items.
///
/// What opens or lists a source is a confined process of its own, which writes the lists; the plan's own file comes
/// last, so that a folder without it is no plan.
package struct Planning {
  /// The name of the plan, in the folder of the lists, until it has its place.
  private static let draftName = "plan.json"

  private let folder: PlanFolder
  private let shards: Int

  package init(_ folder: PlanFolder, shards: Int) {
    self.folder = folder
    self.shards = shards
  }

  /// Makes the folders of a plan where nothing or an empty folder is, or what a planning has left that did not come
  /// to its end: then the log of that goes on.
  ///
  /// - Parameter path: The folder; those above it are there.
  /// - Returns: The folder, open.
  /// - Throws: ``ShardingError``, 74, or 73 for a folder that has something in it.
  package static func makeFolder(at path: [UInt8]) throws(ShardingError) -> PlanFolder {
    do {
      var trimmed = path[...]
      while trimmed.count > 1, trimmed.last == .slash { trimmed.removeLast() }
      let split = trimmed.lastIndex(of: UInt8.slash)
      let parent = split.map { $0 == 0 ? [UInt8.slash] : Array(trimmed[..<$0]) } ?? [UInt8.dot]
      let name = Array(split.map { trimmed[($0 + 1)...] } ?? trimmed)
      let isNew = try FileSystem.makeFolder(in: FileSystem.openFolder(parent), name, mode: 0o700)
      let folder = PlanFolder(path: path)
      let root = try FileSystem.openFolder(folder.path)
      guard try isNew || isUnfinished(root, folder) else {
        throw ShardingError(
          .cannotWrite,
          "\"\(folder.shown)\" is not empty. A plan is made once: name another folder, or remove this one."
        )
      }
      for name in [PlanFolder.itemsName, PlanFolder.shardsName, PlanFolder.receiptsName] {
        try FileSystem.makeFolder(in: root, Array(name.utf8), mode: 0o700)
      }
      return folder
    } catch let error as ShardingError {
      throw error
    } catch {
      let shown = EscapedText.percentEscaped(path)
      throw ShardingError(
        .cannotWrite,
        "\"\(shown)\" cannot be made: \(error.reason(besides: shown)). Name a folder where this user may write."
      )
    }
  }

  /// Whether a folder has nothing in it but what a planning has begun.
  private static func isUnfinished(
    _ root: Descriptor,
    _ folder: PlanFolder
  ) throws(FileSystemError) -> Bool {
    let ours = [
      PlanFolder.itemsName, PlanFolder.logName, PlanFolder.shardsName, PlanFolder.receiptsName,
    ].map { Array($0.utf8) }
    // The plan before it had its name.
    let draft = Array(".\(PlanFolder.planName).".utf8)
    let entries = try FileSystem.entries(of: root)
    let drafts = entries.filter { $0.name.starts(with: draft) }
    guard entries.allSatisfy({ ours.contains($0.name) || $0.name.starts(with: draft) }) else {
      return false
    }
    for draft in drafts { try FileSystem.removeFile(in: root, draft.name) }
    let items = folder.items
    if FileSystem.exists(items) { try FileSystem.empty(FileSystem.openFolder(items)) }
    return true
  }

  /// Lists and divides. It confines this process for good; call it on the main thread, the only one.
  ///
  /// - Parameters:
  ///   - loaded: The manifest.
  ///   - options: Those of a run.
  ///   - policies: The policies for consent that were given with the command, for the report.
  ///   - groupsByContent: Whether every file is opened, so that live photos are whole in one shard.
  /// - Returns: The report of the listing; with success, the lists are written.
  /// - Throws: ``ShardingError``, `RunError`, `LibraryError`.
  package func list(
    _ loaded: LoadedManifest,
    _ options: RunOptions,
    policies: [[UInt8]],
    groupsByContent: Bool
  ) throws -> RunReport {
    let identity = try Library.identity(at: folder.log) ?? Library.makeIdentity()
    try Library.prepare(at: folder.log, identifier: identity.identifier, key: identity.key)
    let items = try FileSystem.openFolder(folder.items)
    var planned = loaded
    planned.output = folder.log
    var plan = Plan(
      manifestSHA256: loaded.sha256,
      labelsSHA256: loaded.labelsSHA256,
      infoPlistSHA256: loaded.infoPlistSHA256,
      policySHA256s: loaded.policySHA256s,
      formatVersion: BuildInfo.formatVersion,
      decisionSHA256: "",
      shards: [],
      library: identity.identifier,
      digestKey: identity.key,
      firstRun: UInt32.random(in: .min ... .max),
      manifest: loaded.resolvedPath,
      policies: policies.map { FileSystem.resolved($0) ?? $0 },
      tool: BuildInfo.version
    )
    var options = options
    options.identifier = plan.run(shard: 0, attempt: 0)
    options.planFolder = items
    let run = Run(planned, options: options)
    try Self.check(run)
    return run.plan(groupsByContent: groupsByContent) { sources in
      plan.decisionSHA256 = Plan.digest(of: run)
      var digests: [SourceItem: ExpectedDigest] = [:]
      for (source, listing) in options.listings {
        for item in listing {
          guard let digest = item.digest else { continue }
          digests[SourceItem(source: source, path: item.path)] = digest
        }
      }
      plan.shards = try PlanItems.write(
        sources,
        shards: shards,
        hasTimes: { options.listings[$0] == nil },
        in: items
      ) { digests[SourceItem(source: $0, path: $1)] }
      let file = try FileSystem.createFile(in: items, Array(Self.draftName.utf8), mode: 0o600)
      try file.write(plan.serialized)
      try FileSystem.flush(fileSystemOf: items)
    }
  }

  /// Refuses a run that cannot be divided among shards.
  private static func check(_ run: Run) throws(ShardingError) {
    if run.restsOnOneRun {
      throw ShardingError(
        .undecided,
        "Not planned: a source is allowed for one run only, and a plan has many. Allow it for good with "
          + "`mediabatch access grant`."
      )
    }
    if run.readsCamera {
      throw ShardingError(
        .manifestMistake,
        "Not planned: shards cannot share a camera (\"kind\": \"ptp\"). Import it with `mediabatch run`, or "
          + "copy its files to a folder."
      )
    }
    if run.addsToPhotoLibrary {
      throw ShardingError(
        .manifestMistake,
        "Not planned: shards do not add files to a photo library. Leave out "
          + "\"savesCapturedPhotosToPhotoLibrary\"."
      )
    }
  }

  /// Gives the plan its place, when the process that lists has ended well.
  ///
  /// - Returns: The plan.
  /// - Throws: ``ShardingError``.
  package func finish() throws(ShardingError) -> Plan {
    do {
      let items = try FileSystem.openFolder(folder.items)
      let draft = Array(Self.draftName.utf8)
      let bytes = try folder.read("\(PlanFolder.itemsName)/\(Self.draftName)", limit: .max)
      let audit = try FileSystem.openFolder(folder.log + Array("/Audit".utf8))
      let end = try withExtendedLifetime(audit) {
        try AuditFolder(descriptor: audit.raw).positions().last
      }
      guard var plan = bytes.flatMap({ Plan($0) }), let end, let tree = end.tree else {
        throw ShardingError(.internalCheck, "The plan's list of items is missing. Plan again.")
      }
      (plan.log, plan.logHead) = (tree.head, end.head)
      guard try folder.write(plan.serialized, to: PlanFolder.planName, mode: 0o600) else {
        throw ShardingError(.cannotWrite, "Another plan was made in \"\(folder.shown)\" meanwhile.")
      }
      try FileSystem.removeFile(in: items, draft)
      try FileSystem.flush(fileSystemOf: items)
    } catch let error as ShardingError {
      throw error
    } catch {
      throw ShardingError(
        .cannotWrite,
        "The plan cannot be written: \(error). Plan again in another folder."
      )
    }
    return try folder.plan()
  }
}
