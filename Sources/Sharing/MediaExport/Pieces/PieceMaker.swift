internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Makes the pieces of a folder, those that need a confined worker several at a time, and what stands in the place of
/// one that cannot be made.
final class PieceMaker {
  /// The originals of which a thumbnail could not be made, by their paths in the library, with the reason, escaped.
  private(set) var notMade: [[UInt8]: String] = [:]
  /// The files that could not be stripped, by their paths in the library, with the reason, escaped; none is in the folder.
  private(set) var notStripped: [[UInt8]: String] = [:]
  private typealias Wanted = [(piece: ExportPiece, spec: ThumbnailSpec)]

  /// The bytes of memory of a worker that converts: a picture has 8 bytes a pixel while it is encoded.
  private static let memoryBytes = 1 << 30
  /// The most bytes of a JPEG, more than a picture that fits in that memory has.
  private static let mostBytes = 256 << 20

  private let folder: ExportFolder
  private let workers: Result<ExportWorkers, ExportError>?
  private let receipts: StrippingReceipts?
  private let replaced: (ExportPiece, _ by: ExportPiece?) -> Void
  private let placed: (ExportPiece, FileContent, _ isMade: Bool) throws -> Void
  /// The thumbnails of the asset whose pieces are being made that its library lacks.
  private var lacking: Wanted = []
  private lazy var confined = try? workers?.get()
  private lazy var pictures = confined?.requests(in: folder, memoryBytes: Self.memoryBytes) {
    [unowned self] (picture: PieceRequest<MadeJPEG>, problem) in try take(picture, problem)
  }
  private lazy var films = confined.map {
    FilmConversion(in: folder, $0) { [unowned self] in try take($0, $1, $2) }
  }
  private lazy var embedding = confined?.requests(in: folder, seconds: 60) {
    [unowned self] (copy: PieceRequest<EditedFile>, problem) in try take(copy, problem)
  }
  private lazy var strips = confined.map {
    StrippedCopies(in: folder, $0, pairingKey: receipts?.pairingKey) { [unowned self] in try take($0, $1, $2)
    }
  }
  private lazy var thumbnails = workers.map {
    OriginalThumbnails<Wanted>(in: folder, $0) { [unowned self] in try take($0) }
  }

  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers, or the reason that there are none, which counts once a thumbnail is to be made; nil to
  ///     make nothing of files.
  ///   - receipts: Takes what was stripped; nil where nothing is.
  ///   - replaced: Takes a piece that could not be made, and what stands in its place; nil for nothing.
  ///   - placed: Takes each piece that is in the folder, and whether a worker made it now; its sidecar follows.
  init(
    in folder: ExportFolder,
    _ workers: Result<ExportWorkers, ExportError>?,
    receipts: StrippingReceipts? = nil,
    replaced: @escaping (ExportPiece, _ by: ExportPiece?) -> Void = { _, _ in },
    placed: @escaping (ExportPiece, FileContent, _ isMade: Bool) throws -> Void
  ) {
    (self.folder, self.workers, self.receipts) = (folder, workers, receipts)
    (self.replaced, self.placed) = (replaced, placed)
  }

  /// Makes the pieces of an asset, or begins to make them; waits for room if all workers are busy.
  ///
  /// A packet that lies beside no other piece describes the first one, and is left out where that is lost.
  ///
  /// - Throws: ``ExportError``, also when a thumbnail is lacking and no worker can be confined, and the errors of the
  ///   function that takes the pieces.
  func make(_ pieces: [ExportPiece]) throws {
    for piece in pieces {
      if piece.making == .packet, let main = pieces.first,
        folder.damaged[main.source.path] != nil || folder.refused[main.path] != nil
      {
        continue
      }
      try make(piece)
    }
    let wanted = try lacking.filter { try !keeps($0.piece) }
    lacking = []
    guard let first = wanted.first?.piece else { return }
    try thumbnails?.make(wanted.map(\.spec), of: first.asset.listed, first.source, for: wanted)
  }

  /// Makes a piece, or begins to make it; a thumbnail of an original is begun with the others of its asset.
  ///
  /// - Returns: Whether it is there, or may be there once its worker has answered.
  /// - Throws: As ``make(_:)-([ExportPiece])``.
  @discardableResult
  func make(_ piece: ExportPiece) throws -> Bool {
    switch piece.making {
    case .copy:
      guard try folder.add(piece.source, at: piece.path) else {
        // A name that the folder cannot hold is none for another file either.
        if folder.refused[piece.path] == nil { try replace(piece, nil) }
        return false
      }
      let source = piece.source
      try place(piece, source.part == nil ? .known(bytes: source.bytes, sha256: source.sha256) : .file)
    case .packet:
      if try keeps(piece) { return true }
      let packet = piece.facts?.packet ?? []
      guard try folder.write(packet, to: piece.path, recipe: piece.recipe) else { return false }
      try place(piece, .bytes(packet))
    case .thumbnail(let spec): lacking.append((piece, spec))
    case .jpeg, .film, .embedded, .completed, .stripped:
      if try !keeps(piece) { try begin(piece) }
    }
    return true
  }

