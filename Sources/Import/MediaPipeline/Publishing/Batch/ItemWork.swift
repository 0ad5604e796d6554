package import MediaFileSystem
package import MediaLibrary
internal import MediaListing
internal import MediaManifest
package import MediaModel
package import MediaSources
package import MediaWorkerPool
package import MediaWorkerProtocol

/// An item of a batch while it is processed.
///
/// Everything that belongs to one attempt is the payload of the item's state, so that the next
/// attempt begins with nothing of the one before.
package final class ItemWork {
  enum State {
    /// The item waits for a worker.
    case waiting
    /// A worker has the job.
    case sent(ItemAttempt)
    /// All of its output is in staging.
    case ready(Product)
    /// It is a sidecar, and a worker has said what it says.
    case read(ReadSidecar)
    /// The item ended without an output of its own.
    case ended(Ending)
    /// What its file says has been read, to choose among the items; nothing of it is imported yet.
    case compared(Facts)
    /// Access to its source was revoked before it was read: the run leaves it as it is.
    case refused
  }

  /// A worker's statement of what the file is, the first message of its answer.
  package struct Claim {
    package var facts: Facts
    /// The SHA-256 of the source file, which is trusted only after the coordinator has checked it.
    package var digest: [UInt8]
    /// Whether its media type is one that the source asks for.
    package var isAccepted: Bool
    /// Whether the file lacks a part that its container promises.
    package var isCut = false
    /// Whether it meets the source's fetch options.
    package var isFetched = true
  }

  /// A thumbnail in staging.
  package struct Thumbnail {
    package var spec: ThumbnailSpec
    var size: PixelSize
    var stagedName: String
    var bytes: Int64
    var sha256: String
    var hashes: PictureHashes?
  }

  /// The item's output in staging, as the coordinator has written it.
  package struct Output {
    var label: Label
    var fileName: String
    var bytes: Int64
    /// The SHA-256 of the written bytes, computed by the coordinator.
    var digest: [UInt8]
    var removed: [RemovedMetadata]
    var hasLostSound = false
  }

  /// The result of a complete answer.
  package struct Product {
    /// The source file, still open.
    var file: Descriptor
    var claim: Claim
    /// Nil when the item's media type is excluded, or it only gets thumbnails.
    package var output: Output?
    var thumbnails: [Thumbnail]
    /// Why thumbnails could not be made, in a worker's words; nil when all that are wanted are there.
    package var lack: (reason: ItemReason, detail: String)?
  }

  /// A worker's statement of what a sidecar says.
  package struct ReadSidecar {
    /// The source file, still open.
    var file: Descriptor
    var format: SidecarFormat
    package var description: MediaDescription
    /// The SHA-256 of the source file, which is trusted only after the coordinator has checked it.
    var digest: [UInt8]
  }

  struct Ending {
    var reason: ItemReason
    var step: ItemStep
    /// Text for the log and the person; not yet escaped.
    var detail: String
    /// The worker's claim, if it was received before the item ended.
    var claim: Claim?
  }

  package let index: Int
  package private(set) var planned: PlannedItem
  /// The status of the file that the last attempt has opened.
  package private(set) var openedStatus: FileStatus?
  package let source: PlannedSource
  /// The listed item, with what is known of it from earlier runs.
  package let pending: PendingItem
  /// The asset that only gets thumbnails, when the file itself is unchanged.
  package let stored: KnownAsset?
  package let thumbnails: [ThumbnailSpec]
  /// The degrees, clockwise, by which its thumbnails are turned.
  private(set) var rotation: Int
  package let limits: ItemLimits
  /// Whether it has an access record and is opened; an item that the listing refused is not.
  package var isOpened: Bool { pending.listed.reason == nil }

  private(set) var state = State.waiting
  /// Whether its output may be one half of a live photo. The output of any other item has no content
  /// identifier, which would link copies of one photo and tell its maker.
  package var isPairable = false
  /// Whether it is processed again since ``rotation`` is another now.
  private(set) var isTurned = false
  /// The number of times that the item was stripped again with ``isPairable`` changed.
  var restripCount = 0
  /// The sidecars of this batch that may belong to it, the one that counts most first.
  package var possibleSidecars: [ItemWork] = []
  /// Those that belong to it, as far as they were read.
  package var sidecars: [ItemWork] { possibleSidecars.filter { $0.describes(self) } }
  /// The number of attempts in which the worker died or the file changed.
  package var failedAttempts = 0

  init(
    _ pending: PendingItem,
    index: Int,
    source: PlannedSource,
    saveTime: SaveTime,
    stored: KnownAsset? = nil,
    thumbnails: [ThumbnailSpec],
    limits: ItemLimits
  ) {
    self.pending = pending
    self.index = index
    self.source = source
    self.stored = stored
    self.thumbnails = thumbnails
    rotation = stored?.rotation ?? 0
    self.limits = limits
    planned = PlannedItem(
      source: source.id,
      path: pending.listed.path,
      status: pending.listed.status,
      saveTime: saveTime
    )
    if let reason = pending.listed.reason { end(reason, .list) }
  }

  /// Notes the degrees by which a person has turned its asset; it has to be processed again.
  func turn(to degrees: Int) { (rotation, isTurned) = (degrees, true) }

  // MARK: States

  /// Notes that its asset was saved before: rules for dates compare with that time.
  package func noteSaved(at time: SaveTime) { planned.saveTime = time }

  /// Whether its file, and each that may be its sidecar, was read as the listing found it.
  package var isAsListed: Bool {
    planned.status.isSameContent(as: pending.listed.status)
      && possibleSidecars.allSatisfy { $0.read != nil && $0.isAsListed }
  }

  /// Begins an attempt with the opened file and its current status.
  package func begin(with file: Descriptor, _ status: FileStatus) -> ItemAttempt {
    planned.status = status
    return begin(file, status)
  }

  /// Begins an attempt with a copy of what is no file of its own; the item keeps the status of its listing.
  package func begin(withCopy copy: Descriptor, _ status: FileStatus) -> ItemAttempt {
    begin(copy, status)
  }

  private func begin(_ file: Descriptor, _ status: FileStatus) -> ItemAttempt {
    openedStatus = status
    let attempt = ItemAttempt(file: file)
    state = .sent(attempt)
    return attempt
  }

  /// Whether a file is as it was when it was opened for this item, as far as the kernel tells.
  ///
  /// - Throws: `FileSystemError`.
  package func isAsOpened(_ file: Descriptor) throws(FileSystemError) -> Bool {
    try file.status().isSameContent(as: openedStatus ?? planned.status)
  }

  /// Drops the last attempt, so that the item waits for a worker again.
  package func retry() { (state, isTurned) = (.waiting, false) }

  package func finish(with product: Product) { state = .ready(product) }

  package func finish(with sidecar: ReadSidecar) { state = .read(sidecar) }

  /// Whether a sidecar belongs to a file of which that is possible: one that fits several says to which.
  private func describes(_ item: ItemWork) -> Bool {
    !pending.isUndecided || read?.description.ownerExtension == item.planned.path.fileExtension
  }

  package func refuse() { state = .refused }

  /// Ends the reading of a file that is only compared with others, by its completed facts.
  package func endComparison(with facts: Facts) { state = .compared(facts) }

  package var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// Whether it may still be refused: it waits, or all of it is read and nothing is published.
  package var isRefusable: Bool {
    switch state {
    case .waiting, .ready, .read: true
    case .sent, .ended, .compared, .refused: false
    }
  }

  package var isRefused: Bool {
    if case .refused = state { true } else { false }
  }

  package func end(_ reason: ItemReason, _ step: ItemStep, _ detail: String = "") {
    state = .ended(Ending(reason: reason, step: step, detail: detail, claim: claim))
  }

  /// The current attempt, while a worker has the job.
  package var attempt: ItemAttempt? {
    if case .sent(let attempt) = state { attempt } else { nil }
  }

  /// The item's output and thumbnails, once all of it is in staging.
  package var product: Product? {
    if case .ready(let product) = state { product } else { nil }
  }

  /// The description in a sidecar, once it was read.
  package var read: ReadSidecar? {
    if case .read(let sidecar) = state { sidecar } else { nil }
  }

  /// What the file says, once it was read to be compared with others.
  package var comparedFacts: Facts? {
    if case .compared(let facts) = state { facts } else { nil }
  }

  var ending: Ending? {
    if case .ended(let ending) = state { ending } else { nil }
  }

  /// Whether nothing more is read of the item in this batch.
  package var isComplete: Bool {
    switch state {
    case .waiting, .sent: false
    case .ready, .read, .ended, .compared, .refused: true
    }
  }

  private var claim: Claim? {
    switch state {
    case .waiting, .read, .compared, .refused: nil
    case .sent(let attempt): attempt.claim
    case .ready(let product): product.claim
    case .ended(let ending): ending.claim
    }
  }

  package var facts: Facts? { claim?.facts }

  /// The identifier that the still and the movie of a live photo share, in upper case; nil without one.
  package var contentIdentifier: String? {
    guard let text = facts?.contentIdentifier, !text.isEmpty else { return nil }
    return text.uppercased()
  }

  /// Whether the file is of a media type that the source asks for, as far as that is known.
  package var isAccepted: Bool { claim?.isAccepted ?? false }

  /// Whether the file meets the source's fetch options, as far as that is known.
  package var isFetched: Bool { claim?.isFetched ?? true }

  /// Whether the file was imported although it lacks a part that its container promises.
  package var isCut: Bool { claim?.isCut ?? false }

  /// Whether the file's name is that of media which the source asks for.
  ///
  /// macOS writes a file of its own, `._` and the name, beside each file on a card that it has used;
  /// it has the extension of the photo and none of its content.
  package var isNamedAsWanted: Bool {
    let path = planned.path
    guard !path.name.starts(with: [UInt8.dot, UInt8.underscore]),
      let format = MediaFormat(fileExtension: path.fileExtension)
    else { return false }
    return source.acceptedMediaTypes.contains(format.mediaType)
  }

  // MARK: The job

  /// The asset's folder in the batch's staging folder.
  package var stagedName: String { String(index) }

  /// The time that a worker may take, in seconds.
  package var deadlineSeconds: Int64 {
    planned.status.workerSeconds(atLeast: Int64(limits.seconds))
  }

  /// Whether the output is made from an edit list, and not from the whole file.
  package var needsEditList: Bool { source.policy.strips || isMuted || losesMovie }

  /// Whether the worker is asked to remove the sound if the file is a video.
  private var mutesVideo: Bool { stored == nil && source.audioRefusal == .mute }

  /// Whether it is a video whose sound the worker was asked to remove.
  var isMuted: Bool { mutesVideo && facts?.format.mediaType == .video }

  /// What a worker does about sound in a picture that is kept, where sound is refused.
  private var soundInPicture: SoundInPicture {
    guard source.audioRefusal == .stillOnly, !source.policy.strips else { return .refused }
    return stored == nil ? .cut : .unwritten
  }

  /// Whether it is a motion photo whose movie is cut off, because the movie has sound.
  var losesMovie: Bool {
    soundInPicture == .cut && facts?.embeddedMovie.map { $0.soundTrackCount > 0 } == true
  }

  /// Whether the output has a content identifier, which only a pair may have.
  var hasPairIdentifier: Bool {
    isPairable && source.policy.strips && product?.output != nil && facts?.contentIdentifier != nil
  }

  /// Returns the job for a worker; `pairingKey` is the batch's own, see `StripOptions`, and
  /// `wantsDescription` asks for what the file says besides what showing it needs, and `wantsFactsOnly` for
  /// nothing but what it says.
  package func job(
    identifier: UInt64,
    pairingKey: [UInt8],
    acceptsDamaged: Bool,
    rawUnderStrip: RawUnderStrip = .refuse,
    wantsDescription: Bool = false,
    wantsFactsOnly: Bool = false
  ) -> Job {
    var strip = source.policy.stripOptions(pairingKey: isPairable ? pairingKey : nil)
    strip.removesAudio = mutesVideo
    return Job(
      identifier: identifier,
      acceptedMediaTypes: wantsFactsOnly ? [] : source.acceptedMediaTypes,
      wantsEditList: stored == nil && source.policy.strips && !wantsFactsOnly,
      strip: strip,
      thumbnails: wantsFactsOnly ? [] : thumbnails,
      rotation: rotation,
      limits: limits,
      acceptsDamaged: acceptsDamaged,
      isStripped: source.policy.strips,
      allowsAudio: source.audioRefusal == nil,
      soundInPicture: soundInPicture,
      publishesRawPreview: rawUnderStrip == .previewOnly,
      wantsDescription: wantsDescription,
      wantsDigest: !wantsFactsOnly,
      sidecar: sidecarFormat
    )
  }

  /// The format that the name promises, if it is a sidecar.
  package var sidecarFormat: SidecarFormat? {
    if pending.owner == nil { return nil }
    return SidecarName(planned.path)?.format ?? source.media.sidecarFormat
  }
}

