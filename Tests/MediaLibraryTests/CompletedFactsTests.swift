import MediaModel
import Testing

@testable import MediaLibrary

@Suite("Facts with what names and sidecars say")
struct CompletedFactsTests {
  @Test(
    "A sidecar's date comes behind the file's own and before its name's, and its words before the file's"
  )
  func facts() {
    var facts = Facts(format: .jpeg)
    var own = MediaDescription()
    own.rating = 2
    own.keywords = ["own"]
    own.caption = "own"
    facts.description = own
    var first = MediaDescription()
    first.dates = [
      CaptureDate(local: "2018-01-02T03:04:05", offsetMinutes: 60, tag: "xmp:CreateDate")
    ]
    first.rating = 5
    var second = MediaDescription()
    second.rating = 1
    second.keywords = ["second"]
    func completed(_ facts: Facts, _ sidecars: [MediaDescription]) -> Facts {
      facts.completed(
        path: ItemPath(bytes: Array("IMG_20190704_101530.jpg".utf8)),
        modified: 0,
        saved: 1_780_000_000_000_000,
        rules: DateRules(),
        sidecars: sidecars
      )
    }
    #expect(completed(facts, []).creationDate?.tag == "fileName")
    let both = completed(facts, [first, second])
    #expect(
      both.creationDate
        == CaptureDate(local: "2018-01-02T03:04:05", offsetMinutes: 60, tag: "sidecar:xmp:CreateDate")
    )
    #expect(both.creationDate?.isOwn == false)
    #expect(both.description?.rating == 5)
    #expect(both.description?.keywords == ["second"])
    #expect(both.description?.caption == "own")
    facts.description?.dates = [
      CaptureDate(local: "2017-01-02T03:04:05", offsetMinutes: nil, tag: "DateTime")
    ]
    #expect(completed(facts, [first]).creationDate?.tag == "DateTime")
  }
}
