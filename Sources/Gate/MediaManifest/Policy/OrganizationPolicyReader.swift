internal import MediaModel
internal import MediaSyntax

/// The result of reading a policy.
package struct OrganizationPolicyReading: Sendable {
  /// Nil if and only if there are issues.
  package var policy: OrganizationPolicy?
  /// Sorted by position.
  package var issues: [ManifestIssue]
}

extension OrganizationPolicy {
  /// Reads a policy, or finds every error in it; a pure function of the bytes.
  ///
  /// - Parameter bytes: The whole file, at most 16 MiB, as strict as a manifest.
  /// - Returns: The policy, or the mistakes in the order of their places, at most 1,000. A key that
  ///   would grant something is a mistake `.policyOnlyDenies`.
  package static func read(_ bytes: [UInt8]) -> OrganizationPolicyReading {
    let parsed = JSONParser.parse(bytes)
    var checker = ManifestChecker()
    let policy = parsed.root.flatMap { checker.policy(Field(root: $0)) }
    let issues = checker.issues(of: parsed, hasResult: policy != nil)
    return OrganizationPolicyReading(policy: issues.isEmpty ? policy : nil, issues: issues)
  }
}

extension ManifestChecker {
  /// Keys of someone who takes a policy for a way to grant access.
  private static let granting = [
    "allow", "allowed", "grant", "granted", "permit", "authorize", "authorized",
    "authorizationStatus", "limit", "limited", "except", "unless",
  ]

  fileprivate mutating func policy(_ root: Field) -> OrganizationPolicy? {
    let keys = KeySet(
      names: ["$schema", "version", "organization", "deny", "signatures"],
      granting: Self.granting
    )
    guard let object = object(root, keys: keys) else { return nil }
    if let field = object["$schema"] { schema(field) }
    if let field = required("version", such: "1", in: object) {
      version(field, of: "policies")
    }
    let organization = object["organization"].flatMap { words($0, limit: 255) }
    let limit = OrganizationPolicy.maximumDenialCount
    var policy = OrganizationPolicy(organization: organization, denials: [])
    if let field = object["signatures"] {
      policy.signatures = signatures(field)
      if object["deny"] == nil { return policy }
    }
    guard let deny = required("deny", such: #"[{ "source": "library" }]"#, in: object),
      let elements = list(deny, limit: limit, of: "entries in a policy")
    else { return nil }
    policy.denials = elements.enumerated().compactMap { denial($1, index: $0) }
    return policy
  }

  private mutating func signatures(_ field: Field) -> OrganizationPolicy.Signatures? {
    let keys = KeySet(
      names: ["allowedSigners", "revoked", "sources", "minimumSerial"],
      granting: Self.granting
    )
    guard let object = object(field, keys: keys),
      let signers = required("allowedSigners", such: #""/etc/mediabatch/allowed_signers""#, in: object),
      let path = absolutePath(signers)
    else { return nil }
    var signatures = OrganizationPolicy.Signatures(allowedSigners: path, position: field.keyPosition)
    signatures.revoked = object["revoked"].flatMap { absolutePath($0) }
    if let serial = object["minimumSerial"].flatMap({ integer($0, 0...Int(Int32.max)) }) {
      signatures.minimumSerial = serial
    }
    if let field = object["sources"], let elements = list(field) {
      if elements.isEmpty {
        report(
          .outOfRange,
          "the list is empty, so nothing would need a signature; leave it out to mean all",
          at: field
        )
      }
      signatures.sources = set(elements, by: \.rawValue) { $0.word($1, as: SourceKind.self) }
    }
    return signatures
  }

  /// A path from the root, since a policy lies in no folder of anybody's.
  private mutating func absolutePath(_ field: Field) -> String? {
    guard let path = path(field) else { return nil }
    if path.utf8.first == .slash { return path }
    report(
      .invalidText,
      "an absolute path is expected, such as \"/etc/mediabatch/allowed_signers\"",
      at: field
    )
    return nil
  }

  private mutating func denial(_ field: Field, index: Int) -> OrganizationPolicy.Denial? {
    let subjects = ["source", "picking", "enforcement"]
    var keys = KeySet(names: subjects + ["reason"], granting: Self.granting)
    if case .object(let members) = field.node.value,
      members.contains(where: { $0.isNamed("source") })
    {
      keys.names += ["level", "clients"]
    } else {
      keys.elsewhere = ["level": "an entry with \"source\"", "clients": "an entry with \"source\""]
    }
    guard let object = object(field, keys: keys) else { return nil }
    let count = subjects.count { object[$0] != nil }
    let reason = object["reason"].flatMap { words($0, limit: 500) }
    guard count == 1 else {
      report(
        count == 0 ? .missingKey : .notApplicable,
        count == 0
          ? "the entry does not say what it denies"
          : "the entry denies \(count) things; each needs an entry of its own",
        at: field,
        allowed: subjects
      )
      return nil
    }
    let clients = object["clients"].map { self.clients($0) }
    guard let subject = self.subject(in: object) else { return nil }
    return OrganizationPolicy.Denial(
      subject: subject,
      clients: clients,
      reason: reason,
      index: index,
      position: field.node.position
    )
  }

  private mutating func subject(in object: CheckedObject) -> OrganizationPolicy.Subject? {
    if let field = object["picking"] {
      guard let isDenied = flag(field) else { return nil }
      if isDenied { return .picking }
      report(
        .policyOnlyDenies,
        "a policy only denies, and \"picking\": false would allow something; leave the entry out",
        at: field,
        allowed: ["true"]
      )
      return nil
    }
    if let field = object["enforcement"] {
      return word(field, [(Enforcement.process.rawValue, .processEnforcement)])
    }
    guard let source = object["source"].flatMap({ word($0, as: SourceKind.self) }) else {
      return nil
    }
    guard let field = object["level"] else { return .source(source, nil) }
    guard let level = word(field, AccessLevel.allCases.map { ($0.name, $0) }) else { return nil }
    if source == .library { return .source(source, level) }
    let message = "the \(source.displayName) has one access level; leave \"level\" out"
    report(.notApplicable, message, at: field, atKey: true)
    return nil
  }

  private mutating func clients(_ field: Field) -> [ClientPattern] {
    guard let elements = list(field) else { return [] }
    if elements.isEmpty {
      let message = "the list is empty, so nobody would be denied; leave it out to mean every client"
      report(.outOfRange, message, at: field)
    }
    return elements.compactMap { element in
      text(element) { text throws(ValueIssue) in try ClientPattern(text) }
    }
  }

  /// Text for people, so that blanks alone are an issue.
  private mutating func words(_ field: Field, limit: Int) -> String? {
    text(field, limit: limit, blank: "the text is blank")
  }
}
