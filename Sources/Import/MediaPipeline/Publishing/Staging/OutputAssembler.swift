internal import MediaDigest
package import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaSources
package import MediaWorkerProtocol

/// Writes one output from its source file and the operations of an edit list, a piece at a time.
///
/// Each range is read into one buffer, hashed with SHA-256 and written. So the digest is of the
/// written bytes, and the memory is constant for any size. A hole of the source stays a hole.
package struct OutputAssembler {
  /// The file that could not be read or written.
  package enum Failure: Error {
    case reading(FileSystemError)
    case writing(FileSystemError)
  }

  package let fileName: String
  /// The cost of an operation beside its bytes, in bytes: many small ones take time too.
  private static let operationCost = 4096

  private var source: SparseReader
  private let output: Descriptor
  private var guarding: EditListGuard
  private var pending: [EditOperation] = []
  private var next = 0
  /// The bytes of the operation at `next` that are done.
  private var progress: UInt64 = 0
  private var hash = SHA256()
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
  package mutating func append(_ operations: [EditOperation]) throws(ProtocolError) {
    guard !isClosed else { throw ProtocolError("an operation after the end of the edit list") }
    for operation in operations { try guarding.accept(operation) }
    if next == pending.count {
      pending = operations
      next = 0
    } else {
      pending += operations
    }
  }

  /// Marks the end of the edit list.
  package mutating func close() throws(ProtocolError) {
    guard !isClosed else { throw ProtocolError("two ends of one edit list") }
    isClosed = true
  }

  /// Carries out operations until about `budget` bytes are written or none is left.
  ///
  /// - Returns: False when the source file has become shorter than it was.
  package mutating func work(
    budget: Int,
    buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Bool {
    var left = budget
    // The bytes at the start of the buffer that are not written yet: a small output takes one call.
    var gathered = 0
    func takeGathered() -> UnsafeRawBufferPointer {
      defer { gathered = 0 }
      return UnsafeRawBufferPointer(rebasing: buffer[..<gathered])
    }
    while next < pending.count, left > 0 {
      switch pending[next] {
      case .literal(let literal):
        if literal.count > buffer.count - gathered { try write(takeGathered()) }
        if literal.count > buffer.count {
          try write(literal)
        } else {
          let room = UnsafeMutableRawBufferPointer(rebasing: buffer[gathered...])
          literal.withUnsafeBytes { room.copyMemory(from: $0) }
          gathered += literal.count
        }
        left -= literal.count + Self.operationCost
        next += 1
      case .copy(let offset, let length), .masked(let offset, let length, _):
        if gathered == buffer.count { try write(takeGathered()) }
        let wanted = Int(min(length - progress, UInt64(buffer.count - gathered)))
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[gathered...].prefix(wanted))
        let (count, isHole): (Int, Bool)
        do {
          (count, isHole) = try source.read(into: room, at: offset + progress)
        } catch {
          throw .reading(error)
        }
        // The operations end within the file as it was.
        if count == 0 { return false }
        var isCopy = true
        if case .masked(_, _, let mask) = pending[next] {
          mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: Int(progress))
          isCopy = false
        }
        if isHole, isCopy {
          try write(takeGathered())
          try write(UnsafeRawBufferPointer(rebasing: room[..<count]), isHole: true)
        } else {
          gathered += count
        }
        left -= count + Self.operationCost
        progress += UInt64(count)
        if progress == length {
          progress = 0
          next += 1
        }
      }
    }
    try write(takeGathered())
    return true
  }

  /// Returns the SHA-256 of the written bytes, 32 bytes, and starts writing the file out.
  ///
  /// - Returns: Nil when the output does not start like a file of its format.
  package mutating func finish(format: MediaFormat) -> [UInt8]? {
    let digest = finish()
    return format.canStart(with: firstBytes) ? digest : nil
  }

  /// Ends the output, and returns the SHA-256 of its bytes.
  package mutating func finish() -> [UInt8] {
    if bytes >= StagedFile.smallestWriteOut { output.startWriteOut() }
    return hash.finalize()
  }

  private mutating func write(_ literal: [UInt8]) throws(Failure) {
    try literal.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try self.write(bytes) }
    }.get()
  }

  private mutating func write(
    _ piece: UnsafeRawBufferPointer,
    isHole: Bool = false
  ) throws(Failure) {
    if piece.isEmpty { return }
    if firstBytes.count < 16 { firstBytes += piece.prefix(16 - firstBytes.count) }
    hash.update(piece)
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
