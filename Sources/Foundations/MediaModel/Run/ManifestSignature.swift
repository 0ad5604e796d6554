/// The signature by which a manifest grants what it grants, as a run verified it.
package struct ManifestSignature: Sendable, Hashable {
  /// The principal of the matching line of `allowed_signers`, not escaped.
  package var signedBy: String
  /// Number of the matching line of `allowed_signers`, 1-based.
  package var allowedSignersLine: Int
  /// The key's fingerprint as OpenSSH writes it: `SHA256:` and base64 without padding.
  package var fingerprint: String
  /// SHA-256 of the signed bytes, hexadecimal; those of the manifest.
  package var sha256: String
  /// The time at which validity was judged, `yyyy-MM-ddTHH:mm:ssZ`; a later check uses it.
  package var verifiedAt: String
  /// The manifest's serial; 0 for one that has none.
  package var serial: Int
  /// What the signer says of the time of signing; nil where the manifest does not say it.
  package var signedAt: String?

  package init(
    signedBy: String,
    allowedSignersLine: Int,
    fingerprint: String,
    sha256: String,
    verifiedAt: String,
    serial: Int,
    signedAt: String? = nil
  ) {
    (self.signedBy, self.allowedSignersLine, self.fingerprint) = (signedBy, allowedSignersLine, fingerprint)
    (self.sha256, self.verifiedAt, self.serial, self.signedAt) = (sha256, verifiedAt, serial, signedAt)
  }
}
