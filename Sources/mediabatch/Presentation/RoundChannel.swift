internal import ArgumentParser
internal import Glibc
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaSyntax
internal import MediaWatch

/// The pipe over which a process of a round reports to the watch that started it.
struct RoundChannel {
  /// Binds this process to the watch: when that ends, this one ends after its batch.
  ///
  /// - Throws: The end of the command, 64, when no watch has started it; 70 when it cannot be bound.
  init() throws {
    let descriptor = RoundReport.descriptor
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      Console.note("This option is for the processes of `mediabatch watch`.")
      throw RunExitCode.usage.end
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    do {
      try WorkerConfinement.endWithParent()
    } catch {
      Console.note("\(error)")
      throw RunExitCode.internalCheck.end
    }
    // The watch may have ended before.
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    poll(&entry, 1, 0)
    if entry.revents & Int16(POLLERR) != 0 { throw RunExitCode.terminated.end }
  }

  /// Sends the report; a watch that has ended needs none.
  func send(_ report: RoundReport) {
    Console.write(report.object.serialized, to: RoundReport.descriptor)
  }
}

extension RoundReport {
  /// The report of a run.
  init(_ run: RunReport) {
    self.init()
    for (outcome, count) in run.counts { counts[outcome.rawValue] = count }
    isChanging = run.leftOut.contains { $0.reason == .stillChanging }
    problems = run.problems.map(\.message)
  }

  /// The report of a look.
  init(_ plan: DryRun) {
    self.init()
    pending = Int64(bitPattern: plan.pendingDigest)
    settlesIn = plan.settlesIn
    isChanging = plan.settlesIn != nil
    problems = plan.exitCode == .success ? [] : plan.problems.map(\.message)
  }
}
