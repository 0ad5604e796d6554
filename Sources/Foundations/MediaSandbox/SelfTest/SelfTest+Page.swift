private import CSandbox
private import Glibc

extension SelfTest {
  /// Makes all attempts in the process of a page, after ``PageConfinement/enter(listener:)``.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the coordinator.
  ///   - folder: The descriptor of the stage's granted folder, which a page never has.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  package static func pageAttempts(_ stage: SelfTestStage, folder: Int32) -> [Attempt] {
    let socket = WorkerProcess.socketInWorker
    var attempts = reading(stage) + changing(stage) + staging(stage) + publishing(stage)
    // Answering connections is its task.
    attempts += reaching(socket: socket).filter { $0.name != acceptingName }
    attempts += [
      Attempt("connect its socket elsewhere", connected(socket)),
      Attempt("read what a source was granted, by path", openNumber(stage.allowedFile, O_RDONLY)),
      Attempt("list a granted source", openNumber(stage.allowedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt(
        "read a file of a granted source beneath its descriptor",
        csandbox_try_openat2_beneath(folder, "photo.jpg")
      ),
      Attempt("list a granted source beneath its descriptor", csandbox_try_openat2_beneath(folder, ".")),
      Attempt("read the list of names again", openNumber("/proc/self/fd/\(folder)", O_RDONLY)),
      Attempt("look at a refused file", csandbox_try_status(stage.refusedFile)),
      Attempt(
        "make a file in the staging folder",
        openNumber(stage.stagingFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("raise its own CPU limit", csandbox_try_raise_limit()),
      Attempt("memory that no limit counts", csandbox_try_shared_memory()),
    ]
    return attempts + leaving(with: folder) + lasting(stage)
  }

  /// The attempt of ``reaching(socket:)`` that is allowed to this process.
  private static let acceptingName = "accept on a socket it has"

  /// Connects the socket to a port of loopback; the wrong family is the kernel's answer when nothing refuses.
  private static func connected(_ socket: Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return reached(result, past: EINVAL)
  }
}
