internal import ArgumentParser
internal import Glibc
internal import MediaCameras
internal import MediaConsent
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
internal import MediaPipeline
internal import MediaSandbox
internal import MediaWatch

/// Confines itself and a worker as a run does, and tries every way out; `doctor` runs it.
struct SelfTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "self-test",
    abstract: "Try to get past our own confinement, as each process of a run.",
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
      throw RunExitCode.enforcementUnavailable.end
    }
  }

  private static func attempt(_ stage: SelfTestStage) throws {
    try stage.make()
    let program = try WorkerProcess.programBeside(WorkerProcess.programName)
    let null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    let granted = try FileSystem.openPath([UInt8](stage.allowedFolder.utf8))
    let staging = open(stage.stagingFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer {
      close(staging)
      withExtendedLifetime((null, granted)) {}
    }
    var isHeld = true
    func report(_ kind: String, _ attempts: [Attempt]) {
      isHeld = isHeld && !attempts.isEmpty && attempts.allSatisfy(\.refused)
      for attempt in attempts { Console.write("\(kind)\t\(attempt.line)") }
    }
    // Before this process is confined: the attempts of two processes must not meet.
    let timesAttempts = try ConfinedChild<FileTimesService>
      .selfTest(stage, files: [staging], nullDevice: null.raw)
    let watcherAttempts = try ConfinedChild<WatcherService>
      .selfTest(stage, files: [granted.raw], nullDevice: null.raw)
    let viewerAttempts = try ConfinedChild<ViewerService>
      .selfTest(stage, files: [granted.raw], nullDevice: null.raw)
    let cameraAttempts = try ConfinedChild<CameraService>
      .selfTest(stage, files: [granted.raw], nullDevice: null.raw)
    let pageAttempts = try ConfinedChild<PageTerms>
      .selfTest(stage, files: [granted.raw], nullDevice: null.raw)
    let rules = try stage.coordinatorRules + WorkerProcess.startRules(executable: program)
    try LandlockLayer.enforce(rules: rules)
    try LandlockLayer.enforce(rules: rules)
    try SeccompFilter.allowForCoordinator()
    report("coordinator", SelfTest.coordinatorAttempts(stage))
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
    report("worker", Attempt.attempts(fromLines: worker.text(seconds: 20)) ?? [])
    report("times", timesAttempts)
    report("watcher", watcherAttempts)
    report("viewer", viewerAttempts)
    report("page", pageAttempts)
    report("camera", cameraAttempts)
    guard isHeld else {
      throw SandboxError(.layerRefused, subject: "not every attempt was refused")
    }
  }
}
