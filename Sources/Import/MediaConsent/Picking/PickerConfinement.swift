internal import Glibc
internal import MediaSandbox

/// Shuts a picker's process in: it may open nothing, and list nothing.
enum PickerConfinement {
  /// Takes every right on files for good, and the system calls that a picker does not need, before a name is read.
  ///
  /// Limits that forbid reading, writing, starting programs, loading libraries and core dumps. What Landlock and the
  /// filter are to refuse is tried behind each.
  ///
  /// - Throws: `SandboxError`; `.layerRefused` when something could be opened. The process must end then.
  ///
  /// Source: landlock(7); seccomp(2); setrlimit(2).
  static func enter() throws(SandboxError) {
    try ProcessLimits.enter(descriptors: 32, memoryBytes: nil)
    try WorkerConfinement.bindToParent()
    try LandlockLayer().enforce()
    try holds()
    try SeccompFilter.allowForPicker()
    try holds()
    try refused(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), by: [EPERM])
  }

  private static func holds() throws(SandboxError) {
    // It is there whatever else is: this very program.
    try refused(open("/proc/self/exe", O_RDONLY), by: [EACCES, EPERM])
    try refused(open("/", O_RDONLY | O_DIRECTORY), by: [EACCES, EPERM])
    // The file is never created: its creation must be refused.
    try refused(open("/.mediabatch-picker", O_WRONLY | O_CREAT | O_EXCL), by: [EACCES, EPERM, EROFS])
  }

  /// `opened` is a descriptor, or a negative number with `errno` set.
  private static func refused(_ opened: Int32, by numbers: [Int32]) throws(SandboxError) {
    let number = errno
    if opened >= 0 { close(opened) }
    guard opened < 0, numbers.contains(number) else {
      throw SandboxError(.layerRefused, number: number)
    }
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    openat(AT_FDCWD, path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode_t(0o600))
  }
}
