internal import Glibc
internal import MediaFileSystem
internal import MediaModel
package import MediaSandbox
internal import MediaWorkerProtocol

/// The process that reads the database of a Photos library, started again from this program.
///
/// Confined, it can open the database and its write-ahead log for reading, and nothing else: a database is a file that
/// anybody may have made, and SQLite parses it. It ends with the coordinator.
package struct PhotosReaderService: ConfinedService, ServiceTerms {
  package typealias Task = PhotosReaderTask
  package typealias Answer = PhotosMessage

  package static let argument = "photos-reader"
  /// The folder of the database.
  package static let fileCounts = 1...1

  private let task: PhotosReaderTask
  private let folder: Descriptor

  package init(confinedFor task: PhotosReaderTask, files: [Int32]) throws(SandboxError) {
    self.task = task
    folder = Descriptor(owning: files[0], path: PhotosLibraryFiles.databaseFolder.bytes)
    // SQLite opens by name; the name of the folder is not used again.
    guard fchdir(folder.raw) == 0 else { throw SandboxError(.ruleRefused, number: errno) }
    try DatabaseConfinement.enter(
      folder: folder.raw,
      files: task.files.map { ItemPath(bytes: Array($0.name.utf8)) },
      enforcesByKernel: task.enforcesByKernel
    )
  }

  package func serve(_ parent: ServiceSocket<PhotosReaderService>) -> Int32 {
    var sender = PhotosSender { parent.send($0) }
    do throws(PhotosLibraryError) {
      try read(&sender)
    } catch {
      sender.send(.failed(error))
    }
    return ConfinedExit.success
  }

  private func read(_ sender: inout PhotosSender) throws(PhotosLibraryError) {
    try check()
    let database = try PhotosDatabase()
    try database.open(task.database.name, hasLog: task.log != nil)
    let version = try database.modelVersion()
    try sender.send(all: database, version)
    // What was read while the files were written may belong to no state of the library.
    try check()
    sender.finish(version)
  }

  private func check() throws(PhotosLibraryError) {
    for file in task.files {
      guard let status = try? FileSystem.status(in: folder, name: Array(file.name.utf8)),
        file.isSame(as: status)
      else { throw PhotosLibraryError(.changed, file.name) }
    }
  }
}

/// Sends what is read, in parts.
struct PhotosSender {
  /// Sends a message; false when the receiver has ended.
  private let deliver: (PhotosMessage) -> Bool
  private var assets: [PhotosAsset] = []
  private var length = 0
  private var unusableRows = 0
  private var isGone = false

  init(_ deliver: @escaping (PhotosMessage) -> Bool) { self.deliver = deliver }

  mutating func send(_ message: PhotosMessage) {
    guard !isGone else { return }
    isGone = !deliver(message)
  }

  mutating func send(
    all database: borrowing PhotosDatabase,
    _ version: Int?
  ) throws(PhotosLibraryError) {
    var sender = self
    do {
      try database.forEach { asset in
        sender.add(asset)
        if sender.isGone { throw PhotosLibraryError(.readerEnded) }
      } album: { album in
        sender.add(album)
        if sender.isGone { throw PhotosLibraryError(.readerEnded) }
      }
    } catch {
      self = sender
      throw error.code == .unknownSchema
        ? PhotosLibraryError(.unknownSchema, Self.detail(error.detail, version)) : error
    }
    sender.flush()
    self = sender
  }

  private static func detail(_ detail: String, _ version: Int?) -> String {
    version.map { "\(detail); its data model is \($0)" } ?? detail
  }

  mutating func finish(_ version: Int?) {
    send(.end(modelVersion: version, unusableRows: unusableRows))
  }

  private mutating func add(_ asset: PhotosAsset?) {
    guard let asset else {
      unusableRows += 1
      return
    }
    assets.append(asset)
    length += asset.length
    if length > PhotosMessage.partLength { flush() }
  }

  private mutating func flush() {
    if !assets.isEmpty { send(.assets(assets)) }
    assets.removeAll(keepingCapacity: true)
    length = 0
  }

  private mutating func add(_ album: PhotosAlbum?) {
    flush()
    guard let album else {
      unusableRows += 1
      return
    }
    var unsent = album.members[...]
    send(.album(album, members: Array(unsent.prefix(PhotosMessage.partMembers))))
    unsent = unsent.dropFirst(PhotosMessage.partMembers)
    while !unsent.isEmpty {
      send(.members(Array(unsent.prefix(PhotosMessage.partMembers))))
      unsent = unsent.dropFirst(PhotosMessage.partMembers)
    }
  }
}

extension PhotosAsset {
  /// The bytes that it takes in a message, about.
  fileprivate var length: Int {
    200 + (directory?.count ?? 0) + (fileName?.count ?? 0) + (originalName?.utf8.count ?? 0)
      + (title?.utf8.count ?? 0) + (caption?.utf8.count ?? 0)
      + (keywords + people).reduce(0) { $0 + 4 + $1.utf8.count }
  }
}
