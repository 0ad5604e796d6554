internal import MediaModel
internal import MediaSyntax

/// The key of a source's authorization status.
enum StatusKeys {
  static func status(of kind: SourceKind) -> ManifestKey<SourceDeclaration> {
    func words(_ level: AccessLevel) -> [String] {
      AuthorizationStatus.cases(of: kind, level).map(\.name)
    }
    return ManifestKey(
      "authorizationStatus",
      .statuses(readWrite: words(.readWrite), addOnly: kind == .library ? words(.addOnly) : nil),
      read: { checker, field, source in
        let statuses = checker.statuses(field, of: kind)
        source.authorizationStatus = statuses.readWrite ?? .notDetermined
        source.addOnlyStatus = statuses.addOnly
      },
      compare: { comparison, old, new, path in
        comparison.compareStatuses(of: kind, old, new, path)
        old.authorizationStatus = new.authorizationStatus
        old.addOnlyStatus = new.addOnlyStatus
      }
    )
    .byDefault("`notDetermined`")
    .meaning(
      "`notDetermined`, `restricted`, `denied`, `authorized`; for `library` also `limited`, or an "
        + "object; see below"
    )
  }
}

extension ManifestChecker {
  /// Reads a status: a plain word is the readWrite status; the photo library may have one for each
  /// access level.
  fileprivate mutating func statuses(
    _ field: Field,
    of kind: SourceKind
  ) -> (readWrite: AuthorizationStatus?, addOnly: AuthorizationStatus?) {
    guard case .object(let members) = field.node.value else {
      return (status(field, of: kind, .readWrite), nil)
    }
    guard kind == .library else {
      report(
        .notApplicable,
        "only the photo library has a status for each access level; write one status for the \(kind.displayName)",
        at: field,
        allowed: AuthorizationStatus.cases(of: kind, .readWrite).map(\.name)
      )
      return (nil, nil)
    }
    let levels = [AccessLevel.readWrite, .addOnly].map(\.name)
    guard let object = object(field, keys: KeySet(names: levels)) else { return (nil, nil) }
    if members.isEmpty {
      report(.missingKey, "a status is missing", at: field, allowed: levels)
    }
    func decoded(_ level: AccessLevel) -> AuthorizationStatus? {
      object[level.name].flatMap { status($0, of: kind, level) }
    }
    return (decoded(.readWrite), decoded(.addOnly))
  }

  private mutating func status(
    _ field: Field,
    of kind: SourceKind,
    _ level: AccessLevel
  ) -> AuthorizationStatus? {
    let words = AuthorizationStatus.cases(of: kind, level).map { ($0.name, $0) }
    guard case .string("limited") = field.node.value, !words.contains(where: { $0.1 == .limited })
    else { return word(field, words) }
    let subject = kind == .library ? "adding to the photo library" : "the \(kind.displayName)"
    report(
      .limitedNotApplicable,
      "\(subject) cannot be limited; only reading the photo library can",
      at: field,
      allowed: words.map(\.0)
    )
    return nil
  }
}

extension ManifestComparison {
  fileprivate mutating func compareStatuses(
    of kind: SourceKind,
    _ old: SourceDeclaration,
    _ new: SourceDeclaration,
    _ path: String
  ) {
    let hasLevels = old.addOnlyStatus != nil || new.addOnlyStatus != nil
    noteStatus(
      old.authorizationStatus,
      new.authorizationStatus,
      hasLevels ? path + ".readWrite" : path,
      mayReplaceFiles: kind == .library && self.old.manifest.mayReplaceFiles(of: source)
    )
    if self.old.manifest.onlyAddsToPhotoLibrary, !self.new.manifest.onlyAddsToPhotoLibrary,
      new.addOnlyStatus == nil
    {
      note(path, "only addOnly", "readWrite too", "It is read, where it was only added to.", nil)
    }
    // A level without a status is undecided.
    noteStatus(old.addOnlyStatus ?? .notDetermined, new.addOnlyStatus ?? .notDetermined, path + ".addOnly")
  }

  private mutating func noteStatus(
    _ before: AuthorizationStatus,
    _ now: AuthorizationStatus,
    _ path: String,
    mayReplaceFiles: Bool = false
  ) {
    guard before != now else { return }
    // Under both, some of the files may be read and others not.
    let isPartial = now == .limited || now == .notDetermined
    let isStricter =
      Self.stricter(than: before).contains(now) && !(isPartial && mayReplaceFiles)
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
}

extension AuthorizationStatus {
  /// The statuses of a source at one access level.
  fileprivate static func cases(of kind: SourceKind, _ level: AccessLevel) -> [Self] {
    allCases.filter {
      $0 != .limited || (kind == .library && level == .readWrite)
    }
  }
}
