internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// The process that reads the database of a Photos library, started again from this program.
///
/// Confined, it can open the database and its write-ahead log for reading, and nothing else: a database is a file that
/// anybody may have made, and SQLite parses it. It ends with the coordinator.
package enum PhotosReaderProcess {
  /// The first argument of the program that does this.
  package static let argument = "photos-reader"

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Returns: The exit code: 0 when it has answered, 64 when nobody asked, 69 when it could not be confined.
  package static func run() -> Int32 {
    let socket = WorkerProcess.socketInWorker
    guard let (length, folder) = DescriptorPassing.receiveAll(4, over: socket), let folder else {
      return 64
    }
    let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard (1...PhotosReaderTask.maximumLength).contains(count),
      let (bytes, _) = DescriptorPassing.receiveAll(count, over: socket),
      let task = try? PhotosReaderTask(frame: bytes[...])
    else { return 64 }
    var sender = PhotosSender { DescriptorPassing.sendAll($0, over: socket) }
    do throws(PhotosLibraryError) {
      try read(
        task,
        Descriptor(owning: folder, path: PhotosLibraryFiles.databaseFolder.bytes),
        &sender
      )
    } catch {
      sender.send(.failed(error))
      return error.code == .notConfined ? 69 : 0
    }
    return 0
  }

  private static func read(
    _ task: PhotosReaderTask,
    _ folder: Descriptor,
    _ sender: inout PhotosSender
  ) throws(PhotosLibraryError) {
    // SQLite opens by name; the name of the folder is not used again.
    guard fchdir(folder.raw) == 0 else {
      throw PhotosLibraryError(.cannotOpen, FileSystemError.text(errno))
    }
    let files = [task.database, task.log].compactMap { $0 }
    do {
      try DatabaseConfinement.enter(
        folder: folder.raw,
        files: files.map { ItemPath(bytes: Array($0.name.utf8)) },
        enforcesByKernel: task.enforcesByKernel
      )
    } catch {
      switch error.code {
      // The file is no regular file, or has gone.
      case .ruleRefused, .notRegularFile: throw PhotosLibraryError(.cannotOpen, error.numberName)
      default: throw PhotosLibraryError(.notConfined, "\(error)")
      }
    }
    try check(files, in: folder)
    let database = try PhotosDatabase()
    try database.open(task.database.name, hasLog: task.log != nil)
    let version = try database.modelVersion()
    try sender.send(all: database, version)
    // What was read while the files were written may belong to no state of the library.
    try check(files, in: folder)
    sender.finish(version)
  }

  private static func check(
    _ files: [PhotosReaderTask.File],
    in folder: Descriptor
  ) throws(PhotosLibraryError) {
    for file in files {
      guard let status = try? FileSystem.status(in: folder, name: Array(file.name.utf8)),
        file.isSame(as: status)
      else { throw PhotosLibraryError(.changed, file.name) }
    }
  }
}

/// Sends what is read, in parts.
struct PhotosSender {
  /// Sends a frame; false when nobody takes it.
  private let deliver: ([UInt8]) -> Bool
  private var assets: [PhotosAsset] = []
  private var length = 0
  /// The place of each asset in the order in which they are sent.
  private var places: [String: UInt32] = [:]
  private var sent: UInt32 = 0
  private var unusableRows = 0
  private var isGone = false

  init(_ deliver: @escaping ([UInt8]) -> Bool) { self.deliver = deliver }

  mutating func send(_ message: PhotosMessage) {
    guard !isGone else { return }
    isGone = !deliver(message.frame)
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
    places[asset.uuid] = sent
    sent += 1
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
    let members = album.members.compactMap { places[$0] }
    var rest = members[...]
    send(.album(album, members: Array(rest.prefix(PhotosMessage.partMembers))))
    rest = rest.dropFirst(PhotosMessage.partMembers)
    while !rest.isEmpty {
      send(.members(Array(rest.prefix(PhotosMessage.partMembers))))
      rest = rest.dropFirst(PhotosMessage.partMembers)
    }
  }
}

extension PhotosAsset {
  /// The bytes that it takes in a message, about.
  fileprivate var length: Int {
    200 + (directory?.count ?? 0) + (fileName?.count ?? 0) + (originalName?.utf8.count ?? 0)
      + (title?.utf8.count ?? 0) + (caption?.utf8.count ?? 0)
      + keywords.reduce(0) { $0 + 4 + $1.utf8.count }
  }
}
