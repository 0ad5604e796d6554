private import CSandbox

/// The system calls that confinement takes away where Landlock has no say.
package enum SeccompFilter {
  /// Denies this process, and the workers it starts, what no run needs; for good.
  ///
  /// EPERM from then on: sockets (a pair of UNIX streams stays, workers talk over it), other
  /// processes' memory, io_uring, bpf, mounts and namespaces, files by handle, memfd, watching
  /// folders, and modes, owners, times and attributes, by path and by descriptor. ftruncate stays
  /// for what was opened for writing. The 32-bit and x32 entries of the kernel are closed. `clone3`
  /// is ENOSYS: libc goes back to `clone`.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2), seccomp_load(3); the list is in CSandbox/seccomp_coordinator.c.
  package static func denyForCoordinator() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_seccomp_coordinator()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Leaves a picker the listing of folders, its terminal and its socket, and answers EPERM to
  /// everything else; for good.
  ///
  /// Nothing but a folder can be opened, whatever Landlock allows; no ioctl, no program, no thread.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2); the list is in CSandbox/seccomp_picker.c.
  package static func allowForPicker() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_seccomp_picker()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Leaves a worker what decoding and talking need, and answers EPERM to everything else.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  static func allowForWorker() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_seccomp_worker()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }
}
