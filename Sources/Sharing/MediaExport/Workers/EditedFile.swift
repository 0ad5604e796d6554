internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerProtocol

/// The edit list of a file, as far as a worker has sent it.
struct EditedFile {
  private var operations: [EditOperation] = []
  private var guarding: EditListGuard
  private var isEnded = false
  /// What the list leaves out.
  private(set) var removed: [RemovedTag] = []

  /// - Parameter length: The bytes of the file; a negative number, as in a damaged row, counts as none.
  init(sourceLength length: Int64) {
    guarding = EditListGuard(sourceLength: UInt64(max(0, length)))
  }

  /// Enters a message.
  ///
  /// - Returns: Whether it was the last.
  /// - Throws: `ProtocolError` for a message that does not fit.
  mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
    switch message {
    case .edit(_, let operations) where !isEnded:
      for operation in operations { try guarding.accept(operation) }
      self.operations += operations
      return false
    case .editEnd(_, let removed) where !isEnded:
      isEnded = true
      self.removed = removed
      return false
    case .done where isEnded: return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }

  /// Carries out the operations, a piece at a time.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - folder: Where the new file is written.
  ///   - piece: Its place in the folder, and what it was made from.
  ///   - modified: The time of its last change, in nanoseconds since 1970; nil for now.
  /// - Returns: Its content; nil where the folder's file system cannot hold it.
  /// - Throws: ``ExportError``.
  func write(
    of source: Descriptor,
    to folder: ExportFolder,
    as piece: ExportPiece,
    modified: Int64?
  ) throws(ExportError) -> FileContent? {
    var content: FileContent?
    let isThere = try folder.write(to: piece.path, recipe: piece.recipe, modified: modified) { file in
      content = try write(of: source, to: file)
    }
    return isThere ? content : nil
  }

  /// Carries out the operations, a piece at a time.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - file: The new file, at its start.
  /// - Returns: Its length and its digest.
  /// - Throws: ``ExportError`` for a source that became shorter, and `FileSystemError`.
  @discardableResult
  func write(of source: Descriptor, to file: Descriptor) throws -> FileContent {
    var digest = SHA256()
    var length: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    func write(_ bytes: UnsafeRawBufferPointer) throws {
      digest.update(bytes)
      length += Int64(bytes.count)
      try file.write(bytes)
    }
    for operation in operations {
      switch operation {
      case .literal(let bytes): try bytes.withUnsafeBytes { try write($0) }
      case .copy(let start, let length), .masked(let start, let length, _):
        var (offset, left) = (start, length)
        while left > 0 {
          let wanted = UnsafeMutableRawBufferPointer(
            rebasing: buffer[..<Int(min(left, UInt64(buffer.count)))]
          )
          let count = try source.read(into: wanted, at: offset)
          guard count == wanted.count else {
            throw ExportError(.failed, "A file of the library became shorter while it was read.")
          }
          if case .masked(_, _, let mask) = operation { mask.apply(to: wanted, at: Int(offset - start)) }
          try write(UnsafeRawBufferPointer(wanted))
          offset += UInt64(count)
          left -= UInt64(count)
        }
      }
    }
    return .known(bytes: length, sha256: Hexadecimal.text(digest.finalize()))
  }
}
