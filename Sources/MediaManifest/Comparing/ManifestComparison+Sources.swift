internal import MediaModel
internal import MediaSyntax

extension ManifestComparison {
  /// Compares one source; `original` is the older manifest before values were set to the newer ones.
  mutating func compareSource(_ kind: SourceKind, _ original: Manifest) {
    let (before, now) = (original.sources[kind], new.sources[kind])
    let path = JSONPath.member("$.sources", kind.rawValue)
    old.sources[kind] = now
    switch (before, now) {
    case (nil, nil): return
    case (nil, let now?):
      note(
        path,
        nil,
        now.path.map(ComparisonText.quoted) ?? "{}",
        "The \(kind.displayName) is new."
      )
    case (let before?, nil):
      let isNeeded = kind == .microphone && new.sources[.camera]?.captureMode.needsSound == true
      // Leaving out a source that was refused or limited also ends what refuses hard links to it.
      let isNarrower = before.authorizationStatus == .authorized && !isNeeded
      note(
        path,
        before.path.map(ComparisonText.quoted) ?? "{}",
        nil,
        isNeeded
          ? "The microphone is left out, but the camera's sound still needs it."
          : "The \(kind.displayName) is left out.",
        isNarrower ? .sourceLeftOut : nil
      )
    case (let before?, let now?):
      var pair = SourcePair(before: before, now: now, path: path)
      compare(&pair, kind, original)
      pair.before.position = now.position
      if pair.before != now {
        note(
          path,
          nil,
          nil,
          "Something else differs, which this version of mediabatch cannot name."
        )
      }
    }
  }

  /// One source in both manifests; each value of `before` that was compared is set to the newer one.
  private struct SourcePair {
    var before: SourceDeclaration
    let now: SourceDeclaration
    let path: String
  }

  private mutating func compare(
    _ pair: inout SourcePair,
    _ kind: SourceKind,
    _ original: Manifest
  ) {
    let now = pair.now
    notePath(pair.before.path, now.path, path: pair.path + ".path", "The folder")
    pair.before.path = now.path
    compareStatuses(&pair)
    compareRequired(&pair)
    compareSelection(&pair, wasOpen: original.sources[kind]?.authorizationStatus == .authorized)
    compareCaptureMode(&pair, original)
    compareMediaTypes(&pair)
    comparePick(&pair)
    // What counts is the policy that applies, wherever it is written.
    notePolicy(
      original.metadataPolicy(of: kind),
      new.metadataPolicy(of: kind),
      path: pair.path + ".metadata"
    )
    pair.before.metadata = now.metadata
    if pair.before.crossMounts != now.crossMounts {
      note(
        pair.path + ".crossMounts",
        "\(pair.before.crossMounts)",
        "\(now.crossMounts)",
        "File systems mounted within it are \(now.crossMounts ? "" : "not ")entered.",
        now.crossMounts ? nil : .mountsNotCrossed
      )
    }
    pair.before.crossMounts = now.crossMounts
    if pair.before.hardLinks != now.hardLinks {
      note(
        pair.path + ".hardLinks",
        ComparisonText.quoted(pair.before.hardLinks.rawValue),
        ComparisonText.quoted(now.hardLinks.rawValue),
        now.hardLinks == .allow
          ? "A file that also has a name in a refused source may be read."
          : "A file that also has a name in a refused source is refused.",
        now.hardLinks == .refuse ? .hardLinksRefused : nil
      )
    }
    pair.before.hardLinks = now.hardLinks
  }

  // MARK: - Statuses

  private mutating func compareStatuses(_ pair: inout SourcePair) {
    let hasLevels = pair.before.addOnlyStatus != nil || pair.now.addOnlyStatus != nil
    let path = pair.path + ".authorizationStatus"
    noteStatus(
      pair.before.authorizationStatus,
      pair.now.authorizationStatus,
      path: hasLevels ? path + ".readWrite" : path
    )
    // A level that a manifest says nothing about is one that nobody has decided on.
    noteStatus(
      pair.before.addOnlyStatus ?? .notDetermined,
      pair.now.addOnlyStatus ?? .notDetermined,
      path: path + ".addOnly"
    )
    pair.before.authorizationStatus = pair.now.authorizationStatus
    pair.before.addOnlyStatus = pair.now.addOnlyStatus
  }

  private mutating func noteStatus(
    _ before: AuthorizationStatus,
    _ now: AuthorizationStatus,
    path: String
  ) {
    guard before != now else { return }
    let isStricter = Self.stricter(than: before).contains(now)
    note(
      path,
      ComparisonText.quoted(before.name),
      ComparisonText.quoted(now.name),
      isStricter ? "It allows less." : "It may allow more.",
      isStricter ? .statusStricter : nil
    )
  }

  /// The statuses under which nothing is reached that could not be reached before. An undecided
  /// source may turn out `authorized`, and a picker passes `denied`, not `restricted`.
  private static func stricter(than status: AuthorizationStatus) -> Set<AuthorizationStatus> {
    switch status {
    case .authorized: [.notDetermined, .limited, .denied, .restricted]
    case .limited, .notDetermined: [.denied, .restricted]
    case .denied: [.restricted]
    case .restricted: []
    }
  }

