internal import MediaDigest
package import MediaFileSystem
package import MediaManifest
internal import MediaModel
internal import MediaSyntax

/// The policy files that a run reads: the system's, and those named on the command line.
package struct OrganizationPolicies: Sendable {
  /// Only root can write this file, so no other user can remove a denial.
  package static let systemPath = "/etc/mediabatch/policy.json"

  /// The policies, the system's first.
  package private(set) var policies: [OrganizationPolicy] = []
  /// The SHA-256 of each file, hexadecimal, in the same order.
  package private(set) var sha256s: [String] = []
  /// The names of the files beside the system's, as the person gave them.
  private(set) var namedPaths: [String] = []

  /// Whose signatures the system's policy asks for; nil where it asks for none.
  package private(set) var signatureRules: SignatureRules?

  /// In bytes; a larger policy is a mistake.
  private static let maximumLength = 16 << 20

  /// Why a policy file does not count, so that nothing can be decided.
  package enum Mistake: Error, Sendable {
    /// It cannot be read, or somebody other than root could have written the system's.
    case file(ManifestIssueCode, String)
    /// What is wrong in the file of this name.
    case content([ManifestIssue], in: String)
  }

  /// Reads the system's policy, if there is one.
  ///
  /// - Throws: ``Mistake`` for a file that cannot be read or understood, and for one that a user other than root
  ///   could have written.
  package init() throws(Mistake) {
    guard let system = try Self.openSystemPolicy() else { return }
    try read(Self.systemPath, system)
    guard let signatures = policies.first?.signatures else { return }
    let signers = try Self.readTrusted(signatures.allowedSigners, AllowedSigners.init)
    let revoked = try signatures.revoked.map { path throws(Mistake) in
      try Self.readTrusted(path, RevokedKeys.init)
    }
    signatureRules = SignatureRules(
      sources: signatures.sources,
      minimumSerial: signatures.minimumSerial,
      allowedSigners: signers.value,
      revoked: revoked?.value ?? RevokedKeys(),
      sha256s: [signers.sha256] + [revoked?.sha256].compactMap(\.self)
    )
  }

  /// Reads a file that the system's policy names, which has to be as safe as the policy: it and each folder beneath the root
  /// in which it lies belong to root, and nobody else can write them.
  private static func readTrusted<Value>(
    _ path: String,
    _ parse: ([UInt8]) throws(LineProblem) -> Value
  ) throws(Mistake) -> (value: Value, sha256: String) {
    let given = [UInt8](path.utf8)
    let content: [UInt8]
    do {
      guard let bytes = FileSystem.resolvedByRoot(given) else {
        throw notTrusted(
          "\(EscapedText.percentEscaped(given)) is found through a link of somebody other than root",
          "name the file itself."
        )
      }
      // A link of root's may lead into a folder where somebody else replaces the file.
      for path in [given, bytes] {
        for end in path.indices.dropFirst() where path[end] == .slash {
          let folder = Array(path[..<end])
          try requireTrust(FileSystem.openPath(folder), folder)
        }
      }
      let file = try FileSystem.openFile(bytes)
      try requireTrust(file, bytes)
      content = try FileSystem.readSmallFile(file, limit: maximumLength)
    } catch let error as FileSystemError {
      throw cannotRead(path, error, "The file \"\(EscapedText.printable(path))\", which the policy names,")
    } catch let error as Mistake {
      throw error
    } catch {
      throw Mistake.file(.cannotRead, "\(EscapedText.printable(path)): \(error)")
    }
    do throws(LineProblem) {
      return (try parse(content), Hexadecimal.text(SHA256.hash(content)))
    } catch {
      let issue = ManifestIssue(
        position: TextPosition(line: error.line, column: 1),
        path: "",
        issue: ValueIssue(.invalidText, error.text)
      )
      throw Mistake.content([issue], in: path)
    }
  }

  /// - Throws: ``Mistake`` for a file that somebody other than root could have written; `FileSystemError`.
  private static func requireTrust(_ file: Descriptor, _ path: [UInt8]) throws {
    if try file.ownership().isWritableOnly(by: 0) { return }
    let name = EscapedText.percentEscaped(path)
    throw notTrusted(
      "\(name) could have been written by somebody other than root",
      "look at it, then: chown root \(name) && chmod go-w \(name)"
    )
  }

  /// Opens the system's policy, so that the checked file is the one that is read; nil without one.
  ///
  /// A policy that cannot be looked up may exist and deny access; so may one behind a link.
  private static func openSystemPolicy() throws(Mistake) -> Descriptor? {
    let parts = ItemPath(bytes: [UInt8](systemPath.utf8))
    do {
      let folder = try FileSystem.openPath(Array(parts.folder))
      let name = Array(parts.name)
      guard try FileSystem.status(in: folder, name: name).kind == .regular else {
        throw notTrusted("\(systemPath) is a link or no file", "put the policy itself there.")
      }
      let file = try FileSystem.openForReading(beneath: folder, name, crossMounts: true)
      for (opened, path) in [(folder, parts.folder), (file, parts.bytes[...])] {
        try requireTrust(opened, Array(path))
      }
      return file
    } catch let error as FileSystemError {
      if error.isMissing { return nil }
      throw cannotRead(systemPath, error)
    } catch let error as Mistake {
      throw error
    } catch {
      throw Mistake.file(.cannotRead, "\(systemPath): \(error)")
    }
  }

  private static func notTrusted(_ problem: String, _ advice: String) -> Mistake {
    .file(.policyNotTrusted, "\(problem), so what it denies cannot be trusted. As root, \(advice)")
  }

  /// Adds the policy in an open file.
  ///
  /// - Throws: ``Mistake`` when it cannot be read or understood.
  package mutating func read(_ path: String, _ file: Descriptor) throws(Mistake) {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.readSmallFile(file, limit: Self.maximumLength)
    } catch {
      throw Self.cannotRead(path, error)
    }
    let reading = OrganizationPolicy.read(bytes)
    guard let policy = reading.policy else {
      throw Mistake.content(reading.issues, in: path)
    }
    if path != Self.systemPath, let signatures = policy.signatures {
      // Who names the file would say whose signatures count, and the log would repeat it.
      let issue = ManifestIssue(
        position: signatures.position,
        path: "$.signatures",
        issue: ValueIssue(.notApplicable, "only the system's policy, \(Self.systemPath), asks for signatures")
      )
      throw Mistake.content([issue], in: path)
    }
    policies.append(policy)
    if path != Self.systemPath { namedPaths.append(path) }
    sha256s.append(Hexadecimal.text(SHA256.hash(bytes)))
  }

  private static func cannotRead(
    _ path: String,
    _ error: FileSystemError,
    _ subject: String? = nil
  ) -> Mistake {
    .file(
      .cannotRead,
      "\(subject ?? "The policy \"\(EscapedText.printable(path))\"") cannot be read: "
        + "\(FileSystemError.text(error.errno)). Nothing is decided without it; it has to be a "
        + "regular file of at most \(maximumLength >> 20) MiB."
    )
  }
}
