internal import MediaAudit
internal import MediaDigest
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
package import MediaSources
package import MediaWorkerPool
internal import MediaWorkerProtocol

/// Makes thumbnails again from the library's own originals, in confined workers: those that are lost, and those of
/// assets that a person turns.
///
/// An original is read only where it has the bytes that the catalogue says. A thumbnail that is made gets a place of
/// its own behind a `restored` record, as a run gives one to what it makes again from a source; its settings are those
/// that the catalogue has of the lost one.
package final class ThumbnailRemaking {
  /// An asset that gets thumbnails.
  private struct Lack {
    var asset: KnownAsset
    var original: KnownResource
    /// The paths of those that it had.
    var paths: [String]
    var thumbnails: MadeThumbnails

    /// Nil where the settings of none of these thumbnails are known.
    init?(_ asset: KnownAsset, _ original: KnownResource, _ names: [String]) {
      let specs = names.compactMap { name in
        asset.thumbnails[name].flatMap { ThumbnailSpec(name: name, fingerprint: $0) }
      }
      if specs.isEmpty { return nil }
      (self.asset, self.original) = (asset, original)
      paths = specs.compactMap { asset.thumbnailPaths[$0.name] }
      thumbnails = MadeThumbnails(specs)
    }
  }

  /// The assets of a batch.
  private static let batchCount = 64

  private let records: RunRecords
  private var publisher: Publisher
  private var folder: Descriptor?
  private var saveTime: SaveTime
  private var staged = StagedBatch(results: [], assets: [])
  /// The number of lost thumbnails that were made.
  package private(set) var count = 0
  /// The reasons that thumbnails could not be made, escaped, by the paths of the lost ones.
  package private(set) var problems: [String: String] = [:]

  /// - Parameter records: The log and the library, held.
  package init(_ records: RunRecords) {
    self.records = records
    publisher = Publisher(library: records.library)
    saveTime = .now
  }

  /// Makes the lost thumbnails of all assets whose originals are there.
  ///
  /// - Parameters:
  ///   - lost: The lost files.
  ///   - pool: The workers, none of which has started.
  ///   - isStopped: Whether to go no further; asked between batches.
  /// - Throws: `RunError`; what was published before stays.
  package func remake(
    _ lost: LostFiles,
    by pool: WorkerPool,
    until isStopped: () -> Bool = { false }
  ) throws(RunError) {
    var rows = lost.rowsWithoutThumbnails[...]
    if rows.isEmpty { return }
    do {
      let requests = requests(pool, records.library.root)
      while !rows.isEmpty, !isStopped() {
        let batch = try begin()
        for row in rows.prefix(Self.batchCount) {
          if let lack = try lack(ofAsset: row, lost) {
            try requests.begin(lack)
          }
        }
        try requests.finishAll()
        try publish(batch)
        rows = rows.dropFirst(Self.batchCount)
      }
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Makes all thumbnails of assets anew, each turned as a person has decided, in the staging folder of a batch that
  /// begins with them.
  ///
  /// - Parameters:
  ///   - edits: The decisions.
  ///   - pool: The workers, none of which has started.
  /// - Returns: The batch, and the assets with their new thumbnails, which are flushed.
  /// - Throws: `RunError`, 65 when a thumbnail cannot be made; then nothing is left of the batch.
  package func turn(
    _ edits: [LibraryEdit],
    by pool: WorkerPool
  ) throws(RunError) -> (batch: Int64, assets: [StagedAsset]) {
    do {
      let batch = try begin()
      let requests = requests(pool, records.library.root)
      for edit in edits {
        guard var asset = try records.library.catalogue.assetToEdit(edit.asset),
          let original = asset.pictured
        else { continue }
        asset.rotation = edit.rotation ?? 0
        for path in asset.thumbnailPaths.values { problems[path] = "its settings are not known" }
        guard let lack = Lack(asset, original, asset.thumbnails.keys.sorted()) else { continue }
        try requests.begin(lack)
      }
      try requests.finishAll()
      if let (path, problem) = problems.min(by: { $0.key < $1.key }) {
        try drop(batch)
        throw RunError(
          .cannotRead,
          exitCode: .differencesFound,
          "\"\(EscapedText.printable(path))\" could not be made again (\(problem)), so nothing was turned."
        )
      }
      if let folder { try FileSystem.flush(fileSystemOf: folder) }
      return (batch, staged.assets)
    } catch {
      throw RunError(wrapping: error)
    }
  }

  private func lack(ofAsset row: Int64, _ lost: LostFiles) throws -> Lack? {
    guard let parts = lost.parts(ofAsset: row),
      let asset = try records.library.catalogue.asset(row: row), !asset.isWithdrawn,
      let original = asset.pictured,
      !parts.originals.contains(original.path)
    else { return nil }
    let names = parts.thumbnails.keys.sorted().filter {
      asset.thumbnailPaths[$0] == parts.thumbnails[$0]
    }
    return Lack(asset, original, names)
  }

  private func requests(_ pool: WorkerPool, _ root: Descriptor) -> FileRequests<Lack> {
    FileRequests(
      pool,
      purpose: { .files(of: $0.original.source ?? .library, $0.asset.policy) },
      open: { Self.open($0.original, in: root) },
      request: {
        let asset = $0.asset
        return .job($0.thumbnails.job($1, of: asset.mediaType, asset.policy, rotation: asset.rotation))
      },
      take: { (lack, message) throws(ProtocolError) in try lack.thumbnails.take(message) },
      finish: { [unowned self] lack, problem in try self.take(lack, problem) },
      wrapping: RunError.init
    )
  }

  /// Opens an original whose bytes are those of the catalogue.
  private static func open(
    _ original: KnownResource,
    in root: Descriptor
  ) -> (file: Descriptor?, problem: String) {
    do throws(FileSystemError) {
      let path = [UInt8](original.path.utf8)
      let file = try FileSystem.openForReading(beneath: root, path, crossMounts: true)
      guard try FileDigest.of(file).sha256 == original.sha256 else {
        return (nil, "its original was changed since it was published")
      }
      return (file, "")
    } catch {
      return (nil, "\(error)")
    }
  }

  // MARK: Publishing

  /// Begins a batch, of which nothing is published before ``publish(_:)``.
  private func begin() throws -> Int64 {
    let batch = try records.begin()
    folder = try publisher.makeStagingFolder(batch)
    return batch
  }

  /// Writes the thumbnails of an asset into staging.
  private func take(_ lack: Lack, _ problem: String?) throws {
    let thumbnails = problem == nil ? lack.thumbnails.finished : []
    for path in lack.paths { problems[path] = problem ?? "no worker could make it" }
    guard let folder, !thumbnails.isEmpty else { return }
    let previous = lack.asset
    saveTime = try publisher.freeSaveTime(from: SaveTime(microseconds: saveTime.microseconds + 1))
    var asset = StagedAsset(
      localIdentifier: previous.localIdentifier,
      saveTime: saveTime,
      label: previous.label,
      mediaType: previous.mediaType,
      source: lack.original.source ?? .library,
      policy: previous.policy,
      facts: Facts(format: .jpeg),
      stagedName: ""
    )
    asset.isKnown = true
    for thumbnail in thumbnails {
      if let path = previous.thumbnailPaths[thumbnail.spec.name] { problems[path] = nil }
      let name = "\(staged.assets.count).\(thumbnail.spec.name)"
      try FileSystem.createFile(in: folder, [UInt8](name.utf8)).write(thumbnail.bytes)
      let ending = thumbnail.spec.format.fileExtension
      asset.thumbnails.append(
        StagedThumbnail(
          name: thumbnail.spec.name,
          fingerprint: thumbnail.spec.fingerprint,
          size: thumbnail.size,
          stagedName: name,
          date: saveTime.date,
          fileName: "\(saveTime.time) \(previous.label).\(ending)",
          bytes: Int64(thumbnail.bytes.count),
          sha256: Hexadecimal.text(SHA256.hash(thumbnail.bytes)),
          thumbHash: thumbnail.hashes?.thumb.bytes,
          perceptualHash: thumbnail.hashes?.perceptual.stored
        )
      )
    }
    staged.assets.append(asset)
  }

  private func publish(_ batch: Int64) throws {
    let staged = staged
    self.staged.assets = []
    guard let folder, !staged.assets.isEmpty else { return try drop(batch) }
    try FileSystem.flush(fileSystemOf: folder)
    try records.carryOut(batch, staged)
    count += staged.assets.reduce(0) { $0 + $1.thumbnails.count }
  }

  private func drop(_ batch: Int64) throws {
    try publisher.removeStagingFolder(batch)
    try records.library.catalogue.forget(batch)
  }
}

extension KnownAsset {
  /// The original that thumbnails show: of a live photo its still.
  fileprivate var pictured: KnownResource? { media.first { $0.role != .pairedVideo } }
}
