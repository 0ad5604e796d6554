internal import MediaModel
internal import MediaSyntax

/// What one read of a policy gave: the policy, or every mistake that stands in its way.
package struct OrganizationPolicyReading: Sendable {
  /// Nil if and only if there are mistakes.
  package var policy: OrganizationPolicy?
  /// In the order of their places.
  package var issues: [ManifestIssue]
}

extension OrganizationPolicy {
  /// Finds the policy in a text, or every mistake in it at once; looks at nothing but the bytes.
  ///
  /// - Parameter bytes: The whole file, at most 16 MiB, as strict as a manifest.
  /// - Returns: The policy, or the mistakes in the order of their places, at most 1,000. A key that
  ///   would grant something is a mistake `.policyOnlyDenies`.
  package static func read(_ bytes: [UInt8]) -> OrganizationPolicyReading {
    let parsed = JSONParser.parse(bytes)
    var checker = ManifestChecker()
    let policy = parsed.root.flatMap { checker.policy($0) }
    let issues = ManifestReader.issues(of: parsed, checker, found: policy != nil)
    return OrganizationPolicyReading(
      policy: issues.isEmpty ? policy : nil,
      issues: issues
    )
  }
}

extension ManifestChecker {
  /// What somebody writes who takes a policy for a way to grant.
  private static let granting = [
    "allow", "allowed", "grant", "granted", "permit", "authorize", "authorized",
    "authorizationStatus", "limit", "limited", "except", "unless",
  ]

  fileprivate mutating func policy(_ root: JSONNode) -> OrganizationPolicy? {
    let keys = KeySet(
      known: ["$schema", "version", "organisation", "deny"],
      granting: Self.granting
    )
    guard let object = object(root, path: JSONPath.root, keys: keys) else { return nil }
    schema(in: object)
    version(required("version", in: object), in: object, of: "policies")
    let organization = words("organisation", in: object, limit: 255)
    guard let member = required("deny", in: object) else { return nil }
    let path = object.path(of: "deny")
    guard case .array(let elements) = member.value.value else {
      reportWrongType(member.value, path: path, expected: "a list")
      return nil
    }
    guard elements.count <= OrganizationPolicy.maximumDenialCount else {
      report(
        ValueIssue(
          .outOfRange,
          "more than \(OrganizationPolicy.maximumDenialCount) entries in a policy"
        ),
        at: member.value.position,
        path: path
      )
      return nil
    }
    var denials: [OrganizationPolicy.Denial] = []
    for (index, element) in elements.enumerated() {
      guard let denial = denial(element, index: index, path: JSONPath.element(path, index)) else {
        continue
      }
      denials.append(denial)
    }
    return OrganizationPolicy(organization: organization, denials: denials)
  }

  private mutating func denial(
    _ node: JSONNode,
    index: Int,
    path: String
  ) -> OrganizationPolicy.Denial? {
    let subjects = ["source", "picking", "enforcement"]
    var keys = KeySet(known: subjects + ["reason"], granting: Self.granting)
    guard case .object(let members) = node.value else {
      reportWrongType(node, path: path, expected: "an object")
      return nil
    }
    if members.contains(where: { $0.isNamed("source") }) {
      keys.known += ["level", "clients"]
    } else {
      keys.elsewhere = ["level": "an entry with \"source\"", "clients": "an entry with \"source\""]
    }
    guard let object = object(node, path: path, keys: keys) else { return nil }
    let named = subjects.filter { object.member($0) != nil }
    let reason = words("reason", in: object, limit: 500)
    guard named.count == 1 else {
      report(
        ValueIssue(
          named.isEmpty ? .missingKey : .notApplicable,
          named.isEmpty
            ? "the entry does not say what it denies"
            : "the entry denies \(named.count) things; each needs an entry of its own",
          allowed: subjects
        ),
        at: object.position,
        path: path
      )
      return nil
    }
    let clients = object.member("clients").map {
      self.clients($0.value, path: object.path(of: "clients"))
    }
    guard let subject = subject(in: object) else { return nil }
    return OrganizationPolicy.Denial(
      subject: subject,
      clients: clients,
      reason: reason,
      index: index,
      position: object.position
    )
  }

  private mutating func subject(in object: CheckedObject) -> OrganizationPolicy.Subject? {
    if let member = object.member("picking") {
      guard let isDenied = flag(member, in: object) else { return nil }
      guard isDenied else {
        report(
          ValueIssue(
            .policyOnlyDenies,
            "\"picking\" false would allow something; a policy only denies. Leave the entry out",
            allowed: ["true"]
          ),
          at: member.value.position,
          path: object.path(of: "picking")
        )
        return nil
      }
      return .picking
    }
    if let member = object.member("enforcement") {
      let found: Bool? = word(
        member.value,
        path: object.path(of: "enforcement"),
        words: [(Enforcement.process.rawValue, true)]
      )
      return found.map { _ in .processEnforcement }
    }
    guard let source = word(object.member("source"), in: object, as: SourceKind.self) else {
      return nil
    }
    guard let member = object.member("level") else { return .source(source, nil) }
    let path = object.path(of: "level")
    let words = AccessLevel.allCases.map { ($0.name, $0) }
    guard let level = word(member.value, path: path, words: words) else { return nil }
    guard source == .library else {
      report(
        ValueIssue(
          .notApplicable,
          "\"level\" for the \(source.displayName), which has one; leave it out"
        ),
        at: member.keyPosition,
        path: path
      )
      return nil
    }
    return .source(source, level)
  }

  private mutating func clients(_ node: JSONNode, path: String) -> [ClientPattern] {
    guard case .array(let elements) = node.value else {
      reportWrongType(node, path: path, expected: "a list")
      return []
    }
    if elements.isEmpty {
      report(
        ValueIssue(
          .outOfRange,
          "the list is empty, so nobody would be denied; for every client leave it out"
        ),
        at: node.position,
        path: path
      )
    }
    var patterns: [ClientPattern] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.value else {
        reportWrongType(element, path: JSONPath.element(path, index), expected: "a string")
        continue
      }
      do throws(ValueIssue) {
        patterns.append(try ClientPattern(text))
      } catch {
        report(error, at: element.position, path: JSONPath.element(path, index))
      }
    }
    return patterns
  }

  /// Text that a person is to read, so that blanks alone are a mistake.
  private mutating func words(_ key: String, in object: CheckedObject, limit: Int) -> String? {
    let member = object.member(key)
    guard let member, let text = text(member, in: object, limit: limit) else { return nil }
    if Blank.isBlank(text) {
      report(
        ValueIssue(.invalidText, "the text is blank"),
        at: member.value.position,
        path: object.path(of: key)
      )
      return nil
    }
    return text
  }
}
