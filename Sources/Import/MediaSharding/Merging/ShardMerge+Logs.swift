internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// The logs of the shards, which become those of the library.
extension ShardMerge {
  /// Copies the logs of the plan and of all shards into the library, as they are, and enters their runs.
  ///
  /// - Parameters:
  ///   - library: The library that grows.
  ///   - taken: Gets each log that is what its receipt says.
  /// - Returns: What the log of the merge says of them.
  /// - Throws: ``ShardingError`` when a log is not what its receipt says; `AuditError`, `LibraryError`.
  func takeLogs(
    into library: Library,
    noting taken: inout [ShardLogCheck.Log]
  ) throws -> [AuditMerge] {
    var merges: [AuditMerge] = []
    // Planning may have been begun several times; of a shard, one run has written.
    merges += try takeLog(of: 0, 0, in: folder.log, into: library, behind: 0, &taken) { positions in
      positions.last?.tree?.head == plan.log && positions.last?.head == plan.logHead
    }
    let planned = try AuditFolder(descriptor: library.audit.raw).files().last?.number ?? 0
    for (index, receipt) in receipts.enumerated() {
      merges += try takeLog(
        of: receipt.shard,
        receipt.attempt,
        in: path(of: receipt),
        into: library,
        behind: planned + index,
        &taken
      ) { positions in
        guard positions.count == 1, let position = positions.first else { return false }
        return position.file == receipt.log.file && position.head == receipt.log.head
          && position.bytes == receipt.log.bytes
          && position.tree?.head == receipt.log.tree?.head
      }
    }
    try enterRuns(of: library)
    return merges
  }

  /// Copies the files of one log.
  private func takeLog(
    of shard: Int,
    _ attempt: Int,
    in path: [UInt8],
    into library: Library,
    behind count: Int,
    _ taken: inout [ShardLogCheck.Log],
    where isExpected: ([AuditPosition]) -> Bool
  ) throws -> [AuditMerge] {
    let path = path + Array("/Audit".utf8)
    guard let descriptor = try? FileSystem.openFolder(path) else {
      throw differs(shard, shard == 0 ? "has no log any more" : "is missing")
    }
    let logs = AuditFolder(descriptor: descriptor.raw)
    let positions = try logs.positions(threads: OwnThread.processors)
    guard isExpected(positions) else {
      throw differs(
        shard,
        "has another log than "
          + (shard == 0 ? "the plan was written with" : "its receipt says")
      )
    }
    taken.append(ShardLogCheck.Log(shard: shard, path: path, positions: positions))
    try ManifestTexts.copy(from: descriptor, to: library.audit)
    let positionOfFile = Dictionary(uniqueKeysWithValues: positions.map { ($0.file, $0) })
    // A planning that was stopped as it began has left a file without a record, and the next one's
    // number is behind it.
    let files =
      try shard == 0 ? logs.files() : positions.compactMap { AuditFileName(text: $0.file) }
    return try files.enumerated().compactMap { index, file in
      let number = shard == 0 ? file.number : count + index + 1
      guard let name = AuditFileName(number: number, run: file.run) else {
        throw differs(shard, "has a log in which no run is")
      }
      let position = positionOfFile[file.text]
      // A planning that was cut off has left half a line, which the next one has noted.
      let length = shard == 0 ? nil : position?.bytes
      try copy(file.text, as: name.text, from: descriptor, to: library.audit, first: length)
      for (beside, new) in [
        (file.headText, name.headText), (file.timestampText, name.timestampText),
      ] {
        let isThere = Array(beside.utf8).withUnsafeBytes {
          FileSystem.exists(beneath: descriptor, $0)
        }
        if isThere { try copy(beside, as: new, from: descriptor, to: library.audit, first: nil) }
      }
      guard let position else { return nil }
      guard let tree = position.tree else { throw differs(shard, "has a log in which no run is") }
      var merge = AuditMerge()
      (merge.shard, merge.attempt, merge.plan) = (shard, attempt, plan.sha256)
      (merge.run, merge.file, merge.head) = (file.run, name.text, position.head)
      merge.tree = tree.head
      return merge
    }
  }

  /// The first record of a run, and its last one if it came to its end.
  static func ends(
    of position: AuditPosition,
    in logs: AuditFolder
  ) throws -> (begin: AuditEntry?, end: AuditEntry?) {
    var ends: (begin: AuditEntry?, end: AuditEntry?)
    guard let file = AuditFileName(text: position.file) else { return ends }
    try AuditEntry.forEach(in: try logs.bytes(of: file), only: [.run, .end]) { entry in
      if entry.event == .run { ends.begin = entry } else { ends.end = entry }
    }
    // A planning that was stopped before it signed its head has not come to its end.
    if logs.hasUnsignedHead(file) { ends.end = nil }
    return ends
  }

  private func copy(
    _ name: String,
    as new: String,
    from: Descriptor,
    to: Descriptor,
    first: Int?
  ) throws {
    let source = try FileSystem.openForReading(beneath: from, Array(name.utf8), crossMounts: true)
    let file = try FileSystem.createFile(in: to, Array(new.utf8), mode: 0o644)
    let copied = try FileSystem.copy(source, to: file)
    guard let first else { return }
    guard copied == first else {
      throw ShardingError(
        .differencesFound,
        "The log \(name) of a shard has records behind its end. Remove the shard's receipt and run the shard again."
      )
    }
  }

  private func enterRuns(of library: Library) throws {
    let audit = AuditFolder(descriptor: library.audit.raw)
    let keyCheck = try library.digestKeyCheck()
    let receiptOfRun = Dictionary(
      receipts.map { (plan.run(shard: $0.shard, attempt: $0.attempt), $0) }
    ) { $1 }
    for position in try audit.positions(threads: OwnThread.processors) {
      let (begin, end) = try Self.ends(of: position, in: audit)
      guard let begun = begin?.opening else { continue }
      // With another key the next run would take each item for a new one.
      guard begun.digestKeyCheck ?? keyCheck == keyCheck else {
        throw differs(0, "has another digest key than its shards were imported with")
      }
      if begun.keepsPrivateFacts, let receipt = receiptOfRun[position.run],
        !hasPrivateFacts(receipt)
      {
        throw differs(receipt.shard, "has no private facts any more")
      }
      try library.catalogue.enter(LoggedRun(begun, started: begin?.time, audit: position))
      if let end {
        try library.catalogue.enterEnd(of: position.run, ended: end.time, exitCode: end.exitCode)
      }
    }
  }
}
