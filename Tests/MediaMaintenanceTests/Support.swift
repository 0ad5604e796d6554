import Foundation
import MediaAudit
import MediaFileSystem
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaReports
import MediaTestSupport
import MediaVerification

@testable import MediaMaintenance
@testable import MediaPipeline

/// A library whose runs have a log, as a run writes it, but for the worker's answers, which are made here.
struct LoggedLibrary {
  /// How far the run comes before it is killed.
  enum Progress { case staged, published, ended }

  private let scratch = TemporaryFolder()
  var path: String { scratch.path + "/Library" }
  var bytes: [UInt8] { Array(path.utf8) }

  /// Publishes assets in a run of their own.
  func run(_ identifier: String, _ assets: [StagedAsset], until progress: Progress = .ended) throws {
    try withLibrary(path) { library in
      var opening = AuditOpening.ofCommand("import")
      opening.thumbnailSpecs = [AuditThumbnailSpec(name: "grid", fingerprint: "f")]
      let log = try RunLog.begin(identifier, in: library, opening: opening)
      let staged = Self.batch(assets)
      let firstAccess = log.writer.recordCount + 1
      for result in staged.results {
        var access = AuditAccess()
        (access.source, access.path) = (result.item.source, result.item.path)
        let status = result.item.status
        (access.size, access.modified, access.changed) = (
          status.size, status.modified, status.changed
        )
        (access.device, access.inode, access.basis) = (status.device, status.inode, .authorized)
        log.writer.append(access)
      }
      try log.writer.flush()
      let batch = try library.catalogue.intend(
        run: identifier,
        firstAccess: firstAccess,
        audit: log.writer.takePosition()
      )
      try BatchFixture(continuing: library).stage(batch, staged)
      try library.catalogue.stage(batch, staged)
      if progress == .staged { return }
      var publisher = Publisher(library: library)
      try publisher.publish(batch, staged)
      try library.catalogue.publish(batch, staged, run: identifier)
      try publisher.removeStagingFolder(batch)
      if progress == .published { return }
      let records = RunRecords(library: library, audit: log.writer)
      try records.record(staged.results, recovered: false)
      try library.catalogue.finish([batch], run: identifier, audit: log.writer.takePosition())
      _ = try library.catalogue.updateStacks(run: identifier)
      _ = try log.end(
        [.imported: staged.results.count],
        thumbnails: assets.reduce(0) { $0 + $1.thumbnails.count },
        exitCode: .success,
        in: library
      )
    }
  }

  /// Publishes the thumbnail of an asset anew, in the way of a repair that a worker has answered.
  func remakeThumbnail(of name: String) throws {
    try withLibrary(path) { library in
      let log = try MaintenanceLog(of: "repair", in: library, signer: nil)
      var asset = BatchFixture.asset(name, 1, files: [])
      asset.isKnown = true
      asset.thumbnails = [BatchFixture.thumbnail("grid", name, 9)]
      let staged = StagedBatch(results: [], assets: [asset])
      let batch = try library.catalogue.intend(
        run: log.run,
        firstAccess: log.writer.recordCount + 1,
        audit: log.records.position()
      )
      try BatchFixture(continuing: library).stage(batch, staged)
      try library.catalogue.stage(batch, staged)
      try log.records.recordMade(of: staged)
      var publisher = Publisher(library: library)
      try publisher.publish(batch, staged)
      try library.catalogue.publish(batch, staged, run: log.run)
      try publisher.removeStagingFolder(batch)
      try library.catalogue.finish([batch], run: log.run, audit: log.records.position())
      _ = try log.end(exitCode: .success)
    }
  }

  /// Three photos, of which one has a thumbnail, and one a movie and a sidecar.
  static func assets(_ names: [String] = ["plain", "small", "live"]) -> [StagedAsset] {
    names.enumerated().map { index, name in
      var files: [(ResourceRole, String)] = [(.photo, ".jpg")]
      if name.hasPrefix("live") {
        files += [(.pairedVideo, ".mov"), (.adjustmentData, " (adjustmentData).aae")]
      }
      let number = Int(name.utf8.reduce(0) { $0 + UInt64($1) })
      var asset = BatchFixture.asset(name, number, files: files)
      if name.hasPrefix("small") {
        asset.thumbnails = [BatchFixture.thumbnail("grid", name, index % 10)]
      }
      return asset
    }
  }

