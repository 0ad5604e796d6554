internal import Foundation

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

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
