/// An item of a batch whose files have their final names and are on the disk, with its outcome.
package struct ItemEvent: Sendable, Hashable {
  /// A thumbnail that the batch made for the item's asset.
  package struct Thumbnail: Sendable, Hashable {
    package var name: String
    /// Below the library.
    package var path: String
    package var size: PixelSize
    package var bytes: Int64
    /// Hexadecimal.
    package var sha256: String

    package init(name: String, path: String, size: PixelSize, bytes: Int64, sha256: String) {
      self.name = name
      self.path = path
      self.size = size
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  package var source: SourceKind
  /// Within its source.
  package var sourcePath: ItemPath
  package var outcome: ItemOutcome
  package var reason: ItemReason?
  /// The step at which it failed.
  package var step: ItemStep?
  /// The format of the content of an item that failed, where it is known.
  package var failedFormat: MediaFormat?
  /// The words of a worker or of a library about a failure or a missing thumbnail; empty when there are none.
  package var detail = ""
  /// The asset that holds its content, new or from before.
  package var localIdentifier: String?
  /// The label of that asset.
  package var label: String?
  package var role: ResourceRole?
  /// The published file below the library; nil for an item that was not imported.
  package var path: String?
  package var bytes: Int64?
  /// Hexadecimal.
  package var sha256: String?
  package var thumbnails: [Thumbnail] = []
  package var degraded = false
  /// The lost original that came back with it, below the library.
  package var restoredPath: String?
  /// The asset that the file's earlier content became.
  package var olderVersion: String?
  /// The part of its own asset whose place it takes.
  package var replaces: Replacement?
  /// Whether the run that imported it was interrupted before it could tell of it for certain.
  package var recovered = false

  package init(source: SourceKind, sourcePath: ItemPath, outcome: ItemOutcome) {
    self.source = source
    self.sourcePath = sourcePath
    self.outcome = outcome
  }
}

/// The items of one batch, with the run that tells of them.
package struct ItemEvents: Sendable, Hashable {
  package var run: String
  /// The library's folder, resolved.
  package var library: String
  package var items: [ItemEvent]

  package init(run: String, library: String, items: [ItemEvent]) {
    self.run = run
    self.library = library
    self.items = items
  }
}

/// Whether the events of a batch reached their reader.
package enum EventDelivery: Sendable, Hashable {
  /// They were written, or nobody reads them any more.
  case delivered
  /// A person asked the run to stop while the reader did not read.
  case interrupted
  /// They cannot be written, for this reason.
  case failed(String)
}
