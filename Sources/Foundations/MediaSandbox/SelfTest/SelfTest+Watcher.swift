private import CSandbox
private import Glibc

extension SelfTest {
  /// Makes all attempts in the process that notices changes, after it was confined to listing the stage's
  /// granted folder.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the supervisor.
  ///   - root: The descriptor of the granted folder.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  package static func watcherAttempts(_ stage: SelfTestStage, root: Int32) -> [Attempt] {
    let socket = WorkerProcess.socketInWorker
    var attempts = reading(stage) + changing(stage) + staging(stage) + publishing(stage)
    attempts += reaching(socket: socket)
    attempts += [
      Attempt("read a file of a granted source", openNumber(stage.allowedFile, O_RDONLY)),
      Attempt(
        "read a file of a granted source beneath its descriptor",
        csandbox_try_openat2_beneath(root, "photo.jpg")
      ),
      Attempt("name a file of a granted source (O_PATH)", nameNumber(stage.allowedFile)),
      Attempt("name a refused folder (O_PATH)", nameNumber(stage.refusedFolder)),
      Attempt("list the published files", openNumber(stage.publishedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt("list the root folder", openNumber("/", O_RDONLY | O_DIRECTORY)),
      Attempt("watch a granted folder by its path", csandbox_try_watch(stage.allowedFolder)),
      Attempt("watch the library", csandbox_try_watch(stage.publishedFolder)),
      Attempt("look at a refused file", csandbox_try_status(stage.refusedFile)),
      Attempt("change what its paths say", csandbox_try_unmap()),
    ]
    return attempts + leaving(with: root)
  }

  /// Opens a path so that it is only named.
  private static func nameNumber(_ path: String) -> Int32 {
    let opened = csandbox_open_path(path)
    if opened < 0 { return -opened }
    close(opened)
    return 0
  }
}
