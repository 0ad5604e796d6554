internal import CGPhoto
internal import Glibc
internal import MediaModel
package import MediaSandbox
internal import MediaWorkerProtocol

/// The process that reads a camera: it confines itself, loads libgphoto2, lists the camera's files, and copies
/// those that it is asked for into files that it is given.
package enum CameraProcess {
  /// The first argument of the program that does this.
  package static let argument = "camera"
  /// The exit code of a process that could not be confined.
  static let notConfined: Int32 = 69

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Parameter stage: The stage of a self-test, which is tried instead; nil for a camera.
  /// - Returns: The exit code: 0 when the coordinator has ended the conversation, 64 when nobody asked, 69 when
  ///   it could not be confined, 70 for a message that is none.
  package static func run(stage: SelfTestStage? = nil) -> Int32 {
    if let stage { return selfTest(stage) }
    guard let (request, _) = receive(), case .start(let task) = request else { return 64 }
    // A camera's clock has no zone. Names are UTF-16, and libgphoto2 gives them in the locale's encoding.
    setenv("TZ", "UTC0", 1)
    setlocale(LC_CTYPE, "C.UTF-8")
    do {
      try CameraConfinement.enter(
        task.device,
        maximumFileBytes: task.maximumFileBytes,
        enforcesByKernel: task.enforcesByKernel
      )
    } catch {
      return notConfined
    }
    guard send(.confined) else { return 0 }
    if case .none = task.device {
      _ = send(librariesFailure.map(CameraMessage.failed) ?? .libraries(version))
      return 0
    }
    return CameraService(task).serve()
  }

  /// Confines itself as for a camera, and tries every way out.
  private static func selfTest(_ stage: SelfTestStage) -> Int32 {
    let socket = WorkerProcess.socketInWorker
    guard let (_, folder) = DescriptorPassing.receiveAll(1, over: socket), let folder else {
      return 64
    }
    do {
      try CameraConfinement.enter(.none, maximumFileBytes: 1 << 20, enforcesByKernel: true)
    } catch {
      return notConfined
    }
    return SelfTest.write(SelfTest.cameraAttempts(stage, folder: folder), to: socket) ? 0 : 69
  }

  /// Loads the libraries.
  ///
  /// - Returns: Why that is not possible; nil when they are loaded.
  static var librariesFailure: CameraError? {
    cgphoto_load().map { CameraError(.librariesMissing, String(cString: $0)) }
  }

  private static var version: String { String(cString: cgphoto_version()) }

  /// Waits for a request.
  ///
  /// - Returns: Nil when the coordinator has ended, or said what is none.
  static func receive() -> (request: CameraRequest, file: Int32?)? {
    guard
      let (length, file) = DescriptorPassing.receiveAll(4, over: WorkerProcess.socketInWorker)
    else { return nil }
    let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard (1...FrameReader.maximumLength).contains(count),
      let (bytes, _) = DescriptorPassing.receiveAll(count, over: WorkerProcess.socketInWorker),
      let request = try? CameraRequest(frame: bytes[...])
    else {
      if let file { close(file) }
      return nil
    }
    return (request, file)
  }

  /// - Returns: False when the coordinator has ended.
  static func send(_ message: CameraMessage) -> Bool {
    DescriptorPassing.sendAll(message.frame, over: WorkerProcess.socketInWorker)
  }
}

/// The answers of the confined process.
private final class CameraService {
  /// The files in one message.
  private static let partCount = 256
  /// The most folders that are listed.
  private static let maximumFolders = 100_000

  private let task: CameraTask
  private var camera: OpaquePointer?
  private var part: [CameraObject] = []
  private var objectCount = 0
  private var folderCount = 0
  private var unlistedCount = 0

  init(_ task: CameraTask) { self.task = task }

  deinit { cgphoto_close(camera) }

