private import CSandbox
private import Glibc

/// Ways to reach a refused file or the network, tried for real by a process that is confined.
///
/// Each attempt does the forbidden thing and reports what the kernel said. Were it to work, it would
/// touch only a ``SelfTestStage``, or undo at once what it did.
package enum SelfTest {
  /// Tries everything in a coordinator whose layers allow ``SelfTestStage/coordinatorRules`` at most.
  ///
  /// - Parameters:
  ///   - stage: Made before confinement.
  ///   - kernel: Leaves out what only a later Landlock refuses (signals: ABI 6).
  /// - Returns: What was tried, in a fixed order; confinement holds when all of it was refused.
  package static func coordinatorAttempts(
    _ stage: SelfTestStage,
    kernel: KernelSupport = .probe()
  ) -> [Attempt] {
    var attempts = reading(stage) + changing(stage) + reaching()
    if kernel.landlockABI >= 6 {
      attempts.append(Attempt("signal the parent", number(kill(getppid(), 0))))
    }
    attempts += [
      Attempt("start a program", csandbox_try_run("/bin/true", nil)),
      Attempt("start a shell", csandbox_try_run("/bin/sh", nil)),
      Attempt(
        "link a refused file into the staging folder",
        number(link(stage.refusedFile, stage.stagingFolder + "/linked.jpg"))
      ),
      Attempt(
        "move a refused file into the staging folder",
        move(stage.refusedFile, stage.stagingFolder + "/moved.jpg")
      ),
      Attempt("write to a granted source", openNumber(stage.allowedFile, O_WRONLY)),
      Attempt(
        "make a file in a granted source",
        openNumber(stage.allowedFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("overwrite a published file", openNumber(stage.publishedFile, O_WRONLY)),
      Attempt("cut a published file", number(truncate(stage.publishedFile, 0))),
      Attempt(
        "move a published file away",
        move(stage.publishedFile, stage.stagingFolder + "/unpublished.jpg")
      ),
      Attempt(
        "link a published file into the staging folder, where it could be written",
        number(link(stage.publishedFile, stage.stagingFolder + "/relinked.jpg"))
      ),
      Attempt("remove a published file", number(unlink(stage.publishedFile))),
    ]
    return attempts
  }

  /// Tries everything in a worker after ``WorkerConfinement/enter(limits:enforcesByKernel:)``.
  ///
  /// - Parameters:
  ///   - stage: Made by the coordinator, whose paths this worker was told.
  ///   - handed: The read-only descriptor of a job, if there is one.
  /// - Returns: What was tried, in a fixed order; confinement holds when all of it was refused.
  package static func workerAttempts(
    _ stage: SelfTestStage,
    handed: Int32? = nil
  ) -> [Attempt] {
    var attempts = reading(stage) + changing(stage) + reaching()
    attempts += [
      Attempt("signal the parent", number(kill(getppid(), 0))),
      Attempt("read what a source was granted, by path", openNumber(stage.allowedFile, O_RDONLY)),
      Attempt("list a granted source", openNumber(stage.allowedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt(
        "write in the staging folder",
        openNumber(stage.stagingFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("remove a published file", number(unlink(stage.publishedFile))),
      Attempt("start a process", csandbox_try_fork()),
      Attempt("become another program", csandbox_try_exec_in_place("/bin/true")),
      Attempt("a pair of stream sockets", csandbox_try_socket(AF_UNIX, streamType, 1)),
      Attempt(
        "urgent data over its socket",
        number(Int32(send(WorkerProcess.socketInWorker, "x", 1, Int32(MSG_OOB))))
      ),
      Attempt("be traced by others", csandbox_try_dumpable()),
      Attempt("raise its own CPU limit", csandbox_try_raise_limit()),
      Attempt("memory that no limit counts", csandbox_try_shared_memory()),
      Attempt("change its folder", number(chdir("/"))),
    ]
    if let handed {
      let path = "/proc/self/fd/\(handed)"
      attempts += [
        Attempt("open its job's file for writing", openNumber(path, O_RDWR)),
        Attempt("open its job's file again", openNumber(path, O_RDONLY)),
        Attempt("cut its job's file", number(ftruncate(handed, 0))),
        Attempt("change its job's file's mode", number(fchmod(handed, 0o600))),
        Attempt("change its job's file's times", number(futimens(handed, nil))),
      ]
    }
    return attempts
  }

  /// Writes the attempts as lines, all of them, to a descriptor that blocks.
  ///
  /// - Returns: False when the other side has ended and SIGPIPE is ignored; else that signal ends
  ///   this process.
  package static func write(_ attempts: [Attempt], to descriptor: Int32) -> Bool {
    var bytes = Array(attempts.map(\.line).joined().utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return false }
      bytes = bytes.dropFirst(written)
    }
    return true
  }

  /// Where attempts that work leave something, in a stage.
  static func leftovers(_ stage: SelfTestStage) -> [String] {
    [
      stage.stagingFolder + "/linked.jpg", stage.stagingFolder + "/moved.jpg",
      stage.stagingFolder + "/unpublished.jpg", stage.stagingFolder + "/relinked.jpg",
      stage.stagingFolder + "/made.jpg",
      stage.allowedFolder + "/made.jpg", stage.refusedFolder + "/made.jpg",
    ]
  }
}
