import MediaManifest
import MediaModel
import Testing

@testable import MediaPermissions

@Suite("Deciding a manifest")
struct PermissionPlanTests {
  private func manifest(_ sources: String, _ members: String = "", descriptions: String? = nil)
    throws
    -> Manifest
  {
    let all =
      "\"NSCameraUsageDescription\":\"c\",\"NSPhotoLibraryUsageDescription\":\"l\","
      + "\"NSMicrophoneUsageDescription\":\"m\""
    let text =
      "{\"version\":1,\"client\":{\"identifier\":\"a\"},\"output\":{\"path\":\"L\"},\(members)"
      + "\"usageDescriptions\":{\(descriptions ?? all)},\"sources\":{\(sources)}}"
    let reading = ManifestReader.read(Array(text.utf8))
    return try #require(reading.manifest, "\(reading.issues.map { $0.description(in: "m") })")
  }

  private func source(_ kind: SourceKind, _ status: AuthorizationStatus?, _ members: String = "")
    -> String
  {
    let status = status.map { ",\"authorizationStatus\":\"\($0.name)\"" } ?? ""
    return "\"\(kind.rawValue)\":{\"path\":\"\(kind.rawValue)\"\(status)\(members)}"
  }

  private func decide(
    _ manifest: Manifest,
    _ availability: (SourceID) -> Availability = { _ in .available }
  ) -> PermissionPlan.Result {
    PermissionPlan.decide(manifest: manifest, context: PermissionContext(), availability: availability)
  }

