import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

struct AuditWriterTests {
  /// A file of its own, with what the system is told to answer.
  private func writer(
    _ folder: TemporaryFolder,
    flags: Int32 = 0,
    time: Int64 = 0,
    operations: AuditFileOperations = .system
  ) throws -> (writer: AuditWriter, path: String, descriptor: Int32) {
    let name = try #require(AuditFileName(number: 1, run: "run"))
    let path = folder.path + "/" + name.text
    let descriptor = try createFile(path, flags: flags)
    let writer = AuditWriter(
      descriptor: descriptor,
      file: name,
      previous: nil,
      tree: AuditTree(),
      opening: SampleLog.opening,
      operations: operations,
      clock: { AuditTime(microseconds: time) },
      makeSalt: { String(repeating: "5a", count: 16) }
    )
    return (writer, path, descriptor)
  }

  @Test("Records are in the file after a flush, and only then")
  func flush() throws {
    let folder = TemporaryFolder()
    let (writer, path, descriptor) = try writer(folder)
    defer { closeFile(descriptor) }
    #expect(try readBytes(path).isEmpty)
    SampleLog.fill(writer, items: 2)
    #expect(try readBytes(path).isEmpty)
    try writer.flush()
    let bytes = try readBytes(path)
    #expect(bytes.count == writer.byteCount && writer.flushedByteCount == writer.byteCount)
    #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == writer.recordCount)
    try writer.flush()
    #expect(try readBytes(path) == bytes)
    #expect(writer.append(AuditFileChange(.superseded, .sample, of: "A")) == writer.recordCount)
  }

  @Test("Short and interrupted writes give the same file", arguments: [1, 7, 100])
  func shortWrites(length: Int) throws {
    var calls = 0
    var operations = AuditFileOperations.system
    operations.write = { descriptor, bytes, offset in
      calls += 1
      if calls % 3 == 0 { return .failure(EINTR) }
      let count = pwrite(descriptor, bytes.baseAddress, min(length, bytes.count), off_t(offset))
      return count < 0 ? .failure(errno) : .success(count)
    }
    let folders = (TemporaryFolder(), TemporaryFolder())
    let (short, shortPath, first) = try writer(folders.0, operations: operations)
    let (whole, wholePath, second) = try writer(folders.1)
    defer {
      closeFile(first)
      closeFile(second)
    }
    for writer in [short, whole] {
      SampleLog.fill(writer, items: 2)
      try writer.flush()
    }
    #expect(try readBytes(shortPath) == readBytes(wholePath))
    #expect(short.head == whole.head)
  }

  @Test(
    "A full disk is said, loses nothing, and is over when there is room",
    arguments: [0, 1, 500]
  )
  func noSpace(room: Int) throws {
    var left = room
    var operations = AuditFileOperations.system
    operations.write = { descriptor, bytes, offset in
      guard left > 0 else { return .failure(ENOSPC) }
      let count = pwrite(descriptor, bytes.baseAddress, min(left, bytes.count), off_t(offset))
      left -= max(0, count)
      return count < 0 ? .failure(errno) : .success(count)
    }
    let folder = TemporaryFolder()
    let (writer, path, descriptor) = try writer(folder, operations: operations)
    defer { closeFile(descriptor) }
    writer.append(AuditFileChange(.superseded, .sample, of: "A"))
    for _ in 0..<2 {
      let error = #expect(throws: AuditError.self) { try writer.flush() }
      #expect(error?.code == .noSpace && error?.errorNumber == ENOSPC)
      #expect(writer.flushedByteCount == 0)
      left = room / 2
    }
    left = .max
    SampleLog.fill(writer, items: 2)
    try writer.flush()
    let result = try AuditVerifier.verify(
      [AuditFile(name: writer.file.text, bytes: try readBytes(path))],
      expectations: [writer.takePosition()],
      expectedHead: writer.head
    )
    #expect(result.difference == nil && result.records == writer.recordCount)
  }

