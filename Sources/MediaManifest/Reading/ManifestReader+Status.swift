internal import MediaModel
internal import MediaSyntax

extension ManifestChecker {
  /// A plain word is the readWrite status; the photo library may say one for each access level.
  mutating func statuses(
    _ node: JSONNode,
    of kind: SourceKind,
    path: String
  ) -> (readWrite: AuthorizationStatus?, addOnly: AuthorizationStatus?) {
    guard case .object = node.value else {
      return (status(node, of: kind, level: .readWrite, path: path), nil)
    }
    guard kind == .library else {
      report(
        ValueIssue(
          .notApplicable,
          "a status for each access level belongs to the photo library only; "
            + "the \(kind.displayName) has one",
          allowed: Self.statuses(of: kind, level: .readWrite).map(\.name)
        ),
        at: node.position,
        path: path
      )
      return (nil, nil)
    }
    let levels: [AccessLevel] = [.readWrite, .addOnly]
    let keys = KeySet(known: levels.map(\.name))
    guard let object = object(node, path: path, keys: keys) else { return (nil, nil) }
    if object.members.isEmpty {
      report(
        ValueIssue(.missingKey, "a status for neither access level", allowed: keys.known),
        at: node.position,
        path: path
      )
    }
    let found = levels.map { level in
      object.member(level.name).flatMap {
        status($0.value, of: kind, level: level, path: object.path(of: level.name))
      }
    }
    return (found[0], found[1])
  }

  private static func statuses(of kind: SourceKind, level: AccessLevel) -> [AuthorizationStatus] {
    AuthorizationStatus.allCases.filter {
      $0 != .limited || (kind == .library && level == .readWrite)
    }
  }

  private mutating func status(
    _ node: JSONNode,
    of kind: SourceKind,
    level: AccessLevel,
    path: String
  ) -> AuthorizationStatus? {
    let words = Self.statuses(of: kind, level: level).map { ($0.name, $0) }
    guard case .string("limited") = node.value, !words.contains(where: { $0.1 == .limited }) else {
      return word(node, path: path, words: words)
    }
    let subject = kind == .library ? "adding to the photo library" : "the \(kind.displayName)"
    report(
      ValueIssue(
        .limitedNotApplicable,
        "\"limited\" for \(subject); only reading the photo library can be limited",
        allowed: words.map(\.0)
      ),
      at: node.position,
      path: path
    )
    return nil
  }
}
