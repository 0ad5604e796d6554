internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSources

/// Sidecars: published beside the media of their asset, or read alone.
extension BatchStager {
  /// Adds the sidecars of an asset's media to the asset: under `keep` as resources, byte for byte; under
  /// `strip` only their outcomes, since they are never published.
  mutating func addSidecars(of media: [ItemWork], to asset: inout StagedAsset) throws {
    let pairs = media.flatMap { item in item.sidecars.map { (item, $0) } }
    // In the order of their outcomes, as their rows are.
    for (item, sidecar) in pairs.sorted(by: { $0.1.index < $1.1.index }) {
      guard let read = sidecar.read, result(of: sidecar) == nil,
        sidecar.pending.isUndecided || sidecar.pending.owner == item.planned.path
      else { continue }
      if !publishes(sidecar, read) {
        var result = result(sidecar, read.format.isPublished ? .sidecar : .sidecarRead)
        result.localIdentifier = asset.localIdentifier
        settle(sidecar, .result(result))
        continue
      }
      guard let format = item.facts?.format,
        let name = SidecarName(sidecar.planned.path, of: item.planned.path)
      else { continue }
      let suffixes = [name.suffix(of: format), ".\(format.fileExtension).\(name.format.rawValue)"]
      let free = suffixes.map { asset.label + $0 }.first { name in
        !asset.resources.contains { $0.fileName == name }
      }
      guard let free else { continue }
      try add(sidecar, read, as: free, to: &asset)
    }
  }

  /// Writes a copy of a sidecar into an asset's staging folder.
  private mutating func add(
    _ sidecar: ItemWork,
    _ read: ItemWork.ReadSidecar,
    as fileName: String,
    to asset: inout StagedAsset
  ) throws {
    guard let resource = try copy(sidecar, read, as: fileName, in: asset.stagedName) else { return }
    asset.resources.append(resource)
    var result = result(sidecar, outcome: .imported)
    result.localIdentifier = asset.localIdentifier
    result.role = resource.role
    result.output = OutputFile(
      published: "\(asset.publishedFolder)/\(fileName)",
      sha256: resource.sha256,
      bytes: resource.bytes
    )
    result.sourceDigest = resource.sourceDigest
    if sidecar.pending.late?.isPublished == true { result.isAgain = true }
    settle(sidecar, .result(result))
  }

  /// Copies a sidecar's bytes; what the worker said of them counts only if they have its digest.
  ///
  /// - Returns: Nil when the file is not what was read; the item has ended then.
  private mutating func copy(
    _ sidecar: ItemWork,
    _ read: ItemWork.ReadSidecar,
    as fileName: String,
    in folder: String
  ) throws -> StagedResource? {
    let count = Int(clamping: sidecar.planned.status.size)
    let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try read.file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    let digest = SHA256.hash(bytes)
    let hasChanged = try !sidecar.isAsOpened(read.file)
    guard digest == read.digest, !hasChanged else {
      let reason: ItemReason = hasChanged ? .changedDuringRun : .workerProtocol
      sidecar.end(reason, hasChanged ? .read : .assemble, hasChanged ? "" : "its SHA-256 is another one")
      settle(sidecar, .result(result(sidecar, reason)))
      return nil
    }
    let file = try FileSystem.createFile(in: batch.folder, [UInt8]("\(folder)/\(fileName)".utf8))
    try file.write(bytes)
    return StagedResource(
      role: read.format.role,
      fileName: fileName,
      format: .sidecar(read.format),
      bytes: Int64(bytes.count),
      sha256: Hexadecimal.text(digest),
      sourceDigest: digest,
      source: sidecar.source.id,
      sourcePath: sidecar.planned.path
    )
  }

