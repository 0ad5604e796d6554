import Foundation
import MediaModel
import MediaPermissions
import MediaTestSupport
import Testing

@Suite("The store of decisions")
struct AnswerStoreTests {
  @Test(
    "An answer is read back as it was stored, by another opening",
    arguments: [
      answer(.authorized), answer(.denied, binding(.camera)),
      answer(
        .limited,
        selection: ["2026/*.JPG", "\u{E4}", "a\u{308}", "%FF", "b"],
        expiresAt: 1_800_000_000
      ),
      answer(.limited), answer(.authorized, binding(.library, .addOnly), isForOneRun: true),
      answer(.denied, binding(.microphone, client: "a.b-c")),
      answer(.limited, selection: ["a"], reason: .picker, shownCount: 500),
      answer(.denied, reason: .picker),
    ]
  )
  func roundTrip(answer: StoredAnswer) throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer) }
    let key = answer.binding
    for mode in [AnswerStore.Mode.create, .existing, .readOnly] {
      let stored = try scene.with(mode) {
        try $0.answer(for: key)
      }
      #expect(stored == answer)
    }
  }

  @Test("Only a page shows names: an answer from elsewhere with a number of them is none")
  func shownElsewhere() throws {
    let scene = StoreScene()
    try scene.with { store throws in
      for reason in [AnswerReason.userConsent, .userSet] {
        #expect(throws: StoreError.self) {
          try store.record(answer(.authorized, reason: reason, shownCount: 1))
        }
      }
      try store.record(answer(.authorized, reason: .picker, shownCount: 1))
    }
    #expect(try scene.sqlite("UPDATE answers SET reason = 'userSet'").contains("CHECK"))
    #expect(try scene.sqlite("UPDATE answers SET shownCount = -1").contains("CHECK"))
  }

  @Test("A folder that is not there and names that are not UTF-8 come back as they were")
  func keepsBytes() throws {
    let scene = StoreScene()
    var bound = binding(.microphone)
    bound.folder = nil
    bound.manifestPath = [0x2F, 0xFF, 0x0A, 0x2F, 0x6D]
    try scene.with { try $0.record(answer(.authorized, bound)) }
    let stored = try scene.with {
      try $0.answer(for: bound)
    }
    #expect(stored?.binding == bound)
  }

  @Test("There is one answer for a client, a source, a level and a manifest, the newest")
  func newestCounts() throws {
    let scene = StoreScene()
    let other = answer(.authorized, binding(client: "org.example.other"))
    let adding = answer(.authorized, binding(.library, .addOnly))
    let answers = try scene.with { store throws in
      try store.record(answer(.limited, selection: ["a", "b"]))
      try store.record(other)
      try store.record(adding)
      try store.record(answer(.limited, selection: ["b"]))
      try store.record(answer(.denied))
      return try (store.answers(client: "org.example.feed"), store.answers())
    }
    #expect(answers.0 == [answer(.denied), adding])
    #expect(answers.1 == [answer(.denied), adding, other])
    #expect(try scene.sqlite("SELECT count(*) FROM selections") == "0")
  }

  @Test("Each manifest has an answer of its own, until the client is denied the source")
  func manifests() throws {
    let scene = StoreScene()
    var other = binding()
    other.manifestPath = [UInt8]("/home/a/other.json".utf8)
    let theirs = answer(.limited, other, selection: ["b"])
    let camera = answer(.authorized, binding(.camera))
    try scene.with { store throws in
      #expect(try store.record(answer(.limited, selection: ["a"])) == [])
      #expect(try store.record(camera) == [])
      #expect(try store.record(theirs) == [])
      #expect(try store.answers() == [camera, answer(.limited, selection: ["a"]), theirs])
      #expect(try store.lastDenial(client: other.client, source: .library, level: .readWrite) == nil)
      #expect(try store.record(answer(.denied)) == [theirs])
      #expect(try store.answers() == [camera, answer(.denied)])
      #expect(try store.lastDenial(client: other.client, source: .library, level: .readWrite) == 4)
      #expect(try store.record(theirs) == [])
      #expect(try store.answers() == [camera, answer(.denied), theirs])
      #expect(try store.verify().difference == nil)
    }
    #expect(try scene.with(.readOnly) { try $0.answers().count } == 3)
  }

  @Test("A denial is also that of its folder in another place, for clients that are named by it")
  func folders() throws {
    let scene = StoreScene()
    func bound(_ path: String, inode: UInt64 = 5) -> AnswerBinding {
      let folder = FolderIdentity(path: Array(path.utf8), device: 7, inode: inode)
      var bound = binding(client: folder.clientIdentifier)
      (bound.folder, bound.manifestPath) = (folder, Array("/home/a\(path).json".utf8))
      return bound
    }
    let (old, new, other) = (bound("/old"), bound("/new"), bound("/other", inode: 6))
    var named = bound("/named")
    named.client = "org.example.named"
    let grants = [old, other, named].map { answer(.authorized, $0) }
    try scene.with { store throws in
      for grant in grants { #expect(try store.record(grant) == []) }
      #expect(
        try store.lastDenial(client: old.client, source: .library, level: .readWrite, in: old.folder) == nil
      )
      #expect(try store.record(answer(.denied, new)) == [grants[0]])
      func answers(_ bound: AnswerBinding) throws -> [StoredAnswer] {
        try store.answers(client: bound.client, of: bound.folder.map { [.library: $0] } ?? [:])
      }
      #expect(try answers(old) == [answer(.denied, new)])
      #expect(try store.answers(client: old.client, of: [.camera: try #require(old.folder)]) == [])
      #expect(try answers(other) == [grants[1]])
      #expect(try answers(named) == [grants[2]])
      for (bound, last) in [(old, 4), (new, 4), (other, nil), (named, nil)] as [(AnswerBinding, Int?)] {
        let number = try store.lastDenial(
          client: bound.client,
          source: .library,
          level: .readWrite,
          in: bound.folder
        )
        #expect(number == last)
      }
      // A grant for the old place leaves the denial for the new one, and the other way round.
      #expect(try store.record(grants[0]) == [])
      #expect(try Set(answers(old)) == [grants[0], answer(.denied, new)])
      #expect(try store.reset(new))
      #expect(try answers(old) == [grants[0]])
      #expect(try store.verify().difference == nil)
    }
  }

  @Test("The words that a person saw are stored, and none that are not those of the digest")
  func words() throws {
    let scene = StoreScene()
    var bound = binding()
    bound.usageText = "For the \u{E9}t\u{E9}.\n\u{202E}"
    #expect(throws: StoreError.self) { try scene.with { try $0.record(answer(.denied, bound)) } }
    bound.usageTextSHA256 = try Tool.run(
      "sh",
      ["-c", "printf %s \"$0\" | sha256sum | cut -c1-64", bound.usageText ?? ""]
    )
    .output.trimmingCharacters(in: .newlines)
    try scene.with { store throws in
      try store.record(answer(.denied, binding(.camera)))
      try store.record(answer(.denied, bound))
    }
    #expect(try scene.with(.readOnly) { try $0.answer(for: bound) }?.binding.usageText == bound.usageText)
    #expect(try scene.sqlite("SELECT usageText IS NULL FROM answers ORDER BY source") == "1\n0")
    try #require(try scene.sqlite("UPDATE answers SET usageText = 'Others' WHERE source = 'library'") == "")
    #expect(scene.failure()?.code == .damaged)
  }

  @Test("Nobody has answered where there is no file, and that alone says so")
  func missing() throws {
    let scene = StoreScene()
    let path = [UInt8](scene.path.utf8)
    for mode in [AnswerStore.Mode.existing, .readOnly] {
      #expect(scene.failure(mode)?.code == .missing)
      #expect(try AnswerStore.openIfPresent(at: path, mode: mode) == nil)
    }
    #expect(!FileManager.default.fileExists(atPath: scene.root.path + "/data"))
    #expect(try scene.with { try $0.answers() } == [])
    #expect(scene.failure() == nil)
  }

  @Test("Reset goes back to nobody has answered, once")
  func reset() throws {
    let scene = StoreScene()
    try scene.with { store throws in
      try store.record(answer(.denied, binding(.camera)))
      // One level, whatever it is called.
      #expect(try store.reset(binding(.camera, .addOnly)))
      #expect(try !store.reset(binding(.camera)))
      #expect(try store.answer(for: binding(.camera)) == nil)
      #expect(try store.verify().records == 2)
    }
  }

  @Test("An answer for one run is taken up once, and only as it was read")
  func consumed() throws {
    let scene = StoreScene()
    let once = answer(.authorized, isForOneRun: true)
    try scene.with { store throws in
      try store.record(answer(.authorized))
      #expect(try !store.consumeOneTimeGrant(answer(.authorized), run: "r0"))
      try store.record(once)
      #expect(try !store.consumeOneTimeGrant(answer(.denied), run: "r1"))
      #expect(try store.consumeOneTimeGrant(once, run: "r2"))
      #expect(try !store.consumeOneTimeGrant(once, run: "r3"))
      #expect(try store.answers() == [])
    }
    let row = try scene.sqlite(
      "SELECT record ->> 'cause', record ->> 'run', record ->> 'to' FROM transitions WHERE seq = 3"
    )
    #expect(row == "takenUp|r2|notDetermined")
  }

  @Test(
    "An answer that no rule allows is not stored",
    arguments: [
      answer(.notDetermined), answer(.restricted), answer(.limited, binding(.camera)),
      answer(.limited, binding(.library, .addOnly)), answer(.denied, expiresAt: 5),
      answer(.denied, isForOneRun: true), answer(.authorized, selection: ["a"]),
      answer(.authorized, binding(.camera, .addOnly)),
    ]
  )
  func invalid(answer: StoredAnswer) throws {
    let scene = StoreScene()
    try scene.with { store throws in
      #expect {
        try store.record(answer)
      } throws: {
        ($0 as? StoreError)?.code == .invalidAnswer
      }
      #expect(try store.verify().records == 0)
    }
  }

  @Test("The place follows the XDG specification")
  func location() {
    func path(_ environment: [String: String]) -> String? {
      AnswerStore.location(environment: environment).map { String(decoding: $0, as: UTF8.self) }
    }
    let home = ["HOME": "/home/a"]
    let usual = "/home/a/.local/share/mediabatch/answers.sqlite"
    #expect(path(home) == usual)
    #expect(path(home.merging(["XDG_DATA_HOME": "/data"]) { $1 }) == "/data/mediabatch/answers.sqlite")
    #expect(path(home.merging(["XDG_DATA_HOME": "data"]) { $1 }) == usual)
    #expect(path(home.merging(["XDG_DATA_HOME": ""]) { $1 }) == usual)
    // The user database knows a home folder for whoever runs the tests.
    let own = path(["HOME": "relative"])
    #expect(own == path([:]))
    #expect(own?.hasSuffix("/.local/share/mediabatch/answers.sqlite") == true)
    #expect(own?.hasPrefix("/") == true)
  }

  @Test("A second process sees a change at once, and only then does the counter change")
  func changeCounter() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.authorized)) }
    let watching = try scene.open(.readOnly)
    defer { watching.close() }
    let first = try watching.changeCounter()
    #expect(try watching.answers().map(\.status) == [.authorized])
    #expect(try watching.changeCounter() == first)
    try scene.with { try $0.record(answer(.denied)) }
    let second = try watching.changeCounter()
    #expect(second != first)
    #expect(try watching.answers().map(\.status) == [.denied])
    #expect(try watching.changeCounter() == second)
    // Another program's change, too.
    try scene.sqlite("UPDATE answers SET decidedAt = 1")
    #expect(try watching.changeCounter() != second)
  }

  @Test("What is open for reading cannot be changed")
  func readOnly() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.denied)) }
    try scene.with(.readOnly) { store throws in
      #expect {
        try store.record(answer(.authorized))
      } throws: {
        ($0 as? StoreError)?.code == .notWritable
      }
    }
    #expect(try scene.with { try $0.answers() } == [answer(.denied)])
  }
}
