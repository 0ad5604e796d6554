import MediaManifest
import MediaModel
import Testing

@testable import MediaPermissions

@Suite("Stored answers, policies and picking in a plan")
struct StoredAnswerTests {
  private static let now: Int64 = 1_800_000_000
  private let folder = FolderIdentity(path: Array("/p".utf8), device: 1, inode: 2)

  private func manifest(
    _ status: String? = nil,
    text: String = "why",
    members: String = "",
    onNotDetermined: String = "ask"
  ) throws -> Manifest {
    let status = status.map { ",\"authorizationStatus\":\"\($0)\"" } ?? ""
    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\"},\"output\":{\"path\":\"L\"},"
      + "\"onNotDetermined\":\"\(onNotDetermined)\","
      + "\"usageDescriptions\":{\"NSPhotoLibraryUsageDescription\":\"\(text)\"},"
      + "\"sources\":{\"library\":{\"path\":\"p\"\(status)\(members)}}}"
    return try #require(ManifestReader.read(Array(json.utf8)).manifest)
  }

  private func context(canPrompt: Bool = false) -> PermissionContext {
    PermissionContext(
      folders: [.library: folder],
      manifestPath: Array("/m.json".utf8),
      canPrompt: canPrompt,
      now: Self.now
    )
  }

  private func answer(
    _ status: AuthorizationStatus,
    in manifest: Manifest,
    expiresAt: Int64? = nil,
    change: (inout AnswerBinding) -> Void = { _ in }
  ) -> StoredAnswer {
    var binding = context().binding(of: .library, level: .readWrite, in: manifest)
    change(&binding)
    return StoredAnswer(
      binding: binding,
      status: status,
      selection: status == .limited ? ["a/*.jpg"] : [],
      reason: .userSet,
      decidedAt: 0,
      expiresAt: expiresAt
    )
  }

  private func decide(
    _ manifest: Manifest,
    _ answer: StoredAnswer?,
    canPrompt: Bool = false,
    _ change: (inout PermissionContext) -> Void = { _ in }
  ) throws -> DecidedSource {
    var context = context(canPrompt: canPrompt)
    if let answer { context.stored = [answer] }
    change(&context)
    let result = PermissionPlan.decide(manifest: manifest, context: context) { _ in .available }
    return try #require(result.sources.first)
  }

  @Test("What is stored while a question stands gives way to an answer that allows less")
  func storedMeanwhile() throws {
    let manifest = try manifest()
    let (all, some, none) = (
      answer(.authorized, in: manifest), answer(.limited, in: manifest),
      answer(.denied, in: manifest)
    )
    for before in [[], [all], [none]] {
      for given in [all, some, none] {
        #expect(given.mayBeStored(besides: before, askedAfter: before))
      }
    }
    #expect(none.mayBeStored(besides: [all], askedAfter: []))
    #expect(some.mayBeStored(besides: [all], askedAfter: []))
    #expect(!some.mayBeStored(besides: [none], askedAfter: [all]))
    for now in [[all], [some], [none]] {
      #expect(!all.mayBeStored(besides: now, askedAfter: []))
    }
    #expect(!all.mayBeStored(besides: [], askedAfter: [none]))
  }

  @Test("A stored grant decides what the manifest leaves open, until it expires")
  func grant() throws {
    let manifest = try manifest()
    let granted = try decide(manifest, answer(.authorized, in: manifest))
    #expect(granted.decision.row == 12)
    #expect(granted.decidedBy == .storedAnswer)
    #expect(granted.status == .authorized)
    let over = answer(.authorized, in: manifest, expiresAt: Self.now)
    #expect(try decide(manifest, over).decision.reason == .expired)
    #expect(try decide(manifest, over).decision.outcome == .stop(.undecided))
    let later = answer(.authorized, in: manifest, expiresAt: Self.now + 1)
    #expect(try decide(manifest, later).decision.row == 12)
  }

  @Test("A stored limit brings its own selection, and is never shown as authorized")
  func limit() throws {
    let manifest = try manifest()
    let limited = try decide(manifest, answer(.limited, in: manifest))
    #expect(limited.decision.row == 11)
    #expect(limited.status == .limited)
    #expect(limited.selection?.map(\.text) == ["a/*.jpg"])
  }

