/// The confinement of the process that shows a person a page in a browser.
package enum PageConfinement {
  /// Takes every right on files for good, and all system calls but those that answer connections, before the
  /// first byte of a connection is read.
  ///
  /// The steps are, in this order: SIGKILL when the coordinator ends, not dumpable, limits (512 MiB of
  /// memory, 128 descriptors, no file can be written, no core), Landlock, which allows nothing, a list of
  /// system calls.
  ///
  /// - Parameter listener: The socket that listens; nil for a self-test.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.layerRefused`,
  ///   `.seccompUnavailable`. The process must then end.
  ///
  /// Source: landlock(7), seccomp(2).
  package static func enter(listener: Int32?) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    try ProcessLimits.enter(descriptors: 128)
    try LandlockLayer(minimumABI: 1).enforce()
    try SeccompFilter.allowForPage(listener: listener)
  }
}
