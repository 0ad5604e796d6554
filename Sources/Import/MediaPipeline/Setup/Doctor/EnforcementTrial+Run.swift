internal import Foundation
internal import Glibc
package import MediaSandbox

extension EnforcementTrial {
  /// Runs the self-test of this program, in a process of its own, since confinement is permanent, and
  /// in a folder that is gone afterwards.
  ///
  /// - Throws: An error of Foundation when the folder or the process cannot be made.
  package static func run() throws -> EnforcementTrial {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = FileManager.default.temporaryDirectory.path + "/mediabatch-self-test-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(atPath: folder) }
    process.arguments = ["self-test", folder]
    let output = Pipe()
    process.standardOutput = output
    // The reason of a failure, one line: a pipe holds it until the process has ended.
    let error = Pipe()
    process.standardError = error
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return EnforcementTrial(
      output: text,
      error: String(decoding: error.fileHandleForReading.availableData, as: UTF8.self),
      hasEndedWell: process.terminationReason == .exit && process.terminationStatus == 0
    )
  }
}
