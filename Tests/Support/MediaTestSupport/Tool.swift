internal import Foundation

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

  /// Runs a program to its end, with nothing on its standard input; exiftool is started once and asked
  /// again.
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
    if name == "exiftool", environment.isEmpty, folder == nil, ExifToolServer.takes(arguments) {
      return try ExifToolServer.run(arguments)
    }
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

  /// Whether a library has at least this version, as pkg-config says it; false when it is not installed.
  package static func hasLibrary(_ name: String, atLeast version: String) -> Bool {
    (try? run("pkg-config", ["--atleast-version=" + version, name]))?.status == 0
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
