internal import Foundation
internal import Glibc
internal import MediaLibrary

/// What the log says of the machine and the person.
enum Host {
  /// Source: uname(2).
  static var name: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return withUnsafeBytes(of: names.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The name of who runs this, or the number where there is none. Source: getpwuid(3).
  static var user: String {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "\(geteuid())"
    }
    return String(cString: name)
  }

  /// Who this is, for whoever finds a library held.
  static var holder: String {
    "process \(getpid()) on \(name), since \(SaveTime.now.timestamp)"
  }

  /// How many processors this process may use.
  static var processors: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
