package import MediaFileSystem
internal import MediaModel
package import MediaSandbox

/// The coordinator's end of the process that reads a library's database.
///
/// It is started before confinement, which forbids starting it later, and waits: it gets the folder of the database
/// when the log has the records of what it opens.
package final class PhotosReader {
  private let process: WorkerProcess
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
  package init(nullDevice: Int32, enforcesByKernel: Bool) throws(SandboxError) {
    process = try WorkerProcess.spawn(
      // The very program, even if its file was replaced since. Source: proc(5).
      executable: Array("/proc/self/exe".utf8),
      arguments: [PhotosReaderProcess.argument],
      nullDevice: nullDevice
    )
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
  /// - Returns: What the database says, all of it.
  /// - Throws: ``PhotosLibraryError``; then nothing of the library is known.
  package func read(_ files: Files) throws(PhotosLibraryError) -> PhotosIndex {
    defer { process.kill() }
    return try PhotosConversation(socket: process.socket, enforcesByKernel: enforcesByKernel)
      .read(files) { [process] in
        (try? process.reap(blocking: true)).map { "\($0)" } ?? ""
      }
  }
}
