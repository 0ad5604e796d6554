internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel

/// The files that describe an export as a whole: those of a bag and of a crate, if they are asked for.
struct Inventory {
  private var bag: Bag?
  private var crate: Crate?

  init(_ options: ExportOptions, _ imports: [ImportRun]) {
    bag = options.makesBag ? Bag(options.bag) : nil
    crate = options.crate.map {
      Crate(
        title: $0.title,
        license: $0.license,
        runs: imports,
        // The crate is the payload, so that a bag can be opened and is one still.
        root: options.makesBag ? Bag.payload : ""
      )
    }
  }

  /// Whether any of them is asked for.
  var isNeeded: Bool { bag != nil || crate != nil }

  /// Adds a file that is in the folder.
  ///
  /// - Throws: ``ExportError``.
  mutating func add(
    _ piece: ExportPiece,
    _ content: FileContent,
    in folder: ExportFolder
  ) throws(ExportError) {
    guard isNeeded else { return }
    let path = piece.path
    do {
      let (bytes, sha256) =
        switch content {
        case .known(let bytes, let sha256): (bytes, sha256)
        case .bytes(let all): (Int64(all.count), Hexadecimal.text(SHA256.hash(all)))
        case .file: try folder.digest(of: path)
        }
      try bag?.add(path, sha256: sha256, bytes: bytes)
      try crate?.add(path, sha256: sha256, bytes: bytes, about: piece.about)
    } catch {
      throw ExportError(wrapping: error, folder.shown)
    }
  }

  /// Writes the files that describe the whole; nothing is added after.
  ///
  /// - Throws: ``ExportError``.
  mutating func write(to folder: ExportFolder) throws(ExportError) {
    do {
      for (path, content) in try files() {
        try folder.write(to: Array(path.utf8)) { file in try content { try file.write($0) } }
      }
    } catch {
      throw ExportError(wrapping: error, folder.shown)
    }
  }

  /// Makes the files with their paths, in the order in which they are written.
  private mutating func files() throws -> [(path: String, content: PiecedContent)] {
    var files: [(path: String, content: PiecedContent)] = []
    if let crate {
      let path = (bag == nil ? "" : Bag.payload + "/") + Crate.name
      let time = String(SaveTime.now.timestamp.prefix(19)) + "Z"
      let content: PiecedContent = { try crate.pass(at: time, to: $0) }
      files.append((path, content))
      try bag?.add(Array(path.utf8), content: content)
    }
    return files + (try bag?.tagFiles().map { ($0.name, $0.content) } ?? [])
  }
}