  /// Serves requests until the coordinator closes its end.
  func serve() -> Int32 {
    while let (request, file) = CameraProcess.receive() {
      let answer: CameraMessage
      switch request {
      case .start: return 70
      case .end: return 0
      case .list:
        guard camera == nil, file == nil else { return 70 }
        rest(seconds: task.listSeconds)
        do throws(CameraError) {
          try open()
          try list()
          try flush()
          answer = .listed(unlistedCount: unlistedCount)
        } catch {
          answer = .failed(error)
        }
      case .copy(let path, let limit):
        guard let camera, let file else { return 70 }
        rest(seconds: task.copySeconds)
        answer = copy(path, from: camera, into: file, limit: limit)
        close(file)
      }
      rest(seconds: 0)
      guard CameraProcess.send(answer) else { return 0 }
    }
    return 0
  }

  /// Ends this process when so many seconds have passed without another call; 0 ends that.
  ///
  /// libgphoto2 gives up after some seconds, but not wherever it waits. Source: alarm(2).
  private func rest(seconds: UInt32) { alarm(seconds) }

  private func open() throws(CameraError) {
    if let failure = CameraProcess.librariesFailure { throw failure }
    let result = cgphoto_open(task.port, Int32(task.vendor), Int32(task.product), &camera)
    guard result >= 0 else { throw CameraError(opening: result) }
  }

  // MARK: Listing

  private func list() throws(CameraError) {
    var folders = try names(of: [], areFolders: true).map { [$0] }
    while let folder = folders.popLast() {
      folderCount += 1
      guard folderCount <= Self.maximumFolders else { throw CameraError(.tooManyObjects) }
      for name in try names(of: folder, areFolders: false) { try add(name, in: folder) }
      // It goes on, if with nothing that can be listed.
      try flush()
      guard folder.count < CameraObject.maximumDepth else {
        unlistedCount += try names(of: folder, areFolders: true).count
        continue
      }
      folders += try names(of: folder, areFolders: true).reversed().map { folder + [$0] }
    }
  }

  /// The names in a folder, without those that can be no component of a path.
  private func names(of folder: [[UInt8]], areFolders: Bool) throws(CameraError) -> [[UInt8]] {
    guard let camera else { return [] }
    var names: [[UInt8]] = []
    let path = Self.text(folder)
    let result = withUnsafeMutablePointer(to: &names) { names in
      cgphoto_each_name(
        camera,
        path,
        areFolders ? 1 : 0,
        { name, context in
          guard let name, let context else { return 0 }
          let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
          context.assumingMemoryBound(to: [[UInt8]].self).pointee.append(Array(bytes))
          return 0
        },
        names
      )
    }
    guard result >= 0 else {
      // One folder that cannot be listed is no reason to give up the others.
      guard cgphoto_answers(camera) == 1 else {
        throw CameraError(.unplugged, Self.words(result))
      }
      unlistedCount += 1
      return []
    }
    let usable = names.filter(CameraObject.isName)
    unlistedCount += names.count - usable.count
    return usable
  }

  private func add(_ name: [UInt8], in folder: [[UInt8]]) throws(CameraError) {
    guard let camera else { return }
    let path = (folder + [name]).joined(separator: [UInt8(ascii: "/")])
    var size: Int64 = -1
    var modified: Int64 = -1
    let result = cgphoto_info(camera, Self.text(folder), Self.text(name), &size, &modified)
    guard result >= 0, CameraObject.isPath(Array(path)) else {
      if result < 0, cgphoto_answers(camera) == 0 {
        throw CameraError(.unplugged, Self.words(result))
      }
      unlistedCount += 1
      return
    }
    objectCount += 1
    guard objectCount <= CameraObject.maximumCount else { throw CameraError(.tooManyObjects) }
    // Source: ISO 15740, 5.3.1: a size of 32 bits, and all of them set for a file that is too large for it.
    let isKnown = size >= 0 && size < Int64(UInt32.max)
    let (nanoseconds, overflows) = max(0, modified).multipliedReportingOverflow(by: 1_000_000_000)
    part.append(
      CameraObject(
        path: ItemPath(bytes: Array(path)),
        size: isKnown || size > Int64(UInt32.max) ? size : nil,
        modified: overflows ? 0 : nanoseconds
      )
    )
    if part.count >= Self.partCount { try flush() }
  }

