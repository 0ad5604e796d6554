internal import COldKernel
internal import Glibc
internal import MediaSandbox

/// An emulated older kernel version around a program.
enum OlderKernel {
  /// Its Landlock has this ABI, 1 to 7, and refuses everything that came later, as that kernel did.
  case landlock(abi: Int)
  /// It has no Landlock: the calls answer this errno.
  case withoutLandlock(Int32)
  /// No filter can be installed: `seccomp` answers this errno.
  case withoutSeccomp(Int32)

  /// Runs a program on it, with all that the program starts.
  ///
  /// Rights that the older kernel does not know are not enforced here either, since the program
  /// cannot ask for them; the kernel that really runs must be newer. An ABI is emulated by reading
  /// the program's memory, which needs root where the program makes itself undumpable.
  ///
  /// - Parameter arguments: The program's absolute path, then its arguments.
  /// - Returns: Its exit code, 128 and more for a signal; for the two `without` it does not return,
  ///   since this process becomes the program.
  /// - Throws: `.seccompUnavailable`, `.spawnFailed`.
  ///
  /// Source: seccomp_unotify(2); security/landlock/syscalls.c of each release.
  func run(_ arguments: [String]) throws(SandboxError) -> Int32 {
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    guard let program = pointers[0] else { throw SandboxError(.spawnFailed, number: EINVAL) }
    switch self {
    case .landlock(let abi):
      let code = coldkernel_run_under_landlock(Int32(abi), &pointers)
      guard code >= 0 else { throw SandboxError(.seccompUnavailable, number: -code) }
      return code
    case .withoutLandlock(let number):
      let result = coldkernel_refuse_landlock(number)
      guard result == 0 else { throw SandboxError(.seccompUnavailable, number: -result) }
    case .withoutSeccomp(let number):
      let result = coldkernel_refuse_seccomp(number)
      guard result == 0 else { throw SandboxError(.seccompUnavailable, number: -result) }
    }
    execv(program, &pointers)
    throw SandboxError(.spawnFailed, number: errno, subject: arguments.first ?? "")
  }
}
