import Glibc
import MediaSandbox

/// Starts this program as a worker.
private func spawn(_ arguments: [String]) throws(SandboxError) -> WorkerProcess {
  let null = open("/dev/null", O_RDWR | O_CLOEXEC)
  defer { close(null) }
  return try WorkerProcess.spawn(
    executable: WorkerProcess.programBeside("sandbox-probe"),
    arguments: ["worker"] + arguments,
    nullDevice: null
  )
}

/// Prints what the worker says until it ends.
private func relay(_ worker: WorkerProcess) throws(SandboxError) {
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    var entry = pollfd(fd: worker.socket, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, -1)
    let received = try receive(worker.socket, &buffer)
    guard let received else { continue }
    if received == 0 { break }
    _ = write(1, buffer, received)
  }
}

private func receive(_ socket: Int32, _ buffer: inout [UInt8]) throws(SandboxError) -> Int? {
  // The closure of withUnsafeMutableBytes cannot throw a typed error on its own here.
  let result = buffer.withUnsafeMutableBytes { bytes in
    Result { () throws(SandboxError) in
      try DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: false)?.count
    }
  }
  return try result.get()
}

private func hand(_ path: String, to worker: WorkerProcess) throws(SandboxError) {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  let result = [UInt8(ascii: "j")].withUnsafeBytes { bytes in
    Result { () throws(SandboxError) in
      try DescriptorPassing.send(bytes, descriptor: file, over: worker.socket)
    }
  }
  _ = try result.get()
}

/// A confined coordinator starts a worker, twice, the second time after killing the first.
func spawns(_ stage: SelfTestStage, without: some Sequence<String>) throws(SandboxError) {
  let without = Array(without)
  let null = open("/dev/null", O_RDWR | O_CLOEXEC)
  let own = try WorkerProcess.programBeside("sandbox-probe")
  try confineCoordinator(stage, without: without)
  let idle = try WorkerProcess.spawn(executable: own, arguments: ["worker", "sleep"], nullDevice: null)
  idle.kill()
  guard try idle.reap(blocking: true) == .signalled(SIGKILL) else { return emit("not killed") }
  let worker = try WorkerProcess.spawn(
    executable: own,
    arguments: ["worker", "attempts", stage.folder] + without,
    nullDevice: null
  )
  try hand(stage.allowedFile, to: worker)
  try relay(worker)
  emit("end \(String(describing: try worker.reap(blocking: true)))")
}

/// Starts a worker while this process has much that it must not inherit; prints its output and end.
func host(worker verb: String, arguments: [String]) throws(SandboxError) {
  // These descriptors lack close-on-exec on purpose.
  let leaks = (0..<3).map { _ in open("/dev/null", O_RDONLY) }
  setenv("SECRET", "1", 1)
  signal(SIGTERM, SIG_IGN)
  var blocked = sigset_t()
  sigfillset(&blocked)
  sigprocmask(SIG_BLOCK, &blocked, nil)
  let worker = try spawn([verb] + arguments)
  emit("session \(getsid(0) != worker.pid && getsid(worker.pid) == worker.pid)")
  if verb == "spin" {
    // The worker sends its first message after it has entered confinement, with its first limit.
    var buffer = [UInt8](repeating: 0, count: 64)
    while try receive(worker.socket, &buffer) == nil {}
    if let seconds = arguments.first.flatMap({ UInt64($0) }) {
      try worker.raiseCPULimit(bySeconds: seconds)
    }
  } else {
    try relay(worker)
  }
  emit("end \(String(describing: try worker.reap(blocking: true)))")
  var usage = rusage()
  getrusage(RUSAGE_CHILDREN.rawValue, &usage)
  let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
  let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
  emit("seconds \(seconds + microseconds / 1e6)")
  do throws(SandboxError) {
    try worker.raiseCPULimit(bySeconds: 1)
  } catch {
    emit("afterwards \(error.code.rawValue)")
  }
  for leak in leaks { close(leak) }
}

/// Prints the identifiers of two workers, one that waits and one that spins, and ends by SIGKILL.
func hostEnds(_ stage: SelfTestStage) throws(SandboxError) {
  let null = open("/dev/null", O_RDWR | O_CLOEXEC)
  let own = try WorkerProcess.programBeside("sandbox-probe")
  try confineCoordinator(stage, without: [])
  for verb in ["sleep", "spin"] {
    let worker = try WorkerProcess.spawn(executable: own, arguments: ["worker", verb], nullDevice: null)
    var buffer = [UInt8](repeating: 0, count: 64)
    while try receive(worker.socket, &buffer) == nil {}
    emit("\(worker.pid)")
    // Keep the object, whose release would kill the worker.
    _ = Unmanaged.passRetained(worker)
  }
  kill(getpid(), SIGKILL)
}
