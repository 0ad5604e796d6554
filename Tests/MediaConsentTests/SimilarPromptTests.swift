import MediaPicking
import Testing

@testable import MediaConsent

@Suite("What a person types about pictures that look alike")
struct SimilarPromptTests {
  private let group = PictureGroup(
    isExact: false,
    reason: "most pixels",
    pictures: (0..<4).map { PictureGroup.Picture(name: "\($0)", facts: "") }
  )

  private func said(_ line: String) -> SimilarPrompt.Said { SimilarPrompt.answer(line, to: group, 5) }

  private func decided(_ choice: GroupAnswer.Choice, _ numbers: Int...) -> SimilarPrompt.Said {
    .decided(GroupAnswer(group: 5, choice, numbers))
  }

  @Test("A letter is about the best, with numbers about those")
  func letters() {
    #expect(said("k") == decided(.keep, 0))
    #expect(said("K 3") == decided(.keep, 2))
    #expect(said("k 3, 1") == decided(.keep, 0, 2))
    #expect(said("w 2 3") == decided(.keep, 0, 3))
    #expect(said("s") == decided(.stack, 0))
    #expect(said("s 4") == decided(.stack, 3))
    #expect(said("n") == decided(.distinguish, 0))
    #expect(said("q") == .quit)
  }

  @Test("An empty line leaves the group, and so does keeping all")
  func leaves() {
    for line in ["", "  ", "k 1 2 3 4"] { #expect(said(line) == .left, "\(line)") }
  }

  @Test("Anything else decides nothing; one always stays")
  func unknown() {
    for line in ["x", "keep", "k 0", "k 5", "k -1", "k a", "k 1 1", "w", "w 1 2 3 4", "n 2", "q 1", "y", "?"]
    {
      #expect(said(line) == .unknown, "\(line)")
    }
  }
}
