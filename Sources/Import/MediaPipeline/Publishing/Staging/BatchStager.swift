internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSources

/// Determines the results of a batch whose items have all ended: which items form one asset, which
/// the library has already, and the names of each asset's files.
///
/// Items are processed in their own order, never in the order of the workers' answers, so that the
/// same sources always produce the same library.
package struct BatchStager {
  let batch: BatchWork
  private let library: Library
  let identifiers: ContentIdentifiers
  private let writtenUnder: [SourceID: String]
  let onSourceChanged: ChangedSourcePolicy
  private(set) var privateFacts: [PrivateAssetFacts] = []
  let adding: CaptureAdding
  var additions: [StagedAddition] = []
  /// Captured items that are not added: because that is refused, and because sound that their files have is.
  var notAdded = (refused: 0, withoutSound: 0)
  /// What has been decided about each item, by its index.
  private var dispositions: [Disposition]
  var assets: [StagedAsset] = []
  /// Paths of lost originals that this batch publishes again.
  var restored: Set<String> = []
  /// The content of this batch's own assets, by source digest.
  var seen: [[UInt8]: (localIdentifier: String, role: ResourceRole, sha256: String)] = [:]
  /// Whether the library knows withdrawn content; nil until an item asks. The run holds the library, so that nothing
  /// else withdraws.
  var hasWithdrawnContent: Bool?

  init(
    batch: BatchWork,
    library: Library,
    writtenUnder: [SourceID: String],
    onSourceChanged: ChangedSourcePolicy = .add,
    adding: CaptureAdding = .off
  ) {
    self.batch = batch
    self.library = library
    identifiers = ContentIdentifiers(library.digestKey)
    self.writtenUnder = writtenUnder
    self.onSourceChanged = onSourceChanged
    self.adding = adding
    dispositions = Array(repeating: .open, count: batch.items.count)
  }

  var catalogue: Catalogue { library.catalogue }
  var digestKey: [UInt8] { library.digestKey }

  /// Whether a published file of an asset is gone, and does not come back with this batch; never one of an asset
  /// that a person has withdrawn.
  func isLost(_ path: String, of asset: KnownAsset) -> Bool {
    !asset.isWithdrawn && !restored.contains(path)
      && !Array(path.utf8).withUnsafeBytes { FileSystem.exists(beneath: library.root, $0) }
  }

  // MARK: What has been decided

  /// What has been decided about an item.
  func disposition(of item: ItemWork) -> Disposition { dispositions[item.index] }

  /// Decides about an item.
  mutating func settle(_ item: ItemWork, _ disposition: Disposition) {
    dispositions[item.index] = disposition
  }

  /// The result of an item; nil while it has none.
  func result(of item: ItemWork) -> ItemResult? { disposition(of: item).result }

  /// The items that have to be stripped again before the batch is staged.
  var restripped: [ItemWork] { batch.items.filter { disposition(of: $0).isRestrip } }

  /// The items that have to be read again before the batch is staged, or have failed.
  var reread: [Reread] { batch.items.compactMap { disposition(of: $0).reread } }

  /// Halves of live photos that have no result yet: the other half is not in this batch and may be met
  /// later, or was published alone.
  var waiting: [WaitingHalf] { batch.items.compactMap { disposition(of: $0).waitingHalf } }

  /// Returns the new content of the batch's row, and arranges the staging folder accordingly.
  ///
  /// - Returns: Nil while items are ``restripped`` or ``reread``: when that has been done, the next call stages them.
  mutating func staged() throws -> StagedBatch? {
    for index in dispositions.indices where dispositions[index].isForOneRound {
      dispositions[index] = .open
    }
    let pairs = LivePhotoPairing(batch.items.filter { $0.pending.owner == nil })
    for item in batch.items where !item.isRefused && item.pending.owner == nil {
      // The movie of a live photo is staged with its still, whichever comes first.
      let first = pairs.still(of: item) ?? pairs.fullerCopy(of: item)
      if let first, disposition(of: first).isOpen { try stage(first, pairs) }
      if disposition(of: item).isOpen { try stage(item, pairs) }
    }
    guard restripped.isEmpty, reread.isEmpty else { return nil }
    try noteDescribed()
    try settleSidecars()
    // The outcome of an asset's media comes before those of its sidecars, so that a reader of the log meets
    // the assets in the order of their rows.
    let ordered =
      batch.items.filter { $0.pending.owner == nil }
      + batch.items.filter { $0.pending.owner != nil }
    var staged = StagedBatch(results: ordered.compactMap { result(of: $0) }, assets: assets)
    staged.privateFacts = privateFacts
    if !additions.isEmpty, case .allowed(let copier) = adding {
      staged.additions = StagedAdditions(photoLibrary: copier.folder.path, files: additions)
    }
    return staged
  }

  /// Has items stripped again before the batch is staged.
  mutating func restrip(_ items: [ItemWork]) {
    for item in items { settle(item, .restrip) }
  }

  /// Whether the output may be one half of a live photo: under `strip` it has the identifier of a pair.
  private func mayBeHalf(_ item: ItemWork) -> Bool {
    item.isPairable || !item.source.policy.strips
  }

  /// The movie of a live photo, unless it failed, is left out, or one of both was stripped as an
  /// item without a counterpart.
  func publishableMovie(of item: ItemWork, _ pairs: LivePhotoPairing) -> ItemWork? {
    pairs.movie(of: item).flatMap { movie in
      item.source.publishesLivePhotos && mayBeHalf(item) && mayBeHalf(movie)
        && movie.product?.claim.isAccepted == true
        && pairs.reasonToLeaveOut(movie) == nil ? movie : nil
    }
  }

  // MARK: Assets

  /// Writes an asset anew whose policy was looser, or which was withdrawn; its older files are superseded.
  ///
  /// Either all of its resources are written or none: if one cannot be written under the stricter
  /// policy, the asset stays as it is, and the next run tries again.
  ///
  /// An asset that also has content of a source with a looser policy stays as it is; the item gets
  /// an asset of its own.
  ///
  /// - Returns: False when the item's asset need not be written anew, or was already.
  mutating func rewrite(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard item.pending.isRewritten, let row = item.pending.previousAsset,
      let previous = try catalogue.asset(row: row),
      try previous.isWithdrawn
        || !previous.policy.isAtLeastAsStrict(as: item.source.policy)
          && catalogue.sources(ofAsset: row).allSatisfy({ isStrict($0, as: item.source.policy) }),
      !assets.contains(where: { $0.localIdentifier == previous.localIdentifier })
    else { return false }
    let movie = publishableMovie(of: item, pairs)
    guard previous.sourceDigests.count == (movie == nil ? 1 : 2) else {
      try StagedFile.discard(item, in: batch)
      var result =
        previous.isWithdrawn ? result(item, .withdrawn) : result(item, outcome: .unchanged)
      result.localIdentifier = previous.localIdentifier
      result.policy = previous.policy
      result.writtenUnder = WrittenUnder.text(policy: previous.policy, thumbnails: [])
      settle(item, .result(result))
      return true
    }
    try makeAsset(of: item, with: movie, isDegraded: false, replacing: previous)
    return true
  }

  /// Returns whether the policy of a source is at least as strict as `policy`.
  private func isStrict(_ source: SourceID, as policy: MetadataPolicy) -> Bool {
    writtenUnder[source].flatMap(WrittenUnder.policy)?.isAtLeastAsStrict(as: policy) ?? false
  }

  mutating func makeAsset(
    of item: ItemWork,
    with movie: ItemWork? = nil,
    isDegraded: Bool,
    replacing previous: KnownAsset? = nil,
    _ replacement: Replacement? = nil,
    olderVersion: String? = nil
  ) throws {
    guard let product = item.product, var output = product.output else { return }
    if movie == nil, item.hasPairIdentifier {
      restrip([item])
      return
    }
    if turns(item, as: previous, with: movie) { return }
    guard
      let copies = try copies(
        of: [item] + [movie].compactMap { $0 },
        isNew: previous == nil || replacement != nil
      )
    else { return }
    try keepLabel(of: previous, in: &output, of: item)
    let (facts, label) = (product.claim.facts, output.label)
    var asset = StagedAsset(
      localIdentifier: previous?.localIdentifier ?? LocalIdentifier.make(),
      saveTime: item.planned.saveTime,
      label: label.text,
      mediaType: facts.format.mediaType,
      source: item.source.id,
      policy: item.source.policy,
      facts: publishable(facts, of: item),
      stagedName: item.stagedName
    )
    asset.contentDigest = item.contentIdentifier.map(identifiers.digest(of:))
    asset.burstDigest = burst(facts, of: item).map(identifiers.digest(ofBurst:))
    asset.degraded = isDegraded || item.isCut || movie?.isCut == true
    if previous != nil { asset.isRewritten = true }
    asset.replaces = replacement
    asset.olderVersion = olderVersion
    asset.thumbnails = product.thumbnails.map { thumbnail in
      staged(thumbnail, at: asset.saveTime, label: label.text)
    }
    let role = ResourceRole(mediaType: facts.format.mediaType)
    add(item, role, fileName: output.fileName, to: &asset, thumbnails: asset.thumbnails)
    if let movie { try add(movie, to: &asset, label) }
    add(copies, of: asset, facts)
    try addSidecars(of: [item] + [movie].compactMap { $0 }, to: &asset)
    assets.append(asset)
    if library.privateFacts != nil, item.source.policy.strips {
      var described = withKeyedBurst(facts)
      // The output does not have it.
      described.embeddedMovie = nil
      privateFacts.append(
        PrivateAssetFacts(localIdentifier: asset.localIdentifier, facts: described, isLive: movie != nil)
      )
    }
  }

  /// Adds the movie of a live photo to the asset of its still.
  private mutating func add(
    _ movie: ItemWork,
    to asset: inout StagedAsset,
    _ label: Label
  ) throws {
    guard let product = movie.product, let output = product.output else { return }
    let format = product.claim.facts.format
    let fileName = label.fileName(role: .pairedVideo, fileExtension: format.fileExtension)
    try FileSystem.rename(
      from: batch.folder,
      [UInt8]("\(movie.stagedName)/\(output.fileName)".utf8),
      to: batch.folder,
      [UInt8]("\(asset.stagedName)/\(fileName)".utf8)
    )
    // The asset's thumbnails are those of the still.
    _ = try thumbnails(of: product) { _ in false }
    add(movie, .pairedVideo, fileName: fileName, to: &asset, thumbnails: [])
  }

  /// Has an item processed again whose thumbnails are not turned as a person has turned its asset.
  ///
  /// - Returns: Whether they are not.
  mutating func turns(
    _ item: ItemWork,
    as asset: KnownAsset?,
    with movie: ItemWork? = nil
  ) -> Bool {
    let rotation = asset?.rotation ?? 0
    guard item.rotation != rotation, item.product?.thumbnails.isEmpty == false else { return false }
    item.turn(to: rotation)
    restrip([item])
    if let movie { settle(movie, .held) }
    return true
  }

  /// Gives an output the label that a person has given its asset.
  private func keepLabel(
    of previous: KnownAsset?,
    in output: inout ItemWork.Output,
    of item: ItemWork
  ) throws {
    guard let previous, previous.hasOwnLabel, previous.label != output.label.text,
      let format = item.product?.claim.facts.format
    else { return }
    let name = output.fileName
    output.label = Label(previous.label)
    output.fileName = output.label.fileName(
      role: ResourceRole(mediaType: format.mediaType),
      fileExtension: format.fileExtension
    )
    try FileSystem.rename(
      from: batch.folder,
      [UInt8]("\(item.stagedName)/\(name)".utf8),
      to: batch.folder,
      [UInt8]("\(item.stagedName)/\(output.fileName)".utf8)
    )
  }

  private mutating func add(
    _ item: ItemWork,
    _ role: ResourceRole,
    fileName: String,
    to asset: inout StagedAsset,
    thumbnails: [StagedThumbnail]
  ) {
    guard let product = item.product, let output = product.output else { return }
    let resource = resource(of: item, product, output, role, fileName)
    asset.resources.append(resource)
    let digest = resource.sourceDigest
    if seen[digest] == nil { seen[digest] = (asset.localIdentifier, role, resource.sha256) }
    var result = result(item, outcome: .imported)
    result.localIdentifier = asset.localIdentifier
    result.role = role
    result.output = OutputFile(
      published: "\(asset.publishedFolder)/\(fileName)",
      sha256: resource.sha256,
      bytes: output.bytes
    )
    result.sourceDigest = digest
    if role != .pairedVideo {
      result.dateShift = asset.facts.description?.clockShift.map(ClockShift.text)
      result.dateAbout = asset.facts.description?.about
    }
    result.contentDigest = asset.contentDigest
    result.burstDigest = asset.burstDigest
    if item.pending.late?.isPublished == true { result.isAgain = true }
    result.removed = output.removed
    result.degraded = asset.degraded
    result.olderVersion = asset.olderVersion
    result.replaces = asset.replaces
    result.thumbnails = thumbnails
    noteLack(of: item, in: &result)
    settle(item, .result(result))
  }

  /// The row of an item's output under its name in the asset's folder.
  func resource(
    of item: ItemWork,
    _ product: ItemWork.Product,
    _ output: ItemWork.Output,
    _ role: ResourceRole,
    _ fileName: String
  ) -> StagedResource {
    StagedResource(
      role: role,
      fileName: fileName,
      format: .media(product.claim.facts.format),
      bytes: output.bytes,
      sha256: Hexadecimal.text(output.digest),
      sourceDigest: sourceDigest(of: item, isMuted: item.isMuted),
      source: item.source.id,
      sourcePath: item.planned.path
    )
  }

  /// Removes the thumbnails that are not wanted from staging.
  ///
  /// - Returns: The remaining thumbnails.
  func thumbnails(
    of product: ItemWork.Product,
    where isWanted: (ThumbnailSpec) -> Bool
  ) throws -> [ItemWork.Thumbnail] {
    for thumbnail in product.thumbnails where !isWanted(thumbnail.spec) {
      try FileSystem.removeFile(in: batch.folder, [UInt8](thumbnail.stagedName.utf8))
    }
    return product.thumbnails.filter { isWanted($0.spec) }
  }

  func staged(
    _ thumbnail: ItemWork.Thumbnail,
    at time: SaveTime,
    label: String
  ) -> StagedThumbnail {
    StagedThumbnail(
      name: thumbnail.spec.name,
      fingerprint: thumbnail.spec.fingerprint,
      size: thumbnail.size,
      stagedName: thumbnail.stagedName,
      date: time.date,
      fileName: "\(time.time) \(label).\(thumbnail.spec.format.fileExtension)",
      bytes: thumbnail.bytes,
      sha256: thumbnail.sha256,
      thumbHash: thumbnail.hashes?.thumb.bytes,
      perceptualHash: thumbnail.hashes?.perceptual.stored
    )
  }

  /// Under `strip` the catalogue stores only those capture facts that the stripped file contains.
  func publishable(_ facts: Facts, of item: ItemWork) -> Facts {
    let policy = item.source.policy
    var facts = policy.strips ? facts.publishable(under: policy.stripOptions()) : facts
    facts.burstIdentifier = nil
    // A sidecar may be all that tells where it was.
    if facts.description?.place != nil { facts.hasLocation = true }
    if item.losesMovie { facts.embeddedMovie = nil }
    if item.isMuted {
      facts.tracks.removeAll { $0.kind == .audio }
      // The duration of the whole file would reveal how long the sound was.
      facts.durationMilliseconds = facts.tracks.compactMap(\.durationMilliseconds).max()
    }
    return facts
  }

  // MARK: Digests

  /// Checks the digest that the worker claims. For a whole copy the coordinator compares it with
  /// the bytes that it wrote; for an edit list it reads the source file once more.
  func isOwnDigest(of item: ItemWork, _ product: ItemWork.Product) throws -> Bool {
    if !item.needsEditList { return product.output?.digest == product.claim.digest }
    return try FileDigest.of(product.file).sha256 == Hexadecimal.text(product.claim.digest)
  }

  /// Ends an item whose source file has another digest than its worker claimed, where only that digest
  /// tells what is the same.
  ///
  /// - Returns: Whether it has ended.
  mutating func refutes(_ item: ItemWork) throws -> Bool {
    guard let product = item.product, isKnownBySource(item),
      try !isOwnDigest(of: item, product)
    else { return false }
    try StagedFile.discard(item, in: batch)
    item.end(.workerProtocol, .assemble, "the source file has another SHA-256 than the worker said")
    settle(item, .result(result(item, .workerProtocol)))
    return true
  }

  /// Whether the output has a content identifier or none, after what it is published with: then two
  /// outputs of one file may differ, and only the digests of their sources show that they are the same
  /// photo.
  func isRenewed(_ item: ItemWork) -> Bool {
    item.source.policy.strips && item.facts?.contentIdentifier != nil
  }

  /// Whether the digest of the source identifies the content without a comparison of outputs.
  func isKnownBySource(_ item: ItemWork) -> Bool {
    isRenewed(item) || (item.source.policy == .keep && item.needsEditList)
  }

  /// Returns the coordinator's own SHA-256 of the file under `keep`, and under `strip` an HMAC of
  /// the worker's digest, so that the catalogue cannot be matched with files that a reader has.
  ///
  /// An item with a renewed identifier is known by its source alone: the coordinator has read the
  /// file itself before, and the HMAC has another message, so that a digest that was only claimed
  /// never equals it. A muted movie has a message of its own too.
  func sourceDigest(of item: ItemWork, isMuted: Bool) -> [UInt8] {
    let digest = item.product?.claim.digest ?? []
    if item.source.policy == .keep { return digest }
    let renewal: SourceFileDigest.Renewal = !isRenewed(item) ? .none : isMuted ? .muted : .confirmed
    return SourceFileDigest.stripped(digest, renewal, key: digestKey)
  }

  /// The digests of an item's source under all policies; see ``sourceDigest(of:isMuted:)``.
  func sourceDigests(of item: ItemWork) -> [[UInt8]] {
    SourceFileDigest.all(of: item.product?.claim.digest ?? [], key: digestKey)
  }

  // MARK: Results

  mutating func drop(_ item: ItemWork, _ reason: ItemReason) throws {
    try StagedFile.discard(item, in: batch)
    settle(item, .result(result(item, reason)))
  }

  func result(_ item: ItemWork, outcome: ItemOutcome) -> ItemResult {
    ItemResult(
      item: item.planned,
      outcome: outcome,
      writtenUnder: writtenUnder[item.source.id] ?? "",
      policy: item.source.policy
    )
  }

  func result(_ item: ItemWork, _ reason: ItemReason) -> ItemResult {
    var result = ItemResult(
      item: item.planned,
      outcome: reason.outcome,
      reason: reason,
      step: reason.outcome == .failed ? item.ending?.step : nil,
      failedFormat: reason.outcome == .failed ? item.facts?.format : nil,
      message: item.ending.map { EscapedText.printable($0.detail, limit: 300) },
      writtenUnder: writtenUnder[item.source.id] ?? "",
      policy: item.source.policy
    )
    if reason == .damaged {
      result.damage = item.ending.flatMap { Damage(rawValue: $0.detail) }
    }
    // What a JSON file says may end without a change of the file.
    let isLasting = reason.isLasting && item.reasonOfStanding == nil
    result.conditions = isLasting ? item.source.conditions : nil
    return result
  }
}
