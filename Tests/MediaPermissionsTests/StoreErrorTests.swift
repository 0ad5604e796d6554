import GRDB
import MediaModel
import Testing

@testable import MediaPermissions

@Suite("What SQLite says of stored answers")
struct StoreErrorTests {
  private let path = [UInt8]("/home/answers.sqlite".utf8)

  @Test("Memory that ran out is no damage: nobody is told to move the answers away")
  func memory() {
    let error = StoreError(DatabaseError(resultCode: .SQLITE_NOMEM, message: "out of memory"), path: path)
    #expect(error.code == .cannotRead)
    #expect(error.exitCode == .cannotWrite)
    #expect(!error.description.contains("damaged") && !error.description.contains("move it away"))
  }

  @Test(
    "Each refusal of SQLite has its own code",
    arguments: [
      (ResultCode.SQLITE_BUSY, StoreError.Code.busy), (.SQLITE_LOCKED, .busy), (.SQLITE_FULL, .outOfSpace),
      (.SQLITE_READONLY, .notWritable), (.SQLITE_CANTOPEN, .notWritable), (.SQLITE_IOERR, .notWritable),
      (.SQLITE_NOTADB, .notAStore), (.SQLITE_CORRUPT, .damaged), (.SQLITE_ERROR, .damaged),
    ]
  )
  func codes(result: ResultCode, code: StoreError.Code) {
    #expect(StoreError(DatabaseError(resultCode: result), path: path).code == code)
  }
}
