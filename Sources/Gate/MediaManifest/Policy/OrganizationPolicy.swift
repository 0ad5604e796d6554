package import MediaModel
package import MediaSyntax

/// The denials of an organization for its machines, and whose signatures it asks for. A policy can grant nothing.
///
/// A sample:
///
///     {
///       "version": 1,
///       "organization": "Example News",
///       "deny": [
///         { "source": "camera" },
///         { "source": "library", "level": "readWrite", "clients": ["org.example.*"],
///           "reason": "Reader photos are imported by the desk." },
///         { "picking": true },
///         { "enforcement": "process" }
///       ]
///     }
package struct OrganizationPolicy: Sendable, Hashable {
  /// An entry of the list of denials.
  package struct Denial: Sendable, Hashable {
    package var subject: Subject
    /// Nil for every client.
    package var clients: [ClientPattern]?
    /// For a person; 1 to 500 characters, not blank, not escaped.
    package var reason: String?
    /// Its index in the file's list, 0-based.
    package var index: Int
    /// The position of the entry in the file.
    package var position: TextPosition

    /// A JSON path, such as `$.deny[0]`.
    package var path: String { JSONPath.element(JSONPath.member(JSONPath.root, "deny"), index) }
  }

  /// The subject of a denial.
  package enum Subject: Sendable, Hashable {
    /// A level of nil means both.
    case source(SourceKind, AccessLevel?)
    case picking
    /// Runs without enforcement by the kernel.
    case processEnforcement
  }

  /// Which manifests have to be signed, and by whom.
  package struct Signatures: Sendable, Hashable {
    /// The absolute path of a file of OpenSSH's `allowed_signers`.
    package var allowedSigners: String
    /// The absolute path of a file with the keys that were taken back.
    package var revoked: String?
    /// A manifest that declares or needs one of these has to be signed.
    package var sources = Set(SourceKind.allCases)
    /// A manifest with a lower serial does not count.
    package var minimumSerial = 0
    /// The position of the entry in the file.
    package var position: TextPosition
  }

  /// The name of the organization; 1 to 255 characters, not blank.
  package var organization: String?
  /// In the order of the file, at most ``maximumDenialCount``.
  package var denials: [Denial]
  /// Nil for a policy that asks for no signature.
  package var signatures: Signatures?

  package static let maximumDenialCount = 10_000

  /// The first entry that denies a source to a client, or nil.
  ///
  /// Only what the entry says is denied: to deny adding leaves reading, and to deny reading leaves
  /// adding.
  package func denial(source: SourceKind, level: AccessLevel, client: String) -> Denial? {
    denials.first { denial in
      guard case .source(source, let denied) = denial.subject else { return false }
      return (denied == nil || denied == level)
        && denial.clients?.contains { $0.matches(client) } != false
    }
  }

  /// The first entry that denies picking, or nil.
  package var pickingDenial: Denial? { denials.first { $0.subject == .picking } }
  /// The first entry that denies runs that no kernel guards, or nil.
  package var processEnforcementDenial: Denial? {
    denials.first { $0.subject == .processEnforcement }
  }

  package var deniesPicking: Bool { pickingDenial != nil }
  package var deniesProcessEnforcement: Bool { processEnforcementDenial != nil }
}

/// A pattern for clients: one identifier, or all beneath a prefix, such as `org.example.*`.
package struct ClientPattern: Sendable, Hashable {
  /// The text as written.
  package let text: String

  /// The bytes in lower case; with the dot and without the star of a prefix.
  private let folded: [UInt8]
  private let isPrefix: Bool

  /// - Throws: ``ValueIssue`` `.invalidText`: a character that no client identifier has, or a
  ///   star anywhere but behind the last dot.
  package init(_ text: String) throws(ValueIssue) {
    self.text = text
    isPrefix = text.utf8.count > 2 && text.utf8.suffix(2).elementsEqual(".*".utf8)
    let identifier = isPrefix ? text.unicodeScalars.dropLast() : text.unicodeScalars.dropLast(0)
    guard !identifier.isEmpty, identifier.allSatisfy(Self.isIdentifierScalar) else {
      throw ValueIssue(
        .invalidText,
        "\(Spelling.quoted(text)) is no client; write an identifier, or a prefix and \".*\"; "
          + "to deny every client leave \"clients\" out"
      )
    }
    folded = String(identifier).utf8.map(\.asciiLowercased)
  }

  /// Whether the pattern matches a client, without regard to the case of ASCII letters: a client does not
  /// escape a denial by writing itself in another way.
  package func matches(_ identifier: String) -> Bool {
    let other = identifier.utf8.map(\.asciiLowercased)
    guard isPrefix else { return other == folded }
    return other.count > folded.count && other.starts(with: folded)
  }

  static func isIdentifierScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", ".", "-": true
    default: false
    }
  }
}
