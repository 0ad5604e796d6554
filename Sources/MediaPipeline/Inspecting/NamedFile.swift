internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// A file that a person has named, opened to be read and never read by this process.
struct NamedFile {
  var path: [UInt8]
  /// Nil when it could not be opened; then there is a problem.
  var file: Descriptor?
  var problem: InspectedFile.Problem?

  /// Opens a regular file by any path; symbolic links are followed, once, and what they led to is
  /// what is opened.
  ///
  /// First as a mere place, so that a FIFO or a device is told apart without being opened. Source:
  /// open(2), O_PATH; proc(5), /proc/self/fd.
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

  /// Lets this process have as many files open as it may; a person names them all at once.
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
