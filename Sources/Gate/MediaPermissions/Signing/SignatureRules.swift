internal import MediaFileSystem
package import MediaManifest
package import MediaModel

/// Whose signatures the system's policy asks for, and which manifests need one.
package struct SignatureRules: Sendable {
  package let sources: Set<SourceKind>
  package let minimumSerial: Int
  package let allowedSigners: AllowedSigners
  package let revoked: RevokedKeys
  /// The SHA-256 of the file of signers, and of that of keys that were taken back, hexadecimal.
  package let sha256s: [String]

  /// The kinds of sources for which a manifest needs a signature: those that it declares, or whose sound it needs; all of
  /// the policy's for one that declares none, as it can name labels and other files yet.
  package func demands(of manifest: Manifest) -> [SourceKind] {
    let kinds = Set(manifest.sources.keys.map(\.kind) + Need.all(of: manifest).map(\.source.kind))
    return SourceKind.allCases.filter { (kinds.isEmpty || kinds.contains($0)) && sources.contains($0) }
  }

  /// Checks the signature of a manifest.
  ///
  /// - Parameters:
  ///   - text: The content of the signature's file.
  ///   - manifest: The manifest.
  ///   - bytes: The bytes of which `manifest` was read.
  ///   - sha256: Their SHA-256, hexadecimal.
  ///   - now: Seconds since 1970, UTC.
  /// - Returns: Whose signature it is, by which line.
  /// - Throws: ``SignatureProblem``, also for a manifest that is older than the policy asks for, and for one that names
  ///   a file which decides without its SHA-256.
  package func verify(
    _ text: [UInt8],
    of manifest: Manifest,
    _ bytes: [UInt8],
    sha256: String,
    at now: Int64
  ) throws(SignatureProblem) -> ManifestSignature {
    let signature = try SSHSignature(text)
    try signature.verify(bytes)
    let fingerprint = signature.key.fingerprint
    if revoked.contain(signature.key) { throw SignatureProblem("its key \(fingerprint) was revoked") }
    let signer = try allowedSigners.signer(signature.key, named: manifest.signedBy, at: now)
    guard manifest.serial >= minimumSerial else {
      throw SignatureProblem(
        "the manifest has the serial \(manifest.serial), and the policy asks for \(minimumSerial) or a higher one"
      )
    }
    if let file = manifest.decidingFiles.first(where: { $0.sha256 == nil }) {
      throw SignatureProblem(
        "\(file.key) names the \(file.name) without its SHA-256, so that nobody signed it (mediabatch sign --pin)"
      )
    }
    return ManifestSignature(
      signedBy: signer.principal,
      allowedSignersLine: signer.line,
      fingerprint: fingerprint,
      sha256: sha256,
      verifiedAt: StoredAnswer.timestamp(now),
      serial: manifest.serial,
      signedAt: manifest.signedAt
    )
  }

  /// The file of a manifest's signature: its own path with `.sig` behind it.
  package static func signaturePath(of manifest: [UInt8]) -> [UInt8] { manifest + Array(".sig".utf8) }
}
