internal import MediaFileSystem
package import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
package import MediaSandbox
internal import MediaSources

/// The rules that confine the coordinator before any source is opened.
///
/// They are two layers of Landlock and a list of system calls, which workers inherit. Descriptors
/// that were opened before stay valid: the audit file, the lock, the sources' roots (O_PATH).
package struct CoordinatorConfinement {
  /// The only rights that allow renaming a file away, truncating or deleting it.
  package static let stagingRights: LandlockRights = [
    .readFile, .listFolder, .writeFile, .truncate, .makeFile, .makeFolder, .removeFile,
    .removeFolder, .refer,
  ]
  /// Append-only rights: a published file cannot be written to, renamed or removed.
  package static let publishedRights: LandlockRights = [
    .readFile, .listFolder, .makeFile, .makeFolder, .refer,
  ]
  private static let catalogueRights: LandlockRights = [.readFile, .writeFile, .truncate]

  private let sources: [PlannedSource]
  private let library: Library?
  private let workerRules: [PathRule]
  /// Files that are read one by one, and need not be in a source.
  private let tracks: [TrackFile]
  /// The photo library, if captured files are added to it.
  private let adding: PhotoLibraryFolder?
  /// The folder in which a plan writes its lists.
  private let planFolder: Descriptor?

  /// Prepares the rules. Without a library nothing can be written; without a worker's program no
  /// worker can be started.
  ///
  /// - Throws: `SandboxError` when the worker's program cannot be read.
  init(
    sources: [PlannedSource],
    tracks: [TrackFile] = [],
    library: Library?,
    worker: [UInt8]?,
    adding: PhotoLibraryFolder? = nil,
    planFolder: Descriptor? = nil
  ) throws(SandboxError) {
    self.planFolder = planFolder
    self.sources = sources
    self.tracks = tracks
    self.adding = adding
    self.library = library
    workerRules =
      try worker.map { (path) throws(SandboxError) in
        try WorkerProcess.startRules(executable: path)
      } ?? []
  }

  /// Enforces layer 1, which allows all of each source, so that a limited one can be listed once. A camera is
  /// reached by its process alone.
  func enforceFirstLayer() throws(SandboxError) {
    let layer = try LandlockLayer()
    try allowCommon(in: layer)
    for source in sources where source.media.isFolder {
      try layer.allow(.readAndList, descriptor: source.root.raw, subject: source.path)
    }
    try layer.enforce()
  }

  /// Enforces layer 2, which allows only the selected files of a limited source, and no listing.
  ///
  /// - Parameter selected: The listed items of each limited source; of one that is not there, since access to it was
  ///   taken back before it was listed, nothing is open.
  /// - Throws: `SandboxError`; the process must not go on then.
  func enforceSecondLayer(selected: [SourceID: ListedItems]) throws(SandboxError) {
    if sources.contains(where: { $0.selection != nil }) {
      let layer = try LandlockLayer()
      try allowCommon(in: layer)
      for source in sources where source.media.isFolder {
        if source.selection == nil {
          try layer.allow(.readAndList, descriptor: source.root.raw, subject: source.path)
          continue
        }
        for item in selected[source.id] ?? ListedItems() where item.reason == nil {
          try Self.allowReading(item.path, beneath: source.root, in: layer)
        }
      }
      try layer.enforce()
    }
    try SeccompFilter.allowForCoordinator()
  }

  private static func allowReading(
    _ file: ItemPath,
    beneath folder: Descriptor,
    in layer: borrowing LandlockLayer
  ) throws(SandboxError) {
    do {
      try layer.allowReading(file: file, beneath: folder.raw)
    } catch {
      // The file was removed or replaced since the listing. Opening it will fail without a rule.
      guard error.code == .ruleRefused || error.code == .notRegularFile else { throw error }
    }
  }

  private func allowCommon(in layer: borrowing LandlockLayer) throws(SandboxError) {
    for rule in workerRules { try layer.allow(rule) }
    for track in tracks { try Self.allowReading(track.name, beneath: track.folder, in: layer) }
    guard let library else { return }
    try layer.allow(Self.stagingRights, descriptor: library.staging.raw, subject: ".staging")
    try layer.allow(Self.publishedRights, descriptor: library.originals.raw, subject: "Originals")
    try layer.allow(Self.publishedRights, descriptor: library.thumbnails.raw, subject: "Thumbnails")
    try Self.allowLogAndCatalogue(of: library, in: layer)
    if let planFolder {
      try layer.allow([.makeFile, .writeFile], descriptor: planFolder.raw, subject: "the plan")
    }
    guard let adding else { return }
    try layer.allow(.addOnly, descriptor: adding.root.raw, subject: "the photo library")
    try layer.allow(
      .incoming,
      descriptor: adding.incoming.raw,
      subject: String(decoding: PhotoLibraryFolder.incomingName, as: UTF8.self)
    )
  }

  /// Allows reading a library's log, whose file is open already, and writing its catalogue.
  package static func allowLogAndCatalogue(
    of library: Library,
    in layer: borrowing LandlockLayer
  ) throws(SandboxError) {
    try layer.allow(.readAndList, descriptor: library.audit.raw, subject: "Audit")
    let privateFiles = library.privateFacts == nil ? [] : Library.privateFactsFiles
    for name in LibraryFolder.catalogueFiles + privateFiles {
      try layer.allow(
        PathRule(
          path: library.path + [UInt8.slash] + [UInt8](name.utf8),
          rights: catalogueRights,
          isOptional: name != LibraryFolder.catalogueName
        )
      )
    }
  }
}
