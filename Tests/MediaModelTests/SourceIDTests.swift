import MediaModel
import Testing

@Suite("The names of sources")
struct SourceIDTests {
  @Test("Names that Unicode calls equal are those of two sources")
  func bytes() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let source = SourceID(.library, name: composed)
    #expect(composed == decomposed)
    #expect(source.isCalled(composed) && !source.isCalled(decomposed))
    #expect(source != SourceID(.library, name: decomposed))
    #expect(SourceID.library.isCalled("library") && !source.isCalled("library"))
  }
}
