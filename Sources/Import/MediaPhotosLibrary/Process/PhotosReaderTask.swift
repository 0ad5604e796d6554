internal import MediaFileSystem
internal import MediaModel
package import MediaWorkerProtocol

/// The task of the process that reads a library's database: how it confines itself, and the files as the log has them.
package struct PhotosReaderTask: Sendable, Hashable {
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

  /// The files that are there.
  var files: [File] { [database, log].compactMap { $0 } }

  /// Makes a task.
  init(enforcesByKernel: Bool, database: File, log: File?) {
    self.enforcesByKernel = enforcesByKernel
    self.database = database
    self.log = log
  }
}

extension PhotosReaderTask: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(enforcesByKernel)
    database.put(into: &writer)
    writer.put(log) { $1.put(into: &$0) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    enforcesByKernel = try reader.bool()
    database = try File(from: &reader)
    log = try reader.bool() ? try File(from: &reader) : nil
  }
}

extension PhotosReaderTask.File: WireValue {
  func put(into writer: inout WireWriter) {
    writer.put(name)
    writer.put(device)
    writer.put(inode)
    writer.put(size)
    writer.put(modified)
    writer.put(changed)
  }

  init(from reader: inout WireReader) throws(ProtocolError) {
    name = try reader.text(limit: 255)
    device = try reader.integer()
    inode = try reader.integer()
    size = try reader.integer()
    modified = try reader.integer()
    changed = try reader.integer()
  }
}
