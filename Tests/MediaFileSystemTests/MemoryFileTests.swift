import Glibc
import MediaFileSystem
import Testing

@Suite("Files in memory")
struct MemoryFileTests {
  private func content(_ file: Descriptor) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0xEE, count: 64)
    let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return Array(buffer.prefix(count))
  }

  @Test("What was written is read, and gone when the file is cleared")
  func clears() throws {
    let file = try MemoryFile()
    #expect(try content(file.readable) == [])
    try file.append([1, 2, 3])
    try file.append([4])
    #expect(try content(file.readable) == [1, 2, 3, 4])
    #expect(try file.readable.status().kind == .regular)
    #expect(try file.readable.status().size == 4)
    try file.clear()
    try file.append([9])
    #expect(try content(file.readable) == [9])
    #expect(try content(MemoryFile().readable) == [])
  }

  @Test("Who has the readable descriptor can neither write nor cut the file")
  func readsOnly() throws {
    let file = try MemoryFile()
    try file.append([1, 2, 3])
    let raw = file.readable.raw
    #expect(write(raw, "x", 1) == -1 && errno == EBADF)
    #expect(ftruncate(raw, 0) == -1)
    #expect(mmap(nil, 3, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0) == MAP_FAILED)
    // Root may open what it likes.
    if geteuid() != 0 {
      #expect(open("/proc/self/fd/\(raw)", O_RDWR) == -1 && errno == EACCES)
    }
    #expect(lseek(raw, 2, SEEK_SET) == 2)
    try file.clear()
    #expect(lseek(raw, 0, SEEK_CUR) == 0)
    #expect(try content(file.readable) == [])
  }
}
