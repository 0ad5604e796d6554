package import MediaAudit
internal import MediaDigest
internal import MediaFileSystem
package import MediaLibrary
package import MediaListing
package import MediaManifest
package import MediaModel
internal import MediaPhotosLibrary
internal import MediaWorkerPool

/// What a run knows of a source that is a Photos library: first nothing, then what its database says.
package final class PhotosSource: MediaSource {
  /// The process that will read the database; nil before it is started, and when it has read.
  private var reader: PhotosReader?
  /// What the database says; nil before it is read.
  var index: PhotosIndex?
  /// Under `limited`, the patterns of paths, and those that name assets and albums.
  let selection: PhotosSelection?
  /// Under `limited`, the paths that were found.
  var selected: [ItemPath] = []
  private var described = NotedDescriptions()

  package init(selection: [SelectionPattern]?) {
    self.selection = selection.map { PhotosSelection($0) }
  }

  /// Starts the process that will read the database, before this one is confined.
  ///
  /// - Throws: `RunError` when it cannot be started, and for a run that is divided among machines.
  package func start(_ source: PlannedSource, _ preparation: SourcePreparation) throws {
    try preparation.requireWhole("a Photos library", since: "its database says what its files are")
    reader = try PhotosReader(
      nullDevice: preparation.program.nullDevice.raw,
      enforcesByKernel: preparation.enforcement == .kernel
    )
  }

  /// Records that the database is about to be opened, and has it read.
  ///
  /// - Parameters:
  ///   - source: The library, whose folder is open.
  ///   - guardedDevices: Devices on which a file with several names is refused.
  ///   - record: Writes records and flushes them.
  /// - Throws: `RunError`, 66 when the database cannot be read: then nothing of the source is listed.
  package func read(
    _ source: PlannedSource,
    guardedDevices: Set<UInt64>,
    record: ([AuditRecord]) throws(RunError) -> Void
  ) throws(RunError) {
    guard let reader else { return }
    self.reader = nil
    let files = try orUnavailable(source) { () throws(PhotosLibraryError) in
      try PhotosReader.Files(beneath: source.root, crossMounts: source.crossMounts)
    }
    var opened = [(PhotosLibraryFiles.database, files.database)]
    if let log = files.log { opened.append((PhotosLibraryFiles.log, log)) }
    for (path, status) in opened
    where source.refusesHardLink(status, guardedDevices: guardedDevices) {
      throw Self.unavailable(
        source,
        PhotosLibraryError(
          .cannotOpen,
          "\(path.text) has a second name (hard link), while a source is refused"
        )
      )
    }
    try record(
      opened.map { path, status in
        AuditRecord(AuditAccess(to: path, status, of: source.id, because: source.basis))
      }
    )
    index = try orUnavailable(source) { () throws(PhotosLibraryError) in try reader.read(files) }
  }

  private func orUnavailable<Value>(
    _ source: PlannedSource,
    _ body: () throws(PhotosLibraryError) -> Value
  ) throws(RunError) -> Value {
    do {
      return try body()
    } catch {
      throw Self.unavailable(source, error)
    }
  }

  private static func unavailable(_ source: PlannedSource, _ error: PhotosLibraryError) -> RunError {
    RunError(
      .sourceUnavailable,
      "The Photos library \"\(EscapedText.printable(source.path))\" cannot be read: "
        + "\(error.description)"
    )
  }
}

/// What the database says of single files.
extension PhotosSource {
  package var conditionsWord: String? { "photosLibrary" }
  package var describesFiles: Bool { true }

  /// The name that a file had when it was added to the library, and the description of its asset.
  package func knowledge(of path: ItemPath) -> SourceKnowledge? {
    index?.asset(of: path).map {
      SourceKnowledge(originalName: $0.stem, description: $0.description)
    }
  }

  /// A digest of what the database says of a file, keyed, since it is stored under `strip` too; nil where it says
  /// nothing.
  package func digest(of path: ItemPath, _ key: [UInt8]) -> [UInt8]? {
    guard let message = index?.asset(of: path)?.message else { return nil }
    return SHA256.authenticationCode(for: message, key: key)
  }

  package func note(described digest: [UInt8], of path: ItemPath) { described.note(digest, of: path) }

  /// Whether the database says another thing of a file than when it was imported.
  package func hasNewDescription(of path: ItemPath, _ key: [UInt8]) -> Bool {
    guard let digest = digest(of: path, key) else { return false }
    return !described.contains(digest, of: path)
  }

  /// The files that patterns select of those that this run has found.
  package func selection(of patterns: [SelectionPattern]) -> Selection {
    guard let index else { return Selection(patterns) }
    let names = PhotosNames(of: index)
    let kept = PhotosSelection(patterns)
    return Selection(
      selected.filter { kept.contains($0, index.index(of: $0), names) }
        .compactMap { try? SelectionPattern(SelectionPattern.literalText(of: $0)) }
    )
  }

  /// The albums of the library, with the files that were found of their assets.
  package func albums(of items: ListedItems) -> [SourceAlbum] {
    (index?.shownAlbums(of: items) ?? []).compactMap { album in
      // Under limited, what was not selected does not exist: an album that an entry names is, and one whose
      // pictures were selected by other names is not.
      if let selection, album.members.isEmpty || !selection.names(album: album.title) { return nil }
      return SourceAlbum(key: album.key, title: album.title, members: album.members)
    }
  }
}
