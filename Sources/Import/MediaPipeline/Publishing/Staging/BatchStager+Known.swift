internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSources

/// Items whose content the library has: duplicates, new thumbnails, and lost files that come back.
extension BatchStager {
  /// Publishes a lost original of an asset again, at the place that it had.
  ///
  /// Only the very bytes that were published come back: the output's digest, which the coordinator has
  /// computed, is that of the catalogue, and so are policy and source.
  ///
  /// - Returns: False when the asset has lost no original that is the item's output.
  mutating func restore(_ item: ItemWork, toAsset row: Int64) throws -> Bool {
    guard let product = item.product, let output = product.output,
      let previous = try catalogue.asset(row: row), previous.policy == item.source.policy
    else { return false }
    let digest = sourceDigest(of: item, isMuted: item.isMuted)
    let lost = previous.resources.first {
      $0.sourceDigest == digest && isLost($0.path, of: previous)
    }
    guard let resource = lost else { return false }
    let sha256 = Hexadecimal.text(output.digest)
    guard resource.sha256 == sha256 else { return restripLost(item, previous) }
    if turns(item, as: previous) { return true }
    let parts = resource.path.split(separator: "/").map(String.init)
    guard parts.count == 4 else { return false }
    if parts[3] != output.fileName {
      // The label has changed since; the file has not.
      try FileSystem.rename(
        from: batch.folder,
        [UInt8]("\(item.stagedName)/\(output.fileName)".utf8),
        to: batch.folder,
        [UInt8]("\(item.stagedName)/\(parts[3])".utf8)
      )
    }
    var asset = staged(previous, of: item, product)
    asset.restoredFolder = "\(parts[1])/\(parts[2])"
    asset.resources = [self.resource(of: item, product, output, resource.role, parts[3])]
    let thumbnails = try thumbnails(of: product) { spec in
      resource.role != .pairedVideo && !isThere(spec, of: previous, for: item)
    }
    asset.thumbnails = self.thumbnails(thumbnails, of: previous, at: asset.saveTime)
    restored.insert(resource.path)
    assets.append(asset)
    let isSamePath = row == item.pending.previousAsset
    var result = result(item, outcome: isSamePath ? .unchanged : .duplicate)
    result.localIdentifier = previous.localIdentifier
    result.role = resource.role
    result.sourceDigest = digest
    result.thumbnails = asset.thumbnails
    result.restored = OutputFile(published: resource.path, sha256: sha256, bytes: output.bytes)
    noteLack(of: item, in: &result, previous)
    settle(item, .result(result))
    return true
  }

  /// Writes an asset anew that has lost all of its originals, whose outputs have a content identifier: an
  /// earlier version drew it at random, so that the bytes that they had do not come back.
  ///
  /// - Returns: False when it is not such an asset, or not the content that it had.
  mutating func rewriteLost(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard let lost = item.pending.lost, isRenewed(item), let row = item.pending.previousAsset,
      let previous = try catalogue.asset(row: row), previous.policy == item.source.policy,
      Set(previous.resources.map(\.path)) == lost.originals,
      !assets.contains(where: { $0.localIdentifier == previous.localIdentifier })
    else { return false }
    let movie = publishableMovie(of: item, pairs)
    let digests = ([item] + [movie].compactMap { $0 }).map { item in
      sourceDigest(of: item, isMuted: item.isMuted)
    }
    guard Set(digests) == Set(previous.sourceDigests) else { return false }
    try makeAsset(of: item, with: movie, isDegraded: false, replacing: previous)
    return true
  }

  /// Whether an asset has a thumbnail, which is not lost or was made again meanwhile.
  private func isThere(_ spec: ThumbnailSpec, of previous: KnownAsset, for item: ItemWork) -> Bool {
    let isBrought = assets.contains { asset in
      asset.localIdentifier == previous.localIdentifier
        && asset.thumbnails.contains { $0.name == spec.name }
    }
    if isBrought { return true }
    let lost = item.pending.lost?.thumbnails[spec.name]
    return previous.thumbnails[spec.name] == spec.fingerprint
      && (lost == nil || previous.thumbnailPaths[spec.name] != lost)
  }

  /// Gives new thumbnails of a known asset their places: those of the asset, but for a name that has a
  /// thumbnail already, which keeps its place until the next start.
  private func thumbnails(
    _ thumbnails: [ItemWork.Thumbnail],
    of previous: KnownAsset,
    at saveTime: SaveTime
  ) -> [StagedThumbnail] {
    let first = SaveTime(timestamp: previous.saved) ?? saveTime
    return thumbnails.map { thumbnail in
      let time = previous.thumbnails[thumbnail.spec.name] == nil ? first : saveTime
      return staged(thumbnail, at: time, label: previous.label)
    }
  }

