package import MediaFileSystem
package import MediaModel

/// A file of a batch, as it was when the batch was planned.
package struct PlannedItem: Sendable, Hashable {
  package var source = SourceID.camera
  package var path = ItemPath(bytes: [])
  package var status = FileStatus(kind: .other)
  /// Reserved for the asset that this file may become.
  package var saveTime = SaveTime(microseconds: 0)

  package init(source: SourceID, path: ItemPath, status: FileStatus, saveTime: SaveTime) {
    self.source = source
    self.path = path
    self.status = status
    self.saveTime = saveTime
  }
}

/// The outcome of one item of a batch, as the journal keeps it: see `StagedBatch+Journal.swift`.
@dynamicMemberLookup
package struct ItemResult: Sendable, Hashable {
  package var item: PlannedItem
  /// What the log, the events and the reports have of it.
  package internal(set) var details: Outcome
  /// All that a failure, or the lack of thumbnails, depends on besides the file; nil for an item that is
  /// tried again by each run.
  package var conditions: String?
  /// The policy and the thumbnails under which it was written; see ``CatalogueItem/writtenUnder``.
  package var writtenUnder: String
  package var thumbnails: [StagedThumbnail] = [] {
    didSet { details.thumbnails = thumbnails.map(\.outcome) }
  }

  package init(
    item: PlannedItem,
    outcome: ItemOutcome,
    reason: ItemReason? = nil,
    step: ItemStep? = nil,
    failedFormat: MediaFormat? = nil,
    message: String? = nil,
    writtenUnder: String,
    policy: MetadataPolicy
  ) {
    self.item = item
    self.writtenUnder = writtenUnder
    details = Outcome(source: item.source, path: item.path, outcome: outcome)
    (details.reason, details.step) = (reason, step)
    (details.failedFormat, details.message) = (failedFormat, message)
    details.policy = policy
  }

  package subscript<Value>(dynamicMember value: WritableKeyPath<Outcome, Value>) -> Value {
    get { details[keyPath: value] }
    set { details[keyPath: value] = newValue }
  }

  /// The digest of the source file: under `keep` its SHA-256, under `strip` an HMAC of that with the
  /// library's key. Set when the policy is.
  package var sourceDigest: [UInt8]? {
    get { details.sourceDigest?.bytes }
    set {
      let isKeyed = details.policy != .keep
      details.sourceDigest = newValue.map { SourceDigest($0, isKeyed: isKeyed) }
    }
  }
}

/// A file of an asset in staging.
package struct StagedResource: Sendable, Hashable {
  package var role = ResourceRole.photo
  /// In the asset's folder, before and after publishing.
  package var fileName = ""
  package var format = ResourceFormat.media(.jpeg)
  package var bytes = Int64(0)
  package var sha256 = ""
  package var sourceDigest = [UInt8]()
  package var source = SourceID.camera
  package var sourcePath = ItemPath(bytes: [])

  package init(
    role: ResourceRole,
    fileName: String,
    format: ResourceFormat,
    bytes: Int64,
    sha256: String,
    sourceDigest: [UInt8],
    source: SourceID,
    sourcePath: ItemPath
  ) {
    self.role = role
    self.fileName = fileName
    self.format = format
    self.bytes = bytes
    self.sha256 = sha256
    self.sourceDigest = sourceDigest
    self.source = source
    self.sourcePath = sourcePath
  }
}

/// A thumbnail in staging.
package struct StagedThumbnail: Sendable, Hashable {
  package var name = ""
  package var fingerprint = ""
  package var size = PixelSize(width: 0, height: 0)
  /// In the batch's staging folder.
  package var stagedName = ""
  /// Below `Thumbnails/<name>`: the date, then the file.
  package var date = ""
  package var fileName = ""
  package var bytes = Int64(0)
  package var sha256 = ""
  /// The bytes of its ThumbHash; nil of a thumbnail that was made without one.
  package var thumbHash: [UInt8]?
  /// The ``PerceptualHash/stored`` of its picture; nil as above.
  package var perceptualHash: Int64?

  /// Below the library.
  package var publishedPath: String { "Thumbnails/\(name)/\(date)/\(fileName)" }

  /// What the outcome of its item has of it.
  var outcome: Outcome.Thumbnail {
    Outcome.Thumbnail(
      name: name,
      file: OutputFile(published: publishedPath, sha256: sha256, bytes: bytes, pixelSize: size)
    )
  }

  package init(
    name: String,
    fingerprint: String,
    size: PixelSize,
    stagedName: String,
    date: String,
    fileName: String,
    bytes: Int64,
    sha256: String,
    thumbHash: [UInt8]?,
    perceptualHash: Int64? = nil
  ) {
    self.name = name
    self.fingerprint = fingerprint
    self.size = size
    self.stagedName = stagedName
    self.date = date
    self.fileName = fileName
    self.bytes = bytes
    self.sha256 = sha256
    self.thumbHash = thumbHash
    self.perceptualHash = perceptualHash
  }
}

