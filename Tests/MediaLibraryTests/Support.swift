import GRDB
import MediaTestSupport

@testable import MediaLibrary

func errorCode(_ body: () throws -> Void) -> LibraryError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LibraryError)?.code
  }
}

/// What the sqlite3 program says, which did not write the file.
func sqlite(_ path: String, _ sql: String) throws -> String {
  let result = try Tool.run("sqlite3", ["-readonly", path, sql])
  return result.status == 0 ? result.output : "failed: \(result.error)"
}

extension Catalogue {
  /// The number of assets that are not superseded.
  func assetCount() throws(LibraryError) -> Int {
    try read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM assets WHERE superseded = 0") ?? 0
    }
  }
}
