import Glibc
import MediaSandbox

private let coordinator = WorkerProcess.socketInWorker

/// Performs a verb of a worker, after it has confined itself or, in one case, before.
func worker(_ verb: String, arguments: [String]) throws(SandboxError) {
  switch verb {
  case "surroundings":
    surroundings()
  case "attempts":
    let without = arguments.dropFirst()
    if !without.contains("worker") { try WorkerConfinement.enter() }
    var byte: [UInt8] = [0]
    let received = byte.withUnsafeMutableBytes { bytes in
      Result { () throws(SandboxError) in
        try DescriptorPassing.receive(into: bytes, over: coordinator, acceptDescriptor: true)
      }
    }
    let stage = SelfTestStage(folder: arguments.first ?? "")
    let handed = try received.get()?.descriptor
    _ = SelfTest.write(SelfTest.workerAttempts(stage, handed: handed), to: coordinator)
  case "sleep":
    try WorkerConfinement.enter()
    emit("ready", to: coordinator)
    while true { nanosleep([timespec(tv_sec: 60, tv_nsec: 0)], nil) }
  case "spin":
    try WorkerConfinement.enter(limits: WorkerLimits(cpuSeconds: 1))
    emit("ready", to: coordinator)
    // A call, because an optimizer may assume that an empty loop ends.
    var time = timespec()
    while clock_gettime(CLOCK_MONOTONIC, &time) == 0 {}
  case "limits":
    try WorkerConfinement.enter(limits: WorkerLimits(memoryBytes: 200 << 20))
    limits()
  case "threads":
    try WorkerConfinement.enter()
    startThread()
  default:
    emit("no such worker", to: coordinator)
  }
}

private func surroundings() {
  // /proc/self/fd is read through a descriptor of its own, the first after 3.
  if let folder = opendir("/proc/self/fd") {
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", name != "\(dirfd(folder))" { names.append(name) }
    }
    closedir(folder)
    emit("descriptors " + names.sorted().joined(separator: " "), to: coordinator)
  }
  var variables: [String] = []
  var variable = environ
  while let text = variable.pointee {
    variables.append(String(cString: text))
    variable += 1
  }
  emit("environment " + variables.sorted().joined(separator: " "), to: coordinator)
  var blocked = sigset_t()
  sigprocmask(SIG_BLOCK, nil, &blocked)
  let count = (1...64).filter { sigismember(&blocked, Int32($0)) == 1 }.count
  var action = sigaction()
  sigaction(SIGTERM, nil, &action)
  let isDefault = action.__sigaction_handler.sa_handler == nil
  emit("signals \(count) blocked, default \(isDefault)", to: coordinator)
}

private func limits() {
  for mebibytes in [100, 300] {
    // mmap, because an optimizer may remove a call of malloc.
    let memory = mmap(nil, mebibytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    emit("\(mebibytes) MiB \(memory != MAP_FAILED)", to: coordinator)
  }
  var descriptors = 0
  while open("/usr/lib", O_RDONLY | O_DIRECTORY) >= 0 { descriptors += 1 }
  emit(
    "descriptors \(descriptors + 4) \(SandboxError(.limitRefused, number: errno).numberName)",
    to: coordinator
  )
}

private func startThread() {
  var thread = pthread_t()
  let result = pthread_create(
    &thread,
    nil,
    { _ in
      emit("thread \(reading("/etc/passwd"))", to: coordinator)
      return nil
    },
    nil
  )
  emit("started \(result)", to: coordinator)
  pthread_join(thread, nil)
}
