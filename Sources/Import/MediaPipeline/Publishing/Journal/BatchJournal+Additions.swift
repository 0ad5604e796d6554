internal import MediaFileSystem
package import MediaLibrary
package import MediaModel

/// Captured files that get their names in the photo library, after their batch is published.
extension BatchJournal {
  /// Adds a batch's files, if that is still allowed; removes their copies otherwise.
  ///
  /// - Throws: `RunError`; the batch stays as it is then, and the next run adds what is left.
  package func add(_ staged: StagedAdditions?) throws(RunError) {
    guard let staged, case .allowed(let copier) = adding else { return }
    let adder = PhotoLibraryAdder(folder: copier.folder, audit: audit)
    try addingErrors {
      if try services.mayAdd() {
        account.tally.additions.added += try adder.add(staged.files)
      } else {
        refuseAdding()
        account.tally.additions.refused += try adder.drop(staged.files)
      }
    }
  }

  /// Adds what an interrupted run has left to add, and removes other incoming files that it has left.
  ///
  /// - Parameters:
  ///   - unfinished: The batches of the interrupted run that still add files.
  ///   - isRefused: Whether adding to the photo library at a path is refused: then nothing of it is added
  ///     any more.
  /// - Returns: The number of files that wait for a run which may add them.
  /// - Throws: `RunError`; it can be repeated.
  package func finishAdditions(
    of unfinished: [Recovery.Recovered],
    isRefused: (_ photoLibrary: [UInt8]) -> Bool
  ) throws(RunError) -> Int {
    var waiting = 0
    for batch in unfinished {
      guard let staged = batch.additions else { continue }
      if case .allowed(let copier) = adding, copier.folder.path == staged.photoLibrary {
        let adder = PhotoLibraryAdder(folder: copier.folder, audit: audit)
        try addingErrors {
          account.tally.additions.added += try adder.add(
            staged.files,
            recorded: RecordedAdditions(of: batch.run, in: library)
          )
        }
      } else if isRefused(staged.photoLibrary) {
        account.tally.additions.refused += staged.files.count
      } else {
        waiting += staged.files.count
        continue
      }
      try addingErrors {
        try library.catalogue.finish([batch.batch], run: records.run, audit: records.position())
      }
    }
    if case .allowed(let copier) = adding {
      try addingErrors { try copier.folder.removeLeftovers(except: []) }
    }
    return waiting
  }

  private func addingErrors(_ body: () throws -> Void) throws(RunError) {
    do {
      try body()
    } catch let error as FileSystemError {
      throw RunError(addingFailed: error)
    } catch {
      throw RunError(wrapping: error)
    }
  }
}
