internal import Glibc
internal import MediaCameras
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
internal import MediaSandbox
internal import MediaWorkerProtocol

/// A camera or phone, which a process of its own lists, and copies from into memory.
final class ViewedCamera: ViewedSource {
  private let task: ViewerTask
  /// The socket to the page, with whose end nothing is waited for any more.
  private let peer: Int32
  /// Nil once it has ended.
  private var reader: CameraReader?
  /// The files of the candidates by their paths.
  private var objects: [ItemPath: CameraObject] = [:]
  private var memory: ShownMemory

  /// Starts the camera's process, before this one is confined. The camera is not opened.
  ///
  /// - Parameters:
  ///   - camera: The description of the camera.
  ///   - task: What the viewer shows.
  ///   - peer: The socket to the page.
  ///   - pictureCount: The pictures that are made at once at most; 0 for none.
  /// - Throws: `SandboxError`; the process must end then.
  init(
    _ camera: [UInt8],
    _ task: ViewerTask,
    peer: Int32,
    pictureCount: Int
  ) throws(SandboxError) {
    guard let device = try? CameraDevice(frame: camera[...]),
      let null = try? FileSystem.openDevice([UInt8]("/dev/null".utf8))
    else { throw SandboxError(.spawnFailed) }
    do throws(CameraError) {
      reader = try CameraReader.start(
        device,
        nullDevice: null.raw,
        limits: CameraReader.Limits(maximumFileBytes: ShownMemory.mostBytes)
      )
    } catch {
      throw SandboxError(.layerRefused, subject: error.description)
    }
    self.task = task
    self.peer = peer
    memory = ShownMemory(count: pictureCount)
  }

  var failure: ConsentError.Code { .cameraUnreadable }

  func list() -> (candidates: [PickCandidate], unlistedCount: Int)? {
    guard let listing = try? reader?.list(isInterrupted: hasPageEnded) else { return nil }
    for object in listing.objects { objects[object.path] = object }
    let paths = objects
    let names = PickCandidates(filter: task.filter, showsLeftOut: task.showsLeftOut) { paths[$0] != nil }
    let shown = listing.objects.map(\.path).filter(names.mayShow)
    let candidates = names.all(inFolders: shown).map(described)
    objects = Dictionary(
      candidates.flatMap(\.files).compactMap { path in objects[path].map { (path, $0) } },
      uniquingKeysWith: { $1 }
    )
    return (candidates.sorted { $0.files[0] < $1.files[0] }, listing.unlistedCount)
  }

  /// A candidate with its size, and the time of its first file, which is that of the camera's clock.
  private func described(_ candidate: PickCandidate) -> PickCandidate {
    var candidate = candidate
    let files = candidate.files.compactMap { objects[$0] }
    // It is 4 GiB or more where the camera does not say it.
    candidate.size = PickCandidate.size(of: files.lazy.map { $0.size ?? Int64(UInt32.max) })
    candidate.modified = files.first?.modified ?? 0
    candidate.taken = candidate.modified > 0 ? candidate.modified : nil
    return candidate
  }

  func open(_ candidate: PickCandidate) -> Descriptor? {
    // All of a file is fetched for its picture.
    guard let path = candidate.files.first, let object = objects[path], let size = object.size,
      size <= ShownMemory.mostBytes
    else { return nil }
    return memory.file(for: path) { file in
      (try? reader?.copy(object, into: file.writable, isInterrupted: hasPageEnded)) != nil
    }
  }

  func endShowing(_ candidate: PickCandidate) {
    if let path = candidate.files.first { memory.end(path) }
  }

  /// Ends the session with the camera, so that it shows its own screen again, and waits at most 2 s for that.
  func end() { reader = nil }

  private func hasPageEnded() -> Bool {
    var entry = pollfd(fd: peer, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0
  }
}
