import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPermissions

@Suite("Marks of open files")
struct OpenFilesMarkTests {
  @Test("Who waits for a source waits for its mark, and for no other")
  func waits() throws {
    let folder = TemporaryFolder()
    let store = Array("\(folder.path)/answers.sqlite".utf8)
    try AnswerStore(at: store, mode: .create).close()
    func isFree(_ client: String, _ source: SourceKind) -> Bool {
      OpenFilesMark.waitForRuns(of: client, source: source, store: store, seconds: 0)
    }
    var mark = try OpenFilesMark(store: store, client: "org.example.a")
    #expect(isFree("org.example.a", .camera))
    mark.mark([.camera, .microphone])
    #expect(!isFree("org.example.a", .camera) && !isFree("org.example.a", .microphone))
    #expect(isFree("org.example.a", .library) && isFree("org.example.b", .camera))
    // Another run of the same client.
    var other = try OpenFilesMark(store: store, client: "org.example.a")
    other.mark([.camera])
    mark.mark([])
    #expect(!isFree("org.example.a", .camera) && isFree("org.example.a", .microphone))
    other.mark([])
    #expect(isFree("org.example.a", .camera))
  }

  @Test(
    "The store can be changed while files are marked, and not while files are opened",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func leavesTheStoreAlone() throws {
    let folder = TemporaryFolder()
    let path = Array("\(folder.path)/answers.sqlite".utf8)
    let store = try AnswerStore(at: path, mode: .create)
    var mark = try OpenFilesMark(store: path, client: "org.example.a")
    mark.mark(Set(SourceKind.allCases))
    let reader = try AnswerStore(at: path, mode: .readOnly)
    let counter = try reader.changeCounter()
    #expect(try reader.whileUnchanged(since: counter) { 1 } == 1)
    try store.record(answer(.denied))
    #expect(try reader.whileUnchanged(since: counter) { 1 } == nil)
    // Until a reader has finished, nothing is committed.
    let change = [String(decoding: path, as: UTF8.self), "DELETE FROM answers"]
    let now = try reader.changeCounter()
    let held = try reader.whileUnchanged(since: now) {
      Result { try Tool.run("sqlite3", change) }
    }
    #expect(try #require(held).get().error.contains("locked"))
    #expect(try Tool.run("sqlite3", change).status == 0)
  }
}
