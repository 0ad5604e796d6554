internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Converts films of a library that browsers cannot play to H.264 in confined workers, several at a time.
///
/// A worker makes the film, whose parts come as messages into a file without a name. It is read by a worker
/// like a film of a source, so that the edit list of `strip` leaves out what tells of the encoder.
final class FilmConversion {
  /// The bytes of memory of a worker: a picture of 8K in 10 bits has 100 MB, and a decoder holds many.
  private static let memoryBytes = 2 << 30

  /// A film, before and after.
  private struct Film {
    let piece: ExportPiece
    /// The most pixels of the shorter side.
    let height: Int
    let made = MadeFilm()
    var edits = EditedFile(sourceLength: 0)

    /// Of the asset, in seconds, at most a day.
    private var duration: Int64 {
      // The movie of a live photo has seconds that the catalogue does not give.
      let milliseconds = piece.asset.listed.facts.durationMilliseconds ?? 60_000
      return min(Int64(milliseconds / 1000) + 1, 86_400)
    }

    /// The processor seconds that it may take: five minutes, and a minute for each of its seconds, which are
    /// some ten times what 4K with HDR takes.
    var seconds: Int64 { 300 + duration * 60 }
    /// The most bytes of a converted film, 64 Mbit a second, with room for its index; what a worker does not
    /// write takes no room.
    var mostBytes: Int64 { (1 << 28) + duration << 23 }

    /// Enters a message about the film that was made, and returns whether it was the last.
    mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
      guard case .facts(_, let facts, _, let accepted, let isCut) = message else {
        return try edits.take(message)
      }
      guard accepted, !isCut, facts.format == .mp4 else { throw ProtocolError("no film") }
      return false
    }
  }

  private let films: FileRequests<Film>
  private let strips: FileRequests<Film>

  /// - Parameters:
  ///   - folder: Where converted films are written.
  ///   - workers: The workers.
  ///   - finish: Takes each film with its content, without one if it is not needed since browsers play the library's
  ///     own, or with the reason why there is none, escaped.
  init(
    in folder: ExportFolder,
    _ workers: ExportWorkers,
    finish: @escaping (ExportPiece, FileContent?, _ problem: String?) throws -> Void
  ) {
    let strips = FileRequests<Film>(
      workers.pool(),
      purpose: \.piece.purpose,
      seconds: { 60 + $0.made.length >> 24 },
      open: { ($0.made.reading, "the new film cannot be read") },
      request: { .job(Self.stripping($1)) },
      take: { (film, message) throws(ProtocolError) in try film.take(message) },
      finish: { film, problem in
        try finish(film.piece, problem == nil ? Self.write(film, to: folder) : nil, problem)
      },
      wrapping: ExportError.init
    )
    self.strips = strips
    var done = 0
    films = FileRequests(
      workers.pool(memoryBytes: Self.memoryBytes),
      purpose: \.piece.purpose,
      seconds: \.seconds,
      open: { film in
        try film.made.begin(in: folder)
        return (try folder.open(film.piece.source)?.file, "its file is damaged")
      },
      request: { film, identifier in
        let rotation = film.piece.facts?.rotation ?? 0
        return .film(FilmJob(identifier: identifier, height: film.height, rotation: rotation))
      },
      take: { (film, message) throws(ProtocolError) in
        if case .filmProgress(_, let percent) = message {
          let label = film.piece.asset.listed.label
          workers.showsFilm?(FilmProgress(label: label, percent: percent, done: done))
          return false
        }
        return try film.made.take(message, mostBytes: film.mostBytes)
      },
      finish: { film, problem in
        done += 1
        if let problem { try Self.checkPackage(problem) }
        if problem == nil, let failure = film.made.failure {
          return try finish(film.piece, nil, try folder.reason(of: failure))
        }
        guard problem == nil, let length = film.made.end() else {
          return try finish(film.piece, nil, problem)
        }
        var film = film
        film.edits = EditedFile(sourceLength: length)
        try strips.begin(film)
      },
      wrapping: ExportError.init
    )
  }

  /// What the problem of a film begins with if a package is missing, whose name begins with the last letters.
  private static let missing = ItemReason.decoderMissing.rawValue + ": lib"

  /// Throws where a problem is that of a package, which every other film has, too.
  private static func checkPackage(_ problem: String) throws(ExportError) {
    guard problem.hasPrefix(missing) else { return }
    throw ExportError(
      .failed,
      "Nothing was written: no film can be converted without Debian's package "
        + "\(problem.dropFirst(missing.count - 3)). Install it, or leave --convert-video out."
    )
  }

  private static func stripping(_ identifier: UInt64) -> Job {
    Job(
      identifier: identifier,
      acceptedMediaTypes: [.video],
      wantsEditList: true,
      isStripped: true,
      wantsDigest: false
    )
  }

  private static func write(_ film: Film, to folder: ExportFolder) throws -> FileContent? {
    guard let made = film.made.reading else {
      throw ExportError(.failed, "A converted film was lost. Repeat the command.")
    }
    let modified = film.piece.modified(try folder.reopen(film.piece.source).status.modified)
    return try film.edits.write(of: made, to: folder, as: film.piece, modified: modified)
  }

  /// Whether a file is a film, which a worker looks at.
  static func concerns(_ file: ListedAsset.File) -> Bool {
    MediaFormat(rawValue: file.format)?.mediaType == .video
  }

  /// Begins to convert a film; waits for room if all workers are busy.
  ///
  /// - Parameters:
  ///   - piece: The film.
  ///   - height: The most pixels of the shorter side.
  /// - Throws: ``ExportError``, and the errors of the function that takes the films.
  func convert(_ piece: ExportPiece, height: Int) throws {
    try films.begin(Film(piece: piece, height: height))
  }

  /// Waits for all films that were begun.
  ///
  /// - Throws: As ``convert(_:height:)``.
  func finishAll() throws {
    try films.finishAll()
    try strips.finishAll()
  }
}

/// A film that a worker makes, in a file without a name.
private final class MadeFilm {
  private var writing: Descriptor?
  private(set) var reading: Descriptor?
  private(set) var length: Int64 = 0
  /// The reason that it could not be written.
  private(set) var failure: FileSystemError?

  /// Begins, also again.
  func begin(in folder: ExportFolder) throws {
    (writing, reading) = try folder.makeNameless()
    (length, failure) = (0, nil)
  }

  /// Enters a message.
  ///
  /// - Returns: Whether it was the last.
  /// - Throws: `ProtocolError` for one that does not fit.
  func take(_ message: WorkerMessage, mostBytes: Int64) throws(ProtocolError) -> Bool {
    switch message {
    case .film(_, let offset, let bytes):
      let (end, overflows) = offset.addingReportingOverflow(Int64(bytes.count))
      guard !overflows, end <= mostBytes else {
        throw ProtocolError("a film of more than \(mostBytes) bytes")
      }
      length = max(length, end)
      guard failure == nil, let writing else { return false }
      do throws(FileSystemError) {
        try writing.seek(to: offset)
        try writing.write(bytes)
      } catch {
        failure = error
      }
      return false
    case .done: return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }

  /// Returns the bytes of the film, which can be read now; nil when a worker has made none.
  func end() -> Int64? {
    writing = nil
    return length == 0 ? nil : length
  }
}
