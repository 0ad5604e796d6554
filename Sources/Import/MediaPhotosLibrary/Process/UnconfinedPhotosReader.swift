internal import MediaWorkerProtocol

/// Reads a library's database in this very process: for the fuzzer, which gives it one file after another.
///
/// It does what ``PhotosReader`` and its process do, with the same messages between both ends, but nothing confines it.
package enum UnconfinedPhotosReader {
  /// Reads a database without a write-ahead log.
  ///
  /// - Parameter path: The path as SQLite opens it; absolute, or relative to the working folder.
  /// - Returns: What the database says.
  /// - Throws: ``PhotosLibraryError`` as ``PhotosReader`` does; `ProtocolError` for a message that the coordinator
  ///   refuses, which no database may cause.
  package static func index(of path: String) throws -> PhotosIndex {
    var frames = FrameReader()
    var answer = PhotosAnswer()
    var failure: (any Error)?
    var sender = PhotosSender { message in
      do {
        message.frame.withUnsafeBytes { frames.append($0) }
        while let frame = try frames.next() { try answer.take(try PhotosMessage(frame: frame)) }
        return true
      } catch {
        failure = error
        return false
      }
    }
    do throws(PhotosLibraryError) {
      let database = try PhotosDatabase(isKept: false)
      try database.open(path, hasLog: false)
      let version = try database.modelVersion()
      try sender.send(all: database, version)
      sender.finish(version)
    } catch {
      sender.send(.failed(error))
    }
    if let failure { throw failure }
    guard answer.isWhole else { throw ProtocolError("messages without an end") }
    return answer.index
  }
}
