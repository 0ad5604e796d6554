private import CSandbox
private import Glibc

/// What one worker may use at most.
package struct WorkerLimits: Sendable, Hashable {
  /// Bytes of private memory that can be written (RLIMIT_DATA); a file that is mapped to be read
  /// does not count. 512 MiB by default.
  package var memoryBytes: UInt64
  /// CPU seconds until the coordinator raises it before each job; it counts from the start.
  package var cpuSeconds: UInt64
  /// Open files at once; ImageMagick opens about 30 the first time it meets a format.
  package var descriptors: UInt64
  /// Bytes of each further thread's stack, which count as memory.
  package var threadStackBytes: UInt64

  /// The limits of a worker; see each for its default.
  package init(
    memoryBytes: UInt64 = 512 << 20,
    cpuSeconds: UInt64 = 10,
    descriptors: UInt64 = 64,
    threadStackBytes: UInt64 = 2 << 20
  ) {
    self.memoryBytes = memoryBytes
    self.cpuSeconds = cpuSeconds
    self.descriptors = descriptors
    self.threadStackBytes = threadStackBytes
  }
}

/// How a worker shuts itself in, before it reads a byte of a job.
package enum WorkerConfinement {
  /// Where decoders and what they need are: read and list beneath, never execute.
  package static let systemRules: [PathRule] = {
    // On a system where /lib is not a link to /usr/lib, the C library is in it.
    let folders = [
      "/usr/lib", "/usr/lib64", "/usr/share", "/lib", "/lib64", "/etc/ImageMagick-6",
      "/etc/ImageMagick-7",
    ]
    return folders.map { PathRule(path: $0, rights: .readAndList, isOptional: true) }
      + [PathRule(path: "/etc/ld.so.cache", rights: .readFile, isOptional: true)]
  }()

  /// Has this process killed when the one that started it ends, and keeps others of the same user from
  /// looking into it.
  ///
  /// - Throws: `.limitRefused`; `.parentGone` when that has ended already.
  ///
  /// Source: prctl(2), PR_SET_PDEATHSIG and PR_SET_DUMPABLE.
  package static func bindToParent() throws(SandboxError) {
    let bound = csandbox_bind_to_parent()
    guard bound == 0 else { throw SandboxError(.limitRefused, result: bound, subject: "prctl") }
    // It may have ended before the line above: then its end of the socket is closed.
    guard csandbox_peer_is_gone(WorkerProcess.socketInWorker) == 0 else {
      throw SandboxError(.parentGone)
    }
  }

  /// Confines this process for good; the first thing a worker does, while it has one thread.
  ///
  /// In this order: SIGKILL when the coordinator ends, not dumpable, limits (memory, CPU, open
  /// files; no file can be written, no core), Landlock with ``systemRules`` only, a seccomp allow
  /// list that answers EPERM. Nothing can be opened for writing, no program started, no socket made,
  /// nothing renamed, removed or marked. Descriptor 3 is the coordinator's socket.
  ///
  /// - Parameters:
  ///   - limits: Never above what is set already.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: what the kernel has not is
  ///     then left out. Everything else still has to work.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.seccompUnavailable`,
  ///   `.notSingleThreaded`, `.ruleRefused`, `.layerRefused`. The process must then end: some of it
  ///   may be in force.
  ///
  /// Source: prctl(2), setrlimit(2), landlock(7), seccomp(2).
  package static func enter(
    limits: WorkerLimits = WorkerLimits(),
    enforcesByKernel: Bool = true
  ) throws(SandboxError) {
    try bindToParent()
    var values = csandbox_limits(
      data_bytes: limits.memoryBytes,
      cpu_seconds: limits.cpuSeconds,
      descriptors: limits.descriptors,
      thread_stack_bytes: limits.threadStackBytes
    )
    let limited = csandbox_set_limits(&values)
    guard limited == 0 else { throw SandboxError(.limitRefused, result: limited) }
    let kernel = KernelSupport.probe()
    if enforcesByKernel || kernel.landlockABI > 0 {
      // A worker moves no file, so that the first Landlock has all it needs.
      try LandlockLayer.enforce(rules: systemRules, kernel: kernel, minimumABI: 1)
    }
    if enforcesByKernel || kernel.seccomp {
      try SeccompFilter.allowForWorker()
    }
  }
}