  private mutating func compareRequired(_ pair: inout SourcePair) {
    let (before, now) = (pair.before.required, pair.now.required)
    pair.before.required = now
    guard before != now else { return }
    let isNarrower = now == true || before == false
    note(
      pair.path + ".required",
      before.map { "\($0)" },
      now.map { "\($0)" },
      isNarrower
        ? "A run without it fails where it did not."
        : "A run without it may succeed where it did not.",
      isNarrower ? .requiredNow : nil
    )
  }

  // MARK: - What is taken

  /// Entries that went and entries that came, each by itself.
  private mutating func compareSelection(_ pair: inout SourcePair, wasOpen: Bool) {
    let path = pair.path + ".selection"
    let (before, now) = (pair.before.selection ?? [], pair.now.selection ?? [])
    pair.before.selection = pair.now.selection
    // The status, which is compared too, makes a selection that went mean everything.
    if pair.now.authorizationStatus == .authorized { return }
    let oldTexts = Set(before.map { Array($0.text.utf8) })
    let newTexts = Set(now.map { Array($0.text.utf8) })
    let came = now.enumerated().filter { !oldTexts.contains(Array($0.element.text.utf8)) }
    let selection = Selection(before)
    // Fifty million comparisons are a second; beyond, an entry counts as new.
    let isComparable = came.count * (selection.patterns.count + 1) <= 50_000_000
    for (index, entry) in came {
      let isCovered =
        wasOpen
        || (isComparable
          && entry.literalBytes.map { selection.contains(ItemPath(bytes: $0)) } == true)
      note(
        JSONPath.element(path, index),
        nil,
        ComparisonText.quoted(entry.text),
        isCovered ? "Its files could be reached before." : "The selection has a new entry.",
        isCovered ? .selectionSmaller : nil
      )
    }
    for (index, entry) in before.enumerated() where !newTexts.contains(Array(entry.text.utf8)) {
      note(
        JSONPath.element(path, index),
        ComparisonText.quoted(entry.text),
        nil,
        "The selection has lost an entry.",
        .selectionSmaller
      )
    }
  }

  private mutating func compareCaptureMode(_ pair: inout SourcePair, _ original: Manifest) {
    let (before, now) = (pair.before.captureMode, pair.now.captureMode)
    pair.before.captureMode = now
    guard before != now else { return }
    let gaveStills =
      before == .photoAndVideo || original.onMicrophoneRefused != .refuse
      || original.sources[.microphone]?.authorizationStatus == .authorized
    note(
      pair.path + ".capture.mode",
      ComparisonText.quoted(before.rawValue),
      ComparisonText.quoted(now.rawValue),
      "The camera's folder is taken for something else.",
      now == .photo && gaveStills ? .captureModePhoto : nil
    )
  }

  private mutating func compareMediaTypes(_ pair: inout SourcePair) {
    let (before, now) = (pair.before.mediaTypes, pair.now.mediaTypes)
    pair.before.mediaTypes = now
    let all = Set(MediaType.allCases)
    guard (before ?? all) != (now ?? all) else { return }
    let isNarrower = (now ?? all).isSubset(of: before ?? all)
    note(
      pair.path + ".fetch.mediaTypes",
      before.map { ComparisonText.list($0.map(\.rawValue).sorted()) },
      now.map { ComparisonText.list($0.map(\.rawValue).sorted()) },
      isNarrower ? "Fewer media types are read." : "Other media types are read.",
      isNarrower ? .mediaTypesFewer : nil
    )
  }

  private mutating func comparePick(_ pair: inout SourcePair) {
    let path = pair.path + ".pick"
    let (before, now) = (pair.before.pick, pair.now.pick)
    pair.before.pick = now
    switch (before, now) {
    case (nil, nil): return
    case (nil, .some): note(path, nil, "{}", "A person is asked to pick, whatever the status is.")
    case (.some, nil):
      let status = pair.now.authorizationStatus
      let isClosed = status == .denied || status == .restricted
      note(
        path,
        "{}",
        nil,
        isClosed
          ? "Nobody picks any more."
          : "Nobody picks any more; the status alone says what is read.",
        isClosed ? .pickLeftOut : nil
      )
    case (let before?, let now?):
      if before.maximumCount != now.maximumCount {
        note(
          path + ".limit",
          "\(before.limit)",
          "\(now.limit)",
          "Another number of items may be picked.",
          now.maximumCount < before.maximumCount ? .pickFewer : nil
        )
      }
      if before.filter != now.filter {
        let isNarrower =
          before.filter == nil || (before.filter == .images && now.filter == .livePhotos)
        note(
          path + ".filter",
          before.filter.map { ComparisonText.quoted($0.rawValue) },
          now.filter.map { ComparisonText.quoted($0.rawValue) },
          "Other items may be picked.",
          isNarrower ? .pickFewer : nil
        )
      }
    }
  }
}