  private static func batch(_ assets: [StagedAsset]) -> StagedBatch {
    var results: [ItemResult] = []
    for asset in assets {
      for (index, resource) in asset.resources.enumerated() {
        let status = FileStatus(
          kind: .regular,
          device: 1,
          inode: UInt64(resource.bytes),
          size: resource.bytes,
          modified: 5,
          changed: 6
        )
        var result = ItemResult(
          item: PlannedItem(
            source: resource.source,
            path: resource.sourcePath,
            status: status,
            saveTime: asset.saveTime
          ),
          outcome: .imported,
          writtenUnder: WrittenUnder.text(policy: asset.policy, fingerprints: [("grid", "f")]),
          policy: asset.policy
        )
        result.localIdentifier = asset.localIdentifier
        result.role = resource.role
        result.output = OutputFile(
          published: "\(asset.publishedFolder)/\(resource.fileName)",
          sha256: resource.sha256,
          bytes: resource.bytes
        )
        result.sourceDigest = resource.sourceDigest
        if index == 0 { result.thumbnails = asset.thumbnails }
        results.append(result)
      }
    }
    return StagedBatch(results: results, assets: assets)
  }

  /// What workers would say of the published files, had they been media of the formats of their names.
  static func facts(_ root: Descriptor) -> ([FactsRequest]) throws -> [FactsAnswer] {
    { requests in
      requests.map { request in
        let path = Array(request.path.utf8)
        guard let digest = try? FileDigest.of(path, beneath: root) else { return .missing }
        let format = MediaFormat(fileExtension: ItemPath(bytes: path).fileExtension)
        return .read(Facts(format: format ?? .jpeg), sha256: digest.sha256)
      }
    }
  }

  func rebuild() -> Rebuild {
    Rebuild(library: bytes, waits: false, enforcement: .process, signer: nil, openFacts: Self.facts)
  }

  func repair() -> Repair {
    Repair(
      library: bytes,
      sources: nil,
      options: RunOptions(),
      enforcement: .process,
      openFacts: Self.facts
    )
  }

  func clean(removesReplaced: Bool = false) -> Cleaning {
    Cleaning(library: bytes, removesReplaced: removesReplaced, waits: false, signer: nil)
  }

  func edit(_ decision: some AssetDecision) -> AssetEdit {
    AssetEdit(library: bytes, decision, waits: false, enforcement: .process, signer: nil)
  }

  func relabel(_ requests: [(asset: String, label: String)]) -> AssetEdit {
    edit(Relabelling(requests.map { Relabelling.Request(asset: $0.asset, label: Label($0.label)) }))
  }

  func decide(_ decisions: SimilarDecision...) -> AssetEdit { edit(SimilarEdit(decisions)) }

  func withdraw(_ assets: [String]) -> AssetEdit { edit(Withdrawing(assets)) }

  func stack(_ assets: [String], isApart: Bool = false) -> AssetEdit {
    edit(StackEdit(assets, isApart: isApart))
  }

  // MARK: Looking

  /// The problems that `mediabatch verify` would find.
  func problems() throws -> [String] {
    let verification = try LibraryVerification(library: bytes, threads: 1)
    var problems = try verification.problems.all()
    try verification.files.findings.forEach { if $0.isDifference { problems.append($0.path) } }
    if let difference = verification.audit.difference { problems.append(difference.description) }
    return problems
  }

  /// The report on all runs.
  func report() throws -> ReportModel {
    let catalogue = try CatalogueReader(library: bytes)
    let log = try LibraryLog(root: FileSystem.openFolder(bytes), catalogue: catalogue)
    return try ReportModel.gathered(
      from: ReportLibrary(path: bytes, log: log, catalogue: catalogue, tool: "t", now: .now),
      scope: .all,
      options: ReportOptions()
    )
  }

  /// The assets that the catalogue lists: the label, then the paths of the files.
  func listed() throws -> [String: [String]] {
    let reader = try CatalogueReader(library: bytes)
    var pathsByLabel: [String: [String]] = [:]
    try reader.forEachAsset(of: reader.select(AssetQuery()), readsThumbnails: true) { asset in
      pathsByLabel[asset.label] = asset.files.map(\.path) + asset.thumbnails.map(\.path)
    }
    return pathsByLabel
  }

  /// The published files, by their paths.
  func published() throws -> [String: String] {
    try snapshot(path).compactMapValues { $0 }.filter { path, _ in
      path.hasPrefix("Originals/") || path.hasPrefix("Thumbnails/")
    }
  }

  /// The records of a kind in the whole log.
  func events(_ event: AuditEvent) throws -> Int {
    try withLibrary(path) { library in
      let folder = AuditFolder(descriptor: library.audit.raw)
      var count = 0
      for file in try folder.files() {
        try AuditEntry.forEach(in: try folder.bytes(of: file)) { entry in
          if entry.event == event { count += 1 }
        }
      }
      return count
    }
  }

  /// The number of files of the log.
  func logs() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path + "/Audit").count
  }

  /// The path below the library of the file of an asset.
  func file(_ name: String) throws -> String {
    guard let path = try published().keys.first(where: { $0.hasSuffix("/" + name) }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return path
  }

  // MARK: Damaging

  func overwrite(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self.path + "/" + path))
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: self.path + "/" + path)
  }

  /// Removes the catalogue, with what SQLite keeps beside it.
  func removeCatalogue() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name.hasPrefix("library.sqlite") { try remove(name) }
  }
}
