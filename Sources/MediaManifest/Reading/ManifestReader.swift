internal import MediaModel
internal import MediaSyntax

/// The result of reading a manifest.
package struct ManifestReading: Sendable {
  /// Nil if and only if there are issues.
  package var manifest: Manifest?
  /// Sorted by position.
  package var issues: [ManifestIssue]
}

/// Reads a manifest.
package enum ManifestReader {
  /// Finds the manifest in a text, or every mistake in it at once.
  ///
  /// Pure: looks at nothing but the bytes. A missing or empty usage description is no mistake here,
  /// since only deciding knows which ones are needed; nor are two folders that overlap, for which
  /// see ``SourcesOverlap``.
  ///
  /// - Parameter bytes: The whole file, at most 16 MiB.
  /// - Returns: The manifest, or the mistakes in the order of their places, at most 1,000.
  package static func read(_ bytes: [UInt8]) -> ManifestReading {
    let parsed = JSONParser.parse(bytes)
    var checker = ManifestChecker()
    let manifest = parsed.root.flatMap { checker.manifest($0) }
    let issues = issues(of: parsed, checker, found: manifest != nil)
    return ManifestReading(manifest: issues.isEmpty ? manifest : nil, issues: issues)
  }

  /// All mistakes of a text and its values, in the order of their places; at least one when nothing
  /// was found.
  static func issues(
    of parsed: JSONParser.Result,
    _ checker: ManifestChecker,
    found: Bool
  ) -> [ManifestIssue] {
    let checked = checker.issues.filter { !(parsed.isPartial && $0.code == .missingKey) }
    // Stable: two mistakes at one place stay in the order in which they were found.
    let all = (parsed.issues.map { ManifestIssue($0) } + checked).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
    return all.isEmpty && !found ? [unreadable] : cut(all)
  }

  /// A guard against this room's own mistakes: nothing is refused without a reason that says why.
  private static let unreadable = ManifestIssue(
    position: .start,
    path: JSONPath.root,
    issue: ValueIssue(.syntax, "the text cannot be understood")
  )

  private static func cut(_ issues: [ManifestIssue]) -> [ManifestIssue] {
    let limit = SyntaxIssue.maximumCount
    guard issues.count >= limit else { return issues }
    var kept = Array(issues.prefix(limit - 1))
    kept.append(
      ManifestIssue(
        position: issues[limit - 1].position,
        path: JSONPath.root,
        issue: ValueIssue(.tooManyMistakes, "there are more mistakes than are listed here")
      )
    )
    return kept
  }
}

extension ManifestChecker {
  mutating func manifest(_ root: JSONNode) -> Manifest? {
    let keys = KeySet(
      known: [
        "$schema", "version", "client", "usageDescriptions", "infoPlist", "sources",
        "onNotDetermined", "onMicrophoneRefused", "enforcement", "metadata", "thumbnails",
        "limits", "acceptDamaged", "labels", "output", InfoPlist.limitedAccessAlertKey,
      ],
      elsewhere: ["pick": "the photo library, $.sources.library"]
    )
    guard let object = object(root, path: JSONPath.root, keys: keys) else { return nil }
    schema(in: object)
    version(required("version", in: object), in: object, of: "manifests")
    let client = required("client", in: object).flatMap { self.client($0.value) }
    let usageDescriptions = object.member("usageDescriptions").map {
      self.usageDescriptions($0.value)
    }
    let infoPlist = path(object.member("infoPlist"), in: object)
    let limitedAccessAlert = object.member(InfoPlist.limitedAccessAlertKey)
    let preventsAlert = flag(limitedAccessAlert, in: object)
    let sources = required("sources", in: object).map { self.sources($0.value) }
    let onNotDetermined = word(
      object.member("onNotDetermined"),
      in: object,
      as: NotDeterminedPolicy.self
    )
    let onMicrophoneRefused = word(
      object.member("onMicrophoneRefused"),
      in: object,
      as: MicrophoneRefusalPolicy.self
    )
    let enforcement = word(object.member("enforcement"), in: object, as: Enforcement.self)
    let metadata = object.member("metadata").flatMap {
      self.metadata($0.value, path: object.path(of: "metadata"))
    }
    let thumbnails = object.member("thumbnails").map { self.thumbnails($0.value) }
    let limits = object.member("limits").flatMap { self.limits($0.value) }
    let acceptsDamaged = flag(object.member("acceptDamaged"), in: object)
    let labels = object.member("labels").map { self.labels($0.value) }
    guard let output = output(required("output", in: object)), let client, let sources else {
      return nil
    }
    return Manifest(
      client: client,
      usageDescriptions: usageDescriptions?.texts ?? [:],
      usageDescriptionPositions: usageDescriptions?.positions ?? [:],
      infoPlist: infoPlist,
      preventsAutomaticLimitedAccessAlert: preventsAlert ?? false,
      limitedAccessAlertPosition: limitedAccessAlert?.keyPosition,
      sources: sources,
      onNotDetermined: onNotDetermined ?? .ask,
      onMicrophoneRefused: onMicrophoneRefused ?? .refuse,
      enforcement: enforcement ?? .kernel,
      metadata: metadata ?? .strip,
      thumbnails: thumbnails ?? [],
      limits: limits ?? ItemLimits(),
      acceptsDamaged: acceptsDamaged ?? false,
      labels: labels ?? Manifest.Labels(),
      output: output.path,
      outputPosition: output.position
    )
  }

