/// The outcome of one item, with all files that were written for it.
///
/// The journal, the log, the events and each report are written from this one value, by the list of its
/// ``fields``.
package struct Outcome: Sendable, Hashable {
  package var source: SourceID
  /// Within its source.
  package var path: ItemPath
  package var outcome: ItemOutcome
  package var reason: ItemReason?
  /// The step at which it failed, or at which a thumbnail did.
  package var step: ItemStep?
  /// The format of the content of an item that failed, where it is known; nil for any other item.
  package var failedFormat: MediaFormat?
  /// What a damaged file lacks; nil for any other item, and where nothing of it is known.
  package var damage: Damage?
  /// The words of a worker or of a library about a failure or a missing thumbnail, for a person; escaped.
  package var message: String?
  /// The asset that holds its content: the one made, or the one from before.
  package var localIdentifier: String?
  package var role: ResourceRole?
  /// The published file; nil for an item that was not imported.
  package var output: OutputFile?
  package var sourceDigest: SourceDigest?
  /// The policy under which it was written; nil in a record that lacks it.
  package var policy: MetadataPolicy?
  package var removed: [RemovedMetadata] = []
  /// The thumbnails made for its asset with it, each name once.
  package var thumbnails: [Thumbnail] = []
  /// Whether its asset lacks a resource that its source had, or its file ends early.
  package var degraded = false
  /// The lost original that was published again at its place; nil for every other item.
  package var restored: OutputFile?
  /// The asset that the file's earlier content became, when this content became another.
  package var olderVersion: String?
  /// The part of its own asset whose place it takes; nil when the asset is new.
  package var replaces: Replacement?
  /// What was added to the date of a wrong clock, as `+01:02:30`; nil where its clock was right, and where the
  /// catalogue has no date of the rules.
  package var dateShift: String?
  /// The date that a person stated of the file in the manifest, as ``AboutDate/text``; nil where nobody did.
  package var dateAbout: String?
  /// The keyed digest of its content identifier, 16 bytes; nil without one, or without an asset.
  package var contentDigest: [UInt8]?
  /// The keyed digest of its burst's identifier, 16 bytes; nil without one, or without an asset.
  package var burstDigest: [UInt8]?
  /// Whether its outcome counts already: its asset was published anew, because its other half was found.
  package var isAgain = false
  /// Whether it is recorded by the run after the one that published it, which was stopped before it could.
  package var recovered = false

  package init(source: SourceID, path: ItemPath, outcome: ItemOutcome) {
    self.source = source
    self.path = path
    self.outcome = outcome
  }

  /// All files that were written for it.
  package var files: [OutputFile] { thumbnails.map(\.file) + [output].compactMap { $0 } }

  /// The same outcome as it is recorded by the run that published it, or by the one after that.
  package func recorded(recovered: Bool) -> Outcome {
    var outcome = self
    outcome.recovered = recovered
    return outcome
  }

  /// A thumbnail that was made for the item's asset.
  package struct Thumbnail: Sendable, Hashable {
    /// The name of its settings in the manifest.
    package var name: String
    package var file: OutputFile

    package init(name: String, file: OutputFile) {
      self.name = name
      self.file = file
    }
  }

  /// The number of sound tracks removed because the microphone is refused; nil for all but videos.
  package var mutedTrackCount: Int? {
    guard role == .video || role == .pairedVideo else { return nil }
    return removed.first { $0.name == RemovedMetadata.audioTrack }?.count
  }

  /// Whether the movie of a motion photo was cut off, because the microphone is refused: nothing else makes
  /// the output of a picture under `keep` another file than its source.
  package var isTrailerRemoved: Bool {
    guard role == .photo, policy == .keep, let output, let sourceDigest, !sourceDigest.isKeyed
    else { return false }
    return output.sha256 != Hexadecimal.text(sourceDigest.bytes)
  }
}

/// A file that a run wrote into a library, or removed from it.
package struct OutputFile: Sendable, Hashable {
  /// Below the library.
  package var path: ItemPath
  /// The digest of the bytes written, hexadecimal.
  package var sha256: String
  package var bytes: Int
  /// The size of a thumbnail in pixels; nil for every other file.
  package var pixelSize: PixelSize?

  package init(path: ItemPath, sha256: String, bytes: Int, pixelSize: PixelSize? = nil) {
    self.path = path
    self.sha256 = sha256
    self.bytes = bytes
    self.pixelSize = pixelSize
  }

  /// Creates the file at a path below the library, as the catalogue has it.
  package init(
    published path: String,
    sha256: String,
    bytes: Int64,
    pixelSize: PixelSize? = nil
  ) {
    self.init(
      path: ItemPath(bytes: [UInt8](path.utf8)),
      sha256: sha256,
      bytes: Int(bytes),
      pixelSize: pixelSize
    )
  }
}

extension OutputFile {
  /// Its path as the catalogue has it.
  package var published: String { String(decoding: path.bytes, as: UTF8.self) }
}

/// The digest of a source file, which under `strip` must not let anyone match the file.
package struct SourceDigest: Sendable, Hashable {
  /// 32 bytes.
  package var bytes: [UInt8]
  /// Whether they are an HMAC-SHA-256, with the library's key, of the file's SHA-256, as under `strip`;
  /// otherwise they are the SHA-256 of the file, under `keep` only.
  package var isKeyed: Bool

  package init(_ bytes: [UInt8], isKeyed: Bool) {
    self.bytes = bytes
    self.isKeyed = isKeyed
  }
}
