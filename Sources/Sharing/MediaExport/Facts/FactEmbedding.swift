internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Writes facts into copies of a library's files, in a folder: confined workers say what changes, several at a time.
final class FactEmbedding {
  /// A file, before and after.
  struct Copy {
    let source: ExportFolder.Source
    /// The files that its worker gets.
    let purpose: WorkerPurpose
    /// The place in the folder.
    let path: [UInt8]
    let facts: EmbeddedFacts
    /// Whether the copy says where the file was taken.
    let statesPlace: Bool
    /// Whether it is a sidecar, which gets what it lacks of the facts.
    let isSidecar: Bool
    /// The digest by which the copy is known to be of this file and these facts.
    let recipe: String
    /// The SHA-256 and the length of the copy, once it is there.
    fileprivate(set) var written: (sha256: String, bytes: Int64)?
    fileprivate var edits: EditedFile

    init(
      of source: ExportFolder.Source,
      for purpose: WorkerPurpose,
      at path: [UInt8],
      with facts: EmbeddedFacts,
      givesPlace: Bool,
      isSidecar: Bool
    ) {
      (self.source, self.purpose, self.path, self.facts) = (source, purpose, path, facts)
      statesPlace = source.statesPlace || givesPlace
      self.isSidecar = isSidecar
      recipe = Self.recipe("embed \(source.sha256)", facts)
      edits = EditedFile(sourceLength: source.bytes)
    }

    /// A file into which nothing is written but how a person turned it.
    init(turning source: ExportFolder.Source, of asset: ListedAsset, at path: [UInt8]) {
      var facts = EmbeddedFacts(packet: [])
      facts.rotation = asset.rotation
      self.init(
        of: source,
        for: asset.workerPurpose,
        at: path,
        with: facts,
        givesPlace: false,
        isSidecar: false
      )
    }

    /// The digest of what a file is made from, `text`, and the facts that are written into it.
    static func recipe(_ text: String, _ facts: EmbeddedFacts?) -> String {
      let description =
        facts.map {
          " \($0.date as Any) \($0.place as Any) \($0.keepsCopyright) "
            + ($0.rotation == 0 ? "" : "\($0.rotation) ")
        } ?? ""
      return Hexadecimal.text(
        SHA256.hash(Array((text + description).utf8) + (facts?.packet ?? []))
      )
    }
  }

  /// The processor seconds of a file.
  private static let seconds: Int64 = 60

  private let requests: FileRequests<Copy>

  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers.
  ///   - finish: Takes each copy once it is there, or with the reason why it is not, escaped.
  init(
    in folder: ExportFolder,
    _ workers: ExportWorkers,
    finish: @escaping (Copy, _ problem: String?) throws -> Void
  ) {
    requests = FileRequests(
      workers.pool(),
      purpose: \.purpose,
      seconds: { _ in Self.seconds },
      open: { (try folder.open($0.source)?.file, "its file is damaged") },
      request: { .embed(EmbedJob(identifier: $1, facts: $0.facts)) },
      take: { (copy, message) throws(ProtocolError) in try copy.edits.take(message) },
      finish: { copy, problem in
        var copy = copy
        if problem == nil { copy.written = try Self.write(copy, to: folder) }
        try finish(copy, problem)
      },
      wrapping: ExportError.init
    )
  }

  /// Begins with a file; waits for room if all workers are busy.
  ///
  /// - Throws: ``ExportError``, and the errors of the function that takes the copies.
  func embed(_ copy: Copy) throws { try requests.begin(copy) }

  /// Begins to write into a copy of an asset's file how a person turned it, unless an earlier command has done it.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - asset: The asset that has it.
  ///   - path: The place in the folder.
  ///   - keeps: Takes a file over from the earlier folder, by its recipe and its path, if it is there.
  /// - Throws: As ``embed(_:)``.
  func turn(
    _ source: ExportFolder.Source,
    of asset: ListedAsset,
    at path: [UInt8],
    unlessKept keeps: (_ recipe: String, _ path: [UInt8]) throws -> Bool
  ) throws {
    let copy = Copy(turning: source, of: asset, at: path)
    if try !keeps(copy.recipe, path) { try embed(copy) }
  }

  /// Waits for all files that were begun.
  ///
  /// - Throws: As ``embed(_:)``.
  func finishAll() throws { try requests.finishAll() }

  /// Carries out the operations of a copy, a piece at a time.
  ///
  /// - Returns: Its digest and length; nil where the folder's file system cannot hold it.
  private static func write(
    _ copy: Copy,
    to folder: ExportFolder
  ) throws(ExportError) -> (sha256: String, bytes: Int64)? {
    let (source, status): (Descriptor, FileStatus)
    do {
      (source, status) = try folder.reopen(copy.source)
    } catch {
      throw ExportError(.failed, "A file of the library was removed while it was read: \(error).")
    }
    return try copy.edits.write(
      of: source,
      to: folder,
      at: copy.path,
      recipe: copy.recipe,
      modified: status.modified
    )
  }
}
