internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
internal import MediaSandbox

/// Shuts a picker's process in: it may list one folder, and read nothing at all.
struct PickerConfinement {
  private let folder: Descriptor

  /// Takes every right on files for good, before a name is read, but listing beneath one folder.
  ///
  /// Limits that forbid reading, writing, starting programs, loading libraries and core dumps.
  ///
  /// - Parameter folder: Its root, as a place.
  /// - Throws: `SandboxError`; the process must end then.
  ///
  /// Source: landlock(7), LANDLOCK_ACCESS_FS_READ_DIR; setrlimit(2).
  init(to folder: Descriptor) throws(SandboxError) {
    self.folder = folder
    try ProcessLimits.enter(descriptors: 32, memoryBytes: nil)
    try WorkerConfinement.bindToParent()
    let layer = try LandlockLayer()
    try layer.allow(.listFolder, descriptor: folder.raw)
    try layer.enforce()
    try holdsOutside()
  }

  /// Takes the system calls that a picker does not need, before a name is shown.
  ///
  /// - Parameter file: One that the list would show: reading and writing it is tried, before, when
  ///   only Landlock can refuse it, and after; nil when there is none.
  /// - Throws: `SandboxError`, `.layerRefused` when the file could be opened.
  ///
  /// Source: seccomp(2).
  func finish(trying file: ItemPath?) throws(SandboxError) {
    if let file { try holds(for: file) }
    try SeccompFilter.allowForPicker()
    try refused(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), by: [EPERM])
    if let file { try holds(for: file) }
  }

  private func holds(for file: ItemPath) throws(SandboxError) {
    for flags in [O_RDONLY, O_WRONLY] {
      try refused(
        open(file.bytes, in: folder.raw, flags | O_NOFOLLOW),
        by: [EACCES, EPERM, ENOENT, ELOOP]
      )
    }
  }

  private func holdsOutside() throws(SandboxError) {
    // It is there whatever else is: this very program.
    try refused(open([UInt8]("/proc/self/exe".utf8), in: AT_FDCWD, O_RDONLY), by: [EACCES, EPERM])
    let name = [UInt8](".mediabatch-picker".utf8)
    // The file is never created: its creation must be refused.
    try refused(
      open(name, in: folder.raw, O_WRONLY | O_CREAT | O_EXCL),
      by: [EACCES, EPERM, EROFS]
    )
    let parent = [UInt8]("..".utf8)
    guard let own = try? folder.status(),
      let above = try? FileSystem.status(in: folder, name: parent)
    else { throw SandboxError(.layerRefused) }
    // The root folder is its own parent.
    if own.device != above.device || own.inode != above.inode {
      try refused(open(parent, in: folder.raw, O_RDONLY | O_DIRECTORY), by: [EACCES, EPERM])
    }
  }

  /// `opened` is a descriptor, or a negative number with `errno` set.
  private func refused(_ opened: Int32, by numbers: [Int32]) throws(SandboxError) {
    let number = errno
    if opened >= 0 { close(opened) }
    guard opened < 0, numbers.contains(number) else {
      throw SandboxError(.layerRefused, number: number)
    }
  }

  private func open(_ path: [UInt8], in folder: Int32, _ flags: Int32) -> Int32 {
    path.withCString {
      openat(folder, $0, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode_t(0o600))
    }
  }
}
