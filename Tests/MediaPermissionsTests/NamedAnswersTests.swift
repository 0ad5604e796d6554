import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPermissions

@Suite("Answers about several sources of a kind")
struct NamedAnswersTests {
  private static let anna = SourceID(.library, name: "Anna's \"Takeout\" é")
  private static let bob = SourceID(.library, name: "Bob")
  private static let card = SourceID(.camera, name: "Card")

  @Test("Each source has its own grant, which is told by its name")
  func grants() throws {
    let scene = StoreScene()
    let answers = [
      answer(.authorized), answer(.limited, binding(Self.anna), selection: ["a", "b"]),
      answer(.authorized, binding(Self.bob)),
    ]
    try scene.with { store throws in
      for answer in answers { try store.record(answer) }
    }
    try scene.with(.readOnly) { store throws in
      #expect(try store.answers() == answers)
      for answer in answers { #expect(try store.answer(for: answer.binding) == answer) }
      #expect(try store.verify().difference == nil)
    }
    let told = try scene.sqlite("SELECT json_extract(record, '$.source', '$.sourceName') FROM transitions")
    #expect(told.split(separator: "\n").count == 3 && told.contains(#"["library","Bob"]"#), "\(told)")
    // The word of its own kind is no name, and no name is that of another.
    #expect(try scene.sqlite("SELECT count(*) FROM transitions WHERE record LIKE '%sourceName%'") == "2")
    #expect(try scene.sqlite("UPDATE answers SET sourceName = 'camera'").contains("CHECK"))
    #expect(try scene.sqlite("UPDATE answers SET sourceName = ''").contains("CHECK"))
    // A row under another name is not what its transition tells.
    try scene.sqlite(
      "PRAGMA foreign_keys = OFF; UPDATE answers SET sourceName = 'Zoe' WHERE sourceName = 'Bob'"
    )
    #expect(scene.failure()?.code == .inconsistent)
  }

  @Test(
    "A denial is of the kind: it takes the place of every answer about it, and a grant lifts it for its own source"
  )
  func denial() throws {
    let scene = StoreScene()
    try scene.with { store throws in
      for source in [Self.anna, Self.bob, Self.card] {
        try store.record(answer(.authorized, binding(source)))
      }
      var elsewhere = binding(.library)
      elsewhere.manifestPath = [0x2F, 0x6D]
      let other = answer(.authorized, elsewhere)
      try store.record(other)
      let denials = [Self.anna, Self.bob].map { answer(.denied, binding($0)) }
      #expect(try store.record(denials) == [other])
      #expect(try store.answers().map(\.binding.source) == [Self.card, Self.anna, Self.bob])
      try store.record(answer(.authorized, binding(Self.anna)))
      #expect(try store.answers().map(\.status) == [.authorized, .authorized, .denied])
      #expect(try store.lastDenial(client: "org.example.feed", source: .library, level: .readWrite) != nil)
      #expect(try store.verify().difference == nil)
    }
  }

  @Test("A denial counts for each source of the kind that has no answer of its own, and for no other kind")
  func candidates() {
    let granted = answer(.authorized, binding(Self.anna))
    let denied = answer(.denied, binding(Self.bob))
    #expect(denied.concerns(Self.anna, .readWrite) && denied.concerns(.library, .readWrite))
    #expect(!denied.concerns(Self.card, .readWrite) && !denied.concerns(Self.anna, .addOnly))
    #expect(granted.concerns(Self.anna, .readWrite) && !granted.concerns(Self.bob, .readWrite))
  }

  @Test("A store of a form without names is another version's, and is not taken for damage")
  func older() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.authorized)) }
    try scene.sqlite("ALTER TABLE answers RENAME COLUMN sourceName TO other")
    #expect(scene.failure()?.code == .unknownSchema)
  }

  @Test("What names a source in a command is a word of a shell")
  func words() {
    #expect(SourceID.library.commandWords == "library")
    #expect(Self.bob.commandWords == "--source Bob")
    #expect(SourceID(.library, name: "A B").commandWords == "--source 'A B'")
    #expect(SourceID(.library, name: "-x").commandWords == "--source=-x")
  }
}
