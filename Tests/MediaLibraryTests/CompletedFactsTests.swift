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

  @Test("A place is none, known, or stated and not understood, whichever of a file and its sidecars says it")
  func places() {
    let known = MediaDescription.Place(latitude: 1, longitude: 2)
    func completed(
      _ own: (MediaDescription.Place?, Bool),
      _ beside: (MediaDescription.Place?, Bool)
    ) -> Facts {
      func described(_ place: (MediaDescription.Place?, Bool)) -> MediaDescription {
        var description = MediaDescription()
        (description.place, description.statesPlace) = place
        return description
      }
      var facts = Facts(format: .jpeg)
      facts.description = described(own)
      return facts.completed(
        path: ItemPath(bytes: Array("a.jpg".utf8)),
        modified: 0,
        saved: 1_780_000_000_000_000,
        rules: DateRules(),
        sidecars: [described(beside)]
      )
    }
    let none: (MediaDescription.Place?, Bool) = (nil, false)
    for (own, beside, place, tag) in [
      (none, none, nil, nil), ((nil, true), none, nil, "stated"), (none, (nil, true), nil, "stated"),
      ((known, true), (nil, true), known, nil), ((nil, true), (known, true), known, nil),
    ]
      as [(
        (MediaDescription.Place?, Bool), (MediaDescription.Place?, Bool), MediaDescription.Place?, String?
      )]
    {
      let facts = completed(own, beside)
      #expect(facts.description?.place == place && facts.description?.placeTag == tag)
      #expect(facts.hasLocation == (place != nil || tag != nil))
      // A stripped file has what the file itself had, in a form that is understood.
      let kept = facts.publishable(under: StripOptions(except: [.location]))
      #expect(kept.hasLocation == (own.0 != nil) && kept.description?.place == own.0)
      let coarse = StripOptions(except: [.location], isLocationCoarse: true)
      #expect(!facts.publishable(under: coarse).hasLocation)
    }
  }
}
