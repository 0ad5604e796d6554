import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// What a log of a million records costs. Measures only, in a release build.
struct ProofMeasurementTests {
  static var processorSeconds: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// Prints how long it takes, on the clock and of the processors: the machine may have other work.
  private func measure<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
    let clock = ContinuousClock()
    let before = Self.processorSeconds
    let start = clock.now
    let value = try body()
    let seconds = Self.processorSeconds - before
    print("\(name): \(start.duration(to: clock.now)), \(seconds) s of processor time")
    return value
  }

  @Test(
    "A million records: written, verified, proved",
    .enabled(
      if: ProcessInfo.processInfo.environment["MEDIABATCH_MEASURE"] != nil,
      "measures: set MEDIABATCH_MEASURE"
    )
  )
  func million() throws {
    let place = TemporaryFolder()
    let name = try #require(AuditFileName(number: 1, run: "run-1"))
    let descriptor = try createFile(place.path + "/" + name.text)
    defer { closeFile(descriptor) }
    var operations = AuditFileOperations.system
    operations.synchronize = { _ in 0 }
    let writer = AuditWriter(
      descriptor: descriptor,
      file: name,
      previous: nil,
      tree: AuditTree(),
      opening: SampleLog.opening,
      operations: operations,
      clock: { .now },
      makeSalt: AuditWriter.randomSalt
    )
    var blocks: [AuditBlock] = []
    try measure("written") {
      for number in 0..<500_000 {
        SampleLog.append(item: number, to: writer)
        if number % 64 == 63 {
          try writer.flush()
          blocks += writer.takePosition().tree?.blocks ?? []
        }
      }
      try writer.flush()
    }
    let position = writer.takePosition()
    blocks += position.tree?.blocks ?? []
    print("\(writer.recordCount) records, \(writer.byteCount) bytes")
    let parent = try openFolder(place.path)
    defer { closeFile(parent) }
    let folder = AuditFolder(descriptor: parent)
    var witnesses = AuditWitnesses()
    witnesses.expectations = [position]
    for threads in [1, 2] {
      witnesses.threads = threads
      let result = try measure("verified on \(threads)") { try folder.verify(witnesses) }
      #expect(result.difference == nil && result.records == writer.recordCount)
    }
    let encoded = position.tree?.encoded
    for asset in ["A-0", "A-250000", "A-499999"] {
      let proof = try measure("proved \(asset)") {
        let prover = try AuditProver(folder: folder, blocks: blocks, encodedTree: encoded)
        return try prover.proof(of: try prover.records(about: .asset(asset)))
      }
      #expect(proof.records.count == 2 && proof.head.tree == writer.treeHead)
      let records = try measure("checked") { try proof.check() }
      #expect(records.count == 2)
    }
    _ = try measure("consistent") {
      try AuditProver(folder: folder, blocks: blocks, encodedTree: encoded)
        .consistency(from: 333_333, to: writer.recordCount)
    }
  }
}
