package import MediaFileSystem
package import MediaModel
package import MediaSandbox

/// The program of workers and what they are started with, found before this process is confined.
package struct WorkerProgram {
  /// An absolute path.
  package let path: [UInt8]
  /// `/dev/null`, opened for reading and writing, which workers get as their standard streams.
  package let nullDevice: Descriptor

  /// - Throws: `SandboxError` when it is not beside this program, `FileSystemError` without `/dev/null`.
  package init() throws {
    path = try WorkerProcess.programBeside(WorkerProcess.programName)
    nullDevice = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
  }

  /// Finds the program for a command that ends with the error of a run.
  ///
  /// - Throws: `RunError`, 70 without a worker's program.
  package static func ofRun() throws(RunError) -> WorkerProgram {
    do {
      return try WorkerProgram()
    } catch let error as SandboxError {
      throw RunError(
        .workerMissing,
        "\(WorkerProcess.programName) is not beside this program: \(error). Install both together."
      )
    } catch {
      throw RunError(.internal, "\(error)")
    }
  }

  /// The rules that this process's confinement needs, so that a worker starts.
  ///
  /// - Throws: `SandboxError` when the program cannot be read.
  package func startRules() throws(SandboxError) -> [PathRule] {
    try WorkerProcess.startRules(executable: path)
  }

  /// Makes a pool without workers.
  ///
  /// - Parameters:
  ///   - enforcement: How they are confined.
  ///   - memoryBytes: The bytes of memory of a worker; nil is the worker's default.
  ///   - size: The highest number of workers at a time.
  /// - Returns: The pool.
  package func pool(
    _ enforcement: Enforcement,
    memoryBytes: Int? = nil,
    size: Int
  ) -> WorkerPool {
    var arguments = enforcement == .kernel ? [] : ["--enforcement", enforcement.rawValue]
    if let memoryBytes { arguments += ["--memory", "\(memoryBytes)"] }
    return WorkerPool(enforcement: enforcement, size: size) { [arguments] () throws(SandboxError) in
      try WorkerProcess.spawn(executable: path, arguments: arguments, nullDevice: nullDevice.raw)
    }
  }
}
