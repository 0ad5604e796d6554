internal import MediaFileSystem
package import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Makes the perceptual hashes of a library's pictures in confined workers; stores nothing.
package final class PictureHashing {
  /// What became of a picture.
  package struct Answer: Sendable {
    package var asset: ListedAsset
    /// The degrees, clockwise, by which it was turned for this: 0, 90, 180 or 270.
    package var degrees = 0
    /// Nil if there is none, for the ``problem``.
    package var hash: PerceptualHash?
    /// The reason that there is none, escaped.
    package var problem: String?
  }

  /// What a worker makes for its hash; it is never shown.
  private static let thumbnail = ThumbnailSpec(
    name: "similar",
    size: PixelSize(width: 128, height: 128),
    contentMode: .aspectFit
  )
  /// The least pixels of the short side of a thumbnail that is read in place of the original.
  private static let leastSide = 64

  private let requests: FileRequests<Answer>

  /// - Parameters:
  ///   - path: The library's folder.
  ///   - workers: The workers.
  ///   - finish: Takes the answer of each picture, in no order.
  /// - Throws: ``ExportError`` when the folder cannot be opened.
  package init(
    _ path: [UInt8],
    _ workers: ExportWorkers,
    finish: @escaping (Answer) -> Void
  ) throws(ExportError) {
    let library: Descriptor
    do {
      library = try FileSystem.openFolder(path)
    } catch {
      throw ExportError(.failed, "The library cannot be opened: \(error).")
    }
    requests = FileRequests(
      workers.pool(),
      purpose: \.asset.workerPurpose,
      open: { Self.open($0.asset, in: library) },
      request: { answer, identifier in
        let asset = answer.asset
        // A thumbnail shows what a person has turned already.
        let own = Self.thumbnail(of: asset) == nil ? asset.rotation : 0
        return .job(Self.job(identifier, (own + answer.degrees) % 360))
      },
      take: Self.take,
      finish: { answer, problem in
        var answer = answer
        answer.problem = problem ?? (answer.hash == nil ? "it shows no picture" : nil)
        finish(answer)
      },
      wrapping: ExportError.init
    )
  }

  /// Begins with an asset, which was read with its thumbnails; waits for room if all workers are busy.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - degrees: The degrees, clockwise, by which it is turned: 0, 90, 180 or 270.
  /// - Throws: ``ExportError`` when no worker can be started.
  package func add(_ asset: ListedAsset, turnedBy degrees: Int = 0) throws {
    try requests.begin(Answer(asset: asset, degrees: degrees))
  }

  /// Waits for all pictures that were begun.
  ///
  /// - Throws: As ``add(_:)``.
  package func finishAll() throws { try requests.finishAll() }

  private static func job(_ identifier: UInt64, _ rotation: Int) -> Job {
    Job(
      identifier: identifier,
      acceptedMediaTypes: [.image, .video],
      thumbnails: [thumbnail],
      rotation: rotation,
      allowsAudio: false,
      wantsDigest: false
    )
  }

  private static func take(
    _ answer: inout Answer,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .facts: return false
    case .thumbnail(_, _, _, _, _, let hashes):
      if let hashes { answer.hash = hashes.perceptual }
      return false
    case .done: return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }

  private static func open(
    _ asset: ListedAsset,
    in library: Descriptor
  ) -> (file: Descriptor?, problem: String) {
    guard let source = source(of: asset) else { return (nil, "it has no file") }
    do throws(FileSystemError) {
      let file = try FileSystem.openForReading(beneath: library, source.path, crossMounts: true)
      guard try file.status().size == source.bytes else {
        return (nil, "its file is not as long as the catalogue says")
      }
      return (file, "")
    } catch {
      return (nil, "\(error)")
    }
  }

  /// The smallest thumbnail that shows the whole picture and is large enough.
  private static func thumbnail(of asset: ListedAsset) -> ListedAsset.Thumbnail? {
    let picture = asset.facts.pixelSize ?? PixelSize(width: 0, height: 0)
    return asset.thumbnails.first { thumbnail in
      let size = thumbnail.size
      // A side of the thumbnail is rounded to a pixel.
      let difference = abs(size.width * picture.height - size.height * picture.width)
      return min(size.width, size.height) >= leastSide
        && difference <= max(picture.width, picture.height)
    }
  }

  /// That thumbnail, else the asset's main file.
  private static func source(of asset: ListedAsset) -> ExportFolder.Source? {
    if let thumbnail = thumbnail(of: asset) { return ExportFolder.Source(thumbnail) }
    return asset.files.first.map { ExportFolder.Source($0) }
  }
}