  @Test("Who was asked is asked again in the same way, and an earlier selection is of one folder")
  func askedAgain() throws {
    let manifest = try manifest()
    for (reason, command) in [
      (.picker, "access ask m library --web"), (.userConsent, "access ask m library"),
      (.userSet, "access limit m --add PATTERN"),
    ] as [(AnswerReason, String)] {
      var limited = answer(.limited, in: manifest)
      limited.reason = reason
      limited.selection = ["a/*.jpg", "b%5B1%5D.jpg", "c/d.mov"]
      let decided = try decide(manifest, limited)
      #expect(StatusAdvice(for: decided, manifestPath: "m")?.command == "mediabatch " + command)
      #expect(decided.earlierSelection.map(\.bytes) == ["b[1].jpg", "c/d.mov"].map { Array($0.utf8) })
      limited.binding.folder = nil
      #expect(try decide(manifest, limited).earlierSelection.isEmpty)
      limited.status = .denied
      #expect(try decide(manifest, limited).earlierSelection.isEmpty)
    }
  }

  @Test("A grant counts only while nothing that it is bound to has changed")
  func grantIsBound() throws {
    let manifest = try manifest()
    for (change, name) in [
      ({ (binding: inout AnswerBinding) in binding.usageTextSHA256 = "0" }, "text"),
      ({ $0.folder?.inode = 9 }, "folder"), ({ $0.folder = nil }, "no folder"),
      ({ $0.manifestPath = [1] }, "manifest"),
    ] {
      let decided = try decide(manifest, answer(.authorized, in: manifest, change: change))
      #expect(decided.decision.outcome == .stop(.undecided), "\(name)")
      #expect(decided.answerChanges.count == 1, "\(name)")
      let words = name == "manifest" ? "does not count for this one" : "An earlier answer no longer counts: "
      #expect(StatusAdvice(for: decided, manifestPath: "m")?.sentence.contains(words) == true)
    }
  }

  @Test("A denial counts whatever has changed, unless a person is asked anyway")
  func denialHolds() throws {
    let open = try manifest()
    let allowed = try manifest("authorized")
    for manifest in [open, allowed] {
      let denied = answer(.denied, in: manifest) { $0.usageTextSHA256 = "0" }
      #expect(try decide(manifest, denied).decision.row == 5)
    }
    let changed = answer(.denied, in: open) { $0.usageTextSHA256 = "0" }
    #expect(try decide(open, changed, canPrompt: true).decision.outcome == .ask)
    #expect(try decide(open, answer(.denied, in: open), canPrompt: true).decision.row == 5)
    let same = answer(.denied, in: allowed) { $0.usageTextSHA256 = "0" }
    #expect(try decide(allowed, same, canPrompt: true).decision.row == 5)
  }

