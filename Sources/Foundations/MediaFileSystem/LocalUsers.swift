internal import Glibc
internal import MediaModel

/// The users of `/etc/passwd`. No name service is asked, since that could be one of the network.
///
/// Source: passwd(5).
package enum LocalUsers {
  /// A user's line of the file.
  package struct User: Sendable {
    package var name: [UInt8]
    package var home: [UInt8]
  }

  /// Returns the effective user of this process, or nil when the file does not have it.
  package static func current() -> User? {
    let number = Array("\(geteuid())".utf8)
    let file = try? FileSystem.readSmallFile([UInt8]("/etc/passwd".utf8), limit: 4 << 20)
    for line in (file ?? []).split(separator: UInt8.newline) {
      let fields = line.split(separator: UInt8.colon, omittingEmptySubsequences: false)
      guard fields.count == 7, fields[2].elementsEqual(number) else { continue }
      return User(name: Array(fields[0]), home: Array(fields[5]))
    }
    return nil
  }
}
