import Foundation
import Glibc
import MediaModel
import MediaTestSupport

@testable import MediaPermissions

/// A data folder of a test's own, with a store in it once one is made.
struct StoreScene {
  let root = TemporaryFolder()

  var folder: String { root.path + "/data/mediabatch" }
  var path: String { folder + "/answers.sqlite" }

  func open(_ mode: AnswerStore.Mode = .create) throws -> AnswerStore {
    try AnswerStore(at: [UInt8](path.utf8), mode: mode)
  }

  /// Opens, does something, and closes like a process that ends.
  @discardableResult
  func with<Value>(
    _ mode: AnswerStore.Mode = .create,
    _ body: (AnswerStore) throws -> Value
  ) throws -> Value {
    let store = try open(mode)
    defer { store.close() }
    return try body(store)
  }

  /// What the sqlite3 program says, which did not write the file.
  @discardableResult
  func sqlite(_ sql: String) throws -> String {
    let result = try Tool.run("sqlite3", [path, sql])
    return result.status == 0
      ? result.output.trimmingCharacters(in: .newlines) : "failed: \(result.error)"
  }

  func mode(_ path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  /// Whose file it is, and where it is, as a store that was opened there says.
  func failure(_ mode: AnswerStore.Mode = .existing) -> StoreError? {
    do {
      try open(mode).close()
      return nil
    } catch {
      return error as? StoreError
    }
  }
}

func binding(
  _ source: SourceID = .library,
  _ level: AccessLevel = .readWrite,
  client: String = "org.example.feed"
) -> AnswerBinding {
  AnswerBinding(
    client: client,
    source: source,
    level: level,
    usageTextSHA256: String(repeating: "ab", count: 32),
    folder: FolderIdentity(path: [UInt8]("/media/Photos".utf8), device: 7, inode: .max),
    manifestPath: [UInt8]("/home/a/manifest.json".utf8)
  )
}

func answer(
  _ status: AuthorizationStatus,
  _ binding: AnswerBinding = binding(),
  selection: [String] = [],
  expiresAt: Int64? = nil,
  isForOneRun: Bool = false,
  reason: AnswerReason = .userSet,
  shownCount: Int = 0
) -> StoredAnswer {
  StoredAnswer(
    binding: binding,
    status: status,
    selection: selection,
    reason: reason,
    decidedAt: 1_795_000_000,
    expiresAt: expiresAt,
    isForOneRun: isForOneRun,
    shownCount: shownCount
  )
}
