package import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaSources
package import MediaWorkerProtocol

/// Writes one output from its source file and the operations of an edit list, a piece at a time.
///
/// Each piece is read into a buffer, written from there and hashed with SHA-256. So the digest is of the
/// written bytes, and the memory is constant for any size. A hole of the source stays a hole.
package final class OutputAssembler {
  /// The file that could not be read or written.
  package enum Failure: Error {
    case reading(FileSystemError)
    case writing(FileSystemError)
  }

  package let fileName: String

  private var source: SparseReader
  private let output: Descriptor
  private var guarding: EditListGuard
  private var pending: [EditOperation] = []
  private var next = 0
  /// The bytes of the operations that are not carried out yet.
  private(set) var unwritten: UInt64 = 0
  /// When it was first the only output with work, in nanoseconds of ``MonotonicClock``.
  var aloneSince: Int64?
  /// The bytes of the operation at `next` that are done.
  private var progress: UInt64 = 0
  private let digest = OutputDigest()
  package private(set) var bytes: Int64 = 0
  private var firstBytes: [UInt8] = []
  /// Whether the edit list has ended.
  package private(set) var isClosed = false

  /// Creates the output, which must not exist.
  ///
  /// - Parameters:
  ///   - source: The source file.
  ///   - status: Its status when it was opened, if that is known.
  ///   - length: Its bytes.
  ///   - folder: The folder of the output, or the one above.
  ///   - subfolder: In the second case the name of its folder, which is there.
  ///   - fileName: The name of the output.
  /// - Throws: `FileSystemError` when it cannot be made.
  package init(
    source: Descriptor,
    status: FileStatus? = nil,
    length: UInt64,
    folder: Descriptor,
    subfolder: String? = nil,
    fileName: String
  ) throws(FileSystemError) {
    self.source = SparseReader(source, status)
    self.fileName = fileName
    let path = subfolder.map { "\($0)/\(fileName)" } ?? fileName
    output = try FileSystem.createFile(in: folder, [UInt8](path.utf8))
    guarding = EditListGuard(sourceLength: length)
  }

  package var hasWork: Bool { next < pending.count }
  /// The number of operations that are not carried out yet.
  package var waiting: Int { pending.count - next }
  package var isComplete: Bool { isClosed && !hasWork }

  /// Adds operations, in output order.
  ///
  /// - Throws: `ProtocolError` for a breach; none of them may be trusted then.
  package func append(_ operations: [EditOperation]) throws(ProtocolError) {
    guard !isClosed else { throw ProtocolError("an operation after the end of the edit list") }
    for operation in operations {
      try guarding.accept(operation)
      unwritten += operation.outputLength
    }
    if next == pending.count {
      pending = operations
      next = 0
    } else {
      pending += operations
    }
  }

  /// Marks the end of the edit list.
  package func close() throws(ProtocolError) {
    guard !isClosed else { throw ProtocolError("two ends of one edit list") }
    isClosed = true
  }

  /// Carries out operations until a piece is written, which fills the buffer, or none is left.
  ///
  /// - Returns: False when the source file has become shorter than it was.
  package func work(through hashing: OutputHashing) throws(Failure) -> Bool {
    guard let (count, isHole) = try gather(into: hashing.buffer) else { return false }
    if count == 0 { return true }
    let piece = UnsafeRawBufferPointer(rebasing: hashing.buffer[..<count])
    try write(piece, isHole: isHole)
    hashing.add(piece, to: digest)
    return true
  }

  /// Fills the start of a buffer with the next bytes of the output: a small one takes one call.
  ///
  /// - Returns: The number of bytes, and whether they are zeros of a hole; nil when the source file has become
  ///   shorter than it was.
  private func gather(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> (count: Int, isHole: Bool)? {
    var gathered = 0
    while hasWork, gathered < buffer.count {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[gathered...])
      let length = pending[next].outputLength
      let count: Int
      var isHole = false
      switch pending[next] {
      case .literal(let literal):
        let piece = literal[Int(progress)...].prefix(room.count)
        count = piece.count
        piece.withUnsafeBytes { room.copyMemory(from: $0) }
      case .copy(let offset, _), .masked(let offset, _, _):
        let wanted = Int(min(length - progress, UInt64(room.count)))
        let piece = UnsafeMutableRawBufferPointer(rebasing: room.prefix(wanted))
        do {
          (count, isHole) = try source.read(into: piece, at: offset + progress)
        } catch {
          throw .reading(error)
        }
        // The operations end within the file as it was.
        if count == 0 { return nil }
        if case .masked(_, _, let mask) = pending[next] {
          mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: Int(progress))
          isHole = false
        }
      }
      // What is before a hole is a piece of its own.
      if isHole, gathered > 0 { break }
      gathered += count
      progress += UInt64(count)
      unwritten -= UInt64(count)
      if progress == length {
        progress = 0
        next += 1
      }
      if isHole { return (gathered, true) }
    }
    return (gathered, false)
  }

  /// Returns the SHA-256 of the written bytes, 32 bytes, and starts writing the file out.
  ///
  /// - Returns: Nil when the output does not start like a file of its format.
  package func finish(format: MediaFormat, _ hashing: OutputHashing) -> [UInt8]? {
    let digest = finish(hashing)
    return format.canStart(with: firstBytes) ? digest : nil
  }

  /// Ends the output, and returns the SHA-256 of its bytes.
  package func finish(_ hashing: OutputHashing) -> [UInt8] {
    if bytes >= StagedFile.smallestWriteOut { output.startWriteOut() }
    return hashing.finish(digest)
  }

  private func write(_ piece: UnsafeRawBufferPointer, isHole: Bool) throws(Failure) {
    if firstBytes.count < 16 { firstBytes += piece.prefix(16 - firstBytes.count) }
    bytes += Int64(piece.count)
    do {
      if isHole {
        try output.skip(piece.count)
        try output.setLength(bytes)
      } else {
        try output.write(piece)
      }
    } catch {
      throw .writing(error)
    }
  }
}
