import MediaModel
import MediaSyntax
import Testing

@testable import MediaManifest

@Suite("Reading a manifest")
struct ManifestReaderTests {
  @Test("A good manifest has no mistakes", arguments: ManifestCases.good)
  func good(_ name: String) throws {
    let reading = ManifestReader.read(try ManifestCases.bytes(name))
    #expect(reading.issues.isEmpty, "\(reading.issues.map { $0.description(in: name) })")
    #expect(reading.manifest != nil)
  }

  @Test("A bad manifest has exactly its mistakes, each at its place", arguments: ManifestCases.bad)
  func bad(_ name: String) throws {
    let reading = ManifestReader.read(try ManifestCases.bytes(name))
    let mistakes = reading.issues.map {
      ManifestCases.Mistake(code: $0.code.rawValue, path: $0.path, line: $0.line, column: $0.column)
    }
    let expected = try #require(
      ManifestCases.expected()[String(name.dropFirst("bad/".count))],
      "not in expected.json"
    )
    #expect(mistakes.sorted() == expected.mistakes.sorted())
    #expect(reading.manifest == nil)
    #expect(reading.issues.map(\.position) == reading.issues.map(\.position).sorted())
  }

  @Test("There are enough cases, none is forgotten, and every rule of a manifest has one")
  func coverage() throws {
    let expected = try ManifestCases.expected()
    #expect(ManifestCases.good.count >= 12)
    #expect(ManifestCases.bad.count >= 60)
    #expect(Set(expected.keys) == Set(ManifestCases.bad.map { String($0.dropFirst(4)) }))
    let covered = Set(expected.values.flatMap(\.mistakes).map(\.code))
    // These have tests of their own: limits, folders, Info.plists, policies, labels files.
    let elsewhere: Set<ManifestIssueCode> = [
      .tooLarge, .tooManyValues, .tooManyMistakes, .sourcesOverlap, .cannotRead, .policyNotTrusted,
      .usageDescriptionsDiffer, .infoPlistDiffers, .policyOnlyDenies, .wrongHeader,
      .wrongFieldCount, .badQuote, .unknownSource, .invalidPath, .duplicateRow,
    ]
    let all = Set(ManifestIssueCode.allCases).subtracting(elsewhere).map(\.rawValue)
    #expect(covered == Set(all))
  }

  @Test("Every key arrives where it belongs")
  func everyKey() throws {
    let manifest = try #require(
      ManifestReader.read(try ManifestCases.bytes("good/every-key.json")).manifest
    )
    #expect(manifest.client == Manifest.Client(identifier: "org.example.Feed-2", name: "Café 📷"))
    #expect(manifest.usageDescriptions[.photoLibraryAdd] == .text("Captures are added to your library."))
    #expect(manifest.usageDescriptions.count == 4)
    let camera = try #require(manifest.sources[.camera])
    #expect(camera.path == "media/DCIM")
    #expect(camera.authorizationStatus == .authorized)
    #expect(camera.required == false)
    #expect(camera.captureMode == .photoAndLivePhoto)
    #expect(camera.metadata == .keep)
    #expect(camera.crossMounts)
    #expect(camera.hardLinks == .allow)
    #expect(camera.position == TextPosition(line: 13, column: 15))
    let library = try #require(manifest.sources[.library])
    #expect(library.path == "/srv/photos")
    #expect(library.authorizationStatus == .limited)
    #expect(library.addOnlyStatus == .denied)
    #expect(library.statuses == [.readWrite: .limited, .addOnly: .denied])
    #expect(library.pick == PickRequest(limit: 12, filter: [.images]))
    #expect(library.required == true)
    #expect(
      library.selection?.map(\.text) == [
        "2026/harbour.heic", "2026/IMG_00*.JPG", "**/caf%E9.jpg",
      ]
    )
    #expect(library.mediaTypes == [.image, .video])
    #expect(library.metadata == MetadataPolicy(except: [.copyright, .location], isLocationCoarse: true))
    #expect(library.hardLinks == .refuse)
    #expect(manifest.sources[.microphone]?.authorizationStatus == .denied)
    #expect(manifest.onNotDetermined == .fail)
    #expect(manifest.onMicrophoneRefused == .stillOnly)
    #expect(manifest.infoPlist == "App/Info.plist")
    #expect(manifest.infoPlistSHA256 == String(repeating: "0", count: 63) + "a")
    #expect(manifest.serial == 7)
    #expect(manifest.signedBy == "desk@example.org")
    #expect(manifest.signedAt == "2026-11-21 12:00")
    #expect(manifest.preventsAutomaticLimitedAccessAlert)
    #expect(manifest.usageDescriptionPositions[.microphone]?.line == 9)
    #expect(manifest.enforcement == .process)
    #expect(manifest.metadata == .keep)
    #expect(manifest.metadataPolicy(of: .library).rawValue == "strip+copyright+location:coarse")
    #expect(
      manifest.thumbnails == [
        ThumbnailSpec(
          name: "grid",
          size: PixelSize(width: 256, height: 256),
          contentMode: .aspectFit,
          quality: 80
        ),
        ThumbnailSpec(
          name: "preview",
          size: PixelSize(width: 1600, height: 1200),
          contentMode: .aspectFill,
          quality: 92
        ),
      ]
    )
    #expect(manifest.labels.file == "labels.csv")
    #expect(manifest.labels.template?.publishesCreationDate == true)
    #expect(!manifest.labels.neutral)
    #expect(manifest.output == "Library")
  }

  @Test("What a manifest leaves out has its default")
  func defaults() throws {
    let manifest = try #require(ManifestReader.read(try ManifestCases.bytes("good/minimal.json")).manifest)
    #expect(
      manifest
        == Manifest(
          client: Manifest.Client(identifier: "a", name: "a"),
          output: "L",
          outputPosition: manifest.outputPosition
        )
    )
    #expect(manifest.onNotDetermined == .ask)
    #expect(manifest.enforcement == .kernel)
    #expect(manifest.metadata == .strip)
    let base = try #require(
      ManifestReader.read(try ManifestCases.bytes("good/status-absent.json")).manifest
    )
    #expect(base.sources[.camera]?.authorizationStatus == .notDetermined)
    #expect(base.sources[.camera]?.captureMode == .photo)
    #expect(base.sources[.camera]?.hardLinks == .refuse)
    #expect(base.sources[.camera]?.statuses == [.readWrite: .notDetermined])
    #expect(base.sources[.library]?.pick == nil)
    #expect(manifest.onMicrophoneRefused == .refuse)
    #expect(!manifest.preventsAutomaticLimitedAccessAlert)
  }

  @Test("A status for each level, and a pick, arrive as written or with their defaults")
  func levelsAndPicks() throws {
    func library(_ name: String) throws -> SourceDeclaration {
      let reading = ManifestReader.read(try ManifestCases.bytes("good/\(name).json"))
      return try #require(reading.manifest?.sources[.library])
    }
    let levels = try library("status-levels")
    #expect(levels.statuses == [.readWrite: .limited, .addOnly: .authorized])
    #expect(levels.authorizationStatus == .limited)
    let addOnly = try library("status-add-only")
    #expect(addOnly.statuses == [.readWrite: .notDetermined, .addOnly: .denied])
    #expect(try library("base").statuses == [.readWrite: .limited])
    #expect(try library("pick-empty").pick == PickRequest(limit: 1))
    let unlimited = try #require(try library("pick").pick)
    #expect(unlimited == PickRequest(limit: 0, filter: [.livePhotos]))
    #expect(unlimited.maximumCount == 100_000)
    #expect(try library("pick-most").pick?.maximumCount == 100_000)
    #expect(
      try library("pick-filters").pick
        == PickRequest(limit: 1, filter: [.images, .videos], sort: .oldestFirst)
    )
  }

  @Test(
    "What strip leaves arrives as written",
    arguments: [
      ("except-all", MetadataPolicy(except: Set(MetadataException.allCases)), SourceID.camera),
      (
        "except-coarse", MetadataPolicy(except: [.rating, .location], isLocationCoarse: true),
        .library
      ),
      ("except-empty", .strip, .camera),
      ("except-source", MetadataPolicy(except: [.copyright]), .camera),
      ("except-source", .keep, .library),
    ]
  )
  func exceptions(_ name: String, _ policy: MetadataPolicy, _ source: SourceID) throws {
    let reading = ManifestReader.read(try ManifestCases.bytes("good/\(name).json"))
    #expect(try #require(reading.manifest).metadataPolicy(of: source) == policy)
  }

  @Test("Labels are numbers only where the manifest says so")
  func neutralLabels() throws {
    func labels(_ name: String) throws -> Manifest.Labels? {
      ManifestReader.read(try ManifestCases.bytes("good/\(name).json")).manifest?.labels
    }
    #expect(try labels("labels-neutral") == Manifest.Labels(neutral: true))
    let named = try #require(try labels("labels-neutral-false"))
    #expect(!named.neutral)
    #expect(named.file == "labels.csv" && named.template?.publishesItem == true)
  }

  @Test("A usage description that says nothing is for deciding, not a mistake here")
  func usageDescriptions() throws {
    let manifest = try #require(
      ManifestReader.read(try ManifestCases.bytes("good/descriptions-say-nothing.json")).manifest
    )
    #expect(manifest.usageDescriptions == [.camera: .text("  "), .microphone: .notAString])
    #expect(UsageDescription.text("  ").isBlank)
    #expect(UsageDescription.text("\u{200B}\u{A0}\n").isBlank)
    for filler in ["\u{2800}", "\u{3164}", "\u{115F}", "\u{034F}", "\u{FFA0}", "\u{FE0F}"] {
      #expect(UsageDescription.text(filler + " " + filler).isBlank, "\(filler.unicodeScalars)")
      #expect(!UsageDescription.text("a" + filler).isBlank)
    }
    #expect(UsageDescription.notAString.isBlank)
    #expect(!UsageDescription.text(" . ").isBlank)
  }

  @Test(
    "A slip gets the word that was meant",
    arguments: [
      ("status-unknown", "authorized"), ("status-wrong-case", "authorized"),
      ("source-key-misspelled", "authorizationStatus"), ("source-look-alike", "camera"),
      ("capture-mode-unknown", "photoAndLivePhoto"), ("metadata-policy-unknown", "strip"),
      ("fetch-unknown", "mediaTypes"), ("thumbnail-mode-unknown", "aspectFill"),
      ("template-field-unknown", "{originalName}"), ("python-words", "true"),
      ("usage-description-key-unknown", "NSCameraUsageDescription"), ("key-unknown", "output"),
      ("metadata-except-unknown", "copyright"), ("metadata-except-wrong-case", "creationDate"),
      ("metadata-key-unknown", "except"),
      ("client-key-unknown", "name"), ("key-wrong-case", "version"),
    ]
  )
  func suggestion(_ name: String, _ word: String) throws {
    let issue = try #require(ManifestReader.read(try ManifestCases.bytes("bad/\(name).json")).issues.first)
    #expect(issue.suggestion == word)
    #expect(issue.description(in: "m.json").contains("Did you mean \"\(word)\"?"))
  }

  @Test("A word that resembles nothing gets no suggestion, and a list of what is allowed")
  func noSuggestion() throws {
    let issue = try #require(
      ManifestReader.read(try ManifestCases.bytes("bad/enforcement-unknown.json")).issues.first
    )
    #expect(issue.suggestion == nil)
    #expect(issue.allowed == ["kernel", "process"])
    #expect(
      issue.description(in: "m.json")
        == "m.json:2:32: $.enforcement: unknown value \"none\". Allowed here: kernel, process."
    )
  }

  @Test("The word of a policy for a coarse location is told the object that a manifest has")
  func coarseWord() throws {
    let bytes = try ManifestCases.bytes("bad/metadata-except-coarse-text.json")
    let issue = try #require(ManifestReader.read(bytes).issues.first)
    #expect(issue.description(in: "m.json").contains(#"(write {"location": "coarse"})"#))
  }

  @Test("A letter that only looks right is named")
  func lookAlike() throws {
    let issue = try #require(
      ManifestReader.read(try ManifestCases.bytes("bad/source-look-alike.json")).issues.first
    )
    #expect(issue.message.contains("U+0430"))
  }

  @Test(
    "A message about a pattern names the folder that it is relative to",
    arguments: [
      ("tracks", "manifest's folder", "/a.gpx"), ("tracks", "manifest's folder", "../a.gpx"),
      ("ignore", "source's folder", "/a"), ("ignore", "source's folder", "../a"),
    ]
  )
  func folderOfPattern(_ key: String, _ folder: String, _ pattern: String) throws {
    let text = String(decoding: try ManifestCases.bytes("bad/tracks-absolute.json"), as: UTF8.self)
      .replacing("\"tracks\": [\"/a.gpx\"]", with: "\"\(key)\": [\"\(pattern)\"]")
    let issue = try #require(ManifestReader.read(Array(text.utf8)).issues.first)
    #expect(issue.path == "$.sources.camera.\(key)[0]")
    #expect(issue.message.contains(folder), "\(issue.message)")
  }

  @Test("A message never has a control character, whatever the manifest has")
  func escapedMessages() {
    let text =
      "{\"\\u001b[2J\\u202e\\n\": 1, \"version\": \"\u{9B}31m\", \"output\": {\"path\": 1}}"
    let reading = ManifestReader.read(Array(text.utf8))
    #expect(reading.issues.count >= 4)
    for issue in reading.issues {
      let line = issue.description(in: "a\u{1B}b\nc")
      #expect(line.unicodeScalars.allSatisfy(EscapedText.isPrintable), "\(line.debugDescription)")
    }
  }
}
