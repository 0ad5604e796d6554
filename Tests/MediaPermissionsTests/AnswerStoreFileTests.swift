import Foundation
import Glibc
import MediaModel
import MediaPermissions
import MediaTestSupport
import Testing

@Suite("The file of stored answers")
struct AnswerStoreFileTests {
  @Test("File, folder and journal are their owner's alone")
  func modes() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.authorized)) }
    #expect(scene.mode(scene.path) == 0o600)
    #expect(scene.mode(scene.folder) == 0o700)
    #expect(scene.mode(scene.root.path + "/data") == 0o700)
    // Another program in the middle of a change: what it has beside the file.
    let result = try Tool.run(
      "sqlite3",
      [
        scene.path, "BEGIN IMMEDIATE", "UPDATE answers SET decidedAt = 3",
        ".shell stat -c %a '\(scene.path)-journal'", "ROLLBACK",
      ]
    )
    #expect(result.output == "600\n", "\(result.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["answers.sqlite"])
  }

  @Test(
    "A file that others can read or write is refused with the command that mends it",
    arguments: [0o604, 0o640, 0o660, 0o606, 0o610, 0o700, 0o4600] as [mode_t]
  )
  func wideFile(mode: mode_t) throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.denied)) }
    chmod(scene.path, mode)
    let failures = [AnswerStore.Mode.create, .existing, .readOnly].map { scene.failure($0) }
    for failure in failures {
      #expect(failure?.code == .fileNotSafe)
      #expect(failure?.description.hasSuffix(" after `chmod 600 \(scene.path)`.") == true)
    }
    // Nothing was mended behind the person's back.
    #expect(scene.mode(scene.path) == mode)
    chmod(scene.path, 0o600)
    #expect(scene.failure() == nil)
  }

  @Test(
    "A folder that others can write is refused",
    arguments: [0o720, 0o702, 0o777, 0o1777] as [mode_t]
  )
  func wideFolder(mode: mode_t) throws {
    let scene = StoreScene()
    try scene.with { _ in }
    chmod(scene.folder, mode)
    for opening in [AnswerStore.Mode.create, .existing, .readOnly] {
      let failure = scene.failure(opening)
      #expect(failure?.code == .folderNotSafe)
      #expect(failure?.description.hasSuffix(" after `chmod go-w \(scene.folder)`.") == true)
    }
    chmod(scene.folder, 0o755)
    #expect(scene.failure() == nil)
  }

  @Test("A folder above that others can write is refused, unless they cannot rename in it")
  func wideFolderAbove() throws {
    let scene = StoreScene()
    try scene.with { _ in }
    chmod(scene.root.path + "/data", 0o777)
    #expect(scene.failure()?.code == .folderNotSafe)
    chmod(scene.root.path + "/data", 0o1777)
    #expect(scene.failure() == nil)
  }

  @Test("What belongs to another user is refused", .enabled(if: getuid() == 0, "needs root"))
  func foreign() throws {
    let scene = StoreScene()
    try scene.with { _ in }
    chown(scene.path, 4711, 0)
    #expect(scene.failure()?.code == .foreign)
    chown(scene.path, 0, 0)
    chown(scene.root.path + "/data", 4711, 0)
    #expect(scene.failure()?.code == .foreign)
    chown(scene.root.path + "/data", 0, 0)
    #expect(scene.failure() == nil)
    chown(scene.folder, 4711, 0)
    for mode in [AnswerStore.Mode.create, .existing, .readOnly] {
      #expect(scene.failure(mode)?.code == .foreign)
    }
  }

  @Test("A link, a folder or a FIFO in its place is refused, and nothing is followed or waited for")
  func notAFile() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.denied)) }
    let elsewhere = scene.root.path + "/elsewhere"
    try FileManager.default.moveItem(atPath: scene.path, toPath: elsewhere)
    let makers: [() throws -> Void] = [
      { symlink(elsewhere, scene.path) }, { symlink("/nowhere", scene.path) },
      { mkdir(scene.path, 0o700) }, { mkfifo(scene.path, 0o600) },
    ]
    for make in makers {
      try make()
      for mode in [AnswerStore.Mode.create, .existing, .readOnly] {
        #expect(scene.failure(mode)?.code == .fileNotSafe)
      }
      remove(scene.path)
    }
  }

  @Test("What SQLite would open beside it is no link and no FIFO, which is not waited for")
  func notBesideIt() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.denied)) }
    for end in ["-journal", "-wal", "-shm"] {
      let path = scene.path + end
      let makers: [() -> Void] = [
        { symlink("/nowhere", path) }, { mkdir(path, 0o700) }, { mkfifo(path, 0o600) },
      ]
      for make in makers {
        make()
        for mode in [AnswerStore.Mode.create, .existing, .readOnly] {
          #expect(scene.failure(mode)?.code == .fileNotSafe, "\(end)")
          #expect(scene.failure(mode)?.description.contains(path) == true)
        }
        remove(path)
      }
    }
  }

  @Test("A path with what an address or a shell would read otherwise is a path like any other")
  func oddPath() throws {
    let root = TemporaryFolder()
    let folder = [UInt8]("\(root.path)/a b?mode=memory&x=#%41'".utf8) + [0xFF]
    let path = folder + [UInt8]("/answers.sqlite".utf8)
    let store = try AnswerStore(at: path, mode: .create)
    try store.record(answer(.denied))
    store.close()
    let reopened = try AnswerStore(at: path, mode: .readOnly)
    #expect(try reopened.answers().map(\.status) == [.denied])
    #expect(reopened.path == path)
    reopened.close()
  }

  @Test("A path that is not absolute, or names no file, is refused")
  func relativePath() {
    for path in ["", "answers.sqlite", "/tmp/"] {
      #expect {
        _ = try AnswerStore(at: [UInt8](path.utf8), mode: .create)
      } throws: {
        ($0 as? StoreError)?.code == .noPlace
      }
    }
  }
}
