import Foundation
import MediaTestSupport
import Testing

/// Everything that commands on one library have said and written, comparable between two runs.
///
/// What differs between any two runs is replaced, and nothing else: times of the clock, identifiers
/// that are drawn, the folders named after save times, the key under which digests are made and the
/// digests made with it, a live photo's fresh content identifier, the hashes that chain the log, the tree over it with its salts and signatures,
/// and the seconds that a run took; the lock file, which names a process, is left out. Sizes, counts,
/// orders, digests of outputs, device, inode and times of source files stay.
struct Footprint {
  /// A name for each text: what a command said, a log, the catalogue, the list of files.
  private(set) var texts: [(name: String, text: String)] = []
  /// Digests of files with a content identifier that is drawn anew, and what they would be without.
  private var renewed: [String: String] = [:]

  /// Notes a command's exit code and both of its streams.
  mutating func add(_ name: String, _ outcome: Outcome) {
    texts.append((name, "exit \(outcome.code)\n\(outcome.output)\n--\n\(outcome.error)"))
  }

  /// Notes the library's log, its catalogue as sqlite3 dumps it, and its files with their digests.
  mutating func add(libraryOf scene: Scene) throws {
    for (index, file) in try scene.logFiles().enumerated() {
      texts.append(("log \(index)", ([file.name] + file.lines).joined(separator: "\n")))
    }
    let dump = try Tool.run("sqlite3", ["-readonly", scene.library + "/library.sqlite", ".dump"])
    try #require(dump.status == 0 && dump.output.contains("CREATE TABLE"), "\(dump.error)")
    // The rows of runs stand in the order of identifiers that are drawn: here in that of their logs.
    let lines = dump.output.split(separator: "\n")
    let runs = lines.filter { $0.hasPrefix(Self.runRow) }
      .sorted { Self.logName(in: $0) < Self.logName(in: $1) }
    let remaining = lines.filter { !$0.hasPrefix(Self.runRow) }
    let catalogue = (runs + remaining).joined(separator: "\n")
    // Digests and sums follow from the values, some of which differ; behind some stands the name of a source.
    let digests =
      "(?m)^(INSERT INTO (?!sqlite_|thumbnails).*),(?:-?[0-9]+|X'[0-9a-f]{64}')((?:,NULL|,'[^']*')*)\\);$"
    // Columns that came later stand behind the digest of an asset, which is the second after its run.
    let ofAssets = "(?m)^(INSERT INTO assets .*,'[0-9a-f]{8}',(?:NULL|[0-9]+)),-?[0-9]+,"
    // Both hashes of the picture stand behind the digest of a thumbnail.
    let ofThumbnails =
      "(?m)^(INSERT INTO thumbnails .*),-?[0-9]+(,X'[0-9a-f]+',(?:NULL|-?[0-9]+)\\);)$"
    let patterns = [
      (ofAssets, "$1,digest,"), (ofThumbnails, "$1,digest$2"), (digests, "$1,digest$2);"),
    ]
    let blank = patterns.reduce(catalogue) { text, pattern in
      text.replacingOccurrences(of: pattern.0, with: pattern.1, options: .regularExpression)
    }
    texts.append(("catalogue", blank))
    let files = try scene.digests("Library").filter { path, _ in
      !path.hasPrefix("Audit/") && !path.hasPrefix("library.sqlite") && path != ".lock"
        && !path.hasPrefix(".state/")
    }
    for (path, digest) in files where path.hasPrefix("Originals/") {
      let without = try Self.withoutIdentifier(try readBytes(scene.library + "/" + path))
      if let without { renewed[digest] = without }
    }
    let list = files.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    texts.append(("files", list.joined(separator: "\n")))
  }

