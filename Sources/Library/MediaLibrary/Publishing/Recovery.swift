internal import MediaFileSystem
internal import MediaModel

/// Brings a library that a run left in the middle to where its batches say it is.
///
/// Reads no source, and can itself be interrupted at any point and begun again.
package struct Recovery {
  /// A batch whose files are published and whose outcome records may be missing.
  package struct Recovered: Sendable {
    package var batch: Int64
    /// The run that was interrupted.
    package var run: String
    package var results: [ItemResult]
    /// The files that the batch adds to the photo library.
    package var additions: StagedAdditions?
  }

  /// Their items without an outcome record get one; then each is set to `done`, unless it still adds files
  /// to the photo library.
  package private(set) var recovered: [Recovered] = []
  /// Superseded files that are gone now: each gets a record; then they are forgotten.
  package private(set) var removed: [Catalogue.PublishedFile] = []

  /// Paths below the library of files that stay, because the rows that call them superseded are not as
  /// they were written.
  package private(set) var damaged: [String] = []

  /// Whether there is anything that a recovery would record.
  package static func isNeeded(in library: Library) throws(LibraryError) -> Bool {
    if try !library.catalogue.undoneBatches().isEmpty { return true }
    let superseded = try library.catalogue.filesToRemove()
    return !superseded.files.isEmpty || !superseded.damaged.isEmpty
  }

  /// Finishes each batch that is not done: what was only intended is forgotten, what was staged is
  /// published from its row; then removes superseded files and empties staging.
  ///
  /// - Throws: ``LibraryError``; `.inconsistent` when a final name holds something else.
  package init(library: Library) throws(LibraryError) {
    var publisher = Publisher(library: library, isRecovery: true)
    for batch in try library.catalogue.undoneBatches() {
      switch (batch.state, batch.staged) {
      case (.staged, let staged?):
        try publisher.publish(batch.identifier, staged)
        try library.moveFiles(of: staged.edits)
        try library.catalogue.publish(batch.identifier, staged, run: batch.run)
        recovered.append(
          Recovered(
            batch: batch.identifier,
            run: batch.run,
            results: staged.results,
            additions: staged.additions
          )
        )
      case (.published, let staged?):
        recovered.append(
          Recovered(
            batch: batch.identifier,
            run: batch.run,
            results: staged.results,
            additions: staged.additions
          )
        )
      default:
        try library.catalogue.forget(batch.identifier)
      }
    }
    do {
      try FileSystem.empty(library.staging)
      let superseded = try library.catalogue.filesToRemove()
      damaged = superseded.damaged
      for file in superseded.files {
        try Self.remove(file, in: library)
        removed.append(file)
      }
    } catch let error as FileSystemError {
      throw LibraryError(error)
    } catch {
      throw Catalogue.wrapped(error)
    }
  }

  /// Removes a thumbnail, or an original whose asset was written anew; nothing else is believed to be
  /// superseded.
  private static func remove(_ file: Catalogue.PublishedFile, in library: Library) throws {
    let components = file.path.split(separator: "/", omittingEmptySubsequences: false)
    let isOriginal = components.first == "Originals"
    guard LibraryFolder.isPlace(file.path), try !isOriginal || library.catalogue.hasSuccessor(file)
    else {
      throw LibraryError(
        .inconsistent,
        "The catalogue says that \"\(EscapedText.printable(file.path))\" was replaced, and nothing has "
          + "replaced it. Nothing was removed. Run `mediabatch verify` on the library."
      )
    }
    let bytes = [UInt8](file.path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8.slash) else { return }
    do {
      let folder = try FileSystem.openForReading(
        beneath: library.root,
        [UInt8](bytes[..<slash]),
        crossMounts: true,
        isFolder: true
      )
      try removeIfThere([UInt8](bytes[(slash + 1)...]), in: folder)
      // An asset's folder goes with its last file.
      guard isOriginal, try FileSystem.entries(of: folder).isEmpty else { return }
      let parent = try FileSystem.openForReading(
        beneath: library.root,
        [UInt8]("\(components[0])/\(components[1])".utf8),
        crossMounts: true,
        isFolder: true
      )
      try FileSystem.removeFolder(in: parent, [UInt8](components[2].utf8))
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  private static func removeIfThere(
    _ name: [UInt8],
    in folder: Descriptor
  ) throws(FileSystemError) {
    do {
      try FileSystem.removeFile(in: folder, name)
    } catch {
      guard error.isMissing else { throw error }
    }
  }
}
