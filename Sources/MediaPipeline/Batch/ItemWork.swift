internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaWorkerProtocol

/// One item of a batch while it is processed.
final class ItemWork {
  enum State {
    /// Waits for a worker.
    case waiting
    /// A worker has the job.
    case sent
    /// Everything that it will give stands in staging.
    case ready
    /// Ended without an output of its own, for the reason in `failure`.
    case ended
  }

  /// A thumbnail that stands in staging.
  struct Thumbnail {
    var spec: ThumbnailSpec
    var size: PixelSize
    var stagedName: String
    var bytes: Int64
    var sha256: String
  }

  struct Ending {
    var reason: ItemReason
    var step: ItemStep
    /// For the log and the person; not yet escaped.
    var detail: String
  }

  let index: Int
  var planned: PlannedItem
  let source: PlannedSource
  /// Where it stands in the run, 1-based.
  let number: Int
  /// The asset that only gets thumbnails, when the file itself is unchanged.
  let known: KnownAsset?
  /// Row of the asset that an earlier run has made of this path.
  let previousAsset: Int64?
  /// Whether that asset was written under a looser metadata policy, and is written anew.
  let isRewritten: Bool
  /// A file that may be its other half stands beside it, unchanged, and is not in the batch.
  let hasUnchangedHalf: Bool
  let thumbnails: [ThumbnailSpec]
  let limits: ItemLimits
  /// Whether it has an access record and is opened; what the listing has ended is not.
  let isOpened: Bool

  var state = State.waiting
  /// How often a worker that had it has died, or the file has changed meanwhile.
  var attempts = 0
  var file: Descriptor?
  var facts: Facts?
  /// What the worker says the source file's SHA-256 is.
  var claimedDigest: [UInt8] = []
  var accepted = false
  var assembler: OutputAssembler?
  var label: Label?
  var removed: [RemovedMetadata] = []
  var made: [Thumbnail] = []
  var partial: (spec: ThumbnailSpec, size: PixelSize, bytes: [UInt8])?
  var hasAnswered = false
  /// Whether the worker was asked to take the sound out, if it is a video.
  private var mutesVideo = false
  /// Of the bytes that were written, made by the coordinator.
  var outputDigest: [UInt8] = []
  var outputBytes: Int64 = 0
  var outputName = ""
  var ending: Ending?

  init(
    index: Int,
    planned: PlannedItem,
    source: PlannedSource,
    number: Int,
    known: KnownAsset?,
    previousAsset: Int64?,
    isRewritten: Bool = false,
    hasUnchangedHalf: Bool = false,
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
    self.hasUnchangedHalf = hasUnchangedHalf
    self.thumbnails = thumbnails
    self.limits = limits
    isOpened = reason == nil
    if let reason { end(reason, .list, "") }
  }

  /// The asset's folder in the batch's staging folder.
  var stagedName: String { String(index) }

  func end(_ reason: ItemReason, _ step: ItemStep, _ detail: String) {
    state = .ended
    ending = Ending(reason: reason, step: step, detail: detail)
    assembler = nil
  }

  /// Forgets what a worker has said, for another try.
  func restart() {
    state = .waiting
    facts = nil
    claimedDigest = []
    accepted = false
    assembler = nil
    label = nil
    removed = []
    made = []
    partial = nil
    hasAnswered = false
    outputDigest = []
    ending = nil
    file = nil
  }

  /// Patience in seconds with a worker: it grows with the file.
  var deadlineSeconds: Int64 {
    // Never more than a day: in nanoseconds a sparse file's would be more than an integer holds.
    min(Int64(limits.seconds) + planned.status.size / 20_000_000, 86_400)
  }

  /// Whether the output is made from an edit list, and not from the whole file.
  var needsEditList: Bool {
    source.policy.strips || isMuted
  }

  /// Whether it is a video whose sound the worker was asked to take out.
  var isMuted: Bool { mutesVideo && facts?.format.mediaType == .video }

  /// What a worker is asked for the item; `pairingKey` is the batch's own, see `StripOptions`.
  func job(identifier: UInt64, pairingKey: [UInt8], acceptsDamaged: Bool) -> Job {
    mutesVideo = known == nil && source.soundRefusal == .mute
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
      allowsSound: source.soundRefusal == nil
    )
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
  /// 32 bytes, forgotten with the batch: both halves of a live photo get their fresh content
  /// identifier from it, each in its own worker.
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
    while nextToSend < items.count, items[nextToSend].state != .waiting { nextToSend += 1 }
    return nextToSend < items.count ? items[nextToSend] : nil
  }

  /// Lets an item that waits again be found.
  func rewind(to item: ItemWork) {
    nextToSend = min(nextToSend, item.index)
  }

  var isComplete: Bool {
    items.allSatisfy { $0.state == .ready || $0.state == .ended }
  }
}
