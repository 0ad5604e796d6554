private import CSandbox
private import Glibc

/// Attempts to reach a refused file or the network, made by a confined process.
///
/// Each attempt makes the forbidden call and reports the kernel's answer. If it succeeded, it would
/// only affect a ``SelfTestStage``, or be undone at once. Attempts that cannot be undone come last.
package enum SelfTest {
  /// Makes all attempts in a coordinator whose layers allow at most
  /// ``SelfTestStage/coordinatorRules``.
  ///
  /// - Parameters:
  ///   - stage: The stage, made before confinement.
  ///   - kernel: The kernel; attempts that only a later Landlock refuses are omitted, see
  ///     ``KernelSupport/weaknesses``.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  package static func coordinatorAttempts(
    _ stage: SelfTestStage,
    kernel: KernelSupport = .probe()
  ) -> [Attempt] {
    readingSources(stage, kernel: kernel) + lasting(stage)
  }

  /// Makes all attempts in the process that opens a source's files for a person's page, after
  /// ``ViewerConfinement/enter(folder:startRules:)`` for the stage's granted folder.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the coordinator.
  ///   - kernel: As in ``coordinatorAttempts(_:kernel:)``.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  package static func viewerAttempts(
    _ stage: SelfTestStage,
    kernel: KernelSupport = .probe()
  ) -> [Attempt] {
    readingSources(stage, kernel: kernel) + [
      Attempt("read a published file", openNumber(stage.publishedFile, O_RDONLY)),
      Attempt("list the published files", openNumber(stage.publishedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt("read a staged file", openNumber(stage.stagedFile, O_RDONLY)),
      Attempt(
        "make a file in the staging folder",
        openNumber(stage.stagingFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("read a file that is about to be added", openNumber(stage.incomingFile, O_RDONLY)),
      Attempt("list the root folder", openNumber("/", O_RDONLY | O_DIRECTORY)),
    ] + lasting(stage)
  }

  /// The attempts of a process that reads a source and starts workers.
  private static func readingSources(_ stage: SelfTestStage, kernel: KernelSupport) -> [Attempt] {
    var ends: [Int32] = [-1, -1]
    _ = csandbox_socket_pair(&ends)
    defer { for end in ends where end >= 0 { close(end) } }
    var attempts = reading(stage) + changing(stage) + staging(stage) + publishing(stage)
    attempts += adding(stage)
    attempts.append(Attempt("open a refused file by openat2", csandbox_try_openat2(stage.refusedFile)))
    let source = open(stage.allowedFile, O_RDONLY | O_CLOEXEC)
    attempts += marking(source, named: "a source's file")
    attempts.append(Attempt("change a source's file's flags", csandbox_try_set_flags(source)))
    if source >= 0 { close(source) }
    attempts += reaching(socket: ends[0])
    if kernel.landlockABI >= 3 {
      attempts.append(
        Attempt("cut a published file by opening it", openNumber(stage.publishedFile, O_TRUNC))
      )
    }
    if kernel.landlockABI >= 6 {
      attempts += [
        Attempt("signal the parent", number(kill(getppid(), 0))),
        Attempt("signal the parent by its descriptor", csandbox_try_signal_by_descriptor(getppid())),
      ]
    }
    attempts += [
      Attempt("start a program", csandbox_try_run("/bin/true", nil)),
      Attempt("start a shell", csandbox_try_run("/bin/sh", nil)),
      Attempt("become another program", csandbox_try_exec_in_place("/bin/true")),
      Attempt("start a program by its descriptor (execveat)", csandbox_try_exec_by_descriptor("/bin/true")),
      Attempt(
        "start a program it has written to the staging folder",
        csandbox_try_run_new(stage.stagingFolder + "/program")
      ),
    ]
    return attempts
  }

  /// Makes all attempts in a worker after ``WorkerConfinement/enter(limits:enforcesByKernel:)``.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the coordinator.
  ///   - handed: The read-only descriptor of a job, if there is one.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  package static func workerAttempts(
    _ stage: SelfTestStage,
    handed: Int32? = nil
  ) -> [Attempt] {
    let socket = WorkerProcess.socketInWorker
    var attempts = reading(stage) + changing(stage) + staging(stage) + publishing(stage)
    attempts += adding(stage) + reaching(socket: socket)
    attempts += [
      Attempt("signal the parent", number(kill(getppid(), 0))),
      Attempt("signal the parent by its descriptor", csandbox_try_signal_by_descriptor(getppid())),
      Attempt("cut a published file by opening it", openNumber(stage.publishedFile, O_TRUNC)),
      Attempt("read what a source was granted, by path", openNumber(stage.allowedFile, O_RDONLY)),
      Attempt("list a granted source", openNumber(stage.allowedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt(
        "write in the staging folder",
        openNumber(stage.stagingFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt(
        "make a file without a name in the staging folder",
        csandbox_try_unnamed(stage.stagingFolder)
      ),
      Attempt("list the published files", openNumber(stage.publishedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt("start a process", csandbox_try_fork()),
      Attempt("become another program", csandbox_try_exec_in_place("/bin/true")),
      Attempt(
        "become another program by its descriptor (execveat)",
        csandbox_try_exec_by_descriptor("/bin/true")
      ),
      Attempt("a pair of stream sockets", csandbox_try_stream_pair()),
      Attempt("urgent data over its socket", number(Int32(send(socket, "\n", 1, Int32(MSG_OOB))))),
      Attempt(
        "smuggle a descriptor to the coordinator",
        csandbox_try_send_descriptor(socket, handed ?? socket)
      ),
      Attempt("be traced by others", csandbox_try_dumpable()),
      Attempt("raise its own CPU limit", csandbox_try_raise_limit()),
      Attempt("look at the parent's limits", csandbox_try_limit_of(getppid())),
      Attempt("memory that no limit counts", csandbox_try_shared_memory()),
      Attempt("change its folder", number(chdir("/"))),
    ]
    if let handed {
      let path = "/proc/self/fd/\(handed)"
      attempts += [
        Attempt("open its job's file for writing", openNumber(path, O_RDWR)),
        Attempt("open its job's file again", openNumber(path, O_RDONLY)),
        // With a read-only descriptor this is EINVAL if it is not refused.
        Attempt("cut its job's file", reached(ftruncate(handed, 6), past: EINVAL)),
      ]
      attempts += marking(handed, named: "its job's file")
    }
    return attempts + lasting(stage)
  }

  /// Writes all attempts as lines to a blocking descriptor.
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

  /// The files that attempts leave in a stage if they succeed.
  static func leftovers(_ stage: SelfTestStage) -> [String] {
    [
      stage.stagingFolder + "/linked.jpg", stage.stagingFolder + "/moved.jpg",
      stage.stagingFolder + "/unpublished.jpg", stage.stagingFolder + "/relinked.jpg",
      stage.stagingFolder + "/made.jpg", stage.stagingFolder + "/program",
      stage.addedFolder + "/made.jpg", stage.incomingFolder + "/linked.jpg",
      stage.incomingFolder + "/moved.jpg", stage.allowedFolder + "/made.jpg",
      stage.refusedFolder + "/made.jpg",
      stage.refusedFolder + "/made-symlink.jpg",
    ]
  }
}
