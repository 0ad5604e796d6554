/// The confinement of the process that notices changes in granted sources.
package enum WatcherConfinement {
  /// Confines this process for good, on its only thread.
  ///
  /// The steps are, in this order: SIGKILL when the supervisor ends, not dumpable, limits (no file can be
  /// written, few descriptors), Landlock with the right to list the folders beneath `roots` and no other, a
  /// seccomp allow list. Then no file can be opened, and no folder but those can be opened, listed or
  /// watched.
  ///
  /// - Parameters:
  ///   - roots: The folders of granted sources; O_PATH suffices.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the kernel
  ///     lacks are omitted.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.layerRefused`, `.ruleRefused`,
  ///   `.seccompUnavailable`. The process must then end.
  package static func enter(roots: [Int32], enforcesByKernel: Bool) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    try ProcessLimits.enter(descriptors: 32, memoryBytes: nil)
    let kernel = KernelSupport.probe()
    if enforcesByKernel || kernel.landlockABI > 0 {
      // It moves no file, so the first ABI of Landlock suffices.
      let layer = try LandlockLayer(kernel: kernel, minimumABI: 1)
      for root in roots { try layer.allow(.listFolder, descriptor: root) }
      try layer.enforce()
    }
    if enforcesByKernel || kernel.seccomp { try SeccompFilter.allowForWatcher() }
  }
}
