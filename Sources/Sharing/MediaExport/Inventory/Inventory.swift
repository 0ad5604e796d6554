internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel

/// The files that describe an export as a whole: those of a bag and of a crate, if they are asked for.
struct Inventory {
  private var bag: Bag?
  private var crate: Crate?
  /// What is known of files that are not in the folder yet.
  private var notes: [[UInt8]: Crate.About] = [:]

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

  /// Keeps what is known of a file until it is in the folder.
  mutating func note(_ about: Crate.About?, at path: [UInt8]) {
    if let about { notes[path] = about }
  }

  /// Forgets what is known of a file that does not get into the folder.
  mutating func forget(_ path: [UInt8]) { notes[path] = nil }

  /// Adds a file that is in the folder.
  mutating func add(
    _ path: [UInt8],
    sha256: String,
    bytes: Int64
  ) throws(FileSystemError) {
    try bag?.add(path, sha256: sha256, bytes: bytes)
    guard let about = notes.removeValue(forKey: path) else { return }
    try crate?.add(path, sha256: sha256, bytes: bytes, about: about)
  }

  /// Adds a file that was written from these bytes.
  mutating func add(_ path: [UInt8], content: [UInt8]) throws(FileSystemError) {
    guard isNeeded else { return }
    let digest = Hexadecimal.text(SHA256.hash(content))
    try add(path, sha256: digest, bytes: Int64(content.count))
  }

  /// Makes the files with their paths, in the order in which they are written; nothing is added after.
  ///
  /// - Throws: `FileSystemError` when what was added cannot be read again.
  mutating func finish() throws -> [(path: String, content: PiecedContent)] {
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
