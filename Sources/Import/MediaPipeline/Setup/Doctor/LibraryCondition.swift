package import MediaFileSystem
internal import MediaLibrary
package import MediaModel

/// The state of a library's catalogue, and the room on its file system.
package struct LibraryCondition: Sendable {
  /// The catalogue's defects, or why it cannot be read; empty when it is whole.
  package private(set) var problems: [String] = []
  /// Whether the catalogue could be read.
  package private(set) var isReadable = true
  /// The exit code that the catalogue gives.
  package private(set) var outcome = RunExitCode.success
  /// The room, or the error of asking for it.
  package private(set) var room: Result<FileSystem.Room, FileSystemError>

  /// Looks at the library in a folder; writes nothing.
  package init(path: [UInt8]) {
    do throws(LibraryError) {
      problems = try CatalogueReader(library: path).integrityProblems()
      if !problems.isEmpty { outcome = .internalCheck }
    } catch {
      isReadable = false
      problems = [error.description]
      outcome = error.exitCode
    }
    room = Result { () throws(FileSystemError) in
      try FileSystem.room(fileSystemOf: FileSystem.openPath(path))
    }
  }
}
