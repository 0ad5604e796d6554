import Glibc
import MediaModel
import MediaSandbox

func run(verb: String, arguments: [String]) throws(SandboxError) {
  let first = arguments.first ?? ""
  switch verb {
  case "support": try support()
  case "coordinator": try coordinator(SelfTestStage(folder: first), without: arguments.dropFirst())
  case "coordinator-spawns":
    try spawns(SelfTestStage(folder: first), without: arguments.dropFirst())
  case "two-layers": try twoLayers(first)
  case "replaced": try replaced(first)
  case "single-files": try singleFiles(first)
  case "many-rules": try manyRules(first)
  case "reads": try reads(SelfTestStage(folder: first), arguments.dropFirst())
  case "works": try works(SelfTestStage(folder: first))
  case "threads": try threads()
  case "seventeen-layers": try seventeenLayers()
  case "foreign-abi": try foreignABI()
  case "filter": try filter(first)
  case "on-kernel": try onKernel(first, Array(arguments.dropFirst()))
  case "asks-for": asksFor(abi: Int(first) ?? 0)
  case "newer-rights": try newerRights(SelfTestStage(folder: first))
  case "host": try host(worker: first, arguments: Array(arguments.dropFirst()))
  case "host-ends": try hostEnds(SelfTestStage(folder: first))
  case "alone": try WorkerConfinement.enter()
  case "worker": try worker(first, arguments: Array(arguments.dropFirst()))
  default: emit("no such verb")
  }
}

/// Writes a line to standard output without buffering.
func emit(_ line: String) {
  emit(line, to: 1)
}

func emit(_ line: String, to descriptor: Int32) {
  let bytes = Array((line + "\n").utf8)
  _ = write(descriptor, bytes, bytes.count)
}

/// Opens a path for reading and returns the result as text.
func reading(_ path: String) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return SandboxError(.ruleRefused, number: errno).numberName }
  close(descriptor)
  return "opened"
}

/// Opens a folder with O_PATH, which Swift does not import.
private func openPath(_ folder: String) -> Int32 { open(folder, 0o10_000_000 | O_CLOEXEC) }

private func support() throws(SandboxError) {
  let support = KernelSupport.probe()
  emit("abi \(support.landlockABI)")
  emit("seccomp \(support.seccomp)")
  try LandlockLayer.enforce(rules: [])
  emit("enforced")
}

/// Confines this process as a run confines the coordinator, except for the layers in `without`.
func confineCoordinator(
  _ stage: SelfTestStage,
  without: some Sequence<String>
) throws(SandboxError) {
  let without = Array(without)
  let own = try WorkerProcess.programBeside("sandbox-probe")
  if !without.contains("landlock") {
    let rules = try stage.coordinatorRules + WorkerProcess.startRules(executable: own)
    try LandlockLayer.enforce(rules: rules)
    try LandlockLayer.enforce(rules: rules)
  }
  if !without.contains("seccomp") { try SeccompFilter.allowForCoordinator() }
}

private func coordinator(
  _ stage: SelfTestStage,
  without: some Sequence<String>
) throws(SandboxError) {
  try confineCoordinator(stage, without: without)
  _ = SelfTest.write(SelfTest.coordinatorAttempts(stage), to: 1)
}

private func reads(_ stage: SelfTestStage, _ paths: some Sequence<String>) throws(SandboxError) {
  try confineCoordinator(stage, without: [])
  for path in paths { emit(reading(path)) }
}

/// Performs everything that a run does with its library.
private func works(_ stage: SelfTestStage) throws(SandboxError) {
  try confineCoordinator(stage, without: [])
  let staged = stage.stagingFolder + "/asset"
  let file = staged + "/new.jpg"
  guard mkdir(staged, 0o700) == 0 else { return emit("mkdir \(errno)") }
  let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC, 0o600)
  guard descriptor >= 0, write(descriptor, "photograph", 10) == 10 else {
    return emit("write \(errno)")
  }
  guard ftruncate(descriptor, 5) == 0, fsync(descriptor) == 0 else {
    return emit("descriptor \(errno)")
  }
  close(descriptor)
  guard link(file, stage.publishedFolder + "/thumbnail.jpg") == 0 else {
    return emit("link \(errno)")
  }
  let day = stage.addedFolder + "/2026"
  guard mkdir(day, 0o700) == 0, rename(stage.incomingFile, day + "/added.jpg") == 0 else {
    return emit("add \(errno)")
  }
  guard reading(day + "/added.jpg") == "EACCES", reading(day) == "EACCES" else {
    return emit("the photo library can be read")
  }
  guard rename(staged, stage.publishedFolder + "/asset") == 0 else {
    return emit("rename \(errno)")
  }
  guard reading(stage.publishedFolder) == "opened", reading(stage.allowedFile) == "opened" else {
    return emit("read \(errno)")
  }
  emit("works")
}

