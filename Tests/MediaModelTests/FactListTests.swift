import Testing

@testable import MediaModel

@Suite("The list of facts")
struct FactListTests {
  @Test(
    "Each column and each word stands for one fact, and each place in a spreadsheet for one column"
  )
  func unique() {
    let columns = FactColumn.all.map(\.column)
    #expect(Set(columns.map(\.name)).count == columns.count)
    #expect(Set(columns.map(\.word)).count == columns.count)
    let places = columns.map(\.listing).filter { $0 != .none && $0 != .objects }
    #expect(Set(places).count == places.count)
    #expect(FactColumn.inRows.count == places.count)
  }

  @Test("A spreadsheet has its columns in this order")
  func rows() {
    #expect(
      FactColumn.inRows.map(\.column.word) == [
        "creationDate", "creationDateOffsetMinutes", "creationDateTag", "duration", "pixelWidth",
        "pixelHeight", "isFavorite", "isHidden", "rating", "caption", "keywords", "people",
        "latitude", "longitude", "city", "region", "country", "camera", "lensModel", "burstIdentifier",
      ]
    )
  }

  @Test("Facts are those that the values of their columns say")
  func columns() {
    var empty = Facts(format: .png)
    empty.description = MediaDescription()
    var facts = Facts(format: .heic, pixelSize: PixelSize(width: 4032, height: 3024))
    facts.orientation = 6
    facts.creationDate = CaptureDate(
      local: "2026-11-21T01:44:39",
      offsetMinutes: -90,
      tag: "DateTimeOriginal"
    )
    facts.creationDate?.fraction = "25"
    (facts.camera, facts.hasLocation, facts.contentIdentifier) = ("Acme EO-1", true, "A-B")
    (facts.durationMilliseconds, facts.frameCount) = (12, 3)
    facts.lensModel = "50mm F1.8"
    facts.embeddedMovie = EmbeddedMovie(offset: 1000, length: 20, stillLength: 990)
    var description = MediaDescription()
    description.place = MediaDescription.Place(latitude: -481_361_000, longitude: 25_000_001)
    description.placeTag = "gpx"
    description.placeName = PlaceName(city: "Lyon", region: nil, country: "FR")
    description.subtypes = [.photoHDR]
    (description.rating, description.isFavorite, description.isHidden) = (0, true, false)
    (description.caption, description.keywords) = ("", ["one", "two"])
    (description.people, description.burst, description.isBurstPick) = (["Ann"], "b", false)
    description.uncorrected = CaptureDate(
      local: "2026-11-20T10:15:30",
      offsetMinutes: 60,
      tag: "DateTimeOriginal"
    )
    description.uncorrected?.fraction = "25"
    facts.description = description
    #expect(Facts(format: .heic) { FactColumn.all[$0].value(of: facts) } == facts)
    for local in ["1978", "1978-06", "1978-06-05", "1978-06-05T10:15:00"] {
      var dated = empty
      dated.creationDate = CaptureDate(local: local, offsetMinutes: nil, tag: "DateTimeOriginal")
      if local.utf8.count == 19 { dated.creationDate?.hasSeconds = false }
      #expect(Facts(format: .png) { FactColumn.all[$0].value(of: dated) } == dated)
    }
    #expect(Facts(format: .png) { _ in .null } == empty)
  }

  @Test("The private facts have what strip takes away, and the catalogue what it leaves")
  func privacy() {
    #expect(
      FactColumn.all.filter(\.isPrivate).map(\.column.name).sorted() == [
        "burst", "camera", "caption", "city", "country", "creationDate",
        "creationDateFraction", "creationDateOffsetMinutes", "creationDatePrecision", "creationDateTag",
        "isBurstPick", "isFavorite", "isHidden",
        "keywords", "latitude", "lensModel", "longitude", "mediaSubtypes", "people", "placeTag",
        "rating",
        "region",
      ]
    )
  }
}
