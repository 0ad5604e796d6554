internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// What a worker makes, as far as its messages have come.
protocol WorkerAnswer {
  /// Enters a message, and returns whether it was the last.
  mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool
}

extension MadeJPEG: WorkerAnswer {}
extension EditedFile: WorkerAnswer {}

/// A piece that a worker makes of one file.
struct PieceRequest<Answer: WorkerAnswer> {
  let piece: ExportPiece
  let job: (_ identifier: UInt64) -> WorkerRequest
  var answer: Answer
  /// The time of the last change of the library's file, in nanoseconds since 1970.
  var modified: Int64 = 0

  init(
    _ piece: ExportPiece,
    _ answer: Answer,
    job: @escaping (_ identifier: UInt64) -> WorkerRequest
  ) {
    (self.piece, self.answer, self.job) = (piece, answer, job)
  }
}

extension PieceRequest<EditedFile> {
  /// A copy into which the facts of a piece are written.
  init(embedding piece: ExportPiece) {
    let facts = piece.facts ?? EmbeddedFacts(packet: [])
    self.init(piece, EditedFile(sourceLength: piece.source.bytes)) {
      .embed(EmbedJob(identifier: $0, facts: facts))
    }
  }
}

extension ExportWorkers {
  /// The requests for pieces of one kind.
  ///
  /// - Parameters:
  ///   - folder: Opens the library's files.
  ///   - memoryBytes: The bytes of memory of each worker.
  ///   - seconds: The processor seconds of a file.
  ///   - finish: Takes each piece with its answer, or with the reason that there is none, escaped.
  /// - Returns: The requests, on workers of their own.
  func requests<Answer: WorkerAnswer>(
    in folder: ExportFolder,
    memoryBytes: Int? = nil,
    seconds: Int64 = 120,
    finish: @escaping (PieceRequest<Answer>, _ problem: String?) throws -> Void
  ) -> FileRequests<PieceRequest<Answer>> {
    FileRequests(
      pool(memoryBytes: memoryBytes),
      purpose: \.piece.purpose,
      seconds: { _ in seconds },
      open: { request in
        let opened = try folder.open(request.piece.source)
        request.modified = opened?.status.modified ?? 0
        return (opened?.file, "its file is damaged")
      },
      request: { $0.job($1) },
      take: { (request, message) throws(ProtocolError) in try request.answer.take(message) },
      finish: finish,
      wrapping: ExportError.init
    )
  }
}