  /// Writes an asset anew whose media are what they were, and which has a sidecar that it did not have, or of which the
  /// source says another thing than it did.
  ///
  /// - Returns: False when there is none, or the asset was not made of this file.
  mutating func refresh(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    let isDescribedAnew = item.source.media.hasNewDescription(of: item.planned.path, digestKey)
    guard isDescribedAnew || item.sidecars.contains(where: { $0.read != nil }),
      item.pending.lost == nil,
      let row = item.pending.previousAsset, let previous = try catalogue.asset(row: row),
      previous.policy == item.source.policy, !previous.isWithdrawn,
      case let statesOther = try statesOtherStanding(item, thanAsset: row),
      previous.media.contains(where: {
        $0.source == item.source.id && $0.role != .pairedVideo
          && ($0.sourcePath == item.planned.path || statesOther)
      }),
      !assets.contains(where: { $0.localIdentifier == previous.localIdentifier })
    else { return false }
    let movie = publishableMovie(of: item, pairs)
    let media = [item] + [movie].compactMap { $0 }
    guard !losesSidecar(previous, media), try media.allSatisfy({ try !refutes($0) }),
      Set(media.map { sourceDigest(of: $0, isMuted: $0.isMuted) }) == Set(previous.sourceDigests),
      isDescribedAnew || media.flatMap(\.sidecars).contains(where: { isNews($0, to: previous) })
        || item.thumbnails.contains(where: {
          $0.accepts(previous.mediaType) && previous.thumbnails[$0.name] != $0.fingerprint
        })
    else { return false }
    try makeAsset(of: item, with: movie, isDegraded: previous.degraded, replacing: previous)
    return true
  }

  /// Whether the source says of a picture whether it is hidden, and its asset, which may be made of a copy in an album,
  /// is not as it says.
  private func statesOtherStanding(_ item: ItemWork, thanAsset row: Int64) throws -> Bool {
    try item.source.media.hasCopies && item.source.policy == .keep
      && item.sidecars.contains { $0.read != nil } && hasOtherStanding(item, thanAsset: row)
  }

  /// Whether an equal file may add to an asset: one of another source, unless that hides what the other has plain, and
  /// within a source one that states another standing, which is the picture's.
  private func mayDescribe(
    _ asset: KnownAsset,
    _ row: Int64,
    by item: ItemWork
  ) throws -> Bool {
    guard asset.media.contains(where: { $0.source == item.source.id }) else {
      return try !hasOtherStanding(item, thanAsset: row)
    }
    return try statesOtherStanding(item, thanAsset: row)
  }

  /// Whether an asset is hidden and an item is not, or the other way round.
  private func hasOtherStanding(_ item: ItemWork, thanAsset row: Int64) throws -> Bool {
    try catalogue.isHidden(asset: row) != (item.facts?.description?.isHidden == true)
  }

  /// Writes an asset of another source anew of an equal file that was met for the first time, of which its source says
  /// more: a Takeout tells what a phone does not know. What the asset says already stays. Within one Takeout it is an
  /// asset of a copy in an album, of which nothing said that it is hidden.
  ///
  /// Under `strip` the catalogue stores nothing of it.
  ///
  /// - Returns: False when the library does not have its content, or its source adds nothing.
  mutating func describeCopy(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard item.source.policy == .keep, item.pending.previousAsset == nil, pairs.still(of: item) == nil,
      item.source.media.describesFiles || item.sidecars.contains(where: { $0.read != nil }),
      let product = item.product, let output = product.output
    else { return false }
    let movie = publishableMovie(of: item, pairs)
    let media = [item] + [movie].compactMap { $0 }
    guard movie.map({ result(of: $0) == nil && $0.pending.late?.isPublished != true }) ?? true else {
      return false
    }
    let digests = Set(media.map { sourceDigest(of: $0, isMuted: $0.isMuted) })
    let sha256 = Hexadecimal.text(output.digest)
    let contents = try catalogue.content(
      sourceDigest: sourceDigest(of: item, isMuted: item.isMuted),
      policy: item.source.policy
    )
    let facts = publishable(product.claim.facts, of: item)
    for content in contents where content.sha256 == sha256 && !content.isWithdrawn {
      guard let asset = try catalogue.asset(row: content.asset), Set(asset.sourceDigests) == digests,
        !losesSidecar(asset, media),
        try mayDescribe(asset, content.asset, by: item),
        try catalogue.isDescribed(asset: content.asset, better: facts),
        !assets.contains(where: { $0.localIdentifier == asset.localIdentifier }),
        try media.allSatisfy({ try isKnownBySource($0) ? !refutes($0) : hasOwnDigest($0) })
      else { continue }
      try makeAsset(of: item, with: movie, isDegraded: asset.degraded, replacing: asset)
      return true
    }
    return false
  }

  private func hasOwnDigest(_ item: ItemWork) throws -> Bool {
    guard let product = item.product else { return false }
    return try isOwnDigest(of: item, product)
  }

