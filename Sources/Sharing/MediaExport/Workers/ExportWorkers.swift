internal import MediaFileSystem
internal import MediaModel
package import MediaSandbox
internal import MediaWorkerPool

/// How far the conversion of a film has come.
package struct FilmProgress {
  /// The asset's.
  package let label: String
  /// The hundredths that are done, 0 to 99.
  package let percent: Int
  /// The number of films that are over.
  package let done: Int
}

/// The workers of a command that makes a folder from a library, found before the command is confined.
package struct ExportWorkers {
  let program: WorkerProgram
  /// The rules that the command's confinement needs, so that a worker starts.
  package let startRules: [PathRule]
  /// Takes how far the conversion of a film has come, often; nil where progress is not shown.
  package var showsFilm: ((FilmProgress) -> Void)?

  /// - Throws: ``ExportError`` when the worker's program is missing, and on a kernel that cannot confine it.
  package init() throws(ExportError) {
    let kernel = KernelSupport.probe()
    guard kernel.canEnforce else {
      throw ExportError(
        .notConfined,
        "Nothing was written: this kernel (\(kernel.kernelRelease): \(kernel.detail)) cannot confine the "
          + "program that decodes pictures; it needs Landlock ABI 2 (Linux 5.19) and seccomp."
      )
    }
    do {
      program = try WorkerProgram()
      startRules = try program.startRules()
    } catch {
      throw ExportError(
        .failed,
        "\(WorkerProcess.programName) is not beside this program: \(error). Install both together."
      )
    }
  }

  /// One worker for each processor, none of which has started.
  func pool(memoryBytes: Int? = nil) -> WorkerPool {
    program.pool(.kernel, memoryBytes: memoryBytes, size: OwnThread.processors)
  }
}

extension ExportError {
  init(_ error: WorkerPoolError) {
    switch error {
    case .doesNotStart:
      self.init(.notConfined, "The worker program ends as soon as it starts. Run `mediabatch doctor`.")
    case .cannotStart(let cause):
      self.init(.failed, "The worker program cannot be started: \(cause).")
    }
  }
}
