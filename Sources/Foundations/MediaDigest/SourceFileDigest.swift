/// The digests under which a library knows a source file: its SHA-256 where it keeps metadata, and HMACs of that with the
/// library's digest key where it strips.
///
/// Source: `docs/spec/library.md`, section 5.
package enum SourceFileDigest {
  /// What stands behind the SHA-256 of a half of a live photo that got a new identifier.
  package enum Renewal: String, CaseIterable, Sendable {
    case none = ""
    case confirmed
    /// Its sound was taken out too.
    case muted = "confirmed, muted"
  }

  /// The digest of a file that is stripped.
  ///
  /// - Parameters:
  ///   - sha256: That of the file, 32 bytes.
  ///   - renewal: Whether it got a new identifier.
  ///   - key: The library's digest key.
  /// - Returns: 32 bytes.
  package static func stripped(_ sha256: [UInt8], _ renewal: Renewal, key: [UInt8]) -> [UInt8] {
    SHA256.authenticationCode(for: sha256 + Array(renewal.rawValue.utf8), key: key)
  }

  /// All digests that a file may have in a library.
  ///
  /// - Parameters:
  ///   - sha256: That of the file, 32 bytes.
  ///   - key: The library's digest key.
  /// - Returns: That of `keep` first.
  package static func all(of sha256: [UInt8], key: [UInt8]) -> [[UInt8]] {
    [sha256] + Renewal.allCases.map { stripped(sha256, $0, key: key) }
  }
}
