private import Glibc

/// The limits of the processes that show a person a source.
enum ProcessLimits {
  /// Limits this process to 512 MiB of memory and so many open files; no file can be written, no core is
  /// dumped.
  ///
  /// - Throws: `.limitRefused`. Source: setrlimit(2).
  static func enter(descriptors: Int) throws(SandboxError) {
    for (resource, amount) in [
      (RLIMIT_CORE, 0), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, descriptors), (RLIMIT_DATA, 512 << 20),
    ] {
      var limit = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
      guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
        throw SandboxError(.limitRefused, number: errno)
      }
    }
  }
}
