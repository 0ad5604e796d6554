internal import MediaFileSystem
internal import MediaModel

/// The files that describe an export as a whole: those of a bag and of a crate, if they are asked for.
struct Inventory {
  private var bag: Bag?
  private var crate: Crate?
  /// What is said of stripped copies; nil where none is stripped.
  let receipts: StrippingReceipts?

  init(_ options: ExportOptions, _ imports: [ImportRun], _ receipts: StrippingReceipts? = nil) {
    self.receipts = receipts
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

  /// Whether any is asked for that has the digest of each file.
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
      let (bytes, sha256) = try content.digest(of: path, in: folder)
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
  private mutating func files() throws -> [(name: String, content: PiecedContent)] {
    var files: [(name: String, content: PiecedContent)] = []
    if let crate {
      let path = (bag == nil ? "" : Bag.payload + "/") + Crate.name
      let time = String(SaveTime.now.timestamp.prefix(19)) + "Z"
      let content: PiecedContent = { try crate.pass(at: time, to: $0) }
      files.append((path, content))
      try bag?.add(Array(path.utf8), content: content)
    }
    var tags: [(name: String, content: PiecedContent)] = []
    if let receipts {
      tags.append((String(decoding: StrippingReceipts.name, as: UTF8.self), receipts.pass(to:)))
    }
    return files + (try bag?.tagFiles(with: tags) ?? tags)
  }
}
