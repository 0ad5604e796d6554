internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Makes stripped copies of a library's files in confined workers, several at a time: by the edit list that a file of a
/// source gets under `strip`, whose output the worker has verified.
///
/// What is stripped comes last, so that nothing is in a copy that was not verified: before it, facts and turns are written
/// into a file without a name, and the movie of a motion photo is copied into one.
final class StrippedCopies {
  private struct Copy {
    let piece: ExportPiece
    /// The file without a name that is stripped in place of the library's, and its length.
    let made: (file: Descriptor, length: Int64)?
    var edits: EditedFile
    /// Whether the file lacks a part that its container promises, for which it has to fail.
    private var isCut = false

    init(_ piece: ExportPiece, _ made: (file: Descriptor, length: Int64)? = nil) {
      (self.piece, self.made) = (piece, made)
      edits = EditedFile(sourceLength: made?.length ?? piece.source.bytes)
    }

    /// Enters a message about the file that is stripped, and returns whether it was the last.
    mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
      guard case .facts(_, _, _, let accepted, let isCut) = message else {
        if self.isCut { throw ProtocolError("an edit list of a file that is cut") }
        return try edits.take(message)
      }
      guard accepted else { throw ProtocolError("facts that do not fit the job") }
      self.isCut = isCut
      return false
    }
  }

  private let folder: ExportFolder
  private let embedding: FileRequests<PieceRequest<EditedFile>>
  private let strips: FileRequests<Copy>

  /// - Parameters:
  ///   - folder: Where copies are written.
  ///   - workers: The workers.
  ///   - pairingKey: That of the library, by which halves of live photos stay pairs; nil for none.
  ///   - finish: Takes each piece with its content; nil where the folder's file system cannot hold it, or with the reason
  ///     why there is none, escaped.
  init(
    in folder: ExportFolder,
    _ workers: ExportWorkers,
    pairingKey: [UInt8]?,
    finish: @escaping (ExportPiece, FileContent?, _ problem: String?) throws -> Void
  ) {
    let strips = FileRequests<Copy>(
      workers.pool(),
      purpose: \.piece.purpose,
      seconds: { 60 + max(0, $0.made?.length ?? $0.piece.source.bytes) >> 24 },
      open: { copy in
        if let made = copy.made { return (made.file, "") }
        return (try folder.open(copy.piece.source)?.file, "its file is damaged")
      },
      request: { .job(Self.job($1, of: $0, pairingKey)) },
      take: { (copy, message) throws(ProtocolError) in try copy.take(message) },
      finish: { copy, problem in
        if let problem { return try finish(copy.piece, nil, problem) }
        var piece = copy.piece
        piece.removed = ReceiptDetail.classes.receipt(of: copy.edits.removed)
        try finish(piece, Self.write(copy, to: folder), nil)
      },
      wrapping: ExportError.init
    )
    embedding = workers.requests(in: folder, seconds: 60) {
      (copy: PieceRequest<EditedFile>, problem) in
      if let problem { return try finish(copy.piece, nil, problem) }
      let source = try folder.reopen(copy.piece.source).file
      let made = try folder.makeNameless { try copy.answer.write(of: source, to: $0) }
      try strips.begin(Copy(copy.piece, made))
    }
    (self.folder, self.strips) = (folder, strips)
  }

  /// The job of an import under `strip`; a file that lacks its end is refused, as there by default.
  private static func job(_ identifier: UInt64, of copy: Copy, _ pairingKey: [UInt8]?) -> Job {
    Job(
      identifier: identifier,
      acceptedMediaTypes: Set(MediaType.allCases),
      wantsEditList: true,
      strip: (copy.piece.asset.policy ?? .strip).stripOptions(pairingKey: pairingKey),
      limits: .ofPublished,
      isStripped: true,
      wantsDigest: false
    )
  }

  private static func write(_ copy: Copy, to folder: ExportFolder) throws -> FileContent? {
    let opened = try folder.reopen(copy.piece.source)
    return try copy.edits.write(
      of: copy.made?.file ?? opened.file,
      to: folder,
      as: copy.piece,
      modified: copy.piece.modified(opened.status.modified)
    )
  }

  /// Begins to strip a copy; waits for room if all workers are busy.
  ///
  /// - Throws: ``ExportError``, and the errors of the function that takes the copies.
  func begin(_ piece: ExportPiece) throws {
    if piece.facts != nil { return try embedding.begin(PieceRequest(embedding: piece)) }
    guard let part = piece.source.part, let (file, _) = try folder.open(piece.source) else {
      return try strips.begin(Copy(piece))
    }
    let made = try folder.makeNameless { copy in
      try file.seek(to: part.lowerBound)
      _ = try FileSystem.copy(file, to: copy, most: Int64(part.count))
    }
    try strips.begin(Copy(piece, made))
  }

  /// Waits for all copies that were begun.
  ///
  /// - Throws: As ``begin(_:)``.
  func finishAll() throws {
    try embedding.finishAll()
    try strips.finishAll()
  }
}

extension ExportFolder {
  /// Makes a file without a name by a function, which is given the new file.
  ///
  /// - Returns: The file, open for reading, and its length.
  /// - Throws: ``ExportError``.
  fileprivate func makeNameless(_ fill: (Descriptor) throws -> Void) throws(ExportError) -> (
    file: Descriptor, length: Int64
  ) {
    do {
      let (writing, reading) = try makeNameless()
      try fill(writing)
      return (reading, try reading.status().size)
    } catch {
      throw ExportError(wrapping: error, shown)
    }
  }
}
