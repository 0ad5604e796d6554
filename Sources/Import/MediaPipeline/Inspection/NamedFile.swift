internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// A file that a person has named: opened for reading, but read only by a worker.
struct NamedFile {
  var path: [UInt8]
  /// The open file; nil when it could not be opened, see `problem`.
  var file: Descriptor?
  var problem: InspectedFile.Problem?

  /// Opens a regular file by any path, resolving symbolic links once.
  ///
  /// The path is opened with O_PATH first, to recognize a FIFO or a device without opening it.
  /// Source: open(2), O_PATH; proc(5), /proc/self/fd.
  init(_ path: [UInt8]) {
    self.path = path
    do throws(FileSystemError) {
      let opened = try FileSystem.openPath(path)
      guard try opened.status().kind == .regular else {
        problem = InspectedFile.Problem(reason: .notRegularFile, detail: "")
        return
      }
      let raw = open("/proc/self/fd/\(opened.raw)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard raw >= 0 else { throw FileSystemError(call: "open", path: path, errno: errno) }
      file = Descriptor(owning: raw, path: path)
    } catch {
      problem = InspectedFile.Problem(
        reason: .cannotOpen,
        detail: FileSystemError.text(error.errno)
          + (error.errno == EMFILE ? " (name fewer files at once)" : ""),
        isMissing: error.isMissing
      )
    }
  }

  /// Raises the limit of open files to its maximum, since all named files are open at once.
  ///
  /// Source: setrlimit(2), RLIMIT_NOFILE.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
  }
}