  /// SHA-256 of a file whose content identifier, a version 8 UUID in capitals, is overwritten; nil
  /// for a file that has none.
  private static func withoutIdentifier(_ bytes: [UInt8]) throws -> String? {
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0 }, as: UTF8.self)
    let shape = "[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}"
    guard let range = text.range(of: shape, options: .regularExpression) else { return nil }
    var bytes = bytes
    let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    for index in start..<(start + 36) { bytes[index] = UInt8(ascii: "0") }
    let folder = TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/blank")
    try Data(bytes).write(to: file)
    return try Independent.sha256(file.path)
  }

  private static let runRow = "INSERT INTO runs "

  private static func logName(in row: Substring) -> Substring {
    row.split(separator: "'").first { $0.hasSuffix(".ndjson") } ?? row
  }

  /// The texts without what differs between any two runs.
  func normalized() throws -> [String] {
    var names = renewed.mapValues { "<renewed \($0)>" }
    let all = texts.map(\.text).joined(separator: "\n")
    func name(_ pattern: String, as word: String) throws {
      let expression = try NSRegularExpression(pattern: pattern)
      let range = NSRange(all.startIndex..., in: all)
      for match in expression.matches(in: all, range: range) {
        guard let range = Range(match.range(at: 1), in: all) else { continue }
        let value = String(all[range])
        if names[value] == nil { names[value] = "<\(word) \(names.count)>" }
      }
    }
    try name("\"run\":\"([0-9a-f]{8})\"", as: "run")
    try name("\"(?:prev|previous|head)\":\"([0-9a-f]{64})\"", as: "head")
    try name("'([0-9a-f]{64})',[0-9]+\\);", as: "head")
    try name("(?:Head +|--expect-head )([0-9a-f]{64})", as: "head")
    try name("(?:[Rr]oot +|\"root\":\")([0-9a-f]{64})", as: "root")
    try name("\"digestKeyCheck\":\"([0-9a-f]{64})\"", as: "check")
    try name("\"sourceHMAC\":\"([0-9a-f]{64})\"", as: "digest")
    try name("([0-9a-f]{64}) \\.state/digest\\.key", as: "key")
    try name("([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})", as: "uuid")
    try name("([0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{6}\\.[0-9]{6})", as: "folder")
    let shapes = [
      "[0-9a-f]{64}", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
      "[0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{6}\\.[0-9]{6}", "[0-9a-f]{8}",
    ]
    let named = try NSRegularExpression(pattern: shapes.joined(separator: "|"))
    return try texts.map { _, text in
      var result = ""
      var end = text.startIndex
      for match in named.matches(in: text, range: NSRange(end..., in: text)) {
        guard let range = Range(match.range, in: text), let word = names[String(text[range])] else {
          continue
        }
        result += text[end..<range.lowerBound] + word
        end = range.upperBound
      }
      result += text[end...]
      for (pattern, word) in [
        ("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{6}Z", "<time>"),
        ("\"elapsedSeconds\":[0-9.]+", "<seconds>"),
        ("(?m)^Time .*$", "<seconds>"),
        ("\"salt\":\"[0-9a-f]{32}\"", "<salt>"),
        ("(\"contentIdentifierHMAC\":|X)['\"][0-9A-Fa-f]{32}['\"]", "$1<digest>"),
        ("(\"schema\":\"1 library\",\"sha256\":)\"[0-9a-f]{64}\"", "$1<sum>"),
        // The digest of its row covers the epoch; `stacked` stands behind it.
        ("(INSERT INTO history VALUES)\\('[0-9a-f]{16}',-?[0-9]+", "$1('<epoch>',digest"),
        ("X'[0-9A-Fa-f]{128,}'", "<tree>"),
        ("\\\\n[A-Za-z0-9+/]{43}=\\\\n", "<root>"),
        ("mediabatch\\.audit [A-Za-z0-9+/]{60,}={0,2}", "<signature>"),
      ] {
        let expression = try NSRegularExpression(pattern: pattern)
        result = expression.stringByReplacingMatches(
          in: result,
          range: NSRange(result.startIndex..., in: result),
          withTemplate: word
        )
      }
      return result
    }
  }

  /// The first place where two differ, for a message; nil when they are equal.
  static func difference(_ first: Footprint, _ second: Footprint) throws -> String? {
    let names = first.texts.map(\.name)
    guard names == second.texts.map(\.name) else { return "\(names), \(second.texts.map(\.name))" }
    for (index, pair) in zip(try first.normalized(), try second.normalized()).enumerated() {
      if pair.0 == pair.1 { continue }
      let lines = (pair.0.split(separator: "\n"), pair.1.split(separator: "\n"))
      let difference = zip(lines.0, lines.1).first { $0 != $1 }
      return "\(names[index]): \(difference.map { "\($0)\n\($1)" } ?? "\(lines.0.count) lines")"
    }
    return nil
  }
}
