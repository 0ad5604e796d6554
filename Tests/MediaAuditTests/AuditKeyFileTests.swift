import Dispatch
import Glibc
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// The signing key lies where nobody else can read or change it, or it is not used.
struct AuditKeyFileTests {
  private func code(_ body: () throws -> Void) -> AuditKeyError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AuditKeyError)?.code
    }
  }

  private func path(_ folder: TemporaryFolder, _ name: String = "a/b/audit.key") -> [UInt8] {
    Array((folder.path + "/" + name).utf8)
  }

  @Test("A key is made once, for its owner alone, and read again")
  func makesKey() throws {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o700)
    let old = umask(0)
    defer { umask(old) }
    #expect(code { _ = try AuditKeyFile(path: path(folder), makesFolder: false) } == .missing)
    let file = try AuditKeyFile(path: path(folder), makesFolder: true)
    #expect(code { _ = try file.read() } == .missing)
    var madeCount = 0
    let key = try file.readOrMake { madeCount += 1 }.verifierKey
    #expect(try file.readOrMake { madeCount += 1 }.verifierKey == key && madeCount == 1)
    var status = stat()
    #expect(stat(folder.path + "/a/b/audit.key", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(stat(folder.path + "/a/b", &status) == 0 && status.st_mode & 0o777 == 0o700)

    let next = try file.rotate()
    let read = try file.read()
    #expect(read.verifierKey == next.verifierKey && read.rotations.count == 1)
    #expect(stat(folder.path + "/a/b/audit.key", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
  }

  @Test("Rotations at once wait for each other, and none is lost")
  func rotatesAtOnce() throws {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o700)
    let place = path(folder)
    let key = try AuditKeyFile(path: place, makesFolder: true).readOrMake().verifierKey
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      _ = try? AuditKeyFile(path: place, makesFolder: false).rotate()
    }
    let last = try AuditKeyFile(path: place, makesFolder: false).read()
    #expect(last.rotations.count == 8 && last.verifierKey != key)
  }

  @Test("What others can read or write, a link, or another file is no key")
  func notSafe() throws {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o700)
    let name = folder.path + "/audit.key"
    let file = try AuditKeyFile(path: path(folder, "audit.key"), makesFolder: true)
    _ = try file.readOrMake()
    for mode: mode_t in [0o640, 0o604, 0o620, 0o602, 0o660, 0o666, 0o644, 0o700, 0o4600] {
      chmod(name, mode)
      #expect(code { _ = try file.read() } == .notSafe, "\(mode)")
      #expect(code { _ = try file.readOrMake() } == .notSafe, "\(mode)")
    }
    // The advice is about this key and not about the user's own.
    let error = #expect(throws: AuditKeyError.self) { try file.read() }
    let command = "`mediabatch audit key rotate --key \(ShellWord.quoted(name))`"
    #expect(error?.description.contains(command) == true)
    chmod(name, 0o600)
    #expect(code { _ = try file.read() } == nil)
    rename(name, folder.path + "/other")
    symlink("other", name)
    #expect(code { _ = try file.read() } == .notSafe)
    unlink(name)
    mkfifo(name, 0o600)
    #expect(code { _ = try file.read() } == .notSafe)
    unlink(name)
    mkdir(name, 0o600)
    #expect(code { _ = try file.read() } == .notSafe)
    rmdir(name)
    for mode: mode_t in [0o720, 0o702, 0o777] {
      chmod(folder.path, mode)
      #expect(
        code { _ = try AuditKeyFile(path: path(folder, "audit.key"), makesFolder: false) }
          == .notSafe
      )
    }
    chmod(folder.path, 0o700)
    try writeFile(name, Array("no key\n".utf8))
    #expect(code { _ = try file.read() } == .notAKey)
  }

  @Test(
    "Another user's key is not believed",
    .enabled(if: geteuid() == 0, "needs root to make another user's file")
  )
  func foreign() throws {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o700)
    let file = try AuditKeyFile(path: path(folder, "audit.key"), makesFolder: true)
    _ = try file.readOrMake()
    chown(folder.path + "/audit.key", 12345, 12345)
    #expect(code { _ = try file.read() } == .notSafe)
    chown(folder.path, 12345, 12345)
    #expect(code { _ = try AuditKeyFile(path: path(folder, "audit.key"), makesFolder: false) } == .notSafe)
  }
}
