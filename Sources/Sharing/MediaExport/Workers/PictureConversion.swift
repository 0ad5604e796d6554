internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Converts pictures of a library to JPEG in confined workers, several at a time.
final class PictureConversion {
  /// The bytes of memory of a worker: a picture has 8 bytes a pixel while it is encoded.
  static let memoryBytes = 1 << 30
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
    /// The facts that are written into the JPEG; nil for none.
    let facts: EmbeddedFacts?
    /// The digest by which the JPEG is known to be of this file, made in this way.
    let recipe: String
    var jpeg = MadeJPEG(named: ConvertJob.resultName, mostBytes: mostBytes)

    /// - Parameters:
    ///   - source: The picture.
    ///   - purpose: The files that its worker gets.
    ///   - path: The place of the JPEG in the folder.
    ///   - originalPath: The place of the library's own file, if there is no JPEG.
    ///   - quality: 1 to 100.
    ///   - facts: The facts that are written into the JPEG; nil for none.
    init(
      _ source: ExportFolder.Source,
      for purpose: WorkerPurpose,
      at path: [UInt8],
      orAt originalPath: [UInt8],
      quality: Int,
      facts: EmbeddedFacts?
    ) {
      (self.source, self.purpose, self.path) = (source, purpose, path)
      (self.originalPath, self.facts) = (originalPath, facts)
      recipe = FactEmbedding.Copy.recipe("jpeg \(quality) \(source.sha256)", facts)
    }
  }

  private let requests: FileRequests<Picture>
  let quality: Int

  /// - Parameters:
  ///   - folder: Opens the library's files.
  ///   - workers: The workers.
  ///   - quality: 1 to 100.
  ///   - finish: Takes each picture once it was converted, or with the reason why it was not, escaped.
  init(
    in folder: ExportFolder,
    _ workers: ExportWorkers,
    quality: Int,
    finish: @escaping (Picture, _ problem: String?) throws -> Void
  ) {
    self.quality = quality
    requests = FileRequests(
      workers.pool(memoryBytes: Self.memoryBytes),
      purpose: \.purpose,
      open: { picture in
        let opened = try folder.open(picture.source)
        picture.modified = opened?.status.modified ?? 0
        return (opened?.file, "its file is damaged")
      },
      request: {
        .convert(ConvertJob(identifier: $1, quality: quality, facts: $0.facts))
      },
      take: { (picture, message) throws(ProtocolError) in try picture.jpeg.take(message) },
      finish: finish,
      wrapping: ExportError.init
    )
  }

  /// Begins to convert a picture; waits for room if all workers are busy.
  ///
  /// - Throws: ``ExportError``, and the errors of the function that takes the pictures.
  func convert(_ picture: Picture) throws { try requests.begin(picture) }

  /// Waits for all pictures that were begun.
  ///
  /// - Throws: As ``convert(_:)``.
  func finishAll() throws { try requests.finishAll() }
}
