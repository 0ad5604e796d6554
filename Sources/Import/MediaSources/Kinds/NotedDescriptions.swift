internal import MediaDigest
internal import MediaModel

/// What a source said of each of its files when that was imported: a hash of the file's path and a digest, since a
/// source may have a million files. A changed description passes for the old one once in 2⁶⁴ ÷ files.
struct NotedDescriptions {
  private var hashes: Set<Int> = []

  /// A digest of what a source says, in words, keyed, since it is stored under `strip` too. No two lists of words have
  /// the same bytes.
  static func digest(of words: [String], _ key: [UInt8]) -> [UInt8] {
    SHA256.authenticationCode(for: words.flatMap { Array("\($0.utf8.count):\($0)".utf8) }, key: key)
  }

  mutating func note(_ digest: [UInt8], of path: ItemPath) { hashes.insert(Self.hash(of: digest, path)) }

  func contains(_ digest: [UInt8], of path: ItemPath) -> Bool { hashes.contains(Self.hash(of: digest, path)) }

  private static func hash(of digest: [UInt8], _ path: ItemPath) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(digest)
    return hasher.finalize()
  }
}
