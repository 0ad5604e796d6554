import MediaManifest
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
    #expect(denied.concerns(binding(Self.anna)) && denied.concerns(binding(.library)))
    #expect(!denied.concerns(binding(Self.card)) && !denied.concerns(binding(Self.anna, .addOnly)))
    #expect(granted.concerns(binding(Self.anna)) && !granted.concerns(binding(Self.bob)))
    #expect(!granted.concerns(binding(Self.anna, client: "org.example.other")))
  }

  /// The binding of an answer to a client that is named by its first folder, about a source in another one.
  private func bound(_ source: SourceID, in folder: FolderIdentity, of first: FolderIdentity) -> AnswerBinding
  {
    var bound = binding(source, client: first.clientIdentifier)
    (bound.folder, bound.manifestPath) = (folder, first.path + Array(".json".utf8))
    return bound
  }

  private func folder(_ path: String, inode: UInt64) -> FolderIdentity {
    FolderIdentity(path: Array(path.utf8), device: 7, inode: inode)
  }

  @Test("A denial to another client of a folder is about the source in that folder, whatever its name, alone")
  func folders() throws {
    let (one, two, moved) = (folder("/one", inode: 1), folder("/two", inode: 2), folder("/moved", inode: 2))
    let scene = StoreScene()
    // One client has both folders; another one has the second in a new place, under another name, beside a third.
    let denials = [bound(Self.anna, in: one, of: one), bound(Self.bob, in: two, of: one)]
      .map { answer(.denied, $0) }
    let third = folder("/third", inode: 3)
    let here = bound(SourceID(.library, name: "Zoe"), in: moved, of: moved)
    let beside = bound(.library, in: third, of: moved)
    let card = bound(Self.card, in: moved, of: moved)
    let grants = [card, beside, here].map { answer(.authorized, $0) }
    let folders: [SourceID: FolderIdentity] = [here.source: moved, beside.source: third]
    let stored = try scene.with { store throws in
      for grant in grants { try store.record(grant) }
      #expect(try store.record(denials) == [grants[2]])
      #expect(try store.answers(client: here.client) == Array(grants[..<2]))
      #expect(try store.verify().difference == nil)
      return try store.answers(client: here.client, of: folders)
    }
    #expect(Set(stored) == Set(grants[..<2] + denials[1...]))
    #expect(denials[1].concerns(here) && !denials[1].concerns(beside) && !denials[1].concerns(card))
    #expect(!denials[0].concerns(here) && !denials[0].concerns(beside))

    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"\(here.client)\"},\"output\":{\"path\":\"L\"},"
      + "\"sources\":{\"library\":[{\"name\":\"library\",\"path\":\"third\"},{\"name\":\"Zoe\",\"path\":\"moved\"}]}}"
    let manifest = try #require(ManifestReader.read(Array(json.utf8)).manifest)
    var context = PermissionContext(now: denials[1].decidedAt)
    (context.stored, context.folders, context.manifestPath) = (denials, folders, here.manifestPath)
    #expect(context.source(of: denials[1], in: manifest) == here.source)
    #expect(context.answer(of: here.source, level: .readWrite, in: manifest)?.answer == denials[1])
    #expect(context.answer(of: beside.source, level: .readWrite, in: manifest) == nil)
    let validity = denials.map { denial in
      AnswerValidity(of: denial, now: context.now) { (manifest, context) }
    }
    guard case .countsAlthoughChanged(let changes) = validity[1] else {
      Issue.record("\(validity[1])")
      return
    }
    #expect(changes.contains(.folderMoved) && changes.contains(.manifest))
    #expect(validity[0] == .noManifest(isDenial: true))
  }

  @Test(
    "A store of a form without a column is another version's, and is not taken for damage",
    arguments: ["sourceName", "usageText"]
  )
  func older(column: String) throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.authorized)) }
    try scene.sqlite("ALTER TABLE answers RENAME COLUMN \(column) TO other")
    #expect(scene.failure()?.code == .unknownSchema)
  }

  @Test("A store without the column of languages is read, and gets it with the next change")
  func languages() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.authorized)) }
    try scene.sqlite("ALTER TABLE answers DROP COLUMN usageTextLanguage")
    #expect(try scene.with(.readOnly) { try $0.answers() } == [answer(.authorized)])
    var bound = binding(.camera)
    bound.usageTextLanguage = "de-CH"
    try scene.with(.existing) { store in
      try store.record(answer(.authorized, bound))
      #expect(try store.answers() == [answer(.authorized, bound), answer(.authorized)])
    }
    #expect(scene.failure() == nil)
    #expect(try scene.sqlite("SELECT usageTextLanguage FROM answers WHERE source = 'camera'") == "de-CH")
    let told = "SELECT group_concat(record ->> '$.answer.usageTextLanguage') FROM transitions"
    #expect(try scene.sqlite(told) == "de-CH")
    try scene.sqlite("UPDATE answers SET usageTextLanguage = 'fr' WHERE source = 'camera'")
    #expect(scene.failure()?.code == .inconsistent)
  }

  @Test("What names a source in a command is a word of a shell")
  func words() {
    #expect(SourceID.library.commandWords == "library")
    #expect(Self.bob.commandWords == "--source Bob")
    #expect(SourceID(.library, name: "A B").commandWords == "--source 'A B'")
    #expect(SourceID(.library, name: "-x").commandWords == "--source=-x")
  }
}
