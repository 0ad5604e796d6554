import MediaTestSupport
import Testing

@Suite("Texts planted at random, for as long as is asked")
struct PlantedSearchTests {
  @Test(
    "None is left by strip but where docs say so",
    .enabled(if: PlantedSearch.minutes != nil, "MEDIABATCH_PLANTED_MINUTES does not say for how long")
  )
  func search() {
    var search = PlantedSearch()
    search.run()
    #expect(search.leaks.isEmpty, "\(search.leaks)")
  }
}
