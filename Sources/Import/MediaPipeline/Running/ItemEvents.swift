package import MediaModel

/// The items of one batch, with the run that tells of them.
package struct ItemEvents: Sendable, Hashable {
  package var run: String
  /// The library's folder, resolved.
  package var library: String
  package var items: [ItemEvent]
  /// What the manifest has set already.
  package var settings: AdvisedSettings

  package init(
    run: String,
    library: String,
    items: [ItemEvent],
    settings: AdvisedSettings = AdvisedSettings()
  ) {
    self.run = run
    self.library = library
    self.items = items
    self.settings = settings
  }
}

/// Whether the events of a batch reached their reader.
package enum EventDelivery: Sendable, Hashable {
  /// They were written, or no process reads them any more.
  case delivered
  /// A person asked the run to stop while the reader did not read.
  case interrupted
  /// They cannot be written, for this reason.
  case failed(String)
}
