internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
package import MediaSandbox
internal import MediaWorkerProtocol

/// A viewer's own process: it lists one source and opens its files for a person's page, and for nobody else.
package enum ViewerProcess {
  /// The first argument of the program that does this.
  package static let argument = "viewer"

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Parameter stage: The stage of a self-test, which is tried instead; nil for a page.
  /// - Returns: The exit code: 0 when the page has ended, 64 when nobody asked, 69 when it could not be
  ///   confined.
  package static func run(stage: SelfTestStage?) -> Int32 {
    if let stage { return selfTest(stage) }
    guard
      let (length, folder) = DescriptorPassing.receiveAll(4, over: WorkerProcess.socketInWorker),
      let folder
    else { return 64 }
    let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard (1...FrameReader.maximumLength).contains(count),
      let (fields, peer) = DescriptorPassing.receiveAll(count, over: WorkerProcess.socketInWorker),
      let task = try? ViewerTask(frame: fields[...]), let peer
    else { return 64 }
    let root = Descriptor(owning: folder, path: [])
    do throws(ConsentError) {
      // Without a worker there are names alone.
      let workers = task.showsPictures ? try? PictureWorkers() : nil
      do {
        try ViewerConfinement.enter(folder: folder, startRules: workers?.startRules)
      } catch {
        throw ConsentError(.pickerNotConfined)
      }
      let service = ViewerService(task, root, peer: peer, workers)
      service.serve()
      return 0
    } catch {
      _ = DescriptorPassing.sendAll(ViewerMessage.failed(error.code).frame, over: peer)
      return error.code == .pickerNotConfined ? 69 : 70
    }
  }

  /// Confines itself as for a page, and tries every way out.
  private static func selfTest(_ stage: SelfTestStage) -> Int32 {
    let socket = WorkerProcess.socketInWorker
    guard let (_, folder) = DescriptorPassing.receiveAll(1, over: socket), let folder,
      let workers = try? PictureWorkers()
    else { return 64 }
    do {
      try ViewerConfinement.enter(folder: folder, startRules: workers.startRules)
    } catch {
      return 69
    }
    return SelfTest.write(SelfTest.viewerAttempts(stage), to: socket) ? 0 : 69
  }
}

/// The answers of a confined viewer to the requests of its page.
private final class ViewerService {
  /// The bytes of the paths in one message, about.
  private static let partLength = 128 << 10

  private let task: ViewerTask
  private let folder: Descriptor
  private let peer: Int32
  private let pictures: SourcePictures?
  private var reader = FrameReader()
  private var names: [PickCandidate] = []
  private var isListed = false
  /// The pictures that were asked for and are not begun.
  private var waiting: [Int] = []

  init(_ task: ViewerTask, _ folder: Descriptor, peer: Int32, _ workers: PictureWorkers?) {
    self.task = task
    self.folder = folder
    self.peer = peer
    pictures = workers.map {
      SourcePictures(of: folder, guardedDevices: task.guardedDevices, by: $0)
    }
  }

  /// Serves until the page ends, or breaks the protocol.
  func serve() {
    while true {
      guard begin() else { return }
      if let pictures, !pictures.isIdle {
        for (index, bytes) in pictures.receive(orReadable: peer) {
          guard send(.picture(index, bytes)) else { return }
        }
      }
      guard take(isWaiting: pictures?.isIdle ?? true) else { return }
    }
  }

  /// Begins the pictures for which there is a worker.
  ///
  /// - Returns: False when the page has ended.
  private func begin() -> Bool {
    while let index = waiting.first {
      guard let pictures, let file = names[index].files.first else {
        waiting.removeFirst()
        guard send(.picture(index, [])) else { return false }
        continue
      }
      guard pictures.hasRoom else { return true }
      waiting.removeFirst()
      if !pictures.begin(index, file: file) {
        guard send(.picture(index, [])) else { return false }
      }
    }
    return true
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
    let walker = try? DirectoryWalker(
      root: folder,
      names: PickCandidates(filter: task.filter),
      crossMounts: task.crossMounts
    )
    guard let walker else { return send(.failed(.folderUnreadable)) }
    var list = PickList(walker)
    list.load(count: .max)
    names = list.items
    var part: [PickCandidate] = []
    var length = 0
    for candidate in names {
      part.append(candidate)
      length += candidate.files.reduce(32) { $0 + $1.bytes.count }
      if length >= Self.partLength {
        guard send(.names(part)) else { return false }
        (part, length) = ([], 0)
      }
    }
    return send(.names(part)) && send(.listed(unlistedCount: list.unlistedCount))
  }

  private func send(_ message: ViewerMessage) -> Bool {
    DescriptorPassing.sendAll(message.frame, over: peer)
  }
}
