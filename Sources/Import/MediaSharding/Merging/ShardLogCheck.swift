internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
internal import Synchronization

/// The logs of a plan and of its shards, which are verified on a thread of their own, if one can be started, while what
/// they tell of is taken over.
final class ShardLogCheck: Sendable {
  /// A log, and what it has to be.
  struct Log: Sendable {
    /// 0 for the plan's.
    var shard: Int
    /// The folder, absolute; it is opened while it is verified alone, since a plan may have more shards than a process
    /// may have files open.
    var path: [UInt8]
    var positions: [AuditPosition]
  }

  /// The first log that is not what was written.
  typealias Found = (shard: Int, difference: AuditDifference)

  private final class Outcome: Sendable {
    let result = Mutex<Result<Found?, any Error>>(.success(nil))
  }

  private let outcome = Outcome()
  private let thread: OwnThread?

  init(_ logs: [Log]) {
    let check: @Sendable () -> Void = { [outcome] in
      let result = Result { try Self.difference(in: logs) }
      outcome.result.withLock { $0 = result }
    }
    thread = OwnThread(check)
    if thread == nil { check() }
  }

  /// Waits until all are verified; called once.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func finish() throws -> Found? {
    thread?.wait()
    return try outcome.result.withLock { $0 }.get()
  }

  /// The first difference of the logs to what their runs wrote. A signed head that is damaged or missing would make the
  /// whole log differ, once nothing can be mended any more.
  private static func difference(in logs: [Log]) throws -> Found? {
    for log in logs {
      let descriptor = try FileSystem.openFolder(log.path)
      let difference = try withExtendedLifetime(descriptor) {
        try Self.difference(of: log, in: AuditFolder(descriptor: descriptor.raw))
      }
      if let difference { return (log.shard, difference) }
    }
    return nil
  }

  private static func difference(of log: Log, in folder: AuditFolder) throws -> AuditDifference? {
    var witnesses = AuditWitnesses()
    witnesses.expectations = try log.positions.map { position in
      var position = position
      position.isEnded = try log.shard > 0 || ShardMerge.ends(of: position, in: folder).end != nil
      return position
    }
    return try folder.verify(witnesses).difference
  }
}
