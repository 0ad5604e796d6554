internal import MediaDigest
internal import MediaModel

/// A public key as OpenSSH writes it; of other algorithms than ssh-ed25519 only its name and bytes are known.
///
/// Source: RFC 4253 section 6.6; RFC 8709 section 4.
package struct SSHPublicKey: Sendable, Hashable {
  /// The only algorithm whose signatures count.
  package static let ed25519 = "ssh-ed25519"

  /// Such as `ssh-ed25519`.
  package let algorithm: String
  /// The encoded key, which begins with the algorithm's name.
  let blob: [UInt8]

  /// Takes an encoded key; nil unless it begins with the name of an algorithm, and for one of Ed25519 of another length.
  init?(blob: [UInt8]) {
    var wire = SSHWire(blob)
    guard let name = wire.string(), !name.isEmpty,
      name.allSatisfy({ $0.isASCIIAlphanumeric || "-.@".utf8.contains($0) })
    else { return nil }
    algorithm = String(decoding: name, as: UTF8.self)
    self.blob = blob
    if algorithm == Self.ed25519, ed25519Key == nil { return nil }
  }

  /// Reads algorithm and Base64, which have to agree.
  init?(algorithm: some StringProtocol, base64: some StringProtocol) {
    guard let blob = Base64.bytes(base64) else { return nil }
    self.init(blob: blob)
    guard self.algorithm == algorithm else { return nil }
  }

  /// The 32 bytes of a key of Ed25519; nil for any other.
  var ed25519Key: [UInt8]? {
    var wire = SSHWire(blob)
    guard wire.string() == Array(Self.ed25519.utf8), let key = wire.string(), key.count == 32, wire.isAtEnd
    else { return nil }
    return key
  }

  /// The fingerprint as OpenSSH writes it: `SHA256:` and Base64 without padding.
  package var fingerprint: String {
    "SHA256:" + Base64.text(SHA256.hash(blob)).prefix { $0 != "=" }
  }
}

/// Reads and writes the strings of SSH's wire format. Source: RFC 4251 section 5.
struct SSHWire {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes so many bytes; nil when there are fewer.
  mutating func take(_ count: Int) -> [UInt8]? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number() -> Int? {
    take(4).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  mutating func string() -> [UInt8]? { number().flatMap { take($0) } }

  /// A string with its length before it, of less than 4 GiB.
  static func string(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(truncatingIfNeeded: bytes.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + bytes
  }
}
