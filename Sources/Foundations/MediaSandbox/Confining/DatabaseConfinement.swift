package import MediaModel

/// The confinement of a process that reads a database which anybody may have made.
package enum DatabaseConfinement {
  /// Confines this process for good, on its only thread, before a byte of the database is read.
  ///
  /// The steps are, in this order: SIGKILL when the coordinator ends, not dumpable, limits (512 MiB of memory, 32
  /// descriptors, no file can be written, no core), Landlock with the right to read `files` and no other, the system
  /// calls of a worker. Then no other file can be opened, no folder can be listed, nothing can be opened for writing.
  ///
  /// - Parameters:
  ///   - folder: The folder of the database; O_PATH suffices.
  ///   - files: The files beneath it that are read; each has to be a regular file, and no link leads to it.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the kernel lacks are
  ///     omitted.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.layerRefused`, `.seccompUnavailable`;
  ///   `.ruleRefused`, `.notRegularFile` for a file that is not there or is none. The process must then end.
  ///
  /// Source: landlock(7), seccomp(2).
  package static func enter(
    folder: Int32,
    files: [ItemPath],
    enforcesByKernel: Bool
  ) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    try ProcessLimits.enter(descriptors: 32)
    let kernel = KernelSupport.probe()
    if enforcesByKernel || kernel.landlockABI > 0 {
      // It moves no file, so the first ABI of Landlock suffices.
      let layer = try LandlockLayer(kernel: kernel, minimumABI: 1)
      for file in files { try layer.allowReading(file: file, beneath: folder) }
      try layer.enforce()
    }
    if enforcesByKernel || kernel.seccomp { try SeccompFilter.allowForWorker() }
  }
}
