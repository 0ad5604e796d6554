/// The values that a library keeps of the content identifiers by which stills and movies name each other.
///
/// Both values are HMACs with the library's digest key: a content identifier is in every copy of a live
/// photo, and neither a stripped file nor the catalogue may tell a person who has such a copy that it was
/// imported.
package struct ContentIdentifiers {
  private let digestKey: [UInt8]
  private static let domain = "mediabatch.contentIdentifier/1"

  package init(_ digestKey: [UInt8]) {
    self.digestKey = digestKey
  }

  /// The key of 32 bytes from which workers make the identifiers that stripped live photos get; the same
  /// for all runs of a library, so that a live photo always becomes the same files.
  package var pairingKey: [UInt8] { authenticationCode(for: Self.domain + " pairing") }

  /// Returns the digest by which the catalogue finds the other half of a live photo, 16 bytes.
  ///
  /// - Parameter identifier: The source file's content identifier in upper case.
  /// - Returns: The first half of an HMAC-SHA-256.
  package func digest(of identifier: String) -> [UInt8] {
    Array(authenticationCode(for: Self.domain + " digest " + identifier).prefix(16))
  }

  /// Returns the digest that ties the pictures of one burst together, 16 bytes.
  package func digest(ofBurst identifier: String) -> [UInt8] {
    Array(authenticationCode(for: Self.domain + " burst " + identifier).prefix(16))
  }

  /// Returns the digest of what a sidecar calls its picture, 16 bytes.
  package func digest(ofDescribed words: String) -> [UInt8] {
    Array(authenticationCode(for: Self.domain + " described " + words).prefix(16))
  }

  private func authenticationCode(for message: String) -> [UInt8] {
    SHA256.authenticationCode(for: Array(message.utf8), key: digestKey)
  }
}
