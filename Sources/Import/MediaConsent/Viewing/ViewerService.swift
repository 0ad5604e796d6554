internal import Glibc
internal import MediaFileSystem
internal import MediaModel
package import MediaPicking
package import MediaSandbox
internal import MediaWorkerProtocol

/// A viewer's own process: it lists one source and opens its files for a person's page alone.
///
/// Its requests and answers go over a socket to the page: who started it sees no name and no picture.
package final class ViewerService: ConfinedService, ServiceTerms {
  package typealias Task = ViewerTask
  package typealias Answer = ViewerMessage

  package static let argument = "viewer"
  /// The source's folder, and the socket to the page.
  package static let fileCounts = 2...2
  package static let longestTask = PageTerms.longestTask

  /// The bytes of the paths in one message, about.
  private static let partLength = 128 << 10

  private let source: any ViewedSource
  private let peer: Int32
  private let pictures: SourcePictures?
  private var reader = FrameReader()
  private var names: [PickCandidate] = []
  private var isListed = false
  /// The pictures that were asked for and are not begun.
  private var waiting: [Int] = []
  /// The files whose capture times are read; nil before the list, and once the last time was sent.
  private var batches: TimeBatches?
  /// The times that were read and are not sent.
  private var times: [ViewerMessage.CaptureTime] = []

  package init(confinedFor task: ViewerTask, files: [Int32]) throws(SandboxError) {
    let folder = Descriptor(owning: files[0], path: [])
    peer = files[1]
    // Without a worker there are names alone.
    let workers = task.showsPictures ? try? PictureWorkers() : nil
    var memoryFileBytes: Int64 = 0
    if let camera = task.camera {
      let count = workers?.count ?? 0
      source = try ViewedCamera(camera, task, peer: files[1], pictureCount: count)
    } else if let workers, task.layout.readsArchives {
      source = ViewedTakeout(folder, task, by: workers)
      memoryFileBytes = ShownMemory.mostBytes
    } else if task.layout.picksByAsset {
      source = try ViewedPhotosLibrary(folder, task)
    } else if let files = task.files {
      source = ViewedFiles(files, of: folder, task)
    } else {
      source = ViewedFolder(folder, task)
    }
    pictures = workers.map { SourcePictures(by: $0, showsWhole: task.files != nil) }
    try ViewerConfinement.enter(
      folder: task.camera == nil ? folder.raw : nil,
      startRules: workers?.startRules,
      memoryFileBytes: memoryFileBytes
    )
  }

  package static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt] {
    guard let workers = try? PictureWorkers() else { throw SandboxError(.spawnFailed) }
    try ViewerConfinement.enter(
      folder: files.first ?? -1,
      startRules: workers.startRules,
      memoryFileBytes: ShownMemory.mostBytes
    )
    return SelfTest.viewerAttempts(stage)
  }

  package func serve(_ parent: ServiceSocket<ViewerService>) -> Int32 {
    servePage()
    source.end()
    return ConfinedExit.success
  }

  /// Serves until the page ends, or breaks the protocol.
  private func servePage() {
    while true {
      guard begin(), beginTimes() else { return }
      if let pictures, !pictures.isIdle {
        let progress = pictures.receive(orReadable: peer)
        for (index, bytes) in progress.pictures {
          source.endShowing(names[index])
          guard send(.picture(index, bytes)) else { return }
        }
        for (file, facts) in progress.files { finish(file, facts) }
      }
      guard take(isWaiting: isIdle) else { return }
    }
  }

  /// Whether there is nothing to do before the next request. While times are read there is always one to begin or to
  /// send; pictures may wait for workers that have all just ended.
  private var isIdle: Bool { waiting.isEmpty && batches == nil && pictures?.isIdle ?? true }

  /// Begins the pictures for which there is a worker.
  ///
  /// - Returns: False when the page has ended.
  private func begin() -> Bool {
    while let index = waiting.first {
      guard let pictures else {
        waiting.removeFirst()
        guard send(.picture(index, [])) else { return false }
        continue
      }
      guard pictures.hasRoom else { return true }
      waiting.removeFirst()
      if let file = source.open(names[index]) {
        if pictures.begin(index, file: file) { continue }
        source.endShowing(names[index])
      }
      guard send(.picture(index, [])) else { return false }
    }
    return true
  }

  /// Reads the times of more files where there is a worker that no picture waits for, and sends those that are
  /// known.
  ///
  /// - Returns: False when the page has ended.
  private func beginTimes() -> Bool {
    if let pictures, waiting.isEmpty {
      while let file = batches?.next(pictures.hasRoom(forBatch:)) {
        let isBegun = source.openForTime(names[file.index])
          .map { pictures.beginTime(file, file: $0) }
        if isBegun != true { finish(file, nil) }
      }
    }
    guard let isOver = batches?.isOver, isOver || times.count >= TimeBatches.batchCount else {
      return true
    }
    if isOver { batches = nil }
    defer { times = [] }
    return send(.times(times, isLast: isOver))
  }

  private func finish(_ file: TimeBatches.File, _ facts: Facts?) {
    batches?.finish(file)
    guard let taken = names[file.index].captureTime(by: facts) else { return }
    times.append(ViewerMessage.CaptureTime(index: file.index, taken: taken))
  }

  /// Takes the requests that have come.
  ///
  /// - Parameter isWaiting: Whether it waits for one.
  /// - Returns: False when the page has ended, or broke the protocol.
  private func take(isWaiting: Bool) -> Bool {
    var entry = pollfd(fd: peer, events: Int16(POLLIN), revents: 0)
    let ready = poll(&entry, 1, isWaiting ? -1 : 0)
    if ready < 0 { return errno == EINTR }
    guard ready > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      try? DescriptorPassing.receive(into: bytes, over: peer, acceptDescriptor: false)?.count
    }
    guard let count, count > 0 else { return false }
    buffer.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    do throws(ProtocolError) {
      while let frame = try reader.next() {
        guard answer(try ViewerRequest(frame: frame)) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  private func answer(_ request: ViewerRequest) -> Bool {
    switch request {
    case .list:
      guard !isListed else { return false }
      isListed = true
      return list()
    case .picture(let index):
      // What was not listed is not there, and what is too much was not asked for by our page.
      guard names.indices.contains(index), waiting.count < ViewerRequest.maximumPictures else {
        return false
      }
      waiting.append(index)
      return true
    }
  }

  private func list() -> Bool {
    guard let listed = source.list() else { return send(.failed(source.failure)) }
    names = Array(listed.candidates.prefix(PickList.maximumCount))
    var part: [PickCandidate] = []
    var length = 0
    for candidate in names {
      part.append(candidate)
      length += candidate.files.reduce(64) { $0 + $1.bytes.count }
      length += candidate.albums.reduce(candidate.title?.utf8.count ?? 0) { $0 + $1.utf8.count }
      if length >= Self.partLength {
        guard send(.names(part)) else { return false }
        (part, length) = ([], 0)
      }
    }
    // One worker is left for pictures, where there are several.
    let isRead = pictures != nil && source.readsTimes
    batches = TimeBatches(isRead ? names : [], width: max(1, (pictures?.count ?? 1) - 1))
    return send(.names(part)) && send(.listed(unlistedCount: listed.unlistedCount))
  }

  private func send(_ message: ViewerMessage) -> Bool {
    DescriptorPassing.sendAll(message.frame, over: peer)
  }
}
