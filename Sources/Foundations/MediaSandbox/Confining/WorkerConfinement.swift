private import CSandbox
private import Glibc

/// The resource limits of one worker.
package struct WorkerLimits: Sendable, Hashable {
  /// The bytes of writable private memory (RLIMIT_DATA); a file that is mapped for reading does not
  /// count. 512 MiB by default.
  package var memoryBytes: UInt64
  /// The CPU seconds from the worker's start; the coordinator raises the limit before each job.
  package var cpuSeconds: UInt64
  /// The number of open files; ImageMagick opens about 30 when it first uses a format.
  package var descriptors: UInt64
  /// The bytes of each further thread's stack, which count as memory.
  package var threadStackBytes: UInt64

  /// Makes limits; without arguments they are the defaults.
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

/// The confinement of a worker, which it enters before it reads a byte of a job.
package enum WorkerConfinement {
  /// The folders of decoders and their data, which may be read and listed, never executed.
  package static let systemRules: [PathRule] = {
    // If /lib is not a link to /usr/lib, the C library is there.
    let folders = [
      "/usr/lib", "/usr/lib64", "/usr/share", "/lib", "/lib64", "/etc/ImageMagick-6",
      "/etc/ImageMagick-7",
    ]
    return folders.map { PathRule(path: $0, rights: .readAndList, isOptional: true) }
      + [PathRule(path: "/etc/ld.so.cache", rights: .readFile, isOptional: true)]
  }()

  /// Lets the kernel kill this process when its parent ends, and denies other processes of the same
  /// user access to its memory.
  ///
  /// - Throws: `.limitRefused`; `.parentGone` when the parent has ended already.
  ///
  /// Source: prctl(2), PR_SET_PDEATHSIG and PR_SET_DUMPABLE.
  package static func bindToParent() throws(SandboxError) {
    let bound = csandbox_bind_to_parent(WorkerProcess.socketInWorker)
    guard bound != -ESRCH else { throw SandboxError(.parentGone) }
    guard bound == 0 else { throw SandboxError(.limitRefused, result: bound, subject: "prctl") }
  }

  /// Lets the kernel send this process SIGTERM when the thread that started it ends.
  ///
  /// - Throws: `.limitRefused`. Source: prctl(2), PR_SET_PDEATHSIG.
  package static func endWithParent() throws(SandboxError) {
    let bound = csandbox_end_with_parent()
    guard bound == 0 else { throw SandboxError(.limitRefused, result: bound, subject: "prctl") }
  }

  /// Confines this process for good. A worker calls it first, while it has one thread.
  ///
  /// The steps are, in this order: SIGKILL when the coordinator ends, not dumpable, limits (memory,
  /// CPU, open files; no file can be written, no core), Landlock with ``systemRules`` only, a
  /// seccomp allow list that answers EPERM. Then nothing can be opened for writing, no program
  /// started, no socket made, nothing renamed, removed or marked. Descriptor 3 is the coordinator's
  /// socket.
  ///
  /// - Parameters:
  ///   - limits: The limits; existing lower limits stay.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the
  ///     kernel lacks are omitted. All others still have to work.
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
      // A worker moves no file, so the first ABI of Landlock suffices.
      try LandlockLayer.enforce(rules: systemRules, kernel: kernel, minimumABI: 1)
    }
    if enforcesByKernel || kernel.seccomp {
      try SeccompFilter.allowForWorker()
    }
  }
}
