import MediaTestSupport

/// Spoils a manifest's text as an attacker or a careless editor would, a little each time.
struct ManifestMutation {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let words = [
    "authorized", "limited", "denied", "restricted", "notDetermined", "Authorized", "authorized ",
    "keep", "strip", "allow", "refuse", "process", "kernel", "ask", "fail", "deny", "photo",
    "photoAndVideo", "camera", "library", "microphone", "path", "selection", "required",
    "authorizationStatus", "crossMounts", "hardLinks", "capture", "mode", "metadata", "policy",
    "sources/camera", "sources/library", "sources/microphone", "/", "..", "**", "*", "",
    "NSCameraUsageDescription", "NSMicrophoneUsageDescription", "аuthorized", "caｍera", "pick",
    "except", "location", "coarse", "creationDate", "hdrGainMap", "labels", "neutral",
  ]

  private static let tokens = [
    "true", "false", "null", "1", "{}", "[]", "{", "}", "[", "]", ",", ":", "\"\"", "/* c */",
    "// c\n", "\u{FEFF}", "\u{0}", "NaN", "Infinity", "-0", "1e400", "\"\\u0000\"", "\"\\ud800\"",
    "'authorized'",
  ]

  private static let members = [
    "\"authorizationStatus\": \"authorized\"", "\"authorizationStatus\": \"limited\"",
    "\"path\": \"sources/library\"", "\"path\": \"/\"", "\"selection\": [\"**\"]",
    "\"required\": false", "\"crossMounts\": true", "\"hardLinks\": \"allow\"",
    "\"enforcement\": \"process\"", "\"metadata\": {\"policy\": \"keep\"}",
    "\"capture\": {\"mode\": \"photoAndVideo\"}", "\"pick\": {\"limit\": 0}",
    "\"NSCameraUsageDescription\": \"Why.\"", "\"NSPhotoLibraryUsageDescription\": \"Why.\"",
    "\"authoriza\\u0074ionStatus\": \"authorized\"", "\"Path\": \"/\"",
    "\"camera\": {\"path\": \"sources/camera\", \"authorizationStatus\": \"authorized\"}",
    "\"sources\": {}", "\"onNotDetermined\": \"deny\"", "\"version\": 1",
    "\"metadata\": {\"except\": [\"location\"]}", "\"except\": [\"location\", \"rating\"]",
    "\"location\": \"coarse\"", "\"labels\": {\"neutral\": true}",
  ]

  /// One to three changes of the text.
  mutating func spoil(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let offset = Int(random.next() % UInt64(bytes.count))
    let pieces = Self.pieces(bytes)
    guard !pieces.isEmpty else { return }
    let piece = random.pick(pieces)
    let strings = pieces.filter { bytes[$0.lowerBound] == UInt8(ascii: "\"") }
    switch random.next() % 12 {
    case 0: bytes[offset] ^= 1 << UInt8(random.next() % 8)
    case 1: bytes[offset] = UInt8(random.next() % 256)
    case 2: bytes.removeSubrange(offset..<min(bytes.count, offset + Int(random.next() % 20) + 1))
    case 3: bytes.insert(contentsOf: random.pick(Self.tokens).utf8, at: piece.lowerBound)
    case 4: bytes.replaceSubrange(piece, with: random.pick(Self.tokens).utf8)
    case 5:
      // Two pieces change places.
      let other = random.pick(pieces)
      guard piece.upperBound <= other.lowerBound else { return change(&bytes) }
      let (first, second) = (Array(bytes[piece]), Array(bytes[other]))
      bytes.replaceSubrange(other, with: first)
      bytes.replaceSubrange(piece, with: second)
    case 6, 7:
      guard !strings.isEmpty else { return }
      let word = "\"" + random.pick(Self.words) + "\""
      bytes.replaceSubrange(random.pick(strings), with: word.utf8)
    case 8, 9, 10:
      // A member more, at the start or the end of some object: often a key that is there already.
      let braces = pieces.filter { bytes[$0.lowerBound] == UInt8(ascii: "{") }
      guard !braces.isEmpty else { return }
      let member = random.pick(Self.members)
      bytes.insert(contentsOf: " \(member),".utf8, at: random.pick(braces).upperBound)
    default:
      // A stretch of the text once more, elsewhere.
      let end = min(bytes.count, piece.lowerBound + Int(random.next() % 60))
      let stretch = Array(bytes[piece.lowerBound..<end])
      bytes.insert(contentsOf: stretch, at: random.pick(pieces).upperBound)
    }
  }

  /// The strings, words and signs of a text that may be spoilt already.
  private static func pieces(_ bytes: [UInt8]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
        pieces.append(start..<index)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while index < bytes.count, bytes[index] > 0x2F, bytes[index] != UInt8(ascii: ":") {
          index += 1
        }
        index = max(index, start + 1)
        pieces.append(start..<index)
      default:
        index += 1
        pieces.append(start..<index)
      }
    }
    return pieces
  }
}
