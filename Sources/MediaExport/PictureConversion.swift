internal import Crypto
internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
package import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// The workers of a command that makes a folder from a library, found before the command is confined.
package struct ExportWorkers {
  private static let program = "mediabatch-worker"

  let executable: [UInt8]
  let nullDevice: Descriptor
  /// The rules that the command's confinement needs, so that a worker starts.
  package let startRules: [PathRule]

  /// - Throws: ``ExportError`` when the worker's program is missing, and on a kernel that cannot confine it.
  package init() throws(ExportError) {
    let kernel = KernelSupport.probe()
    guard kernel.canEnforce else {
      throw ExportError(
        .notConfined,
        "Nothing was written: this kernel (\(kernel.kernelRelease): \(kernel.detail)) cannot confine what "
          + "decodes a picture; Landlock ABI 2 (Linux 5.19) and seccomp are needed."
      )
    }
    do {
      executable = try WorkerProcess.programBeside(Self.program)
      startRules = try WorkerProcess.startRules(executable: executable)
      nullDevice = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    } catch {
      throw ExportError(
        .failed,
        "\(Self.program) is not beside this program: \(error). Install both together."
      )
    }
  }

  /// The requests to one worker for each processor.
  func requests<State>(memoryBytes: Int? = nil) -> WorkerRequests<State> {
    WorkerRequests(
      WorkerPool(
        executable: executable,
        nullDevice: nullDevice,
        enforcement: .kernel,
        memoryBytes: memoryBytes,
        size: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
      )
    )
  }
}

extension ExportError {
  init(_ error: WorkerPoolError) {
    switch error {
    case .doesNotStart:
      self.init(
        .notConfined,
        "The worker program ends as soon as it is started. Run `mediabatch doctor`."
      )
    case .cannotStart(let cause):
      self.init(.failed, "The worker program cannot be started: \(cause).")
    }
  }
}

/// Converts pictures of a library to JPEG in confined workers, several at a time.
final class PictureConversion {
  /// The bytes of memory of a worker: a picture has 8 bytes a pixel while it is encoded.
  static let memoryBytes = 1 << 30
  /// The processor seconds of a picture.
  private static let seconds: Int64 = 120
  /// The most bytes of a JPEG, more than a picture that fits in that memory has.
  private static let mostBytes = 256 << 20

  /// A picture, before and after.
  struct Picture {
    var source: ExportFolder.Source
    /// The files that its worker gets.
    var purpose: WorkerPurpose
    /// The place of the JPEG in the folder.
    var path: [UInt8]
    /// The place of the library's own file, if there is no JPEG.
    var originalPath: [UInt8]
    /// Nanoseconds since 1970, of the library's file.
    var modified: Int64 = 0
    var jpeg: [UInt8] = []
    /// The reason that there is no JPEG.
    var problem: String?
  }

  private let requests: WorkerRequests<Picture>
  private let quality: Int
  private let finish: (Picture) throws -> Void

  /// - Parameters:
  ///   - workers: The workers.
  ///   - quality: 1 to 100.
  ///   - finish: Takes each picture once it was converted, or was not.
  init(
    _ workers: ExportWorkers,
    quality: Int,
    finish: @escaping (Picture) throws -> Void
  ) {
    requests = workers.requests(memoryBytes: Self.memoryBytes)
    self.quality = quality
    self.finish = finish
  }

  /// The digest by which a JPEG is known to be of this file, made in this way.
  ///
  /// - Parameters:
  ///   - sha256: Of the library's file, in hexadecimal digits.
  ///   - quality: 1 to 100.
  /// - Returns: Hexadecimal digits.
  static func recipe(of sha256: String, quality: Int) -> String {
    Hexadecimal.text(SHA256.hash(data: Array("jpeg \(quality) \(sha256)".utf8)))
  }

  /// Begins to convert a picture; waits for room if all workers are busy.
  ///
  /// - Throws: ``ExportError``, and the errors of the function that takes the pictures.
  func convert(_ picture: Picture, in folder: ExportFolder) throws {
    let (file, status) = try folder.open(picture.source)
    var picture = picture
    picture.modified = status.modified
    while try !send(picture, file) { try receive() }
  }

  private func send(
    _ picture: Picture,
    _ file: Descriptor
  ) throws(ExportError) -> Bool {
    do {
      return try requests.send(picture, for: picture.purpose, file: file, seconds: Self.seconds) {
        .convert(ConvertJob(identifier: $0, quality: quality))
      }
    } catch {
      throw ExportError(error)
    }
  }

  /// Waits for all pictures that were begun.
  func finishAll() throws {
    while !requests.isEmpty { try receive() }
  }

  private func receive() throws {
    let progress = requests.receive(Self.take)
    for picture in progress.finished { try finish(picture) }
    for lost in progress.lost {
      var picture = lost.state
      picture.problem = lost.detail
      try finish(picture)
    }
  }

  private static func take(
    _ picture: inout Picture,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .thumbnail(_, ConvertJob.resultName, _, let bytes, _):
      guard picture.jpeg.count + bytes.count <= mostBytes else {
        throw ProtocolError("a JPEG of more than \(mostBytes) bytes")
      }
      picture.jpeg += bytes
      return false
    case .done:
      // The frame of a JPEG; the rest is checked by whoever looks at the picture.
      guard picture.jpeg.isJPEG else { throw ProtocolError("no JPEG") }
      return true
    case .failed(_, _, let reason, let detail):
      picture.problem = "\(reason.rawValue): \(EscapedText.printable(detail, limit: 200))"
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
