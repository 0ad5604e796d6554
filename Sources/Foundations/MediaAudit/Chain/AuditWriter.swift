internal import Glibc
internal import MediaFileSystem
package import MediaModel
internal import MediaSyntax

/// Writes one run's audit file: numbers, times and chains the records, and flushes them together.
///
/// The descriptor belongs to the caller, who opens it (new, empty, not `O_APPEND`) before confinement
/// and closes it after the last flush. Not Sendable: the coordinator's one thread writes it.
package final class AuditWriter {
  /// The name of the file, with the run's identifier.
  package let file: AuditFileName
  /// The last appended record's SHA-256, hexadecimal, whether flushed or not.
  package private(set) var head: String
  /// Appended records, whether flushed or not; also the last one's `seq`.
  package private(set) var recordCount = 0
  /// The time of the first record, and of the last appended one, as they say it.
  package private(set) var times: (first: AuditTime, last: AuditTime)
  /// The length that the flushed file has.
  package private(set) var flushedByteCount = 0
  /// Set by a refused flush: the kernel may have dropped the pages and would call the next one good.
  private var needsNewDescriptor = false
  /// Set by a line that is no record, which the tree does not have.
  private var hasUnreadable = false
  /// Whether a descriptor of the file was looked at, and whether that is the current one.
  private var (hasWritten, isChecked) = (false, false)
  /// All bytes behind `flushedByteCount`, kept until the device has confirmed them.
  private var pending: [UInt8] = []
  private var descriptor: Int32
  /// The tree over all records of the library, including those appended here.
  private var tree: AuditTree
  private let operations: AuditFileOperations
  private let clock: () -> AuditTime
  private let makeSalt: () -> String

  /// Starts the log of a run by appending, not yet flushing, its first record.
  ///
  /// `descriptor` is an empty regular file, open for writing. `previous` is where the log before ends,
  /// from ``AuditFolder/previousHead()``; nil for a library's first run. `tree` has all records up to
  /// there, from ``AuditFolder/tree(from:)``.
  package convenience init(
    descriptor: Int32,
    file: AuditFileName,
    previous: AuditPreviousHead?,
    tree: AuditTree,
    opening: AuditOpening
  ) {
    self.init(
      descriptor: descriptor,
      file: file,
      previous: previous,
      tree: tree,
      opening: opening,
      operations: .system,
      clock: { .now },
      makeSalt: Self.randomSalt
    )
  }

  init(
    descriptor: Int32,
    file: AuditFileName,
    previous: AuditPreviousHead?,
    tree: AuditTree,
    opening: AuditOpening,
    operations: AuditFileOperations,
    clock: @escaping () -> AuditTime,
    makeSalt: @escaping () -> String
  ) {
    self.descriptor = descriptor
    self.file = file
    self.operations = operations
    self.clock = clock
    self.makeSalt = makeSalt
    self.tree = tree
    let now = clock()
    times = (now, now)
    head = previous?.head ?? RecordHash.zero.text
    var previous = previous
    previous?.tree = tree.head
    append(.run(file: file, previous: previous, opening: opening), at: now)
  }

  /// The length of the file once everything appended is flushed.
  package var byteCount: Int { flushedByteCount + pending.count }

  /// Returns the current end of the log, for the catalogue: valid once ``flush()`` has returned.
  ///
  /// The blocks of the tree that were completed since the last call are in this position alone, so each
  /// one has to be kept.
  package func takePosition() -> AuditPosition {
    AuditPosition(
      file: file.text,
      run: file.run,
      records: recordCount,
      bytes: byteCount,
      head: head,
      tree: AuditTreePosition(head: tree.head, encoded: tree.encoded, blocks: tree.takeCompleted())
    )
  }

  /// The library's tree up to the last appended record, whether flushed or not.
  package var treeHead: AuditTreeHead { tree.head }

  /// Adds a record behind the last one, in memory; ``flush()`` makes it durable.
  ///
  /// - Returns: Its `seq`: 1 for the run's first record, one more for each.
  @discardableResult
  package func append(_ record: AuditRecord) -> Int {
    append(record, at: clock())
  }

  /// Adds the record of a value behind the last one, as ``append(_:)``.
  @discardableResult
  package func append(_ body: some RecordBody) -> Int { append(AuditRecord(body)) }

  @discardableResult
  private func append(_ record: AuditRecord, at time: AuditTime) -> Int {
    times.last = time
    recordCount += 1
    var members = record.members
    members.append(.init(key: "seq", value: JSONValue(recordCount)))
    members.append(.init(key: "time", value: .string(time.text)))
    members.append(.init(key: "run", value: .string(file.run)))
    members.append(.init(key: "event", value: .string(record.event.rawValue)))
    members.append(.init(key: "prev", value: .string(head)))
    if record.event.bearsNames || record.namesSource {
      members.append(.init(key: "salt", value: .string(makeSalt())))
    }
    let start = pending.count
    CanonicalLine.write(&members, to: &pending)
    enter(start)
    pending.append(UInt8.newline)
    return recordCount
  }

  /// Enters the line that was written last, from `start` of what is pending, into chain and tree.
  private func enter(_ start: Int) {
    let position = RecordPosition(file: file.number, line: recordCount, offset: flushedByteCount + start)
    pending.withUnsafeBytes { bytes in
      let line = UnsafeRawBufferPointer(rebasing: bytes[start...])
      head = RecordHash(hashing: line).text
      guard let scan = ParsedRecord(line) else {
        hasUnreadable = true
        return
      }
      tree.append(
        leaf: HashedRecord.Digest.leaf(line, scan),
        keys: LookupKeys(line, scan),
        at: position,
        length: line.count + 1
      )
    }
  }

  /// 16 random bytes, hexadecimal: without them a name could be guessed from its digest.
  static func randomSalt() -> String {
    let (first, second) = RandomNumbers.with { ($0.next(), $0.next()) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * RedactedRecord.Salt.byteCount)
    for word in [first, second] {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        let nibble = UInt8(truncatingIfNeeded: word >> shift) & 15
        bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes all that was appended and waits until the device has it; with `withName`, also the name of a new file, and all
  /// else of its file system: one wait for both.
  ///
  /// Nothing is lost by a refusal: the records are kept, and the next call writes them again from the
  /// last flushed byte, so that a half-written line is overwritten.
  ///
  /// - Throws: ``AuditError`` `.noSpace`, `.cannotWrite`: may be tried again. `.cannotFlush`: may be
  ///   tried again only after ``use(descriptor:)``. `.notNewFile` when the descriptor has bytes that
  ///   this writer did not write, lacks some that it did, or appends. `.notARecord` when one of the records cannot
  ///   be read, `.badClock` when its time cannot.
  ///
  /// Source: pwrite(2), fdatasync(2), syncfs(2).
  package func flush(withName: Bool = false) throws(AuditError) {
    if hasUnreadable { throw AuditError(.notARecord, file: file.text) }
    if !times.first.isWritten || !times.last.isWritten {
      throw AuditError(.badClock, file: file.text)
    }
    if needsNewDescriptor { throw AuditError(.cannotFlush, file: file.text) }
    try checkDescriptor()
    var written = 0
    var interruptions = Interruptions()
    while written < pending.count {
      let result = pending.withUnsafeBytes { bytes in
        operations.write(
          descriptor,
          UnsafeRawBufferPointer(rebasing: bytes[written...]),
          flushedByteCount + written
        )
      }
      switch result {
      case .success(let count) where count > 0 && count <= pending.count - written:
        written += count
        interruptions = Interruptions()
      case .success: throw AuditError(.cannotWrite, file: file.text)
      case .failure(EINTR) where interruptions.mayRetry(): continue
      case .failure(let number): throw .writing(file.text, number)
      }
    }
    if written > 0 {
      let number = operations.synchronize(descriptor, withName)
      if number != 0 {
        needsNewDescriptor = true
        throw AuditError(.cannotFlush, file: file.text, errorNumber: number)
      }
    }
    flushedByteCount += written
    pending.removeAll(keepingCapacity: pending.count < 1 << 22)
  }

  /// Goes on with another descriptor of the same file, opened anew after a refused flush.
  package func use(descriptor: Int32) {
    self.descriptor = descriptor
    needsNewDescriptor = false
    isChecked = false
  }

  /// A file that is longer than what this writer has written is another run's; one that is shorter was emptied by
  /// another program, and the next write would leave a hole in it.
  private func checkDescriptor() throws(AuditError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .writing(file.text, errno) }
    let lengths = hasWritten ? flushedByteCount...byteCount : 0...0
    let isOurs = status.st_mode & S_IFMT != S_IFREG || lengths.contains(Int(status.st_size))
    // pwrite on an appending descriptor ignores its offset (Linux, pwrite(2) BUGS).
    let flags = isChecked ? 0 : fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_APPEND == 0, isOurs else {
      throw AuditError(.notNewFile, file: file.text)
    }
    (hasWritten, isChecked) = (true, true)
  }
}

/// The two calls that make a record durable: the seam at which tests refuse them.
struct AuditFileOperations {
  enum Written {
    case success(Int)
    /// The C library's `errno`.
    case failure(Int32)
  }

  /// Writes some of the bytes at an offset.
  var write: (Int32, UnsafeRawBufferPointer, Int) -> Written
  /// Waits for the device, which has the whole file system with `true`; 0, or the C library's `errno`.
  var synchronize: (Int32, Bool) -> Int32

  static var system: AuditFileOperations {
    AuditFileOperations(
      write: { descriptor, bytes, offset in
        let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        return count < 0 ? .failure(errno) : .success(count)
      },
      synchronize: { descriptor, isAll in
        var interruptions = Interruptions()
        while (isAll ? FileSystem.flush(fileSystemOf: descriptor) : fdatasync(descriptor)) != 0 {
          if errno != EINTR || !interruptions.mayRetry() { return errno }
        }
        return 0
      }
    )
  }
}
