internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerProtocol

/// The task of the process that reads a library's database: how it confines itself, and the files as the log has them.
struct PhotosReaderTask: Sendable, Hashable {
  /// A file of the database's folder.
  struct File: Sendable, Hashable {
    var name: String
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var modified: Int64
    var changed: Int64

    /// Makes the description of a file with this status.
    init(name: String, _ status: FileStatus) {
      self.name = name
      (device, inode) = (status.device, status.inode)
      (size, modified, changed) = (status.size, status.modified, status.changed)
    }

    /// Whether a file with this status is the same, unchanged.
    func isSame(as status: FileStatus) -> Bool { self == File(name: name, status) }
  }

  /// False only under `"enforcement": "process"`.
  var enforcesByKernel: Bool
  /// The database.
  var database: File
  /// The write-ahead log; nil when it is empty or not there.
  var log: File?

  /// The longest task in bytes.
  static let maximumLength = 4096

  /// The task as one frame.
  var frame: [UInt8] {
    var writer = WireWriter()
    writer.put(enforcesByKernel)
    writer.put(log != nil)
    for file in [database, log].compactMap({ $0 }) {
      writer.put(file.name)
      writer.put(file.device)
      writer.put(file.inode)
      writer.put(file.size)
      writer.put(file.modified)
      writer.put(file.changed)
    }
    return writer.frame
  }

  /// Makes a task.
  init(enforcesByKernel: Bool, database: File, log: File?) {
    self.enforcesByKernel = enforcesByKernel
    self.database = database
    self.log = log
  }

  /// Reads a task from the content of a frame.
  ///
  /// - Throws: `ProtocolError` for anything that ``frame`` does not write.
  init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = WireReader(frame)
    enforcesByKernel = try reader.bool()
    let hasLog = try reader.bool()
    database = try File(&reader)
    log = hasLog ? try File(&reader) : nil
    guard reader.isAtEnd else { throw ProtocolError("a task that goes on") }
  }
}

extension PhotosReaderTask.File {
  fileprivate init(_ reader: inout WireReader) throws(ProtocolError) {
    name = try reader.text(limit: 255)
    device = try reader.integer()
    inode = try reader.integer()
    size = try reader.integer()
    modified = try reader.integer()
    changed = try reader.integer()
  }
}
