internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
internal import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// The programs and devices of workers, found before a viewer is confined.
struct PictureWorkers {
  /// Workers at once, at most.
  private static let maximumCount = 4

  let program: WorkerProgram
  /// The rules that the viewer's confinement needs, so that a worker starts.
  let startRules: [PathRule]
  let count: Int

  init() throws {
    program = try WorkerProgram()
    startRules = try program.startRules()
    count = min(Self.maximumCount, OwnThread.processors)
  }
}

/// Small pictures of a source's files, and when they were taken, read by confined workers for the eyes of a person.
///
/// For its picture each file has a worker of its own, which ends after it: a hostile file costs its own picture,
/// and cannot change what a person sees of another one. For capture times a worker has a batch of files: a hostile
/// one may change the times of its batch, by which nothing but the order of the list is decided. None is tried again,
/// as `FileRequests` does, and the person is answered meanwhile.
final class SourcePictures {
  /// The box of a picture in pixels: a tile of the page, on a screen of two pixels to one.
  private static let side = 320
  /// The box of a picture that is compared with others, whole.
  private static let wholeSide = 640
  /// The quality of the JPEG.
  private static let quality = 75
  private static let name = "picture"
  /// The processor seconds for a file's headers.
  private static let timeSeconds: Int64 = 2

  private struct Reading {
    var index: Int
    /// The file of a batch, whose facts alone are wanted; nil for a picture.
    var file: TimeBatches.File?
    var jpeg = MadeJPEG(named: name, mostBytes: ViewerMessage.maximumPictureLength)
    var facts: Facts?

    mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
      switch message {
      case .facts(_, let facts, _, _, _):
        self.facts = facts
        return false
      case .done where file != nil, .failed where file != nil: return true
      case _ where file != nil: throw ProtocolError("an answer that was not requested")
      default: return try jpeg.take(message)
      }
    }
  }

  /// What workers have read.
  struct Progress {
    /// The pictures that are over, with their bytes; none for one that cannot be shown.
    var pictures: [(index: Int, bytes: [UInt8])] = []
    /// The files of batches that are over, with their facts; nil for one that tells none.
    var files: [(file: TimeBatches.File, facts: Facts?)] = []
  }

  private let requests: WorkerRequests<Reading>
  /// Workers at once, at most.
  let count: Int
  /// Whether nothing of a picture is cut off; else it fills a square.
  private let showsWhole: Bool

  /// Makes pictures by workers.
  init(by workers: PictureWorkers, showsWhole: Bool = false) {
    (count, self.showsWhole) = (workers.count, showsWhole)
    requests = WorkerRequests(workers.program.pool(.kernel, size: workers.count))
  }

  /// Whether no file is being read.
  var isIdle: Bool { requests.isEmpty }

  /// Whether ``begin(_:file:)`` would begin.
  var hasRoom: Bool { requests.hasRoom(for: .picture(-1)) }

  /// Whether ``beginTime(_:file:)`` would begin with a file of a batch of which no other is being read.
  func hasRoom(forBatch batch: Int) -> Bool { requests.hasRoom(for: .times(batch)) }

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
      Reading(index: index),
      for: purpose,
      file: file,
      seconds: Int64(limits.seconds)
    ) { [showsWhole] in .job(Self.pictureJob($0, limits, isWhole: showsWhole)) }
    requests.retire(purpose)
    return isSent ?? false
  }

  /// Gives a file to the worker of its batch.
  ///
  /// - Parameters:
  ///   - time: Which file of which batch it is.
  ///   - file: The file, open for reading.
  /// - Returns: False when no worker can be started.
  func beginTime(_ time: TimeBatches.File, file: Descriptor) -> Bool {
    let purpose = WorkerPurpose.times(time.batch)
    let isSent = try? requests.send(
      Reading(index: time.index, file: time),
      for: purpose,
      file: file,
      seconds: Self.timeSeconds
    ) { .job(Self.timeJob($0)) }
    if time.isLastOfBatch { requests.retire(purpose) }
    return isSent ?? false
  }

  /// A job that reads headers alone: as no type is accepted, nothing is decoded, hashed or looked for at the
  /// file's end.
  private static func timeJob(_ identifier: UInt64) -> Job {
    Job(identifier: identifier, wantsDescription: true, wantsDigest: false)
  }

  private static func pictureJob(_ identifier: UInt64, _ limits: ItemLimits, isWhole: Bool) -> Job {
    let box = isWhole ? wholeSide : side
    return Job(
      identifier: identifier,
      acceptedMediaTypes: [.image, .video],
      thumbnails: [
        ThumbnailSpec(
          name: name,
          size: PixelSize(width: box, height: box),
          contentMode: isWhole ? .aspectFit : .aspectFill,
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

  /// Waits at most a quarter of a second for workers, or until a descriptor can be read.
  ///
  /// - Returns: What is over.
  func receive(orReadable descriptor: Int32) -> Progress {
    let received = requests.receive(orReadable: descriptor) {
      (reading, message) throws(ProtocolError) in try reading.take(message)
    }
    var progress = Progress()
    for reading in received.finished {
      if let file = reading.file {
        progress.files.append((file, reading.facts))
      } else {
        progress.pictures.append((reading.index, reading.jpeg.problem == nil ? reading.jpeg.bytes : []))
      }
    }
    for lost in received.lost {
      if let file = lost.state.file {
        progress.files.append((file, nil))
      } else {
        progress.pictures.append((lost.state.index, []))
      }
    }
    return progress
  }
}
