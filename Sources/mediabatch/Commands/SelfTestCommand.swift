internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox

/// Confines itself and a worker as a run does, and tries every way out; `doctor` runs it.
struct SelfTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "self-test",
    abstract: "Try to get past our own confinement, as a coordinator and as a worker.",
    discussion: "Exits with 69 when any attempt was not refused.",
    shouldDisplay: false
  )

  @Argument(help: "An empty folder for the files that are tried on; it is not emptied again.")
  var folder: String

  func run() throws {
    do {
      try Self.attempt(SelfTestStage(folder: folder))
    } catch {
      Console.note("\(error)")
      throw ExitCode(RunExitCode.enforcementUnavailable.rawValue)
    }
  }

  private static func attempt(_ stage: SelfTestStage) throws {
    try stage.make()
    let program = try WorkerProcess.programBeside(Run.workerName)
    let null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    let rules = try stage.coordinatorRules + WorkerProcess.startRules(executable: program)
    try LandlockLayer.enforce(rules: rules)
    try LandlockLayer.enforce(rules: rules)
    try SeccompFilter.allowForCoordinator()
    var isHeld = true
    for attempt in SelfTest.coordinatorAttempts(stage) {
      isHeld = isHeld && attempt.refused
      Console.write("coordinator\t\(attempt.line)", to: STDOUT_FILENO)
    }
    let worker = try WorkerProcess.spawn(
      executable: program,
      arguments: ["--self-test", stage.folder],
      nullDevice: null.raw
    )
    let file = open(stage.allowedFile, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    _ = try [UInt8(1)].withUnsafeBytes { bytes in
      try DescriptorPassing.send(bytes, descriptor: file, over: worker.socket)
    }
    let attempts = Attempt.attempts(fromLines: worker.text(seconds: 20)) ?? []
    for attempt in attempts {
      isHeld = isHeld && attempt.refused
      Console.write("worker\t\(attempt.line)", to: STDOUT_FILENO)
    }
    guard isHeld, !attempts.isEmpty else {
      throw SandboxError(.layerRefused, subject: "not every attempt was refused")
    }
  }
}
