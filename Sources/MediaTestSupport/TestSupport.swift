internal import Foundation

/// The real media that tests also run on, where somebody has it.
package enum Corpus {
  /// The folder that `MEDIABATCH_CORPUS` names, or nil.
  package static let folder: String? = ProcessInfo.processInfo.environment["MEDIABATCH_CORPUS"]
    .map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

  /// The path of one corpus file, or nil when it is not there.
  package static func file(_ relative: String) -> String? {
    guard let folder else { return nil }
    let path = folder + "/" + relative
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The paths of all regular files beneath a corpus folder, sorted; empty without a corpus.
  package static func files(beneath relative: String) -> [String] {
    guard let folder else { return [] }
    let root = folder + "/" + relative
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    return walk.compactMap { $0 as? String }.map { root + "/" + $0 }
      .filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && !isFolder.boolValue
      }
      .sorted()
  }
}

/// A program that did not make what it looks at.
package enum Tool {
  package struct Result: Sendable {
    package var status: Int32
    package var output: String
    package var error: String
  }

  /// Whether a program of that name is on the search path.
  package static func exists(_ name: String) -> Bool {
    path(of: name) != nil
  }

  /// Runs a program to its end, with nothing on its standard input.
  ///
  /// - Parameters:
  ///   - name: A name on the search path, or an absolute path.
  ///   - arguments: Passed as they are, no shell in between.
  ///   - environment: Added to this process's own.
  ///   - folder: Where it runs; nil for this process's own.
  /// - Returns: Its exit status, 128 and the signal's number after a signal, and what it printed.
  /// - Throws: An error when the program cannot be started; a failing status is not an error.
  package static func run(
    _ name: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    in folder: String? = nil
  ) throws -> Result {
    guard let executable = path(of: name) else { throw CocoaError(.fileNoSuchFile) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let scratch = TemporaryFolder()
    let outputURL = URL(fileURLWithPath: scratch.path + "/output")
    let errorURL = URL(fileURLWithPath: scratch.path + "/error")
    for url in [outputURL, errorURL] { try Data().write(to: url) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorURL)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
      error: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self)
    )
  }

  private static func path(of name: String) -> String? {
    if name.hasPrefix("/") {
      return FileManager.default.isExecutableFile(atPath: name) ? name : nil
    }
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

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

/// The whole content of a file.
package func readBytes(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}
