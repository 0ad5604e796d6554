private import Glibc

/// The limits of a confined process that reads no media.
package enum ProcessLimits {
  /// Limits this process for good, and forbids core dumps.
  ///
  /// - Parameters:
  ///   - descriptors: The most open files.
  ///   - memoryBytes: The most writable private memory; nil for no limit.
  ///   - fileBytes: The most bytes of a file that is written.
  /// - Throws: `.limitRefused`. Source: setrlimit(2).
  package static func enter(
    descriptors: Int,
    memoryBytes: Int? = 512 << 20,
    fileBytes: Int64 = 0
  ) throws(SandboxError) {
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_FSIZE, to: rlim_t(fileBytes))
    try limit(RLIMIT_NOFILE, to: rlim_t(descriptors))
    if let memoryBytes { try limit(RLIMIT_DATA, to: rlim_t(memoryBytes)) }
  }

  private static func limit(
    _ resource: __rlimit_resource,
    to amount: rlim_t
  ) throws(SandboxError) {
    var limit = rlimit(rlim_cur: amount, rlim_max: amount)
    guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
      throw SandboxError(.limitRefused, number: errno)
    }
  }
}
