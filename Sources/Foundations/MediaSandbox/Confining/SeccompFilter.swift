private import CSandbox

/// Filters of system calls, for what Landlock does not cover.
package enum SeccompFilter {
  /// Allows for good only the system calls that this process and its workers need; all others fail
  /// with EPERM.
  ///
  /// Capabilities are given up too, but for those to read and write files of other users, which root
  /// may need. Not on the list are, among others: sockets (except a pair of UNIX streams, which
  /// connects a worker), other processes' memory, System V and POSIX queues, scheduling, io_uring, bpf,
  /// mounts and namespaces, files by handle, memfd, watching folders, every ioctl but questions about a
  /// terminal or a pipe, and modes, owners, times and attributes, by path and by descriptor. ftruncate
  /// still works on files that were opened for writing. The 32-bit and x32 entries of the kernel are
  /// closed. `clone3` fails with ENOSYS, so that libc falls back to `clone`.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2), seccomp_load(3); the lists are in CSandbox/seccomp_coordinator.c.
  package static func allowForCoordinator() throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: true)
    let result = csandbox_seccomp_coordinator()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows a picker to use its terminal and its sockets. Everything else fails with EPERM for good.
  ///
  /// Nothing can be opened, whatever Landlock allows; no ioctl, no program, no thread.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2); the list is in CSandbox/seccomp_picker.c.
  package static func allowForPicker() throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: false)
    let result = csandbox_seccomp_picker()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows the process of a page to answer connections of a socket that listens already, on one thread.
  /// Everything else fails with EPERM for good.
  ///
  /// Nothing can be opened; no socket can be made, bound or connected; no program, no thread.
  ///
  /// - Parameter listener: The socket that listens; nil for a self-test.
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2); the list is in CSandbox/seccomp_page.c.
  static func allowForPage(listener: Int32?) throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: false)
    let result = csandbox_seccomp_page(listener ?? -1)
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows the process that sets times what it needs for that and for its socket. Everything else
  /// fails with EPERM.
  ///
  /// - Parameter folder: The descriptor of the folder whose files it may find.
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2); the list is in CSandbox/seccomp_times.c.
  static func allowForTimes(beneath folder: Int32) throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: true)
    let result = csandbox_seccomp_times(folder)
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows the watcher to open, list and watch folders, and to use its socket. Everything else fails
  /// with EPERM.
  ///
  /// It can watch no folder that it cannot open, although Landlock does not cover inotify: it can name
  /// the folder that it is in and no other, and enter only what it has opened for listing.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2), inotify(7); the list is in CSandbox/seccomp_watcher.c.
  static func allowForWatcher() throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: true)
    let result = csandbox_seccomp_watcher()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows a process to load a driver and to talk to a USB device, on threads of libusb. Everything else
  /// fails with EPERM.
  ///
  /// Of sockets it can make the one by which the kernel tells of devices (netlink), and use its own.
  ///
  /// - Parameter port: A port of a camera on loopback, for tests; a release build refuses it.
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  ///
  /// Source: seccomp(2), netlink(7); the list is in CSandbox/seccomp_camera.c.
  static func allowForCamera(port: UInt16?) throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: true)
    let result = csandbox_seccomp_camera(Int32(port ?? 0))
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }

  /// Allows a worker the calls for decoding and for messages. Everything else fails with EPERM.
  ///
  /// - Throws: `.notSingleThreaded`, `.seccompUnavailable`.
  static func allowForWorker() throws(SandboxError) {
    try requireOneThread()
    try Capabilities.drop(keepingFiles: false)
    let result = csandbox_seccomp_worker()
    guard result == 0 else { throw SandboxError(.seccompUnavailable, result: result) }
  }
}

/// The capabilities of a process of root, or in a user namespace.
private enum Capabilities {
  /// Gives them up for good; a process that has none is unchanged.
  ///
  /// - Parameter keepingFiles: Whether those to read and write files of other users stay.
  /// - Throws: `.limitRefused`. Source: capabilities(7).
  static func drop(keepingFiles: Bool) throws(SandboxError) {
    let result = csandbox_drop_capabilities(keepingFiles ? 1 : 0)
    guard result == 0 else { throw SandboxError(.limitRefused, result: result, subject: "capset") }
  }
}