  @Test("The kernel's own full device is no space")
  func fullDevice() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { closeFile(descriptor) }
    let name = try #require(AuditFileName(number: 1, run: "run"))
    let writer = AuditWriter(
      descriptor: descriptor,
      file: name,
      previous: nil,
      tree: AuditTree(),
      opening: SampleLog.opening
    )
    let error = #expect(throws: AuditError.self) { try writer.flush() }
    #expect(error?.code == .noSpace)
  }

  @Test("After a refused flush only a new descriptor goes on, and writes everything again")
  func refusedFlush() throws {
    var isRefused = false
    var operations = AuditFileOperations.system
    operations.synchronize = { descriptor, _ in isRefused ? EIO : fdatasync(descriptor) }
    let folder = TemporaryFolder()
    let (writer, path, descriptor) = try writer(folder, operations: operations)
    defer { closeFile(descriptor) }
    try writer.flush()
    let flushed = writer.flushedByteCount
    SampleLog.fill(writer, items: 1)
    isRefused = true
    let error = #expect(throws: AuditError.self) { try writer.flush() }
    #expect(error?.code == .cannotFlush && error?.errorNumber == EIO)
    isRefused = false
    #expect(throws: AuditError.self) { try writer.flush() }
    #expect(writer.flushedByteCount == flushed)
    // What the kernel may have done: the pages are gone.
    #expect(truncate(path, off_t(flushed)) == 0)
    let second = open(path, O_RDWR | O_CLOEXEC)
    try #require(second >= 0)
    defer { closeFile(second) }
    writer.use(descriptor: second)
    try writer.flush()
    let result = try AuditVerifier.verify(
      [AuditFile(name: writer.file.text, bytes: try readBytes(path))],
      expectations: [writer.takePosition()]
    )
    #expect(result.difference == nil && result.records == writer.recordCount)
  }

  @Test("A file with bytes, or one that appends, is refused")
  func notNewFile() throws {
    let folder = TemporaryFolder()
    let (first, _, descriptor) = try writer(folder, flags: O_APPEND)
    defer { closeFile(descriptor) }
    #expect(throws: AuditError(.notNewFile, file: first.file.text)) { try first.flush() }
    let other = TemporaryFolder()
    let (second, path, two) = try writer(other)
    defer { closeFile(two) }
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let again = open(path, O_RDWR | O_CLOEXEC)
    try #require(again >= 0)
    defer { closeFile(again) }
    second.use(descriptor: again)
    #expect(throws: AuditError(.notNewFile, file: second.file.text)) { try second.flush() }
    #expect(try readBytes(path) == [1])
  }

  @Test("A file that another program has emptied gets no hole")
  func emptied() throws {
    let folder = TemporaryFolder()
    let (writer, path, descriptor) = try writer(folder)
    defer { closeFile(descriptor) }
    try writer.flush()
    #expect(truncate(path, 0) == 0)
    SampleLog.fill(writer, items: 1)
    #expect(throws: AuditError(.notNewFile, file: writer.file.text)) { try writer.flush() }
    #expect(try readBytes(path).isEmpty)
  }

  @Test(
    "Nothing is written by a clock before 1970 or after 9998",
    arguments: [-1, 253_370_764_800_000_000] as [Int64]
  )
  func badClock(time: Int64) throws {
    let folder = TemporaryFolder()
    let (writer, path, descriptor) = try writer(folder, time: time)
    defer { closeFile(descriptor) }
    #expect(throws: AuditError(.badClock, file: writer.file.text)) { try writer.flush() }
    #expect(try readBytes(path).isEmpty)
  }

  @Test("A closed descriptor is an error, not a crash")
  func closedDescriptor() throws {
    let name = try #require(AuditFileName(number: 1, run: "run"))
    let writer = AuditWriter(
      descriptor: -1,
      file: name,
      previous: nil,
      tree: AuditTree(),
      opening: SampleLog.opening
    )
    let error = #expect(throws: AuditError.self) { try writer.flush() }
    #expect(error?.code == .cannotWrite && error?.errorNumber == EBADF)
    #expect(error?.description.contains("000001-run.ndjson") == true)
  }

  @Test("The time is what another program makes of it")
  func time() throws {
    #expect(AuditTime(microseconds: 0).text == "1970-01-01T00:00:00.000000Z")
    #expect(AuditTime(microseconds: -1).text == "1969-12-31T23:59:59.999999Z")
    #expect(AuditTime(microseconds: 1_763_689_479_123_456).text == "2025-11-21T01:44:39.123456Z")
    var seconds: [Int64] = []
    for index in 0..<400 { seconds.append(-2_208_988_800 + Int64(index) * 86_400 * 119 + 4321) }
    let folder = TemporaryFolder()
    let list = folder.path + "/list"
    try Data(seconds.map { "@\($0)\n" }.joined().utf8).write(to: URL(fileURLWithPath: list))
    let result = try Tool.run("date", ["-u", "-f", list, "+%Y-%m-%dT%H:%M:%S"])
    let lines = result.output.split(separator: "\n").map { "\($0).000000Z" }
    #expect(lines == seconds.map { AuditTime(microseconds: $0 * 1_000_000).text })
    let before = Int64(Glibc.time(nil))
    let now = AuditTime.now.microseconds / 1_000_000
    #expect(now >= before - 1 && now <= Int64(Glibc.time(nil)) + 1)
    for extreme in [Int64.min, Int64.max] { _ = AuditTime(microseconds: extreme).text }
  }
}

extension OutputFile {
  static let sample = OutputFile(
    path: ItemPath(bytes: Array("Originals/2026-11-21/014439.123456/Harbour.jpg".utf8)),
    sha256: String(repeating: "ef", count: 32),
    bytes: 4100
  )
}
