private import CSandbox
private import Glibc

/// The features of a kernel that can confine a process.
package struct KernelSupport: Sendable, Hashable {
  /// The oldest Landlock that can rename between two folders (REFER), as publishing does.
  package static let requiredLandlockABI = 2

  /// The ABI version of Landlock, 0 without Landlock or if it is disabled.
  package var landlockABI: Int
  /// Whether a filter can answer a system call with an error.
  package var seccomp: Bool
  /// The kernel's release, as `uname -r` prints it.
  package var kernelRelease: String

  /// Describes any kernel; ``probe()`` describes the running one.
  package init(landlockABI: Int, seccomp: Bool, kernelRelease: String) {
    self.landlockABI = landlockABI
    self.seccomp = seccomp
    self.kernelRelease = kernelRelease
  }

  /// Asks the running kernel. This changes nothing, and is correct at any time and on any thread.
  ///
  /// Source: landlock_create_ruleset(2) with LANDLOCK_CREATE_RULESET_VERSION; seccomp(2) with
  /// SECCOMP_GET_ACTION_AVAIL; uname(2).
  package static func probe() -> KernelSupport {
    var names = utsname()
    var release = "unknown"
    if uname(&names) == 0 {
      release = withUnsafeBytes(of: names.release) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    return KernelSupport(
      landlockABI: Int(csandbox_landlock_abi()),
      seccomp: csandbox_seccomp_available() == 1,
      kernelRelease: release
    )
  }

  /// Whether both kinds of process can be confined as `"enforcement": "kernel"` promises.
  package var canEnforce: Bool {
    landlockABI >= Self.requiredLandlockABI && seccomp
  }

  /// Actions of a compromised coordinator that a newer Landlock would refuse and this one does not.
  ///
  /// Each has a few words, such as `cutting files`; a worker's filter refuses all of them anyway.
  /// TCP (ABI 4), commands to devices (ABI 5) and abstract sockets (ABI 6) are not listed, since the
  /// seccomp list refuses them on every kernel. Empty from ABI 6 on.
  package var weaknesses: [String] {
    let brought = [(3, "cutting files"), (6, "signals")]
    return brought.filter { landlockABI < $0.0 }.map(\.1)
  }

  /// The text of the summary and of `doctor`, such as `Landlock ABI 7, seccomp`, with the
  /// weaknesses of an older Landlock.
  package var detail: String {
    let parts = [
      landlockABI > 0 ? "Landlock ABI \(landlockABI)" : "no Landlock",
      seccomp ? "seccomp" : "no seccomp",
    ]
    let names = parts.joined(separator: ", ")
    guard landlockABI > 0, !weaknesses.isEmpty else { return names }
    return names + "; not refused: " + weaknesses.joined(separator: ", ")
  }
}