  /// Editors read it; it is never fetched, so any text will do.
  mutating func schema(in object: CheckedObject) {
    guard let schema = object.member("$schema") else { return }
    if case .string = schema.value.value { return }
    reportWrongType(schema.value, path: object.path(of: "$schema"), expected: "a string")
  }

  mutating func version(_ member: JSONMember?, in object: CheckedObject, of files: String) {
    guard let member else { return }
    guard case .number(let integer) = member.value.value else {
      reportWrongType(member.value, path: object.path(of: "version"), expected: "the number 1")
      return
    }
    if integer != 1 {
      report(
        ValueIssue(
          .unknownValue,
          "this version of mediabatch knows \(files) of version 1",
          allowed: ["1"]
        ),
        at: member.value.position,
        path: object.path(of: "version")
      )
    }
  }

  private mutating func client(_ node: JSONNode) -> Manifest.Client? {
    let path = JSONPath.member(JSONPath.root, "client")
    let keys = KeySet(known: ["identifier", "name"], elsewhere: Self.infoPlistElsewhere)
    guard let object = object(node, path: path, keys: keys) else { return nil }
    let identifier = text(required("identifier", in: object), in: object, limit: 155)
    let name = text(object.member("name"), in: object, limit: 255)
    if let member = object.member("identifier"), let identifier,
      let wrong = identifier.unicodeScalars.first(where: { !Self.isIdentifierScalar($0) })
    {
      report(
        ValueIssue(
          .invalidText,
          "\(Spelling.quoted(String(wrong))) in a client identifier",
          allowed: ["A-Z", "a-z", "0-9", ".", "-"]
        ),
        at: member.value.position,
        path: object.path(of: "identifier")
      )
    }
    if let member = object.member("name"), let name, Blank.isBlank(name) {
      report(
        ValueIssue(.invalidText, "the name is blank"),
        at: member.value.position,
        path: object.path(of: "name")
      )
    }
    return identifier.map { Manifest.Client(identifier: $0, name: name ?? $0) }
  }

  static func isIdentifierScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", ".", "-": true
    default: false
    }
  }

  private static let infoPlistElsewhere = ["infoPlist": "the manifest itself, $"]

  private mutating func usageDescriptions(
    _ node: JSONNode
  ) -> (
    texts: [UsageDescriptionKey: UsageDescription],
    positions: [UsageDescriptionKey: TextPosition]
  ) {
    let path = JSONPath.member(JSONPath.root, "usageDescriptions")
    var elsewhere = Self.infoPlistElsewhere
    elsewhere[InfoPlist.limitedAccessAlertKey] = "the manifest itself, $"
    let keys = KeySet(
      known: UsageDescriptionKey.allCases.map(\.rawValue),
      elsewhere: elsewhere
    )
    guard let object = object(node, path: path, keys: keys) else { return ([:], [:]) }
    var positions: [UsageDescriptionKey: TextPosition] = [:]
    var descriptions: [UsageDescriptionKey: UsageDescription] = [:]
    for key in UsageDescriptionKey.allCases {
      let member = object.member(key.rawValue)
      positions[key] = member?.keyPosition
      switch member?.value.value {
      case nil: break
      case .string(let text): descriptions[key] = .text(text)
      default: descriptions[key] = .notAString
      }
    }
    return (descriptions, positions)
  }
}
