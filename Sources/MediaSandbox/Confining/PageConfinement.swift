private import Glibc

/// The confinement of the process that shows a person a page in a browser.
package enum PageConfinement {
  /// Takes every right on files for good but listing beneath one folder.
  ///
  /// The steps are, in this order: SIGKILL when the coordinator ends, not dumpable, limits (512 MiB of
  /// memory, 128 descriptors, no file can be written, no core), Landlock.
  ///
  /// - Parameter folder: The folder whose names are shown, O_PATH suffices; nil for none.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.layerRefused`, `.ruleRefused`.
  ///   The process must then end.
  ///
  /// Source: landlock(7); setrlimit(2).
  package static func enter(listing folder: Int32?) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    for (resource, amount) in [
      (RLIMIT_CORE, 0), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, 128), (RLIMIT_DATA, 512 << 20),
    ] {
      var limit = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
      guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
        throw SandboxError(.limitRefused, number: errno)
      }
    }
    let layer = try LandlockLayer(minimumABI: 1)
    if let folder { try layer.allow(.listFolder, descriptor: folder) }
    try layer.enforce()
  }

  /// Takes the right to list, and all system calls but those that answer connections, before the first
  /// byte of a connection is read.
  ///
  /// - Parameter listener: The socket that listens; nil for a self-test.
  /// - Throws: `.layerRefused`, `.seccompUnavailable`. The process must then end.
  ///
  /// Source: landlock(7), seccomp(2).
  package static func finish(listener: Int32?) throws(SandboxError) {
    try LandlockLayer(minimumABI: 1).enforce()
    try SeccompFilter.allowForPage(listener: listener)
  }
}
