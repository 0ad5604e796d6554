internal import MediaModel
internal import MediaSyntax

/// What a newer manifest promises differently from an older one, for whoever reviews the change.
///
/// Nothing is opened: what the manifests point to was read before. Texts are compared byte by byte.
package struct ManifestComparison: Sendable {
  /// A manifest with what it points to.
  package struct Side: Sendable {
    /// With what its Info.plist brings; see ``Manifest/merging(_:)``.
    package var manifest: Manifest
    /// What its paths are relative to, absolute.
    package var folder: [UInt8]
    /// SHA-256 of the labels file, hexadecimal; nil when there is none.
    package var labelsSHA256: String?

    package init(manifest: Manifest, folder: [UInt8], labelsSHA256: String? = nil) {
      self.manifest = manifest
      self.folder = folder
      self.labelsSHA256 = labelsSHA256
    }
  }

  /// One value that is not the same.
  package struct Difference: Sendable, Hashable {
    /// A JSON path in the newer manifest; in the older one when the newer has no such value.
    package var path: String
    /// The value as JSON has it, escaped and cut after 500 characters; nil when there is none.
    package var old: String?
    package var new: String?
    /// What it means, for a person; escaped.
    package var sentence: String
    /// The entry of the list that it is on; nil when it is on none, and so widened.
    package var narrowing: Narrowing?
  }

  /// In the order of the keys in `docs/manifest.md`.
  package private(set) var widenings: [Difference] = []
  package private(set) var narrowings: [Difference] = []

  /// The older manifest; each value that was compared is set to the newer one's, so that a value
  /// that nobody compares is left over and found at the end.
  var old: Manifest
  let new: Manifest
  let oldFolder: [UInt8]
  let newFolder: [UInt8]

  package init(old: Side, new: Side) {
    self.old = old.manifest
    self.new = new.manifest
    oldFolder = old.folder
    newFolder = new.folder
    compareClient()
    compareUsageDescriptions()
    for kind in SourceKind.allCases { compareSource(kind, old.manifest) }
    compareRules()
    compareDefaultMetadata()
    compareThumbnails()
    compareLimits()
    compareLabels(old.labelsSHA256, new.labelsSHA256)
    comparePath(\.output, path: "$.output.path", "The library that is written")
    self.old.outputPosition = self.new.outputPosition
    self.old.usageDescriptionPositions = self.new.usageDescriptionPositions
    self.old.limitedAccessAlertPosition = self.new.limitedAccessAlertPosition
    if self.old != self.new {
      note("$", nil, nil, "Something else differs, which this version of mediabatch cannot name.")
    }
  }

  /// Keeps one difference; one without a narrowing is widened.
  mutating func note(
    _ path: String,
    _ old: String?,
    _ new: String?,
    _ sentence: String,
    _ narrowing: Narrowing? = nil
  ) {
    // Swift's `==` is true for texts that look the same; so are two that were cut.
    let looksTheSame = old != nil && old == new
    let difference = Difference(
      path: path,
      old: old,
      new: new,
      sentence: looksTheSame
        ? sentence + " Both look the same here: they differ in how a character is written, or "
          + "behind what is shown." : sentence,
      narrowing: narrowing
    )
    if narrowing == nil {
      widenings.append(difference)
    } else {
      narrowings.append(difference)
    }
  }

  // MARK: - Values of the manifest itself

  private mutating func compareClient() {
    compareText(
      \.client.identifier,
      path: "$.client.identifier",
      "Answers and policies are bound to the identifier; those of another client would apply."
    )
    compareText(\.client.name, path: "$.client.name", "A person is shown another name.")
  }

  private mutating func compareUsageDescriptions() {
    for key in UsageDescriptionKey.allCases {
      let (before, now) = (old.usageDescriptions[key], new.usageDescriptions[key])
      old.usageDescriptions[key] = now
      let path = JSONPath.member("$.usageDescriptions", key.rawValue)
      switch (before, now) {
      case (nil, nil): break
      case (let before?, nil):
        note(path, before.json, nil, "It is left out.", .usageDescriptionLeftOut)
      case (nil, let now?): note(path, nil, now.json, "It is new.")
      case (let before?, let now?):
        if before.isIdentical(to: now) { break }
        note(path, before.json, now.json, "A person is told something else.")
      }
    }
    let isLeftOut = new.infoPlist == nil
    comparePath(
      \.infoPlist,
      path: "$.infoPlist",
      "The Info.plist",
      isLeftOut ? .infoPlistLeftOut : nil
    )
    compare(
      \.preventsAutomaticLimitedAccessAlert,
      path: JSONPath.member(JSONPath.root, InfoPlist.limitedAccessAlertKey),
      { "\($0)" },
      { $0 ? "A limited run keeps quiet about it." : "A limited run says that it is limited." },
      { $0 ? nil : .limitedAccessAlertShown }
    )
  }

  private mutating func compareRules() {
    compare(
      \.onNotDetermined,
      path: "$.onNotDetermined",
      { ComparisonText.quoted($0.rawValue) },
      { policy in
        switch policy {
        case .ask: "A person is asked about a source that nobody has decided on."
        case .fail: "A source that nobody has decided on stops the run."
        case .deny: "A run goes on without a source that nobody has decided on."
        }
      },
      { $0 == .fail ? .undecidedFails : nil }
    )
    compare(
      \.onMicrophoneRefused,
      path: "$.onMicrophoneRefused",
      { ComparisonText.quoted($0.rawValue) },
      { policy in
        switch policy {
        case .refuse: "Live photos are refused when the microphone is."
        case .stillOnly: "Live photos give their stills when the microphone is refused."
        case .mute: "Videos are imported without sound when the microphone is refused."
        }
      },
      { $0 == .refuse ? .soundRefused : nil }
    )
    compare(
      \.enforcement,
      path: "$.enforcement",
      { ComparisonText.quoted($0.rawValue) },
      { $0 == .kernel ? "Without the kernel's guard it stops." : "It goes on without the kernel." },
      { $0 == .kernel ? .kernelEnforced : nil }
    )
  }

  private mutating func compareLabels(_ oldDigest: String?, _ newDigest: String?) {
    let isNeutral = new.labels.neutral
    comparePath(
      \.labels.file,
      path: "$.labels.file",
      "The labels file",
      isNeutral ? .labelsNeutral : nil
    )
    if let oldDigest, let newDigest, oldDigest != newDigest {
      note(
        "$.labels.file",
        ComparisonText.quoted("sha256:" + oldDigest),
        ComparisonText.quoted("sha256:" + newDigest),
        "The labels file has other bytes."
      )
    }
    let (before, now) = (old.labels.template, new.labels.template)
    old.labels.template = now
    let isCovered = isNeutral && before?.publishesItem == true
    if !ComparisonText.isIdentical(before?.text, now?.text) {
      note(
        "$.labels.template",
        before.map { ComparisonText.quoted($0.text) },
        now.map { ComparisonText.quoted($0.text) },
        "Labels are made in another way, and file names may tell something else.",
        isCovered ? .labelsNeutral : nil
      )
    }
    compare(
      \.labels.neutral,
      path: "$.labels.neutral",
      { "\($0)" },
      { $0 ? "Labels are numbers." : "Labels are no longer only numbers." },
      { $0 ? .labelsNeutral : nil }
    )
  }

  private mutating func compareThumbnails() {
    let before = old.thumbnails
    old.thumbnails = new.thumbnails
    for spec in new.thumbnails {
      let path = JSONPath.member("$.thumbnails", spec.name)
      guard let other = before.first(where: { $0.name == spec.name }) else {
        note(path, nil, ComparisonText.quoted(spec.fingerprint), "The thumbnail is new.")
        continue
      }
      if other.size != spec.size {
        note(
          path + ".size",
          other.size.json,
          spec.size.json,
          "The thumbnail has another box.",
          spec.isSmaller(than: other) ? .thumbnailSmaller : nil
        )
      }
      if other.contentMode != spec.contentMode {
        note(
          path + ".contentMode",
          ComparisonText.quoted(other.contentMode.rawValue),
          ComparisonText.quoted(spec.contentMode.rawValue),
          "The thumbnail shows another part of the picture."
        )
      }
      if other.quality != spec.quality {
        note(
          path + ".quality",
          "\(other.quality)",
          "\(spec.quality)",
          "The thumbnail has another quality.",
          spec.quality < other.quality ? .thumbnailSmaller : nil
        )
      }
      compareColors(of: other, spec, path: path)
    }
    for spec in before where !new.thumbnails.contains(where: { $0.name == spec.name }) {
      note(
        JSONPath.member("$.thumbnails", spec.name),
        ComparisonText.quoted(spec.fingerprint),
        nil,
        "The thumbnail is left out.",
        .thumbnailLeftOut
      )
    }
  }

  private mutating func compareColors(
    of before: ThumbnailSpec,
    _ now: ThumbnailSpec,
    path: String
  ) {
    if before.format != now.format {
      note(
        path + ".format",
        ComparisonText.quoted(before.format.rawValue),
        ComparisonText.quoted(now.format.rawValue),
        "The thumbnail is another kind of file."
      )
    }
    if before.colorSpace != now.colorSpace {
      note(
        path + ".colorSpace",
        before.colorSpace.map { ComparisonText.quoted($0.rawValue) },
        now.colorSpace.map { ComparisonText.quoted($0.rawValue) },
        "The thumbnail's colours are written in another way."
      )
    }
    if before.background != now.background {
      note(
        path + ".background",
        ComparisonText.quoted(before.background.text),
        ComparisonText.quoted(now.background.text),
        "Something else is seen through a transparent picture."
      )
    }
  }

  mutating func compareLimits() {
    let (before, now) = (old.limits, new.limits)
    old.limits = now
    let limits: [(String, KeyPath<ItemLimits, Int>)] = [
      ("bytes", \.bytes), ("pixels", \.pixels), ("frames", \.frames),
      ("textBytes", \.textBytes), ("profileBytes", \.profileBytes), ("seconds", \.seconds),
    ]
    for (key, limit) in limits where before[keyPath: limit] != now[keyPath: limit] {
      note(
        "$.limits.\(key)",
        "\(before[keyPath: limit])",
        "\(now[keyPath: limit])",
        "An item may take another amount.",
        now[keyPath: limit] < before[keyPath: limit] ? .limitLower : nil
      )
    }
    compare(
      \.acceptsDamaged,
      path: "$.acceptDamaged",
      { "\($0)" },
      { $0 ? "Damaged pictures are imported." : "Damaged pictures fail." },
      { $0 ? nil : .damagedRefused }
    )
  }
}