/// One attempt at an item: the open file and a worker's answer so far.
package final class ItemAttempt {
  package let file: Descriptor
  package var claim: ItemWork.Claim?
  /// The description in a sidecar.
  package var sidecar: ItemWork.ReadSidecar?
  /// The output that is being written, and its label.
  package var output: (label: Label, assembler: OutputAssembler)?
  package var removed: [RemovedMetadata] = []
  /// Whether the output lacks sound that its source file has, because the microphone is refused.
  package var hasLostSound = false
  package var thumbnails: [ItemWork.Thumbnail] = []
  /// Why the others could not be made; nil as long as nothing says so.
  package var lack: (reason: ItemReason, detail: String)?
  /// A thumbnail whose last part has not arrived.
  package var partial: MadeThumbnails.Thumbnail?
  /// Whether the worker's last message has arrived.
  package var isAnswered = false

  init(file: Descriptor) { self.file = file }

  /// Whether a thumbnail is made of media of this file's type.
  package func isMade(_ spec: ThumbnailSpec) -> Bool {
    claim.map { spec.accepts($0.facts.format.mediaType) } ?? false
  }

  /// Takes what a worker has read in a sidecar.
  ///
  /// - Throws: `ProtocolError` when the item is none, or has been answered before.
  package func takeSidecar(
    _ description: MediaDescription,
    _ digest: [UInt8],
    of item: ItemWork
  ) throws(ProtocolError) {
    guard let format = item.sidecarFormat, sidecar == nil else {
      throw ProtocolError("a sidecar that was not sent")
    }
    sidecar = ItemWork.ReadSidecar(file: file, format: format, description: description, digest: digest)
  }

  /// Whether the file has changed since it was opened.
  package func hasChanged(for item: ItemWork) -> Bool {
    (try? item.isAsOpened(file)) == false
  }
}
