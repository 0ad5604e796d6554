internal import Glibc
internal import MediaFileSystem
package import MediaModel
internal import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Inspects files that a person has named: opens them, confines this process and lets workers read
/// them.
///
/// This process never reads a byte of them. After confinement it can open only the files that a
/// worker needs to start, and can write only to open descriptors. Each file has its own worker, so
/// that no file can influence the results of another. Nothing is written, not even a log.
package final class Inspection {
  private var files: [NamedFile]
  private let options: StripOptions
  private let showsValues: Bool
  private let isPrivateOnly: Bool
  private let program: WorkerProgram
  /// The number of consecutive workers that ended before their first message.
  private var failedStarts = 0

  /// Opens all files and confines this process for good. Call once, on the main thread.
  ///
  /// - Parameters:
  ///   - paths: The paths as the person gave them. A file that cannot be opened is a result, not an
  ///     error.
  ///   - options: The metadata that `strip` would keep.
  ///   - showsValues: Whether entries contain their values, which are private.
  ///   - isPrivateOnly: Whether only entries about people, places, devices and times are passed on.
  /// - Throws: `RunError`, 69 when the kernel cannot confine, 70 without a worker's program.
  package init(
    _ paths: [[UInt8]],
    options: StripOptions,
    showsValues: Bool,
    isPrivateOnly: Bool = false
  ) throws(RunError) {
    let kernel = KernelSupport.probe()
    guard kernel.canEnforce else {
      throw RunError(
        .enforcementUnavailable,
        "Nothing was opened: this kernel (\(kernel.kernelRelease): \(kernel.detail)) cannot confine "
          + "what reads a file; that needs Landlock ABI 2 (Linux 5.19) and seccomp."
      )
    }
    self.options = options
    self.showsValues = showsValues
    self.isPrivateOnly = isPrivateOnly
    do {
      program = try WorkerProgram()
      let rules = try program.startRules()
      NamedFile.raiseDescriptorLimit()
      files = try Self.open(paths)
      try LandlockLayer.enforce(rules: rules)
      try SeccompFilter.allowForCoordinator()
    } catch let error as SandboxError {
      throw RunError(error)
    } catch {
      throw RunError(.inspection, "\(error)")
    }
  }

  /// Opens the files, and keeps descriptors free for confinement and a worker's socket, however
  /// many files are named.
  private static func open(_ paths: [[UInt8]]) throws(FileSystemError) -> [NamedFile] {
    var reserved: [Descriptor] = []
    for _ in 0..<16 { reserved.append(try FileSystem.openDevice([UInt8]("/dev/null".utf8))) }
    return withExtendedLifetime(reserved) { paths.map { NamedFile($0) } }
  }

  /// Inspects each file in the order of the paths, and passes the results to `take`.
  ///
  /// - Returns: The counts over all files.
  /// - Throws: `RunError` when no worker can be started; earlier results were passed on.
  package func inspect(_ take: (InspectedFile) -> Void) throws(RunError) -> InspectTotals {
    var totals = InspectTotals()
    for index in files.indices {
      var file = try inspect(files[index], number: UInt64(index))
      if isPrivateOnly { file.entries.removeAll { !$0.metadataClass.isPrivate } }
      totals.add(file)
      take(file)
      // The descriptor is no longer needed.
      files[index].file = nil
    }
    return totals
  }

  /// Inspects a file, and retries with a new worker if the first one died or the file changed.
  private func inspect(_ named: NamedFile, number: UInt64) throws(RunError) -> InspectedFile {
    var inspected = InspectedFile(path: named.path)
    inspected.problem = named.problem
    guard let file = named.file else { return inspected }
    for attempt in 0..<2 {
      guard let before = try? file.status() else {
        inspected.problem = InspectedFile.Problem(reason: .cannotRead, detail: "fstat")
        return inspected
      }
      inspected.byteCount = UInt64(clamping: before.size)
      var job = InspectJob(identifier: number * 2 + UInt64(attempt))
      job.except = options.except
      job.isLocationCoarse = options.isLocationCoarse
      job.showsValues = showsValues
      let answer = try ask(job, about: inspected, file)
      let after = try? file.status()
      if before == after {
        let mayRetry = [.workerCrashed, .deadline].contains(answer.problem?.reason)
        if !mayRetry || attempt == 1 { return answer }
      } else if attempt == 1 {
        inspected.problem = InspectedFile.Problem(reason: .changedDuringRun, detail: "")
      }
    }
    return inspected
  }

  /// Starts a worker, lets it inspect the file, and ends it.
  private func ask(
    _ job: InspectJob,
    about file: InspectedFile,
    _ descriptor: Descriptor
  ) throws(RunError) -> InspectedFile {
    let process: WorkerProcess
    do {
      process = try WorkerProcess.spawn(executable: program.path, nullDevice: program.nullDevice.raw)
    } catch {
      throw RunError(error)
    }
    defer {
      process.kill()
      _ = try? process.reap(blocking: true)
    }
    var conversation = InspectionConversation(job, about: file, with: process)
    var answer = file
    switch conversation.run(sending: descriptor) {
    case .finished: answer = conversation.answer.file
    case .ended:
      answer.problem = InspectedFile.Problem(reason: .workerCrashed, detail: "")
    case .late:
      answer.problem = InspectedFile.Problem(reason: .deadline, detail: "")
    case .breach(let error):
      answer.problem = InspectedFile.Problem(reason: .workerProtocol, detail: error.description)
    }
    failedStarts = conversation.answer.hasReceivedHello ? 0 : failedStarts + 1
    if failedStarts == 3 { throw .workerDoesNotStart(.kernel) }
    return answer
  }
}
