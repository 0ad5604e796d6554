internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaWorkerProtocol

/// One item of a batch while it is processed.
///
/// Everything that belongs to one try of the item is the payload of its state, so that another try
/// begins with nothing of the one before.
final class ItemWork {
  enum State {
    /// Waits for a worker.
    case waiting
    /// A worker has the job.
    case sent(Attempt)
    /// All of its output is in staging.
    case ready(Product)
    /// Ended without an output of its own.
    case ended(Ending)
  }

  /// What a worker says the file is, in the first message of its answer.
  struct Claim {
    var facts: Facts
    /// The source file's SHA-256, which counts only where the coordinator has checked it.
    var digest: [UInt8]
    /// Whether its media type is one that the source asks for.
    var isAccepted: Bool
  }

  /// A thumbnail in staging.
  struct Thumbnail {
    var spec: ThumbnailSpec
    var size: PixelSize
    var stagedName: String
    var bytes: Int64
    var sha256: String
  }

  /// The item's output in staging, as the coordinator has written it.
  struct Output {
    var label: Label
    var fileName: String
    var bytes: Int64
    /// SHA-256 of the bytes that were written, made by the coordinator.
    var digest: [UInt8]
    var removed: [RemovedMetadata]
  }

  /// A whole answer, carried out.
  struct Product {
    /// The source file, still open.
    var file: Descriptor
    var claim: Claim
    /// Nil when the item is only named, or gets thumbnails alone.
    var output: Output?
    var thumbnails: [Thumbnail]
  }

  struct Ending {
    var reason: ItemReason
    var step: ItemStep
    /// For the log and the person; not yet escaped.
    var detail: String
    /// What the file is, when that was known before the item ended.
    var claim: Claim?
  }

  let index: Int
  private(set) var planned: PlannedItem
  let source: PlannedSource
  /// The item's position in the run, 1-based.
  let number: Int
  /// The asset that only gets thumbnails, when the file itself is unchanged.
  let known: KnownAsset?
  /// Row of the asset that an earlier run has made of this path.
  let previousAsset: Int64?
  /// Whether that asset was written under a looser metadata policy, and is written anew.
  let isRewritten: Bool
  /// Whether the possible live-photo counterpart is unchanged and therefore not in this batch.
  let hasUnchangedCounterpart: Bool
  let thumbnails: [ThumbnailSpec]
  let limits: ItemLimits
  /// Whether it has an access record and is opened; what the listing has ended is not.
  let isOpened: Bool

  private(set) var state = State.waiting
  /// How often a worker that had it has died, or the file has changed meanwhile.
  var failedAttempts = 0

  init(
    index: Int,
    planned: PlannedItem,
    source: PlannedSource,
    number: Int,
    known: KnownAsset?,
    previousAsset: Int64?,
    isRewritten: Bool = false,
    hasUnchangedCounterpart: Bool = false,
    thumbnails: [ThumbnailSpec],
    limits: ItemLimits,
    reason: ItemReason?
  ) {
    self.index = index
    self.planned = planned
    self.source = source
    self.number = number
    self.known = known
    self.previousAsset = previousAsset
    self.isRewritten = isRewritten
    self.hasUnchangedCounterpart = hasUnchangedCounterpart
    self.thumbnails = thumbnails
    self.limits = limits
    isOpened = reason == nil
    if let reason { end(reason, .list) }
  }

  // MARK: States

  /// Begins a try with the file that was opened, which is `status` now.
  func begin(with file: Descriptor, _ status: FileStatus) -> Attempt {
    planned.status = status
    let attempt = Attempt(file: file)
    state = .sent(attempt)
    return attempt
  }

  /// Waits for a worker again; nothing of the last try is left.
  func retry() { state = .waiting }

  func finish(with product: Product) { state = .ready(product) }

  func end(_ reason: ItemReason, _ step: ItemStep, _ detail: String = "") {
    state = .ended(Ending(reason: reason, step: step, detail: detail, claim: claim))
  }

  /// The answer so far, while a worker has the job.
  var attempt: Attempt? {
    if case .sent(let attempt) = state { attempt } else { nil }
  }

  /// The item's output and thumbnails, once all of it is in staging.
  var product: Product? {
    if case .ready(let product) = state { product } else { nil }
  }

