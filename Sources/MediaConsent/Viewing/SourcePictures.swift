internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
internal import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// The programs and devices of workers, found before a viewer is confined.
struct PictureWorkers {
  /// Workers at once, at most.
  private static let most = 4

  let executable: [UInt8]
  let nullDevice: Descriptor
  /// The rules that the viewer's confinement needs, so that a worker starts.
  let startRules: [PathRule]
  let count: Int

  init() throws(ConsentError) {
    do {
      executable = try WorkerProcess.programBeside(WorkerProcess.programName)
      startRules = try WorkerProcess.startRules(executable: executable)
      nullDevice = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    } catch {
      throw ConsentError(.pickerFailed, "\(error)")
    }
    count = min(Self.most, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }
}

/// Small pictures of a source's files, made by confined workers for the eyes of a person.
///
/// Each file has a worker of its own, which ends after it: a hostile file costs its own picture, and cannot
/// change what a person sees of another one.
final class SourcePictures {
  /// The box of a picture in pixels: a tile of the page, on a screen of two pixels to one.
  private static let side = 320
  /// The quality of the JPEG.
  private static let quality = 75
  private static let name = "picture"

  private struct Picture {
    var index: Int
    var jpeg = MadeJPEG(named: name, mostBytes: ViewerMessage.maximumPictureLength)

    mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
      // The size and the like are of no use here.
      if case .facts = message { return false }
      return try jpeg.take(message)
    }
  }

  private let requests: WorkerRequests<Picture>

  /// Makes pictures by workers.
  init(by workers: PictureWorkers) {
    requests = WorkerRequests(
      WorkerPool(
        executable: workers.executable,
        nullDevice: workers.nullDevice,
        enforcement: .kernel,
        size: workers.count
      )
    )
  }

  /// Whether no picture is being made.
  var isIdle: Bool { requests.isEmpty }

  /// Whether ``begin(_:file:)`` would begin.
  var hasRoom: Bool { requests.hasRoom(for: .picture(-1)) }

  /// Gives a file to a worker.
  ///
  /// - Parameters:
  ///   - index: Which picture it is, told again with the answer.
  ///   - file: The file, open for reading.
  /// - Returns: False when no worker can be started.
  func begin(_ index: Int, file: Descriptor) -> Bool {
    let limits = ItemLimits()
    let purpose = WorkerPurpose.picture(index)
    let isSent = try? requests.send(
      Picture(index: index),
      for: purpose,
      file: file,
      seconds: Int64(limits.seconds)
    ) { .job(Self.job($0, limits)) }
    requests.retire(purpose)
    return isSent ?? false
  }

  private static func job(_ identifier: UInt64, _ limits: ItemLimits) -> Job {
    Job(
      identifier: identifier,
      acceptedMediaTypes: [.image, .video],
      wantsEditList: false,
      thumbnails: [
        ThumbnailSpec(
          name: name,
          size: PixelSize(width: side, height: side),
          contentMode: .aspectFill,
          quality: quality,
          colorSpace: .sRGB
        )
      ],
      limits: limits,
      acceptsDamaged: true,
      allowsAudio: false,
      wantsDigest: false
    )
  }

  /// Waits at most a quarter of a second for pictures, or until a descriptor can be read.
  ///
  /// - Returns: Those that are over, with their bytes; none for one that cannot be shown.
  func receive(orReadable descriptor: Int32) -> [(index: Int, bytes: [UInt8])] {
    let progress = requests.receive(orReadable: descriptor) {
      (picture, message) throws(ProtocolError) in try picture.take(message)
    }
    return progress.finished.map { ($0.index, $0.jpeg.problem == nil ? $0.jpeg.bytes : []) }
      + progress.lost.map { ($0.state.index, []) }
  }
}