  /// Adds the thumbnails of an unchanged file to its asset.
  ///
  /// - Returns: False for an item that was read whole.
  mutating func addThumbnails(_ item: ItemWork) throws -> Bool {
    guard let product = item.product, let previous = item.stored else { return false }
    let digests = [false, true].map { sourceDigest(of: item, isMuted: $0) }
    guard digests.contains(where: previous.sourceDigests.contains) else {
      try drop(item, .changedDuringRun)
      return true
    }
    // Another path with the same content may have brought the asset its thumbnails meanwhile.
    let current =
      try item.pending.previousAsset.flatMap { try catalogue.asset(row: $0) } ?? previous
    let isPairedVideo =
      previous.mediaType == .image && product.claim.facts.format.mediaType == .video
    let thumbnails = try thumbnails(of: product) { spec in
      !isPairedVideo && !isThere(spec, of: current, for: item)
    }
    var result = result(item, outcome: .unchanged)
    result.localIdentifier = previous.localIdentifier
    if !thumbnails.isEmpty {
      var asset = staged(previous, of: item, product)
      asset.thumbnails = self.thumbnails(thumbnails, of: current, at: asset.saveTime)
      result.thumbnails = asset.thumbnails
      assets.append(asset)
    }
    if !isPairedVideo { noteLack(of: item, in: &result, current) }
    settle(item, .result(result))
    return true
  }

  /// Notes that the asset of an item lacks thumbnails which are wanted, so that a later run makes them, and
  /// why they could not be made now. `previous` is the asset as it was; nil for one that this batch makes.
  func noteLack(of item: ItemWork, in result: inout ItemResult, _ previous: KnownAsset? = nil) {
    guard let product = item.product, result.role != .pairedVideo else { return }
    let isLacking = previous.map { asset in
      item.thumbnails.contains {
        $0.accepts(asset.mediaType) && !isThere($0, of: asset, for: item)
      }
    }
    guard isLacking ?? (product.lack != nil) else { return }
    result.writtenUnder = WrittenUnder.text(policy: item.source.policy, thumbnails: [])
    guard let lack = product.lack else { return }
    (result.reason, result.step) = (.thumbnailMissing, .thumbnail)
    result.message = EscapedText.printable(lack.detail, limit: 300)
    result.conditions = lack.reason.isLasting ? item.source.conditions : nil
  }

  /// An asset that is published already and gets thumbnails or a lost original.
  private func staged(
    _ previous: KnownAsset,
    of item: ItemWork,
    _ product: ItemWork.Product
  ) -> StagedAsset {
    var asset = StagedAsset(
      localIdentifier: previous.localIdentifier,
      saveTime: item.planned.saveTime,
      label: previous.label,
      mediaType: previous.mediaType,
      source: item.source.id,
      policy: item.source.policy,
      facts: publishable(product.claim.facts, of: item),
      stagedName: item.stagedName
    )
    asset.isKnown = true
    return asset
  }

  /// Ends an item whose content the library already has under this policy.
  ///
  /// The worker's digest only finds the candidate. It counts when the coordinator's own digest of
  /// the source file is the same, and the outputs of both files are the same too.
  ///
  /// - Returns: Whether the item has ended.
  mutating func recordAsKnown(_ item: ItemWork) throws -> Bool {
    if result(of: item) != nil { return true }
    guard let product = item.product else { return false }
    let digest = sourceDigest(of: item, isMuted: item.isMuted)
    let sha256 = Hexadecimal.text(product.output?.digest ?? [])
    let contents = try catalogue.content(sourceDigest: digest, policy: item.source.policy)
      .filter { $0.sha256 == sha256 || isRenewed(item) }
    let content = contents.first { $0.asset == item.pending.previousAsset } ?? contents.first
    var match: (localIdentifier: String, role: ResourceRole, asset: Int64?)? =
      content.map { ($0.localIdentifier, $0.role, $0.asset) }
    var isWithdrawn = content?.isWithdrawn ?? false
    if match == nil || isWithdrawn, let own = seen[digest],
      own.sha256 == sha256 || isRenewed(item)
    {
      (match, isWithdrawn) = ((own.localIdentifier, own.role, nil), false)
    }
    // What a person has withdrawn stays out under each policy.
    if match == nil, let withdrawn = try withdrawnContent(of: item) {
      (match, isWithdrawn) = ((withdrawn.localIdentifier, withdrawn.role, nil), true)
    }
    // The source of an item with a renewed identifier has been hashed by the coordinator before.
    guard let match, try isKnownBySource(item) || isOwnDigest(of: item, product) else {
      return false
    }
    for content in contents where !content.isWithdrawn {
      if try restore(item, toAsset: content.asset) { return true }
    }
    let isSamePath = match.asset != nil && match.asset == item.pending.previousAsset
    var result =
      isWithdrawn
      ? result(item, .withdrawn) : result(item, outcome: isSamePath ? .unchanged : .duplicate)
    result.localIdentifier = match.localIdentifier
    result.role = match.role
    result.sourceDigest = digest
    if isSamePath || product.lack != nil {
      noteLack(of: item, in: &result, try match.asset.flatMap { try catalogue.asset(row: $0) })
    }
    settle(item, .result(result))
    try StagedFile.discard(item, in: batch)
    return true
  }

  /// The withdrawn content that an item has, under each policy; most libraries have none, which is asked once a
  /// batch.
  private mutating func withdrawnContent(
    of item: ItemWork
  ) throws -> (localIdentifier: String, role: ResourceRole)? {
    let isThere = try hasWithdrawnContent ?? catalogue.hasWithdrawnContent()
    hasWithdrawnContent = isThere
    return isThere ? try catalogue.withdrawnContent(sourceDigests: sourceDigests(of: item)) : nil
  }
}