/// An asset whose files are in staging, or that gets thumbnails it did not have.
package struct StagedAsset: Sendable, Hashable {
  package var localIdentifier = ""
  /// Whether the asset is published already, and only thumbnails are new or lost originals come back.
  package var isKnown = false
  /// The folder below `Originals` to which ``resources`` come back; nil when they are new.
  package var restoredFolder: String?
  /// Whether the asset is published already and all of its files are new: the older ones are
  /// superseded.
  package var isRewritten: Bool?
  /// The part of an asset that is rewritten because its source file changed; the originals of an earlier
  /// version are kept.
  package var replaces: Replacement?
  /// The asset that the source file's earlier content became.
  package var olderVersion: String?
  /// The keyed digest of its sources' content identifier, 16 bytes; nil without one.
  package var contentDigest: [UInt8]?
  /// The keyed digest of its burst's identifier, 16 bytes; nil without one.
  package var burstDigest: [UInt8]?
  package var saveTime = SaveTime(microseconds: 0)
  package var label = ""
  package var mediaType = MediaType.image
  package var source = SourceID.camera
  package var policy = MetadataPolicy.keep
  /// Only what the published file still says; see the design's rule for `strip`.
  package var facts = Facts(format: .jpeg)
  package var degraded = false
  /// In the batch's staging folder.
  package var stagedName = ""
  package var resources: [StagedResource] = []
  package var thumbnails: [StagedThumbnail] = []

  /// Below the library.
  package var publishedFolder: String { "Originals/\(restoredFolder ?? saveTime.folder)" }

  /// The paths that its new files get, below the library.
  package var publishedPaths: [String] {
    resources.map { "\(publishedFolder)/\($0.fileName)" } + thumbnails.map(\.publishedPath)
  }

  package init(
    localIdentifier: String,
    saveTime: SaveTime,
    label: String,
    mediaType: MediaType,
    source: SourceID,
    policy: MetadataPolicy,
    facts: Facts,
    stagedName: String
  ) {
    self.localIdentifier = localIdentifier
    self.saveTime = saveTime
    self.label = label
    self.mediaType = mediaType
    self.source = source
    self.policy = policy
    self.facts = facts
    self.stagedName = stagedName
  }
}

/// A captured file whose copy waits for its name in the photo library.
package struct StagedAddition: Sendable, Hashable {
  package var source = SourceID.camera
  /// Below the source.
  package var path = ItemPath(bytes: [])
  /// The asset that it became.
  package var localIdentifier = ""
  /// The name of the copy in the photo library's folder of incoming files.
  package var incomingName = [UInt8]()
  /// The day that the copy is filed under, `yyyy-MM-dd`.
  package var date = ""
  package var bytes = Int64(0)
  package var sourceDigest = [UInt8]()
  /// Whether the digest is keyed, as under `strip`.
  package var isDigestKeyed = false

  package init(
    source: SourceID,
    path: ItemPath,
    localIdentifier: String,
    incomingName: [UInt8],
    date: String,
    bytes: Int64,
    sourceDigest: [UInt8],
    isDigestKeyed: Bool
  ) {
    self.source = source
    self.path = path
    self.localIdentifier = localIdentifier
    self.incomingName = incomingName
    self.date = date
    self.bytes = bytes
    self.sourceDigest = sourceDigest
    self.isDigestKeyed = isDigestKeyed
  }
}

/// The files that a batch adds to a photo library.
package struct StagedAdditions: Sendable, Hashable {
  /// The path of the photo library, every symbolic link resolved.
  package var photoLibrary = [UInt8]()
  /// The files; those of one asset beside each other.
  package var files = [StagedAddition]()

  package init(photoLibrary: [UInt8], files: [StagedAddition]) {
    (self.photoLibrary, self.files) = (photoLibrary, files)
  }
}

/// The contents of a batch's row from `staged` on: all that publishing needs, without the sources.
package struct StagedBatch: Sendable, Hashable {
  package var results: [ItemResult]
  package var assets: [StagedAsset]
  /// What a person has decided about published assets; empty in a batch of items.
  package var edits: [LibraryEdit] = []
  /// The captured files that are added to the photo library once the batch is published.
  package var additions: StagedAdditions?
  /// The values that stripping has taken from the assets' files, if they are stored: written to the private
  /// facts before the batch is staged, and is no part of the row.
  package var privateFacts: [PrivateAssetFacts] = []

  package init(results: [ItemResult], assets: [StagedAsset]) {
    self.results = results
    self.assets = assets
  }

  package init(edits: [LibraryEdit]) {
    self.init(results: [], assets: [])
    self.edits = edits
  }

  /// The paths below the library that new files get, and renamed ones.
  package var newPaths: [String] {
    assets.flatMap(\.publishedPaths) + edits.flatMap(\.newPaths)
  }

  /// The paths below the library of files that are renamed or moved aside.
  package var movedPaths: [String] { edits.flatMap(\.moves).map(\.from) }
}

/// The four states of a batch; each arrow is a fixed number of flushes, however many files.
package enum BatchState: Int, Sendable, Hashable {
  /// Its access records are flushed; files may be opened.
  case intended = 0
  /// Its outputs are in staging, flushed.
  case staged = 1
  /// Its outputs have their final names; the catalogue knows them.
  case published = 2
  /// Its outcome records are flushed.
  case done = 3
}