  @Test("Answers for another manifest: a denial counts beside no answer that counts, a grant never")
  func otherManifests() throws {
    let manifest = try manifest()
    func other(_ status: AuthorizationStatus) -> StoredAnswer {
      answer(status, in: manifest) { $0.manifestPath = Array("/other.json".utf8) }
    }
    func row(_ answers: [StoredAnswer]) throws -> Int {
      try decide(manifest, nil) { $0.stored = answers }.decision.row
    }
    let own = answer(.authorized, in: manifest)
    let outdated = answer(.authorized, in: manifest) { $0.usageTextSHA256 = "0" }
    let over = answer(.authorized, in: manifest, expiresAt: Self.now)
    var early = own
    early.decidedAt = Self.now + 1
    #expect(try row([other(.authorized)]) == 8)
    #expect(try row([other(.limited)]) == 8)
    #expect(try row([other(.denied)]) == 5)
    for others in [[other(.denied), own], [own, other(.denied)], [own, other(.authorized)]] {
      #expect(try row(others) == 12)
    }
    #expect(try row([answer(.denied, in: manifest), other(.authorized)]) == 5)
    for ended in [outdated, over, early] { #expect(try row([ended, other(.denied)]) == 5) }
    #expect(try row([over, other(.authorized)]) == 6)
  }

  @Test("A folder's denial follows it to another place and client, if both are named by the folder")
  func folderDenial() throws {
    let (old, new) = (FolderIdentity(path: Array("/old".utf8), device: 1, inode: 2), folder)
    var manifest = try manifest("authorized")
    manifest.client.identifier = new.clientIdentifier
    func denial(_ change: (inout AnswerBinding) -> Void = { _ in }) -> StoredAnswer {
      answer(.denied, in: manifest) {
        ($0.client, $0.folder, $0.usageText) = (old.clientIdentifier, old, "For my album.")
        change(&$0)
      }
    }
    let present = context().binding(of: .library, level: .readWrite, in: manifest)
    #expect(denial().binding.denies(present))
    #expect(denial().binding.changes(to: present) == [.folderMoved])
    let decided = try decide(manifest, denial())
    #expect(decided.decision.row == 5 && decided.isRequired)
    var optional = decided
    optional.isRequired = false
    let sentence = try #require(StatusAdvice(for: optional, manifestPath: "m")?.sentence)
    #expect(
      sentence.contains(
        "on 1970-01-01 00:00:00 UTC, for \"/old\", where the folder was then, as the answer to "
          + "\"For my album.\". The answer can"
      ),
      "\(sentence)"
    )
    // Whoever is asked anyway is asked again.
    var open = try self.manifest()
    open.client = manifest.client
    #expect(try decide(open, denial(), canPrompt: true).decision.outcome == .ask)
    // The manifest's own grant is newer: the denial has taken back those of before.
    #expect(
      try decide(manifest, denial()) { $0.stored.append(self.answer(.authorized, in: manifest)) }.decision.row
        == 12
    )
    for (name, change) in [
      ("inode", { $0.folder?.inode = 3 }), ("device", { $0.folder?.device = 3 }),
      ("no folder", { $0.folder = nil }), ("client", { $0.client = "org.example.import" }),
      ("source", { $0.source = .camera }), ("level", { $0.level = .addOnly }),
    ] as [(String, (inout AnswerBinding) -> Void)] {
      #expect(!denial(change).binding.denies(present), "\(name)")
    }
    // Cameras have no inode.
    var camera = present
    camera.folder = FolderIdentity(path: [1], device: 0, inode: 0)
    var other = denial().binding
    other.folder = FolderIdentity(path: [2], device: 0, inode: 0)
    #expect(!other.denies(camera) && other.changes(to: camera).contains(.folder))
  }

  @Test("A client that is named by its folder has nothing of the path in its identifier")
  func folderClient() {
    let identifiers = [
      folder, FolderIdentity(path: Array("/q".utf8), device: 1, inode: 2),
      FolderIdentity(path: Array("/p".utf8), device: 2, inode: 2),
      FolderIdentity(path: Array("/p".utf8), device: 1, inode: 3),
    ].map(\.clientIdentifier)
    #expect(Set(identifiers).count == 4 && folder.clientIdentifier == identifiers[0])
    #expect(identifiers.allSatisfy { FolderIdentity.isOfClient($0) && $0.utf8.count == 39 })
    for other in [
      "import.", "import.abc", "org.example.import", "", identifiers[0] + "0", identifiers[0].uppercased(),
    ] {
      #expect(!FolderIdentity.isOfClient(other), "\(other)")
    }
  }

  @Test("Picking allows exactly what was picked; a restriction forbids it")
  func picking() throws {
    let plain = try manifest("denied", members: ",\"pick\":{}")
    let path = ItemPath(bytes: Array("x*[1].jpg".utf8))
    func picked(_ context: inout PermissionContext) {
      context.picked = [.library: PickedItems([path], .picker)]
    }
    let decided = try decide(plain, nil, picked)
    #expect(decided.decision.row == 4)
    #expect(decided.status == .denied)
    #expect(decided.basis == .picker)
    let selection = Selection(try #require(decided.selection))
    #expect(selection.literals == [path])
    #expect(selection.patterns.isEmpty)
    #expect(try decide(plain, nil).decision.outcome == .stop(.undecided))
    #expect(try decide(plain, nil, canPrompt: true).decision.outcome == .ask)
    let restricted = try manifest("restricted", members: ",\"pick\":{}")
    #expect(try decide(restricted, nil, picked).decision.row == 3)
    #expect(try decide(restricted, nil, canPrompt: true).decision.row == 3)
    let none = try decide(plain, nil) { $0.picked = [.library: PickedItems([], .userConsent)] }
    #expect(none.decision.row == 4)
    #expect(none.selection == [])
  }

  @Test("The questions are those that nobody has answered, and none while the manifest is wrong")
  func questions() throws {
    let manifest = try manifest()
    let result = PermissionPlan.decide(manifest: manifest, context: context(canPrompt: true)) { _ in
      .available
    }
    #expect(result.questions.map(\.source) == [.library])
    #expect(result.stop == .undecided)
    let silent = try self.manifest(text: " ")
    let none = PermissionPlan.decide(manifest: silent, context: context(canPrompt: true)) { _ in
      .available
    }
    #expect(none.questions.isEmpty)
  }
}
