internal import Glibc
package import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// The coordinator's end of the process that reads a camera.
///
/// The process is started before the coordinator is confined, and opens the camera when it is asked for a list.
/// It only reads: what it copies goes into files that the coordinator has made and hands over. What it answers is
/// not trusted. The object belongs to the main thread; the process ends with it.
package final class CameraReader {
  /// How long a camera may be silent, and how much a file may hold.
  package struct Limits: Sendable, Hashable {
    /// The seconds after which a camera that lists nothing more is given up. libgphoto2 asks for all files of a
    /// folder before it says anything of one: 10,000 take some 50 s.
    package var listSeconds: Int
    /// The seconds after which a camera that sends nothing more of a file is given up.
    package var copySeconds: Int
    /// The most bytes of a file.
    package var maximumFileBytes: Int64

    /// Makes limits; without arguments they are the defaults.
    package init(
      listSeconds: Int = 300,
      copySeconds: Int = 60,
      maximumFileBytes: Int64 = 1 << 40
    ) {
      self.listSeconds = listSeconds
      self.copySeconds = copySeconds
      self.maximumFileBytes = maximumFileBytes
    }
  }

  /// The files of a camera.
  package struct Listing: Sendable, Hashable {
    /// In the order of the paths' bytes, each path once.
    package var objects: [CameraObject]
    /// The number of files and folders that are not among them: their names cannot be used, or the camera said
    /// nothing about them.
    package var unlistedCount: Int
  }

  /// The seconds in which a process has to load the libraries.
  private static let startSeconds = 30
  /// So much later a process ends itself: a coordinator that Landlock confines cannot signal a process that was
  /// started before. Source: landlock(7), LANDLOCK_SCOPE_SIGNAL.
  private static let spareSeconds = 2
  /// The time in which a process has to end a session.
  private static let endMilliseconds: Int32 = 2000

  /// The camera.
  package let device: CameraDevice
  private let limits: Limits
  private let child: ConfinedChild<CameraService>
  /// The failure after which nothing more is read.
  private var end: CameraError?

  private init(_ device: CameraDevice, _ limits: Limits, _ child: ConfinedChild<CameraService>) {
    self.device = device
    self.limits = limits
    self.child = child
  }

  deinit {
    guard end == nil else { return }
    // A camera whose session is ended shows its own screen again. One that does not answer is left alone.
    try? child.send(.end)
    var entry = pollfd(fd: child.socket, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, Self.endMilliseconds)
  }

  /// Starts this program again as the process, and waits until it is confined. The camera is not opened.
  ///
  /// Must be called on the main thread, before this process is confined.
  ///
  /// - Parameters:
  ///   - device: The camera.
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`.
  ///   - limits: How long the camera may be silent, and how much a file may hold.
  /// - Returns: The confined process.
  /// - Throws: ``CameraError`` `.notConfined`, also when it could not be started.
  package static func start(
    _ device: CameraDevice,
    nullDevice: Int32,
    enforcesByKernel: Bool = true,
    limits: Limits = Limits()
  ) throws(CameraError) -> CameraReader {
    let task = CameraTask(
      device: device.access,
      port: device.port,
      vendor: device.vendor,
      product: device.product,
      maximumFileBytes: limits.maximumFileBytes,
      enforcesByKernel: enforcesByKernel,
      listSeconds: UInt32(clamping: limits.listSeconds + spareSeconds),
      copySeconds: UInt32(clamping: limits.copySeconds + spareSeconds)
    )
    return CameraReader(device, limits, try start(task, nullDevice))
  }

  /// Asks a process of its own for the version of libgphoto2; no camera is looked for.
  ///
  /// - Returns: Such as `2.5.30`.
  /// - Throws: ``CameraError`` `.librariesMissing` with the dynamic loader's reason, `.notConfined`.
  package static func libraries(nullDevice: Int32) throws(CameraError) -> String {
    let task = CameraTask(device: .none, port: "", maximumFileBytes: 1, enforcesByKernel: false)
    let child = try start(task, nullDevice)
    do {
      switch try child.answer(within: startSeconds) {
      case .libraries(let version): return version
      case .failed(let error): throw error
      default: throw CameraError(.protocolViolation)
      }
    } catch let error as CameraError {
      throw error
    } catch {
      throw CameraError(.unplugged, "\(error)")
    }
  }

  private static func start(
    _ task: CameraTask,
    _ nullDevice: Int32
  ) throws(CameraError) -> ConfinedChild<CameraService> {
    do {
      return try .start(task, nullDevice: nullDevice)
    } catch {
      throw CameraError(.notConfined, "\(error)")
    }
  }

  /// Opens the camera and lists its files; once.
  ///
  /// - Parameter isInterrupted: Whether a person wants it to end; asked twenty times a second.
  /// - Returns: The files.
  /// - Throws: ``CameraError``; after one that ``CameraError/endsReading`` every call throws it.
  package func list(isInterrupted: () -> Bool = { false }) throws(CameraError) -> Listing {
    try ask(.list, cpuSeconds: 600)
    var objects: [CameraObject] = []
    while true {
      switch try next(within: limits.listSeconds, isInterrupted: isInterrupted) {
      case .objects(let some):
        objects += some
        if objects.count > CameraObject.maximumCount {
          throw give(up: CameraError(.tooManyObjects))
        }
      case .listed(var unlistedCount):
        objects.sort { $0.path < $1.path }
        var different: [CameraObject] = []
        different.reserveCapacity(objects.count)
        for object in objects {
          // PTP numbers files: two may have one name, and libgphoto2 can fetch one of them.
          if different.last?.path == object.path {
            unlistedCount += 1
          } else {
            different.append(object)
          }
        }
        return Listing(objects: different, unlistedCount: unlistedCount)
      case .failed(let error): throw give(up: error)
      default: throw give(up: CameraError(.protocolViolation, "an answer to another question"))
      }
    }
  }

  /// Copies a file of the camera.
  ///
  /// - Parameters:
  ///   - object: One of the list.
  ///   - file: An empty file, open for writing, which no other process has; of a copy that fails it has a part.
  ///   - isInterrupted: Whether a person wants it to end; asked twenty times a second.
  /// - Returns: The number of bytes, which is the file's size, and the size that the camera had listed.
  /// - Throws: ``CameraError``; after one that ``CameraError/endsReading`` every call throws it.
  @discardableResult
  package func copy(
    _ object: CameraObject,
    into file: Descriptor,
    isInterrupted: () -> Bool = { false }
  ) throws(CameraError) -> Int64 {
    let limit = object.size ?? limits.maximumFileBytes
    guard limit <= limits.maximumFileBytes else {
      throw CameraError(.tooLarge, "\(limit) bytes")
    }
    // 1 s for each MB, far more than a copy needs.
    let seconds = 60 + UInt64(clamping: limit >> 20)
    try ask(.copy(object.path, limit: limit), file.raw, cpuSeconds: seconds)
    let message = try next(within: limits.copySeconds, isInterrupted: isInterrupted) {
      (try? file.status().size) ?? 0
    }
    switch message {
    case .copied(let bytes):
      guard let written = try? file.status().size, written == bytes,
        bytes == object.size ?? bytes
      else { throw CameraError(.sizeDiffers, "\(bytes) of \(object.size ?? 0) bytes") }
      return bytes
    case .failed(let error): throw give(up: error)
    default: throw give(up: CameraError(.protocolViolation, "an answer to another question"))
    }
  }

  /// Ends reading if an error does, and returns it.
  private func give(up error: CameraError) -> CameraError {
    if error.endsReading {
      end = end ?? error
      child.kill()
    }
    return error
  }

  private func ask(
    _ request: CameraRequest,
    _ file: Int32? = nil,
    cpuSeconds: UInt64
  ) throws(CameraError) {
    if let end { throw end }
    do throws(SandboxError) {
      try child.process?.raiseCPULimit(bySeconds: cpuSeconds)
      try child.send(request, file: file)
    } catch {
      throw give(up: CameraError(.unplugged, "its process has ended"))
    }
  }

  /// Waits for the next message.
  ///
  /// - Parameters:
  ///   - seconds: How long it may take, from the last sign of progress.
  ///   - isInterrupted: Whether to give up.
  ///   - progress: A number that changes while something goes on.
  /// - Returns: The message.
  /// - Throws: ``CameraError``, after which nothing more is read.
  private func next(
    within seconds: Int,
    isInterrupted: () -> Bool = { false },
    progress: () -> Int64 = { 0 }
  ) throws(CameraError) -> CameraMessage {
    var deadline = Self.now + Int64(seconds) * 1000
    var last = progress()
    while true {
      do throws(SandboxError) {
        if let message = try child.next(milliseconds: 50) { return message }
      } catch {
        throw give(up: failure(error))
      }
      if isInterrupted() { throw give(up: CameraError(.interrupted)) }
      let current = progress()
      if current != last {
        last = current
        deadline = Self.now + Int64(seconds) * 1000
      } else if Self.now >= deadline {
        throw give(up: CameraError(.timeout, "\(seconds) s"))
      }
    }
  }

  /// The error of a process that has ended by itself, or has said what it must not.
  private func failure(_ error: SandboxError) -> CameraError {
    if error.number == EPROTO { return CameraError(.protocolViolation, error.subject) }
    let hasEnded = error.number == EPIPE || error.number == ECONNRESET
    if hasEnded, case .signalled(let number)? = child.end() {
      return CameraError(.unplugged, "its process ended by signal \(number)")
    }
    return CameraError(.unplugged, "its process has ended")
  }

  /// Milliseconds of a clock that only goes forward.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
