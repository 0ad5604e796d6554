import Foundation
import MediaSandbox
import MediaTestSupport
import Testing

@Suite("Landlock layers", .enabled(if: Probe.canEnforce, "no Landlock or seccomp here"))
struct LandlockLayerTests {
  private func folder(_ names: String...) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    for name in names {
      try Data(name.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    return folder
  }

  @Test("A second layer narrows the first to single files and cannot widen it")
  func twoLayers() throws {
    let folder = try folder("a.jpg", "b.jpg")
    #expect(
      try Probe.run("two-layers", folder.path) == [
        "opened opened opened", "opened EACCES EACCES", "EACCES",
      ]
    )
  }

  @Test("A file that took the place of a selected one is EACCES; the selected ones stay readable")
  func replacedFile() throws {
    let folder = try folder("a.jpg", "b.jpg", "other.jpg")
    #expect(try Probe.run("replaced", folder.path) == ["EACCES opened"])
  }

  @Test("A rule for one file takes no folder, link or FIFO, and nothing above its source")
  func singleFiles() throws {
    let folder = try folder("file")
    let source = folder.path + "/source"
    let files = FileManager.default
    try files.createDirectory(atPath: source + "/folder", withIntermediateDirectories: true)
    try files.copyItem(atPath: folder.path + "/file", toPath: source + "/file")
    try files.copyItem(atPath: folder.path + "/file", toPath: folder.path + "/outside")
    try files.createSymbolicLink(atPath: source + "/symlink", withDestinationPath: "file")
    #expect(mkfifo(source + "/fifo", 0o600) == 0)
    #expect(
      try Probe.run("single-files", source) == [
        "file allowed", "folder notRegularFile ", "symlink notRegularFile ",
        "fifo notRegularFile ", "missing ruleRefused ENOENT", "folder/../file allowed",
        "../outside ruleRefused EXDEV", "a%00b ruleRefused EINVAL",
      ]
    )
  }

  @Test("A hard link in a granted folder to a refused file can be read: the hole the plan closes")
  func hardLink() throws {
    let stage = try Stage()
    try FileManager.default.linkItem(
      atPath: stage.stage.refusedFile,
      toPath: stage.stage.allowedFolder + "/hard.jpg"
    )
    // Kept as a test, so that the day the kernel closes it the threat model is told.
    let lines = try Probe.run("reads", stage.folder, stage.stage.allowedFolder + "/hard.jpg")
    #expect(lines == ["opened"])
    #expect(try Probe.run("reads", stage.folder, stage.stage.refusedFile) == ["EACCES"])
  }

  @Test("Confinement with a second thread is refused, and nothing is then confined")
  func secondThread() throws {
    #expect(
      try Probe.run("threads") == [
        "landlock notSingleThreaded", "coordinator notSingleThreaded", "opened",
      ]
    )
  }

  @Test("The seventeenth layer is an error, not silence")
  func tooManyLayers() throws {
    #expect(try Probe.run("seventeen-layers") == ["17 layerRefused E2BIG"])
  }

  @Test("A coordinator can stage, publish and remove from staging, as its rules say")
  func coordinatorCanWork() throws {
    let stage = try Stage()
    #expect(try Probe.run("works", stage.folder) == ["works"])
    #expect(try readBytes(stage.stage.publishedFolder + "/asset/new.jpg") == Array("photo".utf8))
  }
}

@Suite("What the kernel has")
struct KernelSupportTests {
  @Test("The text names what is there", arguments: [0, 6, 7], [true, false])
  func detail(abi: Int, seccomp: Bool) {
    let support = KernelSupport(landlockABI: abi, seccomp: seccomp, kernelRelease: "6.1")
    #expect(support.canEnforce == (abi >= 2 && seccomp))
    #expect(
      support.detail == (abi == 0 ? "no Landlock" : "Landlock ABI \(abi)")
        + (seccomp ? ", seccomp" : ", no seccomp")
    )
  }

  @Test(
    "An older Landlock is said with what it lets through",
    arguments: [
      (1, "cutting files, signals"), (2, "cutting files, signals"), (3, "signals"), (4, "signals"),
      (5, "signals"),
    ]
  )
  func olderDetail(abi: Int, missing: String) {
    let support = KernelSupport(landlockABI: abi, seccomp: true, kernelRelease: "6.1")
    #expect(support.detail == "Landlock ABI \(abi), seccomp; not refused: \(missing)")
  }

  @Test(
    "A kernel without Landlock is told apart and nothing runs half confined",
    .enabled(if: Probe.canEnforce && Tool.exists("strace"), "no Landlock, seccomp or strace"),
    arguments: ["ENOSYS", "EOPNOTSUPP"]
  )
  func landlockMissing(answer: String) throws {
    let fault = ["-e", "inject=landlock_create_ruleset:error=" + answer]
    #expect(
      try Probe.run(["support"], underStrace: fault)
        == ["abi 0", "seccomp true", "error landlockUnavailable "]
    )
    let stage = try Stage()
    #expect(
      try Probe.run(["coordinator", stage.folder], underStrace: fault)
        == ["error landlockUnavailable "]
    )
    let worker = try Probe.run(["host", "threads"], underStrace: fault)
    #expect(!worker.contains("started 0"))
    #expect(worker.contains("end Optional(MediaSandbox.WorkerExit.exited(0))"))
  }

  @Test(
    "Each step that the kernel refuses stops the coordinator",
    .enabled(if: Probe.canEnforce && Tool.exists("strace"), "no Landlock, seccomp or strace"),
    arguments: [
      ("landlock_add_rule:error=EBADFD", "error ruleRefused EBADFD"),
      ("landlock_restrict_self:error=EPERM", "error layerRefused EPERM"),
      ("landlock_restrict_self:error=E2BIG:when=2", "error layerRefused E2BIG"),
      ("seccomp:error=EINVAL", "error seccompUnavailable EINVAL"),
      ("prctl:error=EINVAL", "error layerRefused EINVAL"),
    ]
  )
  func stepRefused(fault: String, message: String) throws {
    let stage = try Stage()
    #expect(
      try Probe.run(["coordinator", stage.folder], underStrace: ["-e", "inject=" + fault])
        == [message]
    )
  }

  @Test("Rights bit by bit: what each ABI handles is what its kernel knows", arguments: 0...9)
  func rights(abi: Int) {
    let count = [0, 13, 14, 15, 15, 16, 16, 16, 16, 16][abi]
    #expect(LandlockRights.all(landlockABI: abi).rawValue == (1 << UInt64(count)) - 1)
  }
}
