internal import Foundation
internal import Synchronization

/// A folder of a test's own, gone with the last reference to it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    path =
      FileManager.default.temporaryDirectory.path + "/mediabatch-test-" + UUID().uuidString
    try? FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// The path of a folder on another file system than that of temporary folders; nil without one.
  ///
  /// The caller adds a name of its own and removes what it makes.
  package static var onOtherFileSystem: String? {
    func device(_ path: String) -> Int? {
      try? FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int
    }
    let own = device(FileManager.default.temporaryDirectory.path)
    return ["/dev/shm", "/var/tmp"].first { device($0) != nil && device($0) != own }
  }

  /// A folder that many tests share, gone when the process ends.
  package static func untilExit() -> TemporaryFolder {
    let folder = TemporaryFolder()
    lasting.withLock { $0.append(folder) }
    return folder
  }

  private static let lasting: Mutex<[TemporaryFolder]> = {
    atexit { TemporaryFolder.lasting.withLock { $0.removeAll() } }
    return Mutex([])
  }()

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
