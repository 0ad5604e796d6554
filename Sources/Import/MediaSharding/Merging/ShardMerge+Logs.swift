internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// The logs of the shards, which become those of the library.
extension ShardMerge {
  /// Copies the logs of the plan and of all shards into the library, as they are. What is in those of shards is verified
  /// with the log of the library, see ``confirmLog(of:_:isWhole:)``.
  ///
  /// - Parameter library: The library that grows.
  /// - Returns: What the log of the merge says of them.
  /// - Throws: ``ShardingError`` when a log is missing, or that of the plan is not what it was planned with; `AuditError`.
  func takeLogs(into library: Library) throws -> [AuditMerge] {
    var merges = try takePlanLog(into: library)
    let planned = try AuditFolder(descriptor: library.audit.raw).files().last?.number ?? 0
    for (index, receipt) in receipts.enumerated() {
      let (descriptor, files) = try openLog(of: receipt.shard, in: path(of: receipt))
      guard let file = files.first, files.count == 1, file.text == receipt.log.file,
        let tree = receipt.log.tree?.head
      else { throw differs(receipt.shard, "has another log than its receipt says") }
      let number = planned + index + 1
      try ManifestTexts.copy(from: descriptor, to: library.audit)
      let name = try copy(file, number: number, of: receipt.shard, from: descriptor, to: library.audit)
      merges.append(merge(of: receipt.shard, receipt.attempt, file.run, name.text, receipt.log.head, tree))
    }
    return merges
  }

  /// Copies the log of the plan. Planning may have been begun several times; of a shard, one run has written.
  private func takePlanLog(into library: Library) throws -> [AuditMerge] {
    let (descriptor, files) = try openLog(of: 0, in: folder.log)
    let positions = try AuditFolder(descriptor: descriptor.raw).positions()
    guard positions.last?.tree?.head == plan.log, positions.last?.head == plan.logHead else {
      throw differs(0, "has another log than the plan was written with")
    }
    try ManifestTexts.copy(from: descriptor, to: library.audit)
    let positionOfFile = Dictionary(uniqueKeysWithValues: positions.map { ($0.file, $0) })
    return try files.compactMap { file in
      // A planning that was stopped as it began has left a file without a record, and the next one's number is behind
      // it.
      let name = try copy(file, number: file.number, of: 0, from: descriptor, to: library.audit)
      guard let position = positionOfFile[file.text], let tree = position.tree else { return nil }
      return merge(of: 0, 0, file.run, name.text, position.head, tree.head)
    }
  }

  /// The log of a library and its files.
  private func openLog(
    of shard: Int,
    in path: [UInt8]
  ) throws -> (Descriptor, [AuditFileName]) {
    guard let descriptor = try? FileSystem.openFolder(path + Array("/Audit".utf8)) else {
      throw differs(shard, shard == 0 ? "has no log any more" : "is missing")
    }
    return (descriptor, try AuditFolder(descriptor: descriptor.raw).files())
  }

  /// Copies a file of a log under another number, with what stands beside it.
  private func copy(
    _ file: AuditFileName,
    number: Int,
    of shard: Int,
    from: Descriptor,
    to: Descriptor
  ) throws -> AuditFileName {
    guard let name = AuditFileName(number: number, run: file.run) else {
      throw differs(shard, "has a log in which no run is")
    }
    try copy(file.text, as: name.text, from: from, to: to)
    for (beside, new) in [(file.headText, name.headText), (file.timestampText, name.timestampText)] {
      let isThere = Array(beside.utf8).withUnsafeBytes { FileSystem.exists(beneath: from, $0) }
      if isThere { try copy(beside, as: new, from: from, to: to) }
    }
    return name
  }

  private func copy(_ name: String, as new: String, from: Descriptor, to: Descriptor) throws {
    let source = try FileSystem.openForReading(beneath: from, Array(name.utf8), crossMounts: true)
    let file = try FileSystem.createFile(in: to, Array(new.utf8), mode: 0o644)
    _ = try FileSystem.copy(source, to: file)
  }

  private func merge(
    of shard: Int,
    _ attempt: Int,
    _ run: String,
    _ file: String,
    _ head: String,
    _ tree: AuditTreeHead
  ) -> AuditMerge {
    var merge = AuditMerge()
    (merge.shard, merge.attempt, merge.plan) = (shard, attempt, plan.sha256)
    (merge.run, merge.file, merge.head, merge.tree) = (run, file, head, tree)
    return merge
  }

  /// Verifies the log of the library, once for all: chain, heads and trees of the plan and of each shard, and what the
  /// merge says of them.
  ///
  /// - Parameters:
  ///   - library: The library that grows.
  ///   - logs: What was taken over.
  ///   - isWhole: Whether the log of the merge has come to its end; else no merge has taken a log over yet.
  /// - Throws: ``ShardingError`` when there is a difference; `AuditError`, `LibraryError`.
  func confirmLog(of library: Library, _ logs: [AuditMerge], isWhole: Bool) throws {
    var witnesses = AuditWitnesses()
    witnesses.threads = OwnThread.processors
    witnesses.expectations = try library.catalogue.auditPositions()
    let audit = AuditFolder(descriptor: library.audit.raw)
    guard let difference = try audit.verify(witnesses).difference, isWhole || difference.kind != .added
    else { return }
    let number = difference.file.prefix { $0 != "-" } + "-"
    if let log = logs.first(where: { $0.file.hasPrefix(number) }) {
      throw differs(
        log.shard,
        "has another log than "
          + (log.shard == 0 ? "the plan was written with" : "its receipt says")
          + " (\(difference.description.dropLast()))"
      )
    }
    guard isWhole else { return }
    throw ShardingError(
      .internalCheck,
      "The log of the merged library is damaged: \(difference) The library was not given its name; merge again."
    )
  }

  /// Enters the runs of the plan and of all shards in the catalogue.
  ///
  /// - Throws: ``ShardingError`` when a log does not end as its receipt says, or a run had another key; `AuditError`,
  ///   `LibraryError`.
  func enterRuns(of library: Library) throws {
    let audit = AuditFolder(descriptor: library.audit.raw)
    let keyCheck = try library.digestKeyCheck()
    let receiptOfRun = Dictionary(receipts.map { ($0.log.run, $0) }) { $1 }
    let positions = try audit.positions(threads: OwnThread.processors)
    let positionOfRun = Dictionary(positions.map { ($0.run, $0) }) { $1 }
    for receipt in receipts {
      let position = positionOfRun[receipt.log.run]
      guard position?.head == receipt.log.head, position?.bytes == receipt.log.bytes else {
        throw differs(receipt.shard, "has another log than its receipt says")
      }
    }
    for position in positions {
      let receipt = receiptOfRun[position.run]
      guard let file = AuditFileName(text: position.file) else { continue }
      let (begin, last) = try audit.ends(of: file)
      guard let begun = begin?.opening else { continue }
      // With another key the next run would take each item for a new one.
      guard begun.digestKeyCheck ?? keyCheck == keyCheck else {
        throw differs(0, "has another digest key than its shards were imported with")
      }
      if begun.keepsPrivateFacts, let receipt, !hasPrivateFacts(receipt) {
        throw differs(receipt.shard, "has no private facts any more")
      }
      try library.catalogue.enter(LoggedRun(begun, started: begin?.time, audit: position))
      // A planning that was stopped before it signed its head has not come to its end.
      if let end = last, end.event == .end, receipt != nil || !audit.hasUnsignedHead(file) {
        try library.catalogue.enterEnd(of: position.run, ended: end.time, exitCode: end.exitCode)
      }
    }
  }
}
