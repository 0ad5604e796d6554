private import CSandbox
private import Glibc

/// Both are enumerations in Glibc's module, integers in C.
let streamType = Int32(SOCK_STREAM.rawValue)
let datagramType = Int32(SOCK_DGRAM.rawValue)

extension SelfTest {
  /// Ways to the bytes or the names of a refused folder.
  static func reading(_ stage: SelfTestStage) -> [Attempt] {
    let upwards = stage.allowedFolder + String(repeating: "/..", count: 64) + stage.refusedFile
    return [
      Attempt("open a refused file by its absolute path", openNumber(stage.refusedFile, O_RDONLY)),
      Attempt("open it from a granted folder by way of ..", openNumber(upwards, O_RDONLY)),
      Attempt(
        "open it through a symlink in a granted folder",
        openNumber(stage.plantedSymlink, O_RDONLY)
      ),
      Attempt(
        "open it through /proc/self/root",
        openNumber("/proc/self/root" + stage.refusedFile, O_RDONLY)
      ),
      Attempt("open it from inside its folder", openFromInside(stage)),
      Attempt("open again a descriptor that only names it", reopen(stage.refusedFile)),
      Attempt("open it beneath a descriptor that names its folder", openBeneath(stage)),
      Attempt(
        "open it by its file handle",
        csandbox_try_handle(stage.refusedFolder, stage.refusedFile)
      ),
      Attempt("list a refused folder", openNumber(stage.refusedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt(
        "list a refused folder through /proc/self/root",
        openNumber("/proc/self/root" + stage.refusedFolder, O_RDONLY | O_DIRECTORY)
      ),
    ]
  }

  /// Ways to change a refused folder or what it is.
  static func changing(_ stage: SelfTestStage) -> [Attempt] {
    [
      Attempt("write to a refused file", openNumber(stage.refusedFile, O_WRONLY)),
      Attempt(
        "make a file in a refused folder",
        openNumber(stage.refusedFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("change a refused file's mode", number(chmod(stage.refusedFile, 0o600))),
      Attempt(
        "change a refused file's times",
        number(utimensat(AT_FDCWD, stage.refusedFile, nil, 0))
      ),
      Attempt("change a refused file's attributes", csandbox_try_set_xattr(stage.refusedFile)),
      Attempt("mount over a refused folder", csandbox_try_mount(stage.refusedFolder)),
    ]
  }

  /// Ways to the network and to other processes.
  static func reaching() -> [Attempt] {
    let parent = getppid()
    var attempts = [
      Attempt("a TCP socket", csandbox_try_socket(AF_INET, streamType, 0)),
      Attempt("a TCP socket (IPv6)", csandbox_try_socket(AF_INET6, streamType, 0)),
      Attempt("a UDP socket", csandbox_try_socket(AF_INET, datagramType, 0)),
      Attempt("a UNIX socket", csandbox_try_socket(AF_UNIX, streamType, 0)),
      Attempt("a netlink socket", csandbox_try_socket(AF_NETLINK, datagramType, 0)),
      Attempt("a pair of datagram sockets", csandbox_try_socket(AF_UNIX, datagramType, 1)),
      Attempt("a ring of system calls (io_uring)", csandbox_try_io_uring()),
      Attempt("a program in memory (memfd)", csandbox_try_memfd()),
      Attempt("trace the parent", csandbox_try_ptrace(parent)),
      Attempt("read the parent's memory", csandbox_try_read_memory(parent)),
      Attempt("a network of its own", csandbox_try_namespace()),
    ]
    #if arch(x86_64)
      attempts += foreignSystemCalls()
    #endif
    return attempts
  }

  /// A harmless call by each of the kernel's other entries (x86-64 has two: 32-bit and x32).
  package static func foreignSystemCalls() -> [Attempt] {
    [
      Attempt("a 32-bit system call", csandbox_try_foreign_abi(0)),
      Attempt("an x32 system call", csandbox_try_foreign_abi(1)),
    ]
  }

  /// The errno of opening a path, 0 when it worked.
  static func openNumber(_ path: String, _ flags: Int32) -> Int32 {
    closed(open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600))
  }

  /// The errno behind a result that is -1 for a failure.
  static func number(_ result: Int32) -> Int32 {
    result == -1 ? errno : 0
  }

  /// The errno of moving a file, which is moved back if that worked.
  static func move(_ path: String, _ destination: String) -> Int32 {
    guard rename(path, destination) == 0 else { return errno }
    rename(destination, path)
    return 0
  }

  private static func closed(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }

  private static func reopen(_ path: String) -> Int32 {
    let descriptor = csandbox_open_path(path)
    guard descriptor >= 0 else { return -descriptor }
    defer { close(descriptor) }
    return openNumber("/proc/self/fd/\(descriptor)", O_RDONLY)
  }

  private static func openBeneath(_ stage: SelfTestStage) -> Int32 {
    let descriptor = csandbox_open_path(stage.refusedFolder)
    guard descriptor >= 0 else { return -descriptor }
    defer { close(descriptor) }
    return closed(openat(descriptor, "secret.jpg", O_RDONLY | O_CLOEXEC))
  }

  private static func openFromInside(_ stage: SelfTestStage) -> Int32 {
    let before = csandbox_open_path(".")
    guard before >= 0 else { return -before }
    defer { close(before) }
    guard chdir(stage.refusedFolder) == 0 else { return errno }
    defer { _ = fchdir(before) }
    return openNumber("/proc/self/cwd/secret.jpg", O_RDONLY)
  }
}
