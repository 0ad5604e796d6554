internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerPool

/// What an export has put into its folder so far.
final class ExportWork {
  var summary = LibraryExport.Summary()
  private let folder: ExportFolder
  private var made: Inventory
  /// The sidecars that are written if facts cannot be written into the files beside them, by their places.
  private var reserved: [[UInt8]: LibraryExport.File.Content] = [:]
  /// The sidecars of pictures that are being converted, by the places of these.
  private var held: [[UInt8]: LibraryExport.File.Content] = [:]
  /// The number of assets whose files have places.
  private(set) var assets = 0
  /// The assets of which no file is in the folder yet, by the places of their files.
  private var expected: [[UInt8]: (paths: [[UInt8]], tellsOriginalName: Bool)] = [:]

  /// - Parameters:
  ///   - folder: The folder.
  ///   - made: What is written about the whole.
  init(_ folder: ExportFolder, _ made: Inventory) {
    (self.folder, self.made) = (folder, made)
    folder.readsKeptFiles = made.isNeeded
    folder.noted = { [weak self] path in self?.count(path) }
  }

  /// Counts an asset once the first of its files is in the folder, which may be after a worker's answer.
  func expect(_ paths: [[UInt8]], tellsOriginalName: Bool) {
    assets += 1
    for path in paths { expected[path] = (paths, tellsOriginalName) }
  }

  private func count(_ path: [UInt8]) {
    guard let asset = expected[path] else { return }
    for path in asset.paths { expected[path] = nil }
    summary.assets += 1
    if asset.tellsOriginalName { summary.originalNames += 1 }
  }

  /// Keeps sidecars that may have to be written, with their places.
  func reserve(_ sidecars: some Sequence<([UInt8], LibraryExport.File.Content)>) {
    for (place, sidecar) in sidecars { reserved[place] = sidecar }
  }

  /// Keeps a sidecar until it is known whether its picture can be converted.
  func hold(_ sidecar: LibraryExport.File.Content, of picture: [UInt8]) { held[picture] = sidecar }

  /// Puts a sidecar that was kept for a picture beside the file that stands for it, which may have another one.
  private func addHeld(of picture: [UInt8], besides path: [UInt8]) throws(ExportError) {
    guard let sidecar = held.removeValue(forKey: picture) else { return }
    if path == picture { return _ = try add(sidecar, at: Self.sidecar(of: path)) }
    made.forget(Self.sidecar(of: picture))
    try addReserved(besides: path)
  }

  /// Keeps what is known of a file until it is in the folder, and of a sidecar whose place is kept.
  func note(_ about: Crate.About?, at path: [UInt8]) {
    guard let about else { return }
    made.note(about, at: path)
    let sidecar = Self.sidecar(of: path)
    guard reserved[sidecar] != nil else { return }
    made.note(
      Crate.About(mediaType: LibraryExport.sidecarType, run: about.run),
      at: sidecar
    )
  }

  /// Gives the place of a sidecar up.
  private func release(_ sidecar: [UInt8]) {
    if reserved.removeValue(forKey: sidecar) != nil { made.forget(sidecar) }
  }

  /// Adds a file of the folder to what describes the whole.
  private func describe(
    _ path: [UInt8],
    _ sha256: String,
    _ bytes: Int64
  ) throws(ExportError) {
    do {
      try made.add(path, sha256: sha256, bytes: bytes)
    } catch {
      throw ExportError(error, folder.shown)
    }
  }

  private func describe(_ path: [UInt8], content: [UInt8]) throws(ExportError) {
    do {
      try made.add(path, content: content)
    } catch {
      throw ExportError(error, folder.shown)
    }
  }

  /// Puts a file into the folder as it is; one of the library's that is damaged is left out, and one that the
  /// folder's file system cannot hold.
  ///
  /// - Returns: Whether it is there.
  @discardableResult
  func add(_ content: LibraryExport.File.Content, at path: [UInt8]) throws(ExportError) -> Bool {
    switch content {
    case .library(let source):
      guard try folder.add(source, at: path) else { return false }
      if source.part == nil {
        try describe(path, source.sha256, source.bytes)
      } else if made.isNeeded {
        let (bytes, sha256) = try folder.digest(of: path)
        try describe(path, sha256, bytes)
      }
    case .made: return false
    case .sidecar(let bytes, let statesPlace):
      guard try folder.write(bytes, to: path) else { return false }
      if statesPlace { folder.countPlace() }
      try describe(path, content: bytes)
    }
    return true
  }

  /// Takes a file over that an earlier command has made in the same way.
  func keeps(_ recipe: String, at path: [UInt8]) throws(ExportError) -> Bool {
    guard try folder.keep(recipe, at: path) else { return false }
    try addHeld(of: path, besides: path)
    if made.isNeeded {
      let (bytes, sha256) = try folder.digest(of: path)
      try describe(path, sha256, bytes)
    }
    return true
  }