private func twoLayers(_ folder: String) throws(SandboxError) {
  try LandlockLayer.enforce(rules: [PathRule(path: folder, rights: .readAndList)])
  emit("\(reading(folder + "/a.jpg")) \(reading(folder + "/b.jpg")) \(reading(folder))")
  // The second layer cannot widen the first.
  try LandlockLayer.enforce(
    rules: [
      PathRule(path: folder + "/a.jpg", rights: .readFile),
      PathRule(path: "/etc/passwd", rights: .readFile),
    ])
  emit("\(reading(folder + "/a.jpg")) \(reading(folder + "/b.jpg")) \(reading(folder))")
  emit(reading("/etc/passwd"))
}

private func replaced(_ folder: String) throws(SandboxError) {
  let layer = try LandlockLayer()
  let root = openPath(folder)
  try layer.allowReading(file: ItemPath(bytes: Array("a.jpg".utf8)), beneath: root)
  try layer.allowReading(file: ItemPath(bytes: Array("b.jpg".utf8)), beneath: root)
  rename(folder + "/other.jpg", folder + "/a.jpg")
  try layer.enforce()
  emit("\(reading(folder + "/a.jpg")) \(reading(folder + "/b.jpg"))")
}

/// Prints which names a rule for one file accepts.
private func singleFiles(_ folder: String) throws(SandboxError) {
  let layer = try LandlockLayer()
  let root = openPath(folder)
  for name in [
    "file", "folder", "symlink", "fifo", "missing", "folder/../file", "../outside", "a\0b",
  ] {
    do throws(SandboxError) {
      try layer.allowReading(file: ItemPath(bytes: Array(name.utf8)), beneath: root)
      emit("\(name) allowed")
    } catch {
      emit(
        "\(name.split(separator: "\0").joined(separator: "%00")) \(error.code.rawValue) \(error.numberName)"
      )
    }
  }
}

private func manyRules(_ folder: String) throws(SandboxError) {
  let layer = try LandlockLayer()
  let root = openPath(folder)
  let start = ContinuousClock.now
  for number in 0..<50_000 {
    try layer.allowReading(file: ItemPath(bytes: Array("\(number).jpg".utf8)), beneath: root)
  }
  try layer.enforce()
  emit("rules \(ContinuousClock.now - start)")
  let opening = ContinuousClock.now
  var opened = 0
  for number in 0..<50_000 where reading(folder + "/\(number).jpg") == "opened" { opened += 1 }
  emit("opened \(opened) \(ContinuousClock.now - opening)")
  emit(reading(folder + "/not-selected.jpg"))
}

private func threads() throws(SandboxError) {
  var thread = pthread_t()
  pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
  for step in ["landlock", "coordinator"] {
    do throws(SandboxError) {
      if step == "landlock" {
        try LandlockLayer.enforce(rules: [])
      } else {
        try SeccompFilter.allowForCoordinator()
      }
      emit("\(step) enforced")
    } catch {
      emit("\(step) \(error.code.rawValue)")
    }
  }
  emit(reading("/etc/passwd"))
}

private func seventeenLayers() throws(SandboxError) {
  for count in 1...17 {
    do throws(SandboxError) {
      try LandlockLayer.enforce(rules: [])
    } catch {
      emit("\(count) \(error.code.rawValue) \(error.numberName)")
      return
    }
  }
  emit("no limit")
}

private func foreignABI() throws(SandboxError) {
  for name in ["before", "after"] {
    if name == "after" { try SeccompFilter.allowForCoordinator() }
    let numbers = SelfTest.foreignSystemCalls()
    emit("\(name) \(numbers.map(\.detail).joined(separator: " "))")
  }
}