  var ending: Ending? {
    if case .ended(let ending) = state { ending } else { nil }
  }

  /// Whether nothing more will come of the item.
  var isComplete: Bool {
    switch state {
    case .waiting, .sent: false
    case .ready, .ended: true
    }
  }

  private var claim: Claim? {
    switch state {
    case .waiting: nil
    case .sent(let attempt): attempt.claim
    case .ready(let product): product.claim
    case .ended(let ending): ending.claim
    }
  }

  var facts: Facts? { claim?.facts }

  /// Whether the file is of a media type that the source asks for, as far as that is known.
  var isAccepted: Bool { claim?.isAccepted ?? false }

  // MARK: The job

  /// The asset's folder in the batch's staging folder.
  var stagedName: String { String(index) }

  /// How long a worker may take, in seconds: it grows with the file.
  var deadlineSeconds: Int64 {
    // Never more than a day: in nanoseconds a sparse file's would be more than an integer holds.
    min(Int64(limits.seconds) + planned.status.size / 20_000_000, 86_400)
  }

  /// Whether the output is made from an edit list, and not from the whole file.
  var needsEditList: Bool { source.policy.strips || isMuted }

  /// Whether the worker is asked to take the sound out, if the file is a video.
  private var mutesVideo: Bool { known == nil && source.audioRefusal == .mute }

  /// Whether it is a video whose sound the worker was asked to take out.
  var isMuted: Bool { mutesVideo && facts?.format.mediaType == .video }

  /// The job that a worker gets; `pairingKey` is the batch's own, see `StripOptions`.
  func job(identifier: UInt64, pairingKey: [UInt8], acceptsDamaged: Bool) -> Job {
    var strip = source.policy.stripOptions(pairingKey: pairingKey)
    strip.removesSound = mutesVideo
    return Job(
      identifier: identifier,
      acceptedMediaTypes: source.acceptedMediaTypes,
      wantsEditList: known == nil && source.policy.strips,
      strip: strip,
      thumbnails: thumbnails,
      limits: limits,
      acceptsDamaged: acceptsDamaged,
      isStripped: source.policy.strips,
      allowsAudio: source.audioRefusal == nil
    )
  }
}

/// One try of an item: the open file, and what a worker has said of it so far.
final class Attempt {
  let file: Descriptor
  var claim: ItemWork.Claim?
  /// The output that is being written, under the label that names it.
  var output: (label: Label, assembler: OutputAssembler)?
  var removed: [RemovedMetadata] = []
  var made: [ItemWork.Thumbnail] = []
  /// A thumbnail whose last piece has not come.
  var partial: (spec: ThumbnailSpec, size: PixelSize, bytes: [UInt8])?
  /// Whether the worker's last message has come.
  var isAnswered = false

  init(file: Descriptor) { self.file = file }

  /// Whether the file is not what it was when it was opened.
  func hasChanged(since planned: PlannedItem) -> Bool {
    guard let now = try? file.status() else { return false }
    return !now.isSameContent(as: planned.status)
  }
}

/// Up to 64 items that are recorded, processed, flushed and published together.
final class BatchWork {
  static let maximumCount = 64
  /// Bytes of source files, so that a batch of large files is flushed while the next is decoded.
  static let maximumBytes: Int64 = 24 << 20

  let identifier: Int64
  let items: [ItemWork]
  let folder: Descriptor
  /// 32 bytes, forgotten with the batch: the still and the movie of a live photo get their fresh
  /// content identifier from it, each in its own worker.
  let pairingKey = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  /// Set once a flush has failed: a second time ends the run.
  var wasRestarted = false
  private var nextToSend = 0

  init(identifier: Int64, items: [ItemWork], folder: Descriptor) {
    self.identifier = identifier
    self.items = items
    self.folder = folder
  }

  /// The next item that waits for a worker.
  var waiting: ItemWork? {
    while nextToSend < items.count {
      if case .waiting = items[nextToSend].state { return items[nextToSend] }
      nextToSend += 1
    }
    return nil
  }

  /// Makes an item of the batch wait for a worker again.
  func retry(_ item: ItemWork) {
    item.retry()
    nextToSend = min(nextToSend, item.index)
  }

  var isComplete: Bool { items.allSatisfy(\.isComplete) }
}