  /// Takes a thumbnail that was made of an original, or was not.
  func take(_ thumbnail: ThumbnailMaking.Outcome) throws {
    switch thumbnail {
    case .made(let bytes, let path, let recipe):
      guard try folder.write(bytes, to: path, recipe: recipe) else { return }
      try describe(path, content: bytes)
      summary.thumbnailsMade += 1
    case .failed(let original, let detail): summary.notMade[original] = detail
    }
  }

  /// Takes a picture that was converted; in the place of one that was not, its own file is in the folder.
  func take(_ picture: PictureConversion.Picture, _ problem: String?) throws {
    guard let problem else {
      let jpeg = picture.jpeg.bytes
      let isThere = try folder.write(
        jpeg,
        to: picture.path,
        recipe: picture.recipe,
        modified: picture.modified
      )
      if isThere {
        try describe(picture.path, content: jpeg)
        summary.pictures += 1
        if picture.facts?.place != nil { folder.countPlace() }
        try addHeld(of: picture.path, besides: picture.path)
      }
      made.forget(picture.originalPath)
      return release(Self.sidecar(of: picture.originalPath))
    }
    guard try add(.library(picture.source), at: picture.originalPath) else { return }
    notConverted(picture.originalPath, problem)
    try addHeld(of: picture.path, besides: picture.originalPath)
    if picture.facts != nil { try addReserved(besides: picture.originalPath) }
  }

  /// Takes a film that was converted; in the place of one that was not, its own file is in the folder.
  func take(_ film: FilmConversion.Film, _ problem: String?) throws {
    if let written = film.written {
      summary.films += 1
      try describe(film.path, written.sha256, written.bytes)
      made.forget(film.originalPath)
      return release(Self.sidecar(of: film.originalPath))
    }
    guard try add(.library(film.source), at: film.originalPath), let problem else { return }
    notConverted(film.originalPath, problem)
  }

  /// Notes that a picture or a film could not be converted.
  func notConverted(_ path: [UInt8], _ detail: String) {
    summary.notConverted.append(LibraryExport.NotConverted(path: path, detail: detail))
  }

  /// Takes a copy with facts; in the place of one that cannot have them, the file itself is in the folder, beside
  /// a sidecar if it is none.
  func take(_ copy: FactEmbedding.Copy, _ problem: String?) throws {
    if let written = copy.written {
      if copy.statesPlace { folder.countPlace() }
      release(Self.sidecar(of: copy.path))
      return try describe(copy.path, written.sha256, written.bytes)
    }
    guard try add(.library(copy.source), at: copy.path) else { return }
    if copy.isSidecar { return lacks(copy.path, problem ?? "") }
    try addSidecar(besides: copy.path, problem ?? "")
  }

  /// Takes a file into which nothing could be written from the start, with the reason.
  func take(_ file: LibraryExport.File, at path: [UInt8]) throws(ExportError) {
    let unconfined = "nothing can confine its reader"
    if file.isSidecar {
      lacks(path, file.lacking ?? unconfined)
    } else if let detail = file.besides {
      besides(path, detail)
    } else if file.facts != nil {
      try addSidecar(besides: path, unconfined)
    }
  }

  /// Names a file that has its facts beside it, and adds the sidecar.
  func addSidecar(besides path: [UInt8], _ detail: String) throws(ExportError) {
    besides(path, detail)
    try addReserved(besides: path)
  }

  /// Notes that a sidecar has the facts of a file.
  func besides(_ path: [UInt8], _ detail: String) {
    summary.besides.append(LibraryExport.NotConverted(path: path, detail: detail))
  }

  /// Notes that a sidecar is as it is in the library, without what it lacks.
  func lacks(_ path: [UInt8], _ detail: String) {
    summary.notCompleted.append(LibraryExport.NotConverted(path: path, detail: detail))
  }

  private func addReserved(besides path: [UInt8]) throws(ExportError) {
    let place = Self.sidecar(of: path)
    // Where there is none, the file has a sidecar of its own, or each file has one.
    if let sidecar = reserved.removeValue(forKey: place) { try add(sidecar, at: place) }
  }

  private static func sidecar(of path: [UInt8]) -> [UInt8] { path + Array(".xmp".utf8) }

  /// Writes what describes the whole.
  ///
  /// - Returns: The counts.
  func finish() throws(ExportError) -> LibraryExport.Summary {
    summary.notConverted.sort { $0.path.lexicographicallyPrecedes($1.path) }
    summary.besides.sort { $0.path.lexicographicallyPrecedes($1.path) }
    summary.notCompleted.sort { $0.path.lexicographicallyPrecedes($1.path) }
    do {
      for (path, content) in try made.finish() {
        try folder.write(to: Array(path.utf8)) { file in try content { try file.write($0) } }
      }
    } catch {
      throw ExportError(wrapping: error, folder.shown)
    }
    return summary
  }
}
