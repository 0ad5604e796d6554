internal import Glibc
internal import MediaSandbox
internal import MediaWorker

/// The program that the coordinator starts for one worker; it is of no use to a person.
///
/// Code at the top level of a file, and a closure in `main`, would run on the main actor, and link the runtime
/// of tasks and libdispatch (540 KB), which nothing here calls.
@main
enum Worker {
  /// Confines the process before anything else, and does nothing without that.
  static func main() {
    // Confined from its first instruction on, the runtime cannot read /proc for them.
    let arguments = WorkerProcess.ownArguments
    let isProcessEnforced = arguments.starts(with: ["--enforcement", "process"])
    var limits = WorkerLimits()
    if let option = arguments.firstIndex(of: "--memory"),
      let value = arguments.dropFirst(option + 1).first, let bytes = UInt64(value)
    {
      limits.memoryBytes = bytes
    }

    do {
      try WorkerConfinement.enter(limits: limits, enforcesByKernel: !isProcessEnforced)
    } catch {
      exit(69)
    }
    switch arguments.first {
    case "--self-test": exit(WorkerSelfTest.run(stage: arguments.dropFirst().first ?? ""))
    case "--decoders": exit(WorkerSelfTest.listDecoders())
    default: exit(WorkerLoop.run())
    }
  }
}
