package import MediaAudit
package import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
package import MediaModel
package import MediaPipeline
internal import MediaSandbox
internal import MediaSyntax

/// Makes one library of the shards of a plan, as one run would have made it.
///
/// It grows beside its place and gets its name in one step. Items that no shard could import as one run would, such as
/// the halves of a live photo in two shards, are left to a run behind it, which reads their sources.
package struct ShardMerge {
  package let folder: PlanFolder
  package let plan: Plan
  package let receipts: [Receipt]

  /// Reads the receipts of all shards.
  ///
  /// - Throws: ``ShardingError``, 65 when some are missing, which are named as array jobs take them.
  package init(_ folder: PlanFolder) throws(ShardingError) {
    self.folder = folder
    plan = try folder.plan()
    var receipts: [Receipt] = []
    var missing: [Int] = []
    for shard in 1...plan.shards.count {
      if let receipt = try folder.receipt(of: shard, plan) {
        receipts.append(receipt)
      } else {
        missing.append(shard)
      }
    }
    self.receipts = receipts
    guard missing.isEmpty else { throw Self.missing(missing, in: folder) }
  }

  /// The exit code of the whole: 3 when an item of any shard failed.
  package var exitCode: RunExitCode {
    receipts.contains { $0.exitCode == .itemsFailed } ? .itemsFailed : .success
  }

  /// The result of a merge.
  package struct Result: Sendable, Hashable {
    package var assets = 0
    package var linked = 0
    package var copied = 0
    /// The assets that were not taken over, because another shard's asset has the same content.
    package var duplicates = 0
    /// The assets whose folders have other names, because two were saved in one microsecond.
    package var moved = 0
    /// The items that a run behind the merge has to import.
    package var left = 0
    /// The end of the log.
    package var head = ""
    package var tree = AuditTreeHead(size: 0, root: "")

    package init() {}

    /// As one line of JSON.
    package var serialized: [UInt8] {
      JSONValue.object([
        "assets": JSONValue(assets), "linked": JSONValue(linked), "copied": JSONValue(copied),
        "duplicates": JSONValue(duplicates), "moved": JSONValue(moved), "left": JSONValue(left),
        "head": .string(head), "size": JSONValue(tree.size), "root": .string(tree.root),
      ]).serialized
    }

    /// The result that ``serialized`` wrote; nil for other bytes.
    package init?(_ bytes: [UInt8]) {
      guard let members = CanonicalJSON.members(of: bytes),
        let assets = members["assets"]?.number, let linked = members["linked"]?.number,
        let copied = members["copied"]?.number, let duplicates = members["duplicates"]?.number,
        let moved = members["moved"]?.number, let left = members["left"]?.number,
        let head = members["head"]?.text, let size = members["size"]?.number,
        let root = members["root"]?.text
      else { return nil }
      (self.assets, self.linked, self.copied) = (assets, linked, copied)
      (self.duplicates, self.moved, self.left) = (duplicates, moved, left)
      self.head = head
      tree = AuditTreeHead(size: size, root: root)
    }
  }

  // MARK: Assembling

  /// Makes the library in an empty folder.
  ///
  /// - Parameters:
  ///   - path: The folder in which it grows, absolute.
  ///   - method: How the files of the shards get into it.
  ///   - joins: Whether items are left to a run that imports them together; else each stays as its shard has it.
  ///   - signer: Signs the head of the log; nil when it is not signed.
  ///   - enforcement: Whether the kernel confines this process, for good.
  ///   - leftItems: The file for the items that a run has to import.
  /// - Returns: What was taken over, and what is left.
  /// - Throws: ``ShardingError`` when a shard is not what its receipt says; `RunError`, `LibraryError`.
  package func assemble(
    into path: [UInt8],
    method: MergedFiles.Method,
    joins: Bool,
    signer: AuditSigner?,
    enforcement: Enforcement,
    leftItems: Descriptor
  ) throws -> Result {
    try Library.prepare(at: path, identifier: plan.library, key: plan.digestKey)
    let library = try Library(path: path, waits: false, holder: Host.holder)
    if receipts.contains(where: { hasPrivateFacts($0) }) { try library.openPrivateFacts() }
    // A file has its second name on the file system of its first.
    let device = try FileSystem.openFolder(folder.path).status().device
    let isNear = try library.root.status().device == device
    let method = method == .hardlink && !isNear ? .reflink : method
    if enforcement == .kernel { try confine(library, links: method == .hardlink) }
    let logs = try takeLogs(into: library)
    let filled = Swift.Result {
      try enterRuns(of: library)
      return try fill(library, logs, method, joins: joins, signer, enforcement, leftItems)
    }
    // It comes before what has failed meanwhile, which may be what such a log tells of.
    try confirmLog(of: library, logs, isWhole: (try? filled.get()) != nil)
    let result = try filled.get()
    library.catalogue.close()
    library.privateFacts?.close()
    try FileSystem.flush(fileSystemOf: library.root)
    return result
  }

  /// Takes over what the shards have published, and ends the log.
  private func fill(
    _ library: Library,
    _ logs: [AuditMerge],
    _ method: MergedFiles.Method,
    joins: Bool,
    _ signer: AuditSigner?,
    _ enforcement: Enforcement,
    _ leftItems: Descriptor
  ) throws -> Result {
    let run = plan.run(shard: 0, attempt: 1)
    let log = try RunLog.begin(
      run,
      in: library,
      opening: .ofCommand("merge", enforcement: enforcement),
      signer: signer,
      mayLag: true
    )
    for mergedLog in logs { log.writer.append(mergedLog) }
    let left = joins ? try splitHalves() : LeftToRun()
    let merge = LibraryMerge(into: library, method: method, leavesParts: joins)
    var result = Result()
    for receipt in receipts {
      try add(receipt, to: merge, leaving: left) { placement in
        if case .folder = placement.place { result.moved += 1 }
        log.writer.append(placement)
      }
      try log.writer.flush()
    }
    _ = try library.catalogue.updateStacks(run: nil)
    try write(merge.leftItems, to: leftItems)
    let ending: RunExitCode = joins ? exitCode : .itemsFailed
    _ = try log.end(exitCode: ending, in: library)
    result.assets = try library.catalogue.counts().assets
    (result.linked, result.copied) = (merge.linked, merge.copied)
    (result.duplicates, result.left) = (merge.duplicates, merge.leftItems.count)
    (result.head, result.tree) = (log.writer.head, log.writer.treeHead)
    return result
  }

  func path(of receipt: Receipt) -> [UInt8] {
    folder.library(of: receipt.shard, attempt: receipt.attempt)
  }

  func hasPrivateFacts(_ receipt: Receipt) -> Bool {
    FileSystem.exists(path(of: receipt) + Array("/private.sqlite".utf8))
  }

  /// Restricts this process to reading the plan and making the library.
  private func confine(_ library: Library, links: Bool) throws {
    let layer = try LandlockLayer()
    let planFolder = try FileSystem.openFolder(folder.path)
    try withExtendedLifetime(planFolder) {
      try layer.allow(
        LandlockRights.readAndList.union(links ? .refer : []),
        descriptor: planFolder.raw,
        subject: "the plan"
      )
    }
    let making: LandlockRights = [
      .readFile, .listFolder, .makeFile, .makeFolder, .refer,
    ]
    try layer.allow(making, descriptor: library.root.raw, subject: "the library")
    if !links {
      for folder in [library.originals, library.thumbnails] {
        try layer.allow([.writeFile], descriptor: folder.raw, subject: "the library")
      }
    }
    try layer.allow([.writeFile], descriptor: library.audit.raw, subject: "Audit")
    try CoordinatorConfinement.allowLogAndCatalogue(of: library, in: layer)
    try layer.enforce()
  }

  private func add(
    _ receipt: Receipt,
    to merge: LibraryMerge,
    leaving left: LeftToRun,
    _ note: (AuditPlacement) -> Void
  ) throws {
    let path = path(of: receipt)
    let reader = try CatalogueReader(library: path)
    let snapshot = try reader.snapshot()
    guard snapshot.content == receipt.catalogue, snapshot.identifier == plan.library,
      try Receipt.files(of: reader) == (receipt.files, receipt.filesSHA256)
    else { throw differs(receipt.shard, "is not as its receipt says") }
    // Their rows get new digests, which would make damage good.
    if let damage = try reader.privateFactDamage().first {
      throw differs(receipt.shard, "has damaged private facts (\(damage))")
    }
    let root = try FileSystem.openFolder(path)
    do {
      try merge.add(reader, at: path, in: root, leaving: left) { asset, place in
        note(AuditPlacement(asset: asset, place: AuditPlacement.Place(place)))
      }
    } catch let error as LibraryError where error.code == .inconsistent {
      let how = "was changed since its run: \(error.description)"
      throw LibraryError(.inconsistent, Self.message(receipt.shard, how))
    }
  }

  func differs(_ shard: Int, _ how: String) -> ShardingError {
    ShardingError(
      .differencesFound,
      shard == 0
        ? "The plan in \"\(folder.shown)\" \(how). Plan again." : Self.message(shard, how)
    )
  }

  private static func message(_ shard: Int, _ how: String) -> String {
    "The library of shard \(shard) \(how). Remove \(PlanFolder.receipt(of: shard)) and run the shard again."
  }

  // MARK: Live photos in two shards

  /// Finds the live photos of which the movie and the still are in two shards: both are left to a run, with all that
  /// has their content identifier, so that it pairs them as one run would.
  private func splitHalves() throws -> LeftToRun {
    var left = LeftToRun()
    let lone = receipts.flatMap(\.loneHalves)
    for (source, halves) in Dictionary(grouping: lone, by: \.source) {
      let digests = Set(halves.map(\.digest))
      var split: Set<[UInt8]> = []
      for receipt in receipts {
        let reader = try CatalogueReader(library: path(of: receipt))
        split.formUnion(try reader.digestsOfStills(among: digests, of: source))
      }
      left.contentDigests.formUnion(split)
      for half in halves where split.contains(half.digest) {
        for item in [half.movie] + half.sidecars {
          left.items.insert(SourceItem(source: source, path: item.path))
        }
      }
    }
    return left
  }

  /// Writes the items that a run has to import, in the form of a shard's.
  private func write(_ left: Set<SourceItem>, to file: Descriptor) throws {
    if left.isEmpty { return }
    var numbers: [SourceItem: Int] = [:]
    for shard in 1...plan.shards.count where numbers.count < left.count {
      for (source, items) in try PlanItems.read(shard: shard, of: plan, in: folder) {
        for index in 0..<items.count {
          let item = SourceItem(source: source, path: items.path(at: index))
          if left.contains(item) { numbers[item] = items.number(at: index) }
        }
      }
    }
    let sorted = numbers.sorted { left, right in
      (left.key.source, left.key.path) < (right.key.source, right.key.path)
    }
    var bytes: [UInt8] = []
    for (item, number) in sorted {
      PlanItems.append(
        AssignedItem(path: item.path, size: nil, modified: nil, number: number),
        of: item.source,
        to: &bytes
      )
    }
    try file.write(bytes)
    try file.flush()
  }

  /// Prepares the run that imports what a merge has left.
  ///
  /// - Parameters:
  ///   - path: The library that grows.
  ///   - leftItems: The file with its items.
  ///   - loaded: The manifest.
  ///   - options: Those of a run.
  /// - Returns: The run, ready to start.
  /// - Throws: ``ShardingError`` when manifest or decisions are not those of the plan.
  package func prepareLeftItems(
    in path: [UInt8],
    leftItems: [UInt8],
    _ loaded: LoadedManifest,
    _ options: RunOptions
  ) throws -> Run {
    let bytes = try FileSystem.readSmallFile(leftItems, limit: .max)
    guard let items = PlanItems.items(bytes) else {
      throw ShardingError(.internalCheck, "The list of the items that are left is damaged. Merge again.")
    }
    var loaded = loaded
    loaded.output = path
    var options = options
    options.identifier = plan.run(shard: 0, attempt: 2)
    options.assignment = items
    let run = Run(loaded, options: options)
    try plan.check(run)
    return run
  }

  /// The error of a merge that lacks the receipts of some shards.
  private static func missing(_ shards: [Int], in folder: PlanFolder) -> ShardingError {
    let list = ShardNumber.list(shards)
    return ShardingError(
      .differencesFound,
      "Not merged: \(Quantity.text(shards.count, "shard")) of the plan \(shards.count == 1 ? "has" : "have") no "
        + "receipt: \(list). Run \(shards.count == 1 ? "it" : "each"): mediabatch shards run "
        + "\(ShellWord.quoted(folder.shown)) --shard \(shards.first ?? 1)",
      missing: list
    )
  }
}

extension AuditPlacement.Place {
  init(_ place: MergedPlace) {
    self =
      switch place {
      case .folder(let previous, let now): .folder(previous: previous, now: now)
      case .duplicate(let other): .duplicate(of: other)
      case .importedAgain: .importedAgain
      }
  }
}
