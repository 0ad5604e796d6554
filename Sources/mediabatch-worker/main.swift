internal import Glibc
internal import MediaSandbox
internal import MediaWorker

// The coordinator starts this program; it is of no use to a person. Before anything else it shuts
// itself in, and without that it does nothing.

// Confined from its first instruction on, the runtime cannot read /proc for them.
let arguments = WorkerProcess.ownArguments
let isProcessEnforced = arguments.starts(with: ["--enforcement", "process"])
var limits = WorkerLimits()
if let place = arguments.firstIndex(of: "--memory"),
  let bytes = arguments.dropFirst(place + 1).first.flatMap({ UInt64($0) })
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
