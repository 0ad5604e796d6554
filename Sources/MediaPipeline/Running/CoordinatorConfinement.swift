internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaSandbox

/// Shuts the coordinator in before any source is opened: what it may read, and where it may write.
///
/// Two layers of Landlock and a list of system calls; workers inherit all of it. What was opened
/// before stays open: the audit file, the lock, the sources' roots as mere places.
struct CoordinatorConfinement {
  /// May be removed from: only here is anything ever renamed away, truncated or deleted.
  private static let stagingRights: LandlockRights = [
    .readFile, .listFolder, .writeFile, .truncate, .makeFile, .makeFolder, .removeFile,
    .removeFolder, .refer,
  ]
  /// Append-only: nothing that is published can be written to, renamed or removed.
  private static let publishedRights: LandlockRights = [
    .readFile, .listFolder, .makeFile, .makeFolder, .refer,
  ]
  private static let catalogueRights: LandlockRights = [.readFile, .writeFile, .truncate]

  private let sources: [PlannedSource]
  private let library: Library?
  private let workerRules: [PathRule]

  /// Without a library nothing will be written; without a worker's program none will be started.
  ///
  /// - Throws: `SandboxError` when the worker's program cannot be read.
  init(sources: [PlannedSource], library: Library?, worker: [UInt8]?) throws(SandboxError) {
    self.sources = sources
    self.library = library
    workerRules =
      try worker.map { (path) throws(SandboxError) in
        try WorkerProcess.startRules(executable: path)
      } ?? []
  }

  /// Layer 1: all allowed sources whole; so that a limited one with patterns can be listed once.
  func enforceFirstLayer() throws(SandboxError) {
    let layer = try LandlockLayer()
    try allowCommon(in: layer)
    for source in sources {
      try layer.allow(.readAndList, descriptor: source.root.raw, subject: source.path)
    }
    try layer.enforce()
  }

  /// Layer 2: of a limited source only the files of its selection, and no listing any more.
  ///
  /// - Parameter selected: For each limited source, what its listing found.
  /// - Throws: `SandboxError`; the process must not go on then.
  func enforceSecondLayer(selected: [SourceKind: [ListedItem]]) throws(SandboxError) {
    if !selected.isEmpty {
      let layer = try LandlockLayer()
      try allowCommon(in: layer)
      for source in sources {
        guard let items = selected[source.kind] else {
          try layer.allow(.readAndList, descriptor: source.root.raw, subject: source.path)
          continue
        }
        for item in items where item.reason == nil {
          do {
            try layer.allowReading(file: item.path, beneath: source.root.raw)
          } catch {
            // Gone or replaced since the listing: without a rule, opening it will say so.
            guard error.code == .ruleRefused || error.code == .notRegularFile else { throw error }
          }
        }
      }
      try layer.enforce()
    }
    try SeccompFilter.denyForCoordinator()
  }

  private func allowCommon(in layer: borrowing LandlockLayer) throws(SandboxError) {
    for rule in workerRules { try layer.allow(rule) }
    guard let library else { return }
    try layer.allow(Self.stagingRights, descriptor: library.staging.raw, subject: ".staging")
    try layer.allow(Self.publishedRights, descriptor: library.originals.raw, subject: "Originals")
    try layer.allow(
      Self.publishedRights,
      descriptor: library.thumbnails.raw,
      subject: "Thumbnails"
    )
    try layer.allow(.readAndList, descriptor: library.audit.raw, subject: "Audit")
    for name in Library.catalogueFiles {
      try layer.allow(
        PathRule(
          path: library.path + [UInt8(ascii: "/")] + [UInt8](name.utf8),
          rights: Self.catalogueRights,
          isOptional: name != Library.catalogueName
        )
      )
    }
  }
}
