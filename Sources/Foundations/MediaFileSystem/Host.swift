internal import CFileSystem
internal import Glibc
internal import MediaModel

/// The machine and the user, as the log records them.
package enum Host {
  /// The machine's name. Source: uname(2).
  package static var name: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return withUnsafeBytes(of: names.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The name of the user in `/etc/passwd`, or the number of a user without a name there.
  package static var user: String {
    LocalUsers.current().map { String(decoding: $0.name, as: UTF8.self) } ?? "\(geteuid())"
  }

  /// The description of this process in the error that another run gets while the library is held.
  package static var holder: String {
    "process \(getpid()) on \(name), since \(SaveTime.now.timestamp)"
  }

  /// The number of processors that this process may use. Source: sched_getaffinity(2).
  package static var processors: Int { Int(cfs_processors()) }
}
