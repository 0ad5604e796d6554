private import CSandbox
private import Glibc

extension SelfTest {
  /// Makes all attempts in the process that reads a camera, after
  /// ``CameraConfinement/enter(_:maximumFileBytes:enforcesByKernel:)`` without a device.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the coordinator.
  ///   - folder: A descriptor that the process was given.
  /// - Returns: The attempts, in a fixed order; confinement holds when all were refused.
  package static func cameraAttempts(_ stage: SelfTestStage, folder: Int32) -> [Attempt] {
    var attempts = reading(stage) + changing(stage) + staging(stage) + publishing(stage)
    attempts += adding(stage) + reaching(socket: WorkerProcess.socketInWorker)
    attempts += [
      Attempt("read a file of a granted source", openNumber(stage.allowedFile, O_RDONLY)),
      Attempt("list a granted source", openNumber(stage.allowedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt("read a staged file", openNumber(stage.stagedFile, O_RDONLY)),
      Attempt("write to a staged file", openNumber(stage.stagedFile, O_WRONLY)),
      Attempt(
        "make a file in the staging folder",
        openNumber(stage.stagingFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt(
        "make a file without a name in the staging folder",
        csandbox_try_unnamed(stage.stagingFolder)
      ),
      Attempt("read a published file", openNumber(stage.publishedFile, O_RDONLY)),
      Attempt("list the root folder", openNumber("/", O_RDONLY | O_DIRECTORY)),
      Attempt("list the devices", openNumber("/dev", O_RDONLY | O_DIRECTORY)),
      Attempt("open the null device for writing", openNumber("/dev/null", O_WRONLY)),
      // Also in a container without its content.
      Attempt("list what the kernel tells of devices", openNumber("/sys", O_RDONLY | O_DIRECTORY)),
      Attempt("connect to a camera in the network", connectNumber(port: 15_740)),
      Attempt("ask for routes (netlink)", socketNumber(AF_NETLINK, 0)),
    ]
    return attempts + leaving(with: folder) + lasting(stage)
  }

  private static func connectNumber(port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // A refused connection was tried.
    return result == 0 || errno == ECONNREFUSED ? 0 : errno
  }

  private static func socketNumber(_ family: Int32, _ kind: Int32) -> Int32 {
    let descriptor = socket(family, Int32(SOCK_RAW.rawValue), kind)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0 ? 0 : errno
  }
}
