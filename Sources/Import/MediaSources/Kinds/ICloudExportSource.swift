package import MediaFileSystem
package import MediaLibrary
package import MediaListing
internal import MediaManifest
package import MediaModel
internal import MediaPredicate

/// An export of iCloud Photos, as privacy.apple.com makes it: folders, or the zip files as they come, with CSV files
/// that say which pictures are hidden, deleted or favorites, when they were taken, and in which albums they are.
package final class ICloudExportSource: MediaSource {
  /// Reads the zip files; nil before it is started.
  private var archives: TakeoutArchives?
  /// Holds a CSV file of a zip file while it is read: this process can make no such file once it is confined.
  private var memory: MemoryFile?
  private var index = ICloudExportIndex()
  /// Under `limited` what was not selected does not exist: then there are no albums.
  private var isLimited = false
  private var described = NotedDescriptions()

  package init() {}

  package var conditionsWord: String? { "iCloudExport" }
  package var describesFiles: Bool { true }

  /// Prepares the process that will read archives.
  ///
  /// - Throws: `RunError` for a run that is divided among machines: what CSV files say may be about files of another
  ///   shard.
  package func start(_ source: PlannedSource, _ preparation: SourcePreparation) throws {
    try preparation.requireWhole("an export of iCloud Photos", since: "its CSV files say what its files are")
    memory = try? MemoryFile()
    archives = TakeoutArchives(source, preparation)
  }

  package func list(into listing: inout SourceListing) throws {
    try listing.listFolder()
    isLimited = listing.source.selection != nil
    if isLimited {
      _ = try listing.addUnselected(around: true) { Set($0.map(\.path).filter(ICloudExportNames.isTable)) }
    }
    try archives?.list(into: &listing)
    try read(listing)
    listing.keepSelected()
    listing.items = ListedItems(listing.items.filter { !ICloudExportNames.isOfExportItself($0.path) })
    index.note(listing.items)
    leaveOut(in: &listing)
    listing.warnings += index.warnings
    listing.noteUnmatched()
  }

  // MARK: What the CSV files say

  /// Reads the CSV files of a listing, behind their records.
  private func read(_ listing: SourceListing) throws(RunError) {
    var tables = listing.items.filter { $0.reason == nil && ICloudExportNames.isTable($0.path) }
    if let selection = listing.source.selection {
      // Of an archive all files are known, and those in other folders describe what nobody has selected.
      let selected = listing.items.lazy.map(\.path).filter { selection.contains($0) }
      let folders = Set(selected.map { ItemPath(bytes: Array($0.folder)) })
      let read = folders.union(folders.map { ItemPath(bytes: Array($0.folder)) })
      tables.removeAll { !read.contains(ItemPath(bytes: Array($0.path.folder))) }
    }
    index = ICloudExportIndex()
    if tables.isEmpty { return }
    try archives?.record(tables)
    for table in tables {
      try listing.checkAccess()
      guard table.status.size <= Int64(ICloudExportIndex.maximumBytes) else {
        index.failed(table.path, "it has more than \(ICloudExportIndex.maximumBytes) bytes")
        continue
      }
      do {
        let bytes = try holds(table.path) ? packed(table) : unpacked(table, of: listing)
        index.read(bytes, of: table.path)
      } catch let failure as SourceFileFailure {
        index.failed(table.path, failure.detail)
      } catch {
        index.failed(table.path, "\(error)")
      }
    }
  }

  private func unpacked(_ table: ListedItem, of listing: SourceListing) throws -> [UInt8] {
    let (file, status) = try listing.source.open(table)
    guard !listing.source.refusesHardLink(status, guardedDevices: listing.guardedDevices) else {
      throw SourceFileFailure(reason: .changedDuringRun, detail: "it has changed")
    }
    return try file.readToEnd(limit: ICloudExportIndex.maximumBytes)
  }

  private func packed(_ table: ListedItem) throws -> [UInt8] {
    guard let memory else {
      throw SourceFileFailure(reason: .cannotRead, detail: "there is no memory for it")
    }
    try memory.clear()
    try copy(table.path, into: memory.writable)
    return try memory.readable.readToEnd(limit: ICloudExportIndex.maximumBytes)
  }

  /// Leaves out what the export says is deleted, and what is hidden or shared unless that is imported; counts what it
  /// says nothing of.
  private func leaveOut(in listing: inout SourceListing) {
    // As in a Photos library, one word is for what is hidden and for what is of others.
    let includesHidden = listing.source.fetch.includesHiddenAssets
    var bare = 0
    for position in listing.items.indices where listing.items.reason(at: position) == nil {
      let path = listing.items.path(at: position)
      if let standing = index.standing(of: path) {
        if let reason = standing.reason(includesHidden: includesHidden, includesOthers: includesHidden) {
          listing.items.leaveOut(at: position, because: reason)
        }
      } else if !index.describes(path), MediaFormat(fileExtension: path.fileExtension) != nil {
        bare += 1
      }
    }
    // Of a selection the CSV file may lie in an archive that is not opened.
    if bare > 0, !isLimited {
      listing.warnings.append(
        "\(Quantity.text(bare, "file", "is", "are")) in no CSV file of the iCloud export."
      )
    }
  }

  package func holds(_ path: ItemPath) -> Bool { archives?.holds(path) ?? false }

  package func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    try archives?.copy(path, into: copy)
  }

  // MARK: What a file is

  package func knowledge(of path: ItemPath) -> SourceKnowledge? {
    index.description(of: path).map { SourceKnowledge(description: $0) }
  }

  package func digest(of path: ItemPath, _ key: [UInt8]) -> [UInt8]? {
    let description = index.description(of: path)
    // A row that says nothing any more ends what it said.
    guard description != nil || index.describes(path) else { return nil }
    let words = [
      "\(description?.isFavorite == true)", "\(description?.isHidden == true)",
      description?.dates.first?.local ?? "",
    ]
    return NotedDescriptions.digest(of: words, key)
  }

  package func note(described digest: [UInt8], of path: ItemPath) { described.note(digest, of: path) }

  package func hasNewDescription(of path: ItemPath, _ key: [UInt8]) -> Bool {
    digest(of: path, key).map { !described.contains($0, of: path) } ?? false
  }

  package func albums(of items: ListedItems) -> [SourceAlbum] {
    if isLimited { return [] }
    return index.albums(of: items).map { SourceAlbum(key: $0.key, title: $0.title, members: $0.members) }
  }
}