  private func flush() throws(CameraError) {
    rest(seconds: task.listSeconds)
    guard CameraProcess.send(.objects(part)) else { throw CameraError(.interrupted) }
    part.removeAll(keepingCapacity: true)
  }

  // MARK: Copying

  private func copy(
    _ path: ItemPath,
    from camera: OpaquePointer,
    into file: Int32,
    limit: Int64
  ) -> CameraMessage {
    var copy = Copy(file: file, limit: limit, seconds: task.copySeconds)
    let folder = Self.text([Array(path.folder)])
    let name = Self.text(Array(path.name))
    let result = withUnsafeMutablePointer(to: &copy) { copy in
      cgphoto_read(
        camera,
        folder,
        name,
        { bytes, count, context in
          guard let bytes, let context else { return 1 }
          context.assumingMemoryBound(to: Copy.self).pointee.write(bytes, count)
          return 0
        },
        copy
      )
    }
    if result >= 0 {
      if copy.isTooLong { return .failed(CameraError(.sizeDiffers, "more than \(limit) bytes")) }
      if copy.number != 0 {
        return .failed(CameraError(.cannotWrite, String(cString: strerror(copy.number))))
      }
      return .copied(bytes: copy.written)
    }
    if cgphoto_answers(camera) == 0 {
      return .failed(CameraError(.unplugged, Self.words(result)))
    }
    let isGone = [Int32(cgphoto_error_no_file), Int32(cgphoto_error_no_folder)]
      .contains(result)
    return .failed(CameraError(isGone ? .objectGone : .failed, Self.words(result)))
  }

  /// A folder as libgphoto2 names it.
  private static func text(_ folder: [[UInt8]]) -> [CChar] {
    text([UInt8(ascii: "/")] + folder.joined(separator: [UInt8(ascii: "/")]))
  }

  private static func text(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  private static func words(_ result: Int32) -> String {
    String(cString: cgphoto_error_text(result))
  }
}

/// A file that is being copied.
private struct Copy {
  /// The descriptor that it is written to.
  var file: Int32
  /// The most bytes that it may have.
  var limit: Int64
  /// The seconds after which this process ends unless more is written.
  var seconds: UInt32
  var written: Int64 = 0
  var isTooLong = false
  /// The errno of a write that failed.
  var number: Int32 = 0

  /// Writes bytes at the end; what is too much or cannot be written is dropped, since a transfer that is broken
  /// off would end the session with the camera.
  mutating func write(_ bytes: UnsafeRawPointer, _ count: Int) {
    if isTooLong || number != 0 { return }
    guard count <= limit - written else {
      isTooLong = true
      return
    }
    alarm(seconds)
    var rest = UnsafeRawBufferPointer(start: bytes, count: count)
    while !rest.isEmpty {
      let result = Glibc.write(file, rest.baseAddress, rest.count)
      if result < 0, errno == EINTR { continue }
      guard result > 0 else {
        number = errno
        return
      }
      written += Int64(result)
      rest = UnsafeRawBufferPointer(rebasing: rest[result...])
    }
  }
}

extension CameraError {
  /// The error of a camera that cannot be opened, by libgphoto2's number.
  fileprivate init(opening result: Int32) {
    let words = String(cString: cgphoto_error_text(result))
    switch result {
    case Int32(cgphoto_error_usb_claim), Int32(cgphoto_error_busy): self.init(.busy, words)
    case Int32(cgphoto_error_library): self.init(.librariesMissing, words)
    default: self.init(.notConnected, words)
    }
  }
}
