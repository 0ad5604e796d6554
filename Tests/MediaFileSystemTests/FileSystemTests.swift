import Foundation
import Glibc
import MediaFileSystem
import MediaTestSupport
import Synchronization
import Testing

@Suite("File system")
struct FileSystemTests {
  private let scratch = TemporaryFolder()

  private func root() throws -> Descriptor { try FileSystem.openFolder(Array(scratch.path.utf8)) }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func make(_ name: [UInt8], in folder: Descriptor, holding text: String = "") throws {
    let file = try FileSystem.createFile(in: folder, name)
    try Array(text.utf8).withUnsafeBytes { try file.write($0) }
  }

  private func code(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return 0
    } catch {
      return (error as? FileSystemError)?.errno ?? -1
    }
  }

  @Test("Folders are made once, and few of many are open")
  func openFolders() throws {
    let root = try root()
    var folders = OpenFolders()
    let folder = try folders.folder(in: root, ["a", "b"])
    let again = try folders.folder(in: root, ["a", "b"])
    #expect(again === folder)
    let ofOther = try folders.folder(in: root, named: "other", ["a", "b"])
    #expect(ofOther !== folder)
    for number in 0..<100 { _ = try folders.folder(in: root, ["days", String(number)]) }
    let days = try FileSystem.entries(of: FileSystem.openFolder(bytes(scratch.path + "/days")))
    #expect(days.count == 100)
    let reopened = try folders.folder(in: root, ["a", "b"])
    #expect(reopened !== folder, "the first were closed")
    try make(bytes("file"), in: root)
    let refusal = code { _ = try folders.folder(in: root, ["file"]) }
    #expect(refusal == ENOTDIR)
  }

  @Test(
    "Names are bytes: twins under Unicode, no UTF-8, 255 bytes, control characters, all kept apart"
  )
  func namesAsBytes() throws {
    let root = try root()
    let names: [[UInt8]] = [
      bytes("caf\u{E9}"), bytes("cafe\u{301}"), [0xFF, 0xFE], [0xC3], bytes("a\nb"),
      bytes("\u{1B}[31m"), bytes("-rf"), bytes("msl:x.jpg"), bytes("x.jpg[0]"), bytes("%41"),
      bytes(" "), bytes("..."), Array(repeating: UInt8(ascii: "n"), count: 255),
    ]
    for (index, name) in names.enumerated() { try make(name, in: root, holding: "\(index)") }
    #expect(Set(try FileSystem.entries(of: root).map(\.name)) == Set(names))
    for (index, name) in names.enumerated() {
      let file = try FileSystem.openForReading(beneath: root, name, crossMounts: false)
      var buffer = [UInt8](repeating: 0, count: 10)
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
      #expect(Array(buffer.prefix(count)) == bytes("\(index)"))
      #expect(try FileSystem.status(in: root, name: name).kind == .regular)
    }
    let tooLong = Array(repeating: UInt8(ascii: "n"), count: 256)
    #expect(code { try make(tooLong, in: root) } == ENAMETOOLONG)
  }

  @Test("No symbolic link is followed, at the end or on the way, and no way leads out")
  func beneath() throws {
    let outside = TemporaryFolder()
    try Data("secret".utf8).write(to: URL(fileURLWithPath: outside.path + "/secret"))
    let root = try root()
    try FileSystem.makeFolder(in: root, bytes("d"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.path + "/d/f"))
    symlink("d", scratch.path + "/folderLink")
    symlink("d/f", scratch.path + "/fileLink")
    symlink(outside.path, scratch.path + "/outLink")
    symlink("/proc/self/root", scratch.path + "/magic")
    for path in ["folderLink/f", "fileLink", "outLink/secret", "magic\(outside.path)/secret"] {
      #expect(
        code {
          _ = try FileSystem.openForReading(beneath: root, bytes(path), crossMounts: true)
        } == ELOOP,
        "\(path)"
      )
      #expect(code { _ = try FileSystem.openPath(beneath: root, bytes(path)) } == ELOOP, "\(path)")
    }
    for path in ["../\((outside.path as NSString).lastPathComponent)/secret", "/etc/passwd", ".."] {
      #expect(
        code {
          _ = try FileSystem.openForReading(beneath: root, bytes(path), crossMounts: true)
        } == EXDEV,
        "\(path)"
      )
    }
    _ = try FileSystem.openForReading(beneath: root, bytes("d/f"), crossMounts: false)
    #expect(try FileSystem.status(in: root, name: bytes("fileLink")).kind == .symbolicLink)
  }

  @Test(
    "Another file system is entered only when asked",
    .enabled(if: FileSystem.exists(Array("/dev/shm".utf8)), "no /dev/shm")
  )
  func otherFileSystem() throws {
    let slash = try FileSystem.openFolder(bytes("/"))
    #expect(
      code { _ = try FileSystem.openPath(beneath: slash, bytes("dev/shm"), crossMounts: false) }
        == EXDEV
    )
    _ = try FileSystem.openPath(beneath: slash, bytes("dev/shm"), crossMounts: true)
  }

  @Test("A FIFO makes nobody wait, and is nothing to read", .timeLimit(.minutes(1)))
  func fifo() throws {
    let root = try root()
    mkfifo(scratch.path + "/fifo", 0o644)
    let opened = try FileSystem.openForReading(beneath: root, bytes("fifo"), crossMounts: false)
    #expect(try opened.status().kind == .other)
    #expect(code { _ = try FileSystem.readSmallFile(bytes(scratch.path + "/fifo"), limit: 10) } == EINVAL)
  }

  @Test("Renaming, linking and making replace nothing")
  func noReplace() throws {
    let root = try root()
    try make(bytes("a"), in: root, holding: "a")
    try make(bytes("b"), in: root, holding: "b")
    try FileSystem.makeFolder(in: root, bytes("e"))
    #expect(code { try FileSystem.rename(from: root, bytes("a"), to: root, bytes("b")) } == EEXIST)
    #expect(code { try FileSystem.rename(from: root, bytes("a"), to: root, bytes("e")) } == EEXIST)
    #expect(code { try FileSystem.link(from: root, bytes("a"), to: root, bytes("b")) } == EEXIST)
    #expect(code { _ = try FileSystem.createFile(in: root, bytes("b")) } == EEXIST)
    #expect(try !FileSystem.makeFolder(in: root, bytes("e")))
    symlink("nowhere", scratch.path + "/dangling")
    #expect(code { _ = try FileSystem.createFile(in: root, bytes("dangling")) } == EEXIST)
    #expect(code { try FileSystem.rename(from: root, bytes("a"), to: root, bytes("dangling")) } == EEXIST)
    #expect(try readBytes(scratch.path + "/b") == bytes("b"))
    try FileSystem.rename(from: root, bytes("a"), to: root, bytes("c"))
    #expect(try readBytes(scratch.path + "/c") == bytes("a"))
  }

  @Test("Emptying a folder removes links and never what they lead to, however deep")
  func emptying() throws {
    let outside = TemporaryFolder()
    try Data("keep".utf8).write(to: URL(fileURLWithPath: outside.path + "/keep"))
    let root = try root()
    for path in ["a", "a/b", "a/b/c"] {
      mkdir(scratch.path + "/" + path, 0o755)
      symlink(outside.path, scratch.path + "/" + path + "/link")
      symlink(outside.path + "/keep", scratch.path + "/" + path + "/file")
      try Data().write(to: URL(fileURLWithPath: scratch.path + "/\(path)/x"))
    }
    link(outside.path + "/keep", scratch.path + "/hard")
    mkfifo(scratch.path + "/fifo", 0o644)
    try FileSystem.empty(root)
    #expect(try FileSystem.entries(of: root).isEmpty)
    #expect(try readBytes(outside.path + "/keep") == bytes("keep"))
    try FileSystem.empty(root)
  }

  @Test("What is not there: removing it is no error, opening it is missing")
  func missing() throws {
    let root = try root()
    try FileSystem.removeFile(in: root, bytes("none"))
    try FileSystem.removeFolder(in: root, bytes("none"))
    #expect(
      code {
        _ = try FileSystem.openForReading(beneath: root, bytes("none"), crossMounts: false)
      } == ENOENT
    )
    #expect(!FileSystem.exists(bytes(scratch.path + "/none")))
    #expect(FileSystem.resolved(bytes(scratch.path + "/none")) == nil)
  }

  @Test("A small file is read whole up to its limit", arguments: [0, 1, 9, 10, 11])
  func smallFile(_ length: Int) throws {
    let path = scratch.path + "/small"
    let content = (0..<length).map { UInt8($0) }
    try Data(content).write(to: URL(fileURLWithPath: path))
    if length <= 10 {
      #expect(try FileSystem.readSmallFile(bytes(path), limit: 10) == content)
    } else {
      #expect(code { _ = try FileSystem.readSmallFile(bytes(path), limit: 10) } == EFBIG)
    }
    #expect(code { _ = try FileSystem.readSmallFile(bytes(scratch.path), limit: 10) } == EINVAL)
  }

  @Test("A small file that has more bytes than its status says is read whole, or refused")
  func growingFile() throws {
    let path = "/proc/version"
    #expect(try FileSystem.status(ofPath: bytes(path)).size == 0)
    let content = try readBytes(path)
    #expect(content.count > 10)
    #expect(try FileSystem.readSmallFile(bytes(path), limit: content.count) == content)
    #expect(code { _ = try FileSystem.readSmallFile(bytes(path), limit: content.count - 1) } == EFBIG)
  }

  @Test("A signal does not end a pipe before somebody has written into it", .timeLimit(.minutes(1)))
  func interruptedPipe() throws {
    let path = scratch.path + "/fifo"
    mkfifo(path, 0o644)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    var before = sigaction()
    sigaction(SIGUSR2, &action, &before)
    defer { sigaction(SIGUSR2, &before, nil) }
    let reader = Mutex<pthread_t?>(nil)
    let content = Mutex<[UInt8]?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // A thread of libdispatch, from which this one may come, blocks signals.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      reader.withLock { $0 = pthread_self() }
      let bytes = try? FileSystem.readSmallStream(Array(path.utf8), limit: 100)
      content.withLock { $0 = bytes }
      ended.signal()
    }
    // Only those count that the thread gets.
    var count = 0
    while count < 10 {
      usleep(20_000)
      if let reader = reader.withLock(\.self) {
        pthread_kill(reader, SIGUSR2)
        count += 1
      }
    }
    #expect(content.withLock(\.self) == nil)
    // Opened for reading too, it does not wait for a reader that has ended.
    let writer = open(path, O_RDWR | O_CLOEXEC)
    #expect(write(writer, "late", 4) == 4)
    // A pipe that nobody has open any more has forgotten what was written.
    var unread: Int32 = 4
    let isRead = waits(seconds: 30) { ioctl(writer, UInt(FIONREAD), &unread) == 0 && unread == 0 }
    #expect(isRead)
    close(writer)
    ended.wait()
    #expect(content.withLock(\.self) == bytes("late"))
  }

  @Test("A time that nanoseconds since 1970 cannot tell is the nearest that they can")
  func farTimes() throws {
    // Memory keeps all 64 bits of the seconds.
    let file = try FileSystem.unlinkedFile(in: FileSystem.openFolder(bytes("/dev/shm")))
    let cases = [
      (20_000_000_000, Int64.max), (-20_000_000_000, Int64.min), (-1, -1_000_000_000),
    ]
    for (seconds, expected) in cases {
      let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      #expect(futimens(file.raw, times) == 0)
      #expect(try file.status().modified == expected)
    }
  }

  @Test("A file is read as it is, its long holes as zeros", arguments: [1000, 4096, 1 << 20])
  func sparse(_ room: Int) throws {
    let path = scratch.path + "/sparse"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for (offset, count) in [(0, 10), (5_000_000, 70_000), (5_200_000, 3)] as [(UInt64, Int)] {
      try handle.seek(toOffset: offset)
      try handle.write(contentsOf: Data(repeating: 0x61, count: count))
    }
    try handle.truncate(atOffset: 9_000_000)
    try handle.close()
    let file = try FileSystem.openForReading(beneath: root(), bytes("sparse"), crossMounts: true)
    var reader = SparseReader(file)
    var (content, holes) = ([UInt8](), 0)
    var buffer = [UInt8](repeating: 0xFF, count: room)
    while true {
      let offset = UInt64(content.count)
      let (count, isHole) = try buffer.withUnsafeMutableBytes { bytes in
        try reader.read(into: bytes, at: offset)
      }
      if count == 0 { break }
      content += buffer[..<count]
      if isHole { holes += count }
    }
    #expect(try Data(content) == Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(holes > 8_000_000 && holes <= 9_000_000 - 70_013, "\(holes)")
  }

  @Test(
    "A copy has the content of its file and no more blocks, on one file system and between two",
    .enabled(if: Tool.exists("cmp") && Tool.exists("stat"), "no cmp or stat"),
    arguments: ["9000000", "5200003", "0"]
  )
  func copies(_ length: String) throws {
    let path = scratch.path + "/sparse"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    if length != "0" {
      for (offset, count) in [(0, 10), (5_000_000, 70_000), (5_200_000, 3)] as [(UInt64, Int)] {
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(repeating: 0x61, count: count))
      }
      try handle.truncate(atOffset: try #require(UInt64(length)))
    }
    try handle.close()
    // Between two file systems the kernel may refuse to copy by itself.
    let shared = (TemporaryFolder.onOtherFileSystem ?? "") + "/mediabatch-test-" + UUID().uuidString
    let hasShared = TemporaryFolder.onOtherFileSystem != nil && mkdir(shared, 0o700) == 0
    defer { try? FileManager.default.removeItem(atPath: shared) }
    for folder in [scratch.path] + (hasShared ? [shared] : []) {
      let from = try FileSystem.openForReading(beneath: root(), bytes("sparse"), crossMounts: true)
      let to = try FileSystem.createFile(in: FileSystem.openFolder(bytes(folder)), bytes("copy"))
      #expect(try FileSystem.copy(from, to: to) == Int64(length))
      let compared = try Tool.run("cmp", [path, folder + "/copy"])
      #expect(compared.status == 0, "\(compared)")
      let blocks = try Tool.run("stat", ["-c", "%b", folder + "/copy"]).output
      #expect((Int(blocks.dropLast()) ?? .max) * 512 < 1_000_000, "\(blocks)")
    }
  }

  @Test("A status says what stat(1) says", .enabled(if: Tool.exists("stat"), "no stat"))
  func status() throws {
    let root = try root()
    try make(bytes("f"), in: root, holding: "12345")
    link(scratch.path + "/f", scratch.path + "/g")
    let status = try FileSystem.status(in: root, name: bytes("f"))
    let expected = try Tool.run("stat", ["-c", "%i %s %h %.9Y %.9Z", scratch.path + "/f"]).output
    func seconds(_ value: Int64) -> String {
      let fraction = String(value % 1_000_000_000)
      return "\(value / 1_000_000_000)."
        + String(repeating: "0", count: 9 - fraction.count) + fraction
    }
    #expect(
      "\(status.inode) \(status.size) \(status.linkCount) \(seconds(status.modified)) "
        + "\(seconds(status.changed))\n" == expected
    )
  }

  @Test("A descriptor is closed with its last reference")
  func closing() throws {
    func count() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    let root = try root()
    try make(bytes("f"), in: root)
    var kept: [Descriptor] = []
    for _ in 0..<200 {
      kept.append(try FileSystem.openForReading(beneath: root, bytes("f"), crossMounts: false))
      _ = try FileSystem.entries(of: root)
      _ = code { _ = try FileSystem.openFolder(bytes("/nowhere")) }
    }
    let raws = kept.map(\.raw)
    #expect(raws.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    let before = try count()
    kept = []
    // Other tests open and close files meanwhile.
    #expect(try count() < before - 100)
  }

  @Test("A lock is held by one open file, and freed when it closes")
  func lock() throws {
    let root = try root()
    var first: Descriptor? = try FileSystem.openOrCreate(in: root, bytes("lock"), mode: 0o644)
    let second = try FileSystem.openOrCreate(in: root, bytes("lock"), mode: 0o644)
    #expect(try first?.tryLock() == true)
    #expect(try !second.tryLock())
    first = nil
    // A program that another test starts at this moment has it too, until its exec.
    #expect(try waits { try second.tryLock() })
  }

  @Test("A full disk is told apart from other errors")
  func outOfSpace() throws {
    let full = try FileSystem.openDevice(bytes("/dev/full"))
    do {
      try bytes("x").withUnsafeBytes { try full.write($0) }
      Issue.record("written")
    } catch let error as FileSystemError {
      #expect(error.isOutOfSpace)
      #expect(!error.isMissing)
    }
    #expect(!FileSystemError(call: "x", path: [], errno: EACCES).isOutOfSpace)
    #expect(FileSystemError(call: "x", path: [], errno: EDQUOT).isOutOfSpace)
    #expect(FileSystemError(call: "x", path: [], errno: ENOTDIR).isMissing)
  }
}
