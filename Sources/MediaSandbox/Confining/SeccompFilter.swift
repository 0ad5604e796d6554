private import CSandbox

/// Filters of system calls, which deny what Landlock does not cover.
package enum SeccompFilter {
  /// Denies for good the system calls that neither this process nor its workers need.
  ///
  /// These calls fail with EPERM: sockets (except a pair of UNIX streams, which connects a worker),
  /// other processes' memory, io_uring, bpf, mounts and namespaces, files by handle, memfd,
  /// watching folders, and modes, owners, times and attributes, by path and by descriptor.
  /// ftruncate still works on files that were opened for writing. The 32-bit and x32 entries of the
  /// kernel are closed. `clone3` fails with ENOSYS, so that libc falls back to `clone`.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2), seccomp_load(3); the list is in CSandbox/seccomp_coordinator.c.
  package static func denyForCoordinator() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_seccomp_coordinator()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows a picker to list folders and to use its terminal and its socket. Everything else fails
  /// with EPERM for good.
  ///
  /// Only folders can be opened, whatever Landlock allows; no ioctl, no program, no thread.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2); the list is in CSandbox/seccomp_picker.c.
  package static func allowForPicker() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_seccomp_picker()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows a worker the calls for decoding and for messages. Everything else fails with EPERM.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  static func allowForWorker() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_seccomp_worker()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }
}
