internal import Glibc
package import MediaFileSystem
internal import MediaModel
package import MediaSandbox

/// The coordinator's end of the process that reads a library's database.
///
/// It is started before confinement, which forbids starting it later, and waits: it gets the folder of the database
/// when the log has the records of what it opens.
package final class PhotosReader {
  /// The seconds after which a process that sends nothing is given up: sorting a million keywords on a slow disk takes
  /// some.
  package static let patience = 300

  private let child: ConfinedChild<PhotosReaderService>
  private let enforcesByKernel: Bool

  /// Starts this program again as the process.
  ///
  /// Must be called on the main thread, before this process is confined.
  ///
  /// - Parameters:
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the kernel lacks are
  ///     omitted.
  /// - Throws: `SandboxError` `.spawnFailed`.
  package convenience init(nullDevice: Int32, enforcesByKernel: Bool) throws(SandboxError) {
    self.init(try ConfinedChild(nullDevice: nullDevice), enforcesByKernel: enforcesByKernel)
  }

  /// Talks to a process that was started elsewhere.
  init(_ child: ConfinedChild<PhotosReaderService>, enforcesByKernel: Bool) {
    self.child = child
    self.enforcesByKernel = enforcesByKernel
  }

  /// The files of a library's database, looked at and not opened.
  package struct Files {
    /// The folder `database`, as a place.
    package let folder: Descriptor
    /// The status of the database.
    package let database: FileStatus
    /// The status of its write-ahead log; nil when that is empty or not there.
    package let log: FileStatus?

    /// Looks at them beneath a library's folder.
    ///
    /// - Parameters:
    ///   - root: The folder of the library; O_PATH suffices.
    ///   - crossMounts: Whether another file system may be mounted there.
    /// - Throws: ``PhotosLibraryError`` `.missing`, `.cannotOpen`, `.unfinished`.
    package init(beneath root: Descriptor, crossMounts: Bool) throws(PhotosLibraryError) {
      do {
        folder = try FileSystem.openPath(
          beneath: root,
          PhotosLibraryFiles.databaseFolder.bytes,
          crossMounts: crossMounts
        )
      } catch {
        throw PhotosLibraryError(
          error.isMissing ? .missing : .cannotOpen,
          FileSystemError.text(error.errno)
        )
      }
      guard let database = try Self.status(of: PhotosLibraryFiles.database, in: folder) else {
        throw PhotosLibraryError(.missing)
      }
      self.database = database
      let log = try Self.status(of: PhotosLibraryFiles.log, in: folder)
      self.log = log.flatMap { $0.size > 0 ? $0 : nil }
      if let journal = try Self.status(of: PhotosLibraryFiles.journal, in: folder),
        journal.size > 0
      {
        throw PhotosLibraryError(.unfinished, "Photos.sqlite-journal")
      }
    }

    private static func status(
      of path: ItemPath,
      in folder: Descriptor
    ) throws(PhotosLibraryError) -> FileStatus? {
      let name = Array(path.name)
      let status: FileStatus
      do {
        status = try FileSystem.status(in: folder, name: name)
      } catch {
        if error.isMissing { return nil }
        throw PhotosLibraryError(.cannotOpen, FileSystemError.text(error.errno))
      }
      guard status.kind == .regular else {
        throw PhotosLibraryError(.cannotOpen, "\(path.text) is no regular file")
      }
      return status
    }
  }

  /// Lets the process read a database, whose files have their records, and takes what it says.
  ///
  /// - Parameters:
  ///   - files: The files, as they were when they were looked at.
  ///   - seconds: The time without a byte after which the process is given up.
  /// - Returns: What the database says, all of it.
  /// - Throws: ``PhotosLibraryError``; then nothing of the library is known.
  package func read(
    _ files: Files,
    within seconds: Int = PhotosReader.patience
  ) throws(PhotosLibraryError) -> PhotosIndex {
    defer { child.kill() }
    let task = PhotosReaderTask(
      enforcesByKernel: enforcesByKernel,
      database: .init(name: "Photos.sqlite", files.database),
      log: files.log.map { .init(name: "Photos.sqlite-wal", $0) }
    )
    var answer = PhotosAnswer()
    do {
      try child.begin(task, files: [files.folder.raw])
      while !answer.isWhole { try answer.take(try child.answer(within: seconds)) }
    } catch let error as PhotosLibraryError {
      throw error
    } catch let error as SandboxError {
      throw failure(error)
    } catch {
      throw PhotosLibraryError(.readerEnded, "\(error)")
    }
    return answer.index
  }

  private func failure(_ error: SandboxError) -> PhotosLibraryError {
    switch (error.code, error.number) {
    // The file is no regular file, or has gone.
    case (.ruleRefused, _), (.notRegularFile, _):
      PhotosLibraryError(.cannotOpen, error.numberName)
    case _ where error.isOfConfinement: PhotosLibraryError(.notConfined, "\(error)")
    case (.receiveFailed, EPIPE):
      PhotosLibraryError(.readerEnded, child.end().map { "\($0)" } ?? "")
    case (.receiveFailed, EPROTO): PhotosLibraryError(.readerEnded, error.subject)
    case (.receiveFailed, ETIMEDOUT): PhotosLibraryError(.readerEnded, "no answer")
    default: PhotosLibraryError(.readerEnded, "\(error)")
    }
  }
}