  /// Waits for all pieces that were begun.
  ///
  /// - Throws: As ``make(_:)-([ExportPiece])``.
  func finishAll() throws {
    try pictures?.finishAll()
    try films?.finishAll()
    try embedding?.finishAll()
    // Films that browsers play are among them.
    try strips?.finishAll()
    try thumbnails?.finishAll()
  }

  private func begin(_ piece: ExportPiece) throws {
    switch piece.making {
    case .jpeg(let quality):
      let jpeg = MadeJPEG(named: ConvertJob.resultName, mostBytes: Self.mostBytes)
      let request = PieceRequest(piece, jpeg) {
        .convert(ConvertJob(identifier: $0, quality: quality, facts: piece.facts))
      }
      if try pictures?.begin(request) != nil { return }
    case .film(let height):
      if try films?.convert(piece, height: height) != nil { return }
    case .stripped:
      if try strips?.begin(piece) != nil { return }
    default:
      if try embedding?.begin(PieceRequest(embedding: piece)) != nil { return }
    }
    try replace(piece, "the kernel cannot confine the program that reads it")
  }

  // MARK: - What has become of a piece

  /// Takes a piece over that an earlier command has made in the same way.
  private func keeps(_ piece: ExportPiece) throws -> Bool {
    guard let receipts, piece.hasReceipt else {
      guard try folder.keep(piece.recipe, at: piece.path) else { return false }
      try place(piece, .file)
      return true
    }
    // Of a sealed one, length and time tell whether it is as it was written.
    let isSealed = folder.seal != nil
    guard let earlier = receipts.earlier(piece.path, in: folder),
      try folder.keep(
        piece.recipe,
        at: piece.path,
        if: { folder, name, _ in
          isSealed || (try? FileDigest.of(name, beneath: folder))?.sha256 == earlier.sha256
        }
      )
    else { return false }
    try place(piece, .known(bytes: earlier.bytes, sha256: earlier.sha256))
    return true
  }

  private func place(
    _ piece: ExportPiece,
    _ content: FileContent,
    isMade: Bool = false
  ) throws {
    if piece.statesPlace { folder.countPlace() }
    if piece.hasReceipt { try receipts?.add(piece, content, in: folder) }
    try placed(piece, content, isMade)
    for sidecar in piece.sidecar { try make(sidecar) }
  }

  /// Makes what stands in the place of a piece, which is told if there is a reason.
  private func replace(_ piece: ExportPiece, _ problem: String?) throws {
    guard var fallback = piece.fallback.first else {
      if let problem, piece.making == .stripped, folder.damaged[piece.source.path] == nil {
        notStripped[piece.source.path] = problem
      }
      return replaced(piece, nil)
    }
    fallback.shortfalls += piece.shortfalls
    if let problem, let kind = piece.shortfall { fallback.shortfalls.append((kind, problem)) }
    replaced(piece, try make(fallback) ? fallback : nil)
  }

  /// Takes a picture that was converted.
  private func take(_ picture: PieceRequest<MadeJPEG>, _ problem: String?) throws {
    if let problem { return try replace(picture.piece, problem) }
    let (piece, bytes) = (picture.piece, picture.answer.bytes)
    let modified = piece.modified(picture.modified)
    let isThere = try folder.write(bytes, to: piece.path, recipe: piece.recipe, modified: modified)
    if isThere { try place(piece, .bytes(bytes), isMade: true) }
  }

  /// Takes a copy into which facts were written.
  private func take(_ copy: PieceRequest<EditedFile>, _ problem: String?) throws {
    if let problem { return try replace(copy.piece, problem) }
    let source = try folder.reopen(copy.piece.source).file
    try take(
      copy.piece,
      copy.answer.write(of: source, to: folder, as: copy.piece, modified: copy.modified),
      ""
    )
  }

  /// Takes a piece with its content; nil where the folder's file system cannot hold it, or for the problem.
  private func take(_ piece: ExportPiece, _ content: FileContent?, _ problem: String?) throws {
    guard let content else { return try replace(piece, problem) }
    try place(piece, content, isMade: true)
  }

  /// Takes the thumbnails that were made of an original, and those that could not be made.
  private func take(_ answer: OriginalThumbnails<Wanted>.Answer) throws {
    for (piece, spec) in answer.wanted {
      if let bytes = answer.thumbnail(spec)?.bytes {
        guard try folder.write(bytes, to: piece.path, recipe: piece.recipe) else { continue }
        try place(piece, .bytes(bytes), isMade: true)
      } else if let problem = answer.problem {
        notMade[answer.source.path] = problem
      }
    }
  }
}