  /// Whether an asset that is written anew of these files would lose a sidecar that the library alone still has.
  func losesSidecar(_ previous: KnownAsset, _ media: [ItemWork]) -> Bool {
    guard previous.policy == .keep else { return false }
    return previous.resources.contains { resource in
      resource.role.isSidecar && !isLost(resource.path, of: previous)
        && !media.flatMap(\.sidecars).contains { sidecar in
          guard let read = sidecar.read else { return false }
          return read.digest == resource.sourceDigest
            || sidecar.planned.path == resource.sourcePath
              && sidecar.source.id == resource.source
        }
    }
  }

  /// Whether an asset lacks a sidecar, or has an earlier content of it.
  private func isNews(_ sidecar: ItemWork, to previous: KnownAsset) -> Bool {
    guard let read = sidecar.read else { return false }
    if !publishes(sidecar, read) {
      return sidecar.pending.previousAsset == nil || sidecar.pending.earlierByteCount != nil
    }
    return !previous.resources.contains { isCopy($0, of: sidecar, read) }
  }

  private func isCopy(
    _ resource: KnownResource,
    of sidecar: ItemWork,
    _ read: ItemWork.ReadSidecar
  ) -> Bool {
    resource.role == read.format.role && resource.sourceDigest == read.digest
      && resource.sourcePath == sidecar.planned.path && resource.source == sidecar.source.id
  }

  /// Determines the results of the sidecars that no asset of this batch has taken.
  mutating func settleSidecars() throws {
    for sidecar in batch.items where sidecar.pending.owner != nil && !sidecar.isRefused {
      guard disposition(of: sidecar).isOpen else { continue }
      if sidecar.pending.late?.isPublished == true {
        settle(sidecar, .withoutResult)
        continue
      }
      guard let read = sidecar.read else {
        settle(sidecar, .result(result(sidecar, sidecar.ending?.reason ?? .cannotRead)))
        continue
      }
      if !read.format.isPublished {
        try settle(sidecar, takeout: read)
        continue
      }
      if sidecar.pending.isUndecided, !batch.items.contains(where: { isOwner($0, of: sidecar) }) {
        settle(sidecar, .result(result(sidecar, .sidecarAmbiguous)))
        continue
      }
      if try keepKnown(sidecar, read) { continue }
      settle(sidecar, .result(result(sidecar, .sidecarUnused)))
    }
  }

  private func isOwner(_ item: ItemWork, of sidecar: ItemWork) -> Bool {
    item.sidecars.contains { $0 === sidecar }
  }

  /// Leaves a sidecar as it is that its asset has, or publishes it again at its place if it is lost; that of a
  /// withdrawn asset stays out.
  ///
  /// - Returns: False when its asset does not have it.
  private mutating func keepKnown(
    _ sidecar: ItemWork,
    _ read: ItemWork.ReadSidecar
  ) throws -> Bool {
    guard let row = sidecar.pending.previousAsset, let previous = try catalogue.asset(row: row),
      previous.policy == sidecar.source.policy
    else { return false }
    if previous.isWithdrawn {
      var result = result(sidecar, .withdrawn)
      result.localIdentifier = previous.localIdentifier
      settle(sidecar, .result(result))
      return true
    }
    var result = result(sidecar, outcome: .unchanged)
    result.localIdentifier = previous.localIdentifier
    if sidecar.source.policy.strips {
      result = self.result(sidecar, .sidecar)
      result.localIdentifier = previous.localIdentifier
      settle(sidecar, .result(result))
      return true
    }
    guard let resource = previous.resources.first(where: { isCopy($0, of: sidecar, read) }) else {
      return false
    }
    result.role = resource.role
    result.sourceDigest = resource.sourceDigest
    let parts = resource.path.split(separator: "/").map(String.init)
    if isLost(resource.path, of: previous), parts.count == 4 {
      try FileSystem.makeFolder(in: batch.folder, [UInt8](sidecar.stagedName.utf8))
      guard let copy = try copy(sidecar, read, as: parts[3], in: sidecar.stagedName) else {
        return true
      }
      var asset = StagedAsset(
        localIdentifier: previous.localIdentifier,
        saveTime: sidecar.planned.saveTime,
        label: previous.label,
        mediaType: previous.mediaType,
        source: sidecar.source.id,
        policy: sidecar.source.policy,
        facts: Facts(format: .jpeg),
        stagedName: sidecar.stagedName
      )
      asset.isKnown = true
      asset.restoredFolder = "\(parts[1])/\(parts[2])"
      asset.resources = [copy]
      assets.append(asset)
      restored.insert(resource.path)
      result.restored = OutputFile(published: resource.path, sha256: copy.sha256, bytes: copy.bytes)
    }
    settle(sidecar, .result(result))
    return true
  }
}
