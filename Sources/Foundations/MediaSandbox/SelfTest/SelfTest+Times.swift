private import CSandbox
private import Glibc

extension SelfTest {
  /// Makes all attempts in the process that sets times, after it was confined.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the coordinator.
  ///   - folder: The descriptor of the staging folder.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  static func timesAttempts(_ stage: SelfTestStage, folder: Int32) -> [Attempt] {
    let socket = WorkerProcess.socketInWorker
    func inFolder(_ path: String, _ flags: Int32) -> Int32 {
      let opened = openat(folder, path, flags | O_CLOEXEC, mode_t(0o600))
      let number = errno
      if opened >= 0 { close(opened) }
      return opened >= 0 ? 0 : number
    }
    var attempts = reading(stage) + changing(stage) + staging(stage) + publishing(stage)
    attempts += reaching(socket: socket)
    attempts += [
      Attempt("read a staged file", inFolder("staged.jpg", O_RDONLY)),
      Attempt("write to a staged file", inFolder("staged.jpg", O_WRONLY)),
      Attempt("list the staging folder", inFolder(".", O_RDONLY | O_DIRECTORY)),
      Attempt("make a file in the staging folder", inFolder("made.jpg", O_WRONLY | O_CREAT)),
      Attempt(
        "read a staged file beneath the staging folder's descriptor",
        csandbox_try_openat2_beneath(folder, "staged.jpg")
      ),
      Attempt(
        "list the staging folder beneath its own descriptor",
        csandbox_try_openat2_beneath(folder, ".")
      ),
      Attempt("open a staged file by openat2", csandbox_try_openat2(stage.stagedFile)),
      Attempt("remove a staged file", number(unlinkat(folder, "staged.jpg", 0))),
      Attempt(
        "give a staged file another name",
        number(renameat(folder, "staged.jpg", folder, "moved.jpg"))
      ),
      Attempt("change a staged file's mode", number(fchmodat(folder, "staged.jpg", 0o777, 0))),
      Attempt(
        "set the time of a published file by a path out of the staging folder",
        -csandbox_set_modified(folder, "../Originals/published.jpg", 0, 0)
      ),
      Attempt(
        "set the time of a published file by its absolute path",
        -csandbox_set_modified(folder, stage.publishedFile, 0, 0)
      ),
    ]
    return attempts + leaving(with: folder)
  }
}
