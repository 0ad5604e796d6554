/// The confinement of the process that lists one source and opens its files for a person's page.
package enum ViewerConfinement {
  /// Takes every right on files for good but those beneath one folder, before anything is listed.
  ///
  /// The steps are, in this order: SIGKILL when the coordinator ends, not dumpable, limits (512 MiB of
  /// memory, 128 descriptors, no file of more than so many bytes can be written, no core), Landlock, the system calls
  /// of a coordinator.
  ///
  /// - Parameters:
  ///   - folder: The source's folder, O_PATH suffices; nil where a process of its own reads the source.
  ///   - startRules: ``WorkerProcess/startRules(executable:)``, for a process that reads the folder's files
  ///     and starts workers; nil for one that only lists it.
  ///   - memoryFileBytes: The most bytes of a file in memory that was made before; no other file can be opened
  ///     for writing, whatever this is.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.layerRefused`, `.ruleRefused`,
  ///   `.seccompUnavailable`. The process must then end.
  ///
  /// Source: landlock(7), seccomp(2).
  package static func enter(
    folder: Int32?,
    startRules: [PathRule]?,
    memoryFileBytes: Int64 = 0
  ) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    try ProcessLimits.enter(descriptors: 128, fileBytes: memoryFileBytes)
    let layer = try LandlockLayer(minimumABI: 1)
    if let folder {
      try layer.allow(startRules == nil ? .listFolder : .readAndList, descriptor: folder)
    }
    for rule in startRules ?? [] { try layer.allow(rule) }
    try layer.enforce()
    try SeccompFilter.allowForCoordinator()
  }
}
