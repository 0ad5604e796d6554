internal import CGPhoto
internal import Glibc
internal import MediaModel
package import MediaSandbox
internal import MediaWorkerProtocol

/// The process that reads a camera: it confines itself, loads libgphoto2, lists the camera's files, and copies
/// those that it is asked for into files that it is given.
package final class CameraService: ConfinedService, ServiceTerms {
  package typealias Task = CameraTask
  package typealias Request = CameraRequest
  package typealias Answer = CameraMessage

  package static let argument = "camera"
  package static let fileCounts = 0...0
  /// The file that is copied into.
  package static let takesFiles = true

  /// The files in one message.
  private static let partCount = 256
  /// The most folders that are listed.
  private static let maximumFolders = 100_000

  private let task: CameraTask
  /// Sends a message; false when the coordinator has ended.
  private var send: (CameraMessage) -> Bool = { _ in false }
  private var camera: OpaquePointer?
  private var part: [CameraObject] = []
  private var objectCount = 0
  private var folderCount = 0
  private var unlistedCount = 0

  package init(confinedFor task: CameraTask, files: [Int32]) throws(SandboxError) {
    self.task = task
    // A camera's clock has no zone. Names are UTF-16, and libgphoto2 gives them in the locale's encoding.
    setenv("TZ", "UTC0", 1)
    setlocale(LC_CTYPE, "C.UTF-8")
    try CameraConfinement.enter(
      task.device,
      maximumFileBytes: task.maximumFileBytes,
      enforcesByKernel: task.enforcesByKernel
    )
  }

  deinit { cgphoto_close(camera) }

  package static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt] {
    try CameraConfinement.enter(.none, maximumFileBytes: 1 << 20, enforcesByKernel: true)
    return SelfTest.cameraAttempts(stage, folder: files.first ?? -1)
  }

  package func serve(_ parent: ServiceSocket<CameraService>) -> Int32 {
    send = parent.send
    if case .none = task.device {
      _ = send(Self.librariesFailure.map(CameraMessage.failed) ?? .libraries(Self.version))
      return ConfinedExit.success
    }
    return parent.forEachRequest { (request, file) throws(ProtocolError) in
      defer { if let file { close(file) } }
      if case .end = request { return false }
      let answer = try answer(request, file)
      setAlarm(seconds: 0)
      return send(answer)
    }
  }

  private func answer(
    _ request: CameraRequest,
    _ file: Int32?
  ) throws(ProtocolError) -> CameraMessage {
    switch (request, camera, file) {
    case (.list, nil, nil):
      setAlarm(seconds: task.listSeconds)
      do throws(CameraError) {
        try open()
        try list()
        try flush()
        return .listed(unlistedCount: unlistedCount)
      } catch {
        return .failed(error)
      }
    case (.copy(let path, let limit), let camera?, let file?):
      setAlarm(seconds: task.copySeconds)
      return copy(path, from: camera, into: file, limit: limit)
    default: throw ProtocolError("a request that must not come now")
    }
  }

  /// Loads the libraries.
  ///
  /// - Returns: Why that is not possible; nil when they are loaded.
  private static var librariesFailure: CameraError? {
    cgphoto_load().map { CameraError(.librariesMissing, String(cString: $0)) }
  }

  private static var version: String { String(cString: cgphoto_version()) }

  /// Ends this process when so many seconds have passed without another call; 0 ends that.
  ///
  /// libgphoto2 gives up after some seconds, but not wherever it waits. Source: alarm(2).
  private func setAlarm(seconds: UInt32) { alarm(seconds) }

  private func open() throws(CameraError) {
    if let failure = Self.librariesFailure { throw failure }
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
    let path = (folder + [name]).joined(separator: [UInt8.slash])
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
    setAlarm(seconds: task.listSeconds)
    guard send(.objects(part)) else { throw CameraError(.interrupted) }
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
    text([UInt8.slash] + folder.joined(separator: [UInt8.slash]))
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
    var unwritten = UnsafeRawBufferPointer(start: bytes, count: count)
    while !unwritten.isEmpty {
      let result = Glibc.write(file, unwritten.baseAddress, unwritten.count)
      if result < 0, errno == EINTR { continue }
      guard result > 0 else {
        number = errno
        return
      }
      written += Int64(result)
      unwritten = UnsafeRawBufferPointer(rebasing: unwritten[result...])
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