  @Test("What each kind of manifest needs")
  func needs() throws {
    func needs(_ sources: String) throws -> [String] {
      Need.all(of: try manifest(sources)).map {
        "\($0.source) \($0.level.name)\($0.isForSoundOnly ? " sound" : "")"
      }
    }
    let video = ",\"capture\":{\"mode\":\"photoAndVideo\"}"
    let live = ",\"capture\":{\"mode\":\"photoAndLivePhoto\"}"
    #expect(try needs("") == [])
    #expect(try needs(source(.camera, nil)) == ["camera readWrite"])
    #expect(try needs(source(.library, nil)) == ["library readWrite"])
    #expect(try needs(source(.microphone, nil)) == ["microphone readWrite"])
    #expect(try needs("\"microphone\":{}") == [])
    #expect(try needs(source(.camera, nil, video)) == ["camera readWrite", "microphone readWrite sound"])
    #expect(try needs(source(.camera, nil, live)) == ["camera readWrite", "microphone readWrite sound"])
    #expect(
      try needs(source(.camera, nil, live) + ",\"microphone\":{}")
        == ["camera readWrite", "microphone readWrite sound"]
    )
    #expect(
      try needs(source(.camera, nil, live) + "," + source(.microphone, nil))
        == ["camera readWrite", "microphone readWrite"]
    )
  }

  @Test(
    "One question is about the sources of a kind that nobody has decided about, in each order",
    arguments: [["Bob", "Zoe", "Eve"], ["Zoe", "Bob", "Eve"], ["Bob", "Eve", "Zoe"]]
  )
  func questions(_ order: [String]) throws {
    let sources = order.map { name in
      let status = name == "Zoe" ? ",\"authorizationStatus\":\"restricted\"" : ""
      return "{\"name\":\"\(name)\",\"path\":\"\(name)\"\(status)}"
    }
    var context = PermissionContext()
    context.canPrompt = true
    let plan = PermissionPlan.decide(
      manifest: try manifest("\"library\":[\(sources.joined(separator: ","))]"),
      context: context
    ) { _ in .available }
    let groups = DecidedSource.byKind(plan.sources).map { $0.map(\.source.name) }
    #expect(Set(groups) == [order.filter { $0 != "Zoe" }, ["Zoe"]])
  }

  /// Status, `onNotDetermined`, `required` as written, and how the run ends for it.
  static let ends: [(AuthorizationStatus?, NotDeterminedPolicy, Bool?, RunExitCode?)] = [
    (nil, .ask, nil, .undecided), (nil, .ask, true, .undecided), (nil, .ask, false, .undecided),
    (nil, .fail, nil, .undecided), (nil, .fail, false, .undecided),
    (nil, .deny, nil, nil), (nil, .deny, true, .sourceRefused), (nil, .deny, false, nil),
    (.notDetermined, .ask, nil, .undecided), (.notDetermined, .deny, nil, nil),
    (.notDetermined, .deny, false, nil),
    (.restricted, .ask, nil, nil), (.restricted, .ask, true, .sourceRefused),
    (.restricted, .ask, false, nil),
    (.denied, .ask, nil, nil), (.denied, .ask, true, .sourceRefused), (.denied, .ask, false, nil),
    (.authorized, .ask, nil, nil), (.authorized, .deny, true, nil),
  ]

  @Test("How a run ends for one source", arguments: SourceKind.allCases, ends)
  func end(
    _ kind: SourceKind,
    _ row: (AuthorizationStatus?, NotDeterminedPolicy, Bool?, RunExitCode?)
  ) throws {
    let required = row.2.map { ",\"required\":\($0)" } ?? ""
    let manifest = try manifest(source(kind, row.0, required), "\"onNotDetermined\":\"\(row.1.rawValue)\",")
    let result = decide(manifest)
    #expect(result.stop == row.3)
    #expect(result.sources.map(\.source) == [SourceID(kind)])
    #expect(result.sources.first?.isRead == (row.0 == .authorized))
    #expect(result.sources.first?.availability == (row.0 == .authorized ? .available : .unknown))
  }

  @Test("A limited photo library is read; limited for another source never gets here")
  func limited() throws {
    let result = decide(try manifest(source(.library, .limited)))
    #expect(result.stop == nil)
    #expect(result.sources.first?.decision.row == 11)
    #expect(result.sources.first?.isRequired == true)
  }

  @Test("A folder that is not there is 66 when its source is required")
  func unavailable() throws {
    for (status, required, stop) in [
      (AuthorizationStatus.authorized, "", RunExitCode?.some(.sourceUnavailable)),
      (.limited, "", .sourceUnavailable), (.authorized, ",\"required\":false", nil),
      (.denied, ",\"required\":false", nil),
    ] {
      let manifest = try manifest(source(.library, status, required))
      let result = decide(manifest) { _ in .unavailable }
      #expect(result.stop == stop)
      #expect(result.sources.first?.isRead == false)
    }
  }

  @Test("Only sources that are allowed and have a path are looked at")
  func looksAtNothingElse() throws {
    for camera in [AuthorizationStatus.denied, .restricted, .notDetermined, .authorized] {
      for library in AuthorizationStatus.allCases {
        let manifest = try manifest(
          source(.camera, camera) + "," + source(.library, library)
            + ",\"microphone\":{\"authorizationStatus\":\"authorized\"}"
        )
        var asked: [SourceID] = []
        _ = decide(manifest) { kind in
          asked.append(kind)
          return .available
        }
        var expected: [SourceID] = camera == .authorized ? [.camera] : []
        if library == .authorized || library == .limited { expected.append(.library) }
        #expect(asked == expected)
      }
    }
  }

  @Test(
    "All usage descriptions that are missing are named at once, before any look"
  )
  func missing() throws {
    let sources =
      source(.camera, .authorized, ",\"capture\":{\"mode\":\"photoAndVideo\"}") + ","
      + source(.library, .denied)
    let manifest = try manifest(
      sources,
      descriptions: "\"NSPhotoLibraryUsageDescription\":\" \",\"NSMicrophoneUsageDescription\":1"
    )
    var asked = 0
    let result = decide(manifest) { _ in
      asked += 1
      return .available
    }
    #expect(result.stop == .manifestMistake)
    #expect(asked == 0)
    #expect(result.missingUsageDescriptions.map(\.key) == [.camera, .photoLibrary, .microphone])
    #expect(result.sources.map(\.decision.row) == [1, 1, 1])
    for missing in result.missingUsageDescriptions {
      #expect(missing.message.contains(missing.key.rawValue))
    }
    #expect(
      result.missingUsageDescriptions.first?.message
        == "the usage description for the camera is missing: \"usageDescriptions\" must contain "
        + "\"NSCameraUsageDescription\", a string that tells the person how its data is used"
    )
  }

  @Test("A usage description that nothing needs may be missing")
  func notNeeded() throws {
    let manifest = try manifest(
      source(.camera, .authorized),
      descriptions: "\"NSCameraUsageDescription\":\"c\""
    )
    #expect(decide(manifest).stop == nil)
  }

  @Test("Of several reasons to stop, 78 comes before 75, 77 and 66")
  func order() throws {
    let undecided = source(.microphone, nil)
    let refused = source(.library, .denied, ",\"required\":true")
    let absent = source(.camera, .authorized)
    let all = [absent, refused, undecided].joined(separator: ",")
    let none: (SourceID) -> Availability = { _ in .unavailable }
    #expect(decide(try manifest(all, descriptions: ""), none).stop == .manifestMistake)
    #expect(decide(try manifest(all), none).stop == .undecided)
    #expect(decide(try manifest(absent + "," + refused), none).stop == .sourceRefused)
    #expect(decide(try manifest(absent), none).stop == .sourceUnavailable)
  }

  /// The camera's mode, the microphone as written, the exit code, whether sound is refused.
  static let soundCells: [(String, String, RunExitCode?, Bool)] = [
    // A photo needs no microphone; but a motion photo has sound in it.
    ("photo", "{\"authorizationStatus\":\"denied\"}", nil, true),
    ("photo", "{\"authorizationStatus\":\"restricted\"}", nil, true),
    ("photo", "{\"authorizationStatus\":\"authorized\"}", nil, false),
    ("photo", "{}", nil, false),
    ("photo", "", nil, false),
    ("photo", "{\"required\":true,\"authorizationStatus\":\"denied\"}", nil, true),
    ("photoAndVideo", "{\"authorizationStatus\":\"authorized\"}", nil, false),
    ("photoAndVideo", "{\"authorizationStatus\":\"denied\"}", nil, true),
    ("photoAndLivePhoto", "{\"authorizationStatus\":\"restricted\"}", nil, true),
    (
      "photoAndVideo", "{\"authorizationStatus\":\"denied\",\"required\":true}", .sourceRefused,
      true
    ),
    ("photoAndVideo", "{\"authorizationStatus\":\"denied\",\"path\":\"v\"}", nil, true),
    ("photoAndVideo", "{}", .undecided, true),
    ("photoAndVideo", "{\"path\":\"v\"}", .undecided, true),
    ("photoAndVideo", "", .undecided, true),
  ]

  @Test("The microphone for sound alone", arguments: soundCells)
  func soundAlone(_ mode: String, _ microphone: String, _ stop: RunExitCode?, _ isRefused: Bool)
    throws
  {
    let camera = source(.camera, .authorized, ",\"capture\":{\"mode\":\"\(mode)\"}")
    let declared = microphone.isEmpty ? "" : ",\"microphone\":\(microphone)"
    let result = decide(try manifest(camera + declared))
    #expect(result.stop == stop)
    #expect(result.isAudioRefused == isRefused)
  }

  @Test("Sound that is denied by default is refused, and red only where it was called required")
  func soundDeniedByPolicy() throws {
    let camera = source(.camera, .authorized, ",\"capture\":{\"mode\":\"photoAndVideo\"}")
    let deny = "\"onNotDetermined\":\"deny\","
    for (microphone, stop) in [
      ("", RunExitCode?.none), (",\"microphone\":{}", nil),
      (",\"microphone\":{\"required\":true}", .sourceRefused),
      (",\"microphone\":{\"path\":\"v\"}", nil),
    ] {
      let result = decide(try manifest(camera + microphone, deny))
      #expect(result.stop == stop, "\(microphone)")
      #expect(result.isAudioRefused)
    }
  }

  @Test("A source that is declared and not needed is reported, and stops nothing")
  func reported() throws {
    for status in [AuthorizationStatus.notDetermined, .denied, .restricted, .authorized] {
      let manifest = try manifest(
        source(.camera, .authorized)
          + ",\"microphone\":{\"required\":true,\"authorizationStatus\":\"\(status.name)\"}",
        descriptions: "\"NSCameraUsageDescription\":\"c\""
      )
      let result = decide(manifest)
      #expect(result.stop == nil)
      let microphone = try #require(result.sources.last)
      #expect(microphone.source == .microphone)
      #expect(!microphone.isNeeded)
      #expect(!microphone.isRead)
      #expect(microphone.decision.verdict == (status == .authorized ? .allow : .refuse))
    }
  }

  @Test("Each status that is not authorized has one sentence and one command")
  func advice() throws {
    for kind in SourceKind.allCases {
      for status in [
        AuthorizationStatus.notDetermined, .restricted, .denied, .limited, .authorized,
      ] {
        if status == .limited, kind != .library { continue }
        let decided = try #require(decide(try manifest(source(kind, status))).sources.first)
        let advice = StatusAdvice(for: decided, manifestPath: "my feed's.json")
        guard status != .authorized else {
          #expect(advice == nil)
          continue
        }
        #expect(advice?.sentence.contains(kind.displayName) == true)
        // Nobody has to write into a manifest what a person can decide.
        let names = status == .notDetermined ? "Nobody has decided about" : "sources.\(kind.rawValue)"
        #expect(advice?.sentence.contains(names) == true)
        #expect(advice?.sentence.hasSuffix(".") == true)
        let command = status == .notDetermined ? "access grant" : "check"
        let argument = status == .notDetermined ? " \(kind.rawValue)" : ""
        #expect(advice?.command == "mediabatch \(command) 'my feed'\\''s.json'\(argument)")
        #expect(advice?.isUndecided == (status == .notDetermined))
      }
    }
  }

  @Test("Each status of adding to the photo library says what is not saved, and which key decides")
  func adviceOfAdding() throws {
    let words = [
      "NSCameraUsageDescription", "NSPhotoLibraryUsageDescription", "NSPhotoLibraryAddUsageDescription",
    ]
    func advice(
      _ status: AuthorizationStatus,
      asking: Int = 3,
      library: Availability = .available
    ) throws -> StatusAdvice? {
      let sources =
        source(.camera, .authorized, ",\"capture\":{\"savesCapturedPhotosToPhotoLibrary\":true}")
        + ",\"library\":{\"path\":\"library\",\"authorizationStatus\":{"
        + "\"addOnly\":\"\(status.name)\"}}"
      let descriptions = words.prefix(asking).map { "\"\($0)\":\"why\"" }.joined(separator: ",")
      let result = decide(try manifest(sources, descriptions: descriptions)) {
        $0.kind == .library ? library : .available
      }
      let adding = try #require(result.all.first { $0.level == .addOnly })
      return StatusAdvice(for: adding, manifestPath: "m.json")
    }
    #expect(try advice(.authorized) == nil)
    for status in [AuthorizationStatus.denied, .restricted] {
      let refused = try #require(try advice(status))
      #expect(refused.sentence.hasPrefix("Adding to the photo library is \(status.name): "))
      #expect(refused.sentence.contains("is not saved there"))
      #expect(refused.sentence.contains("sources.library.authorizationStatus.addOnly"))
      #expect(!refused.isUndecided && refused.isSettled)
    }
    let open = try #require(try advice(.notDetermined))
    #expect(open.sentence.hasPrefix("Nobody has decided about adding to the photo library yet"))
    #expect(open.command == "mediabatch access grant m.json library --level addOnly")
    let silent = try #require(try advice(.authorized, asking: 2))
    #expect(silent.sentence.contains("usageDescriptions.NSPhotoLibraryAddUsageDescription."))
    let gone = try #require(try advice(.authorized, library: .unavailable))
    #expect(
      gone.sentence.contains("its folder is not there") && gone.sentence.contains("sources.library.path")
    )
  }

  private func list(_ statuses: [(name: String, status: AuthorizationStatus)]) -> String {
    let sources = statuses.map { name, status in
      "{\"name\":\"\(name)\",\"path\":\"\(name)\",\"authorizationStatus\":\"\(status.name)\"}"
    }
    return "\"library\":[\(sources.joined(separator: ","))]"
  }

  @Test("Each source of a list has a decision of its own, by its name, and each that is required counts")
  func severalOfAKind() throws {
    let result = decide(
      try manifest(list([("B", .authorized), ("A", .denied)]) + "," + source(.camera, .authorized))
    )
    #expect(result.sources.map(\.source.name) == ["camera", "B", "A"])
    #expect(result.sources.map(\.isRead) == [true, true, false])
    #expect(result.stop == nil)
    let advice = try #require(StatusAdvice(for: result.sources[2], manifestPath: "m.json"))
    #expect(
      advice.sentence.contains("photo library \"A\"") && advice.sentence.contains("sources.library[1].")
    )
    let gone = decide(try manifest(list([("B", .authorized), ("A", .authorized)]))) {
      $0.name == "A" ? .unavailable : .available
    }
    #expect(gone.stop == .sourceUnavailable)
    let missing = try manifest(list([("B", .authorized), ("A", .authorized)]), descriptions: "")
    #expect(decide(missing).missingUsageDescriptions.map(\.key) == [.photoLibrary])
  }

  @Test("A grant is of one source, and a denial of all of its kind")
  func answersBySource() throws {
    let manifest = try manifest(
      list([("A", .notDetermined), ("B", .notDetermined)]),
      "\"onNotDetermined\":\"deny\","
    )
    func verdicts(_ status: AuthorizationStatus) -> [AuthorizationStatus] {
      var context = PermissionContext(now: 1_800_000_000)
      context.folders = [SourceID(.library, name: "A"): FolderIdentity(path: [], device: 1, inode: 2)]
      var binding = context.binding(of: SourceID(.library, name: "A"), level: .readWrite, in: manifest)
      binding.manifestPath = context.manifestPath
      context.stored = [answer(status, binding)]
      return PermissionPlan.decide(manifest: manifest, context: context) { _ in .available }.sources.map(
        \.status
      )
    }
    #expect(verdicts(.authorized) == [.authorized, .notDetermined])
    #expect(verdicts(.denied) == [.denied, .denied])
  }

  @Test("The sound of the camera's items needs each microphone that is declared")
  func severalMicrophones() throws {
    let camera = source(.camera, .authorized, ",\"capture\":{\"mode\":\"photoAndVideo\"}")
    for (second, isRefused) in [("authorized", false), ("denied", true)] {
      let microphones =
        "\"microphone\":[{\"name\":\"A\",\"authorizationStatus\":\"authorized\"},"
        + "{\"name\":\"B\",\"authorizationStatus\":\"\(second)\"}]"
      #expect(decide(try manifest(camera + "," + microphones)).isAudioRefused == isRefused)
    }
  }

  @Test("A command is quoted for a shell, and never an option by accident")
  func commands() throws {
    let decided = try #require(decide(try manifest(source(.camera, .denied))).sources.first)
    for (path, command) in [
      ("manifest.json", "mediabatch check manifest.json"),
      ("-x.json", "mediabatch check ./-x.json"), ("", "mediabatch check ''"),
      ("a\u{1B}[2J", "mediabatch check 'a\\u{1B}[2J'"), ("$(x)", "mediabatch check '$(x)'"),
    ] {
      #expect(StatusAdvice(for: decided, manifestPath: path)?.command == command)
    }
  }
}
