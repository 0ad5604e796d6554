internal import MediaModel
package import MediaSyntax

/// A SARIF 2.1.0 log: what code scanning and editors show beside the lines of a file.
///
/// Source: OASIS SARIF 2.1.0; GitHub's limits: 25,000 results a run, of which 5,000 are shown.
package struct SARIFLog {
  package struct Result: Sendable, Hashable {
    package enum Level: String, Sendable, Hashable {
      case error, warning, note
    }

    package var rule: String
    package var level: Level
    /// Escaped.
    package var message: String
    /// The file's path by its bytes: relative to where the log is read, or absolute.
    package var path: [UInt8]
    /// 1-based; nil for the whole file.
    package var line: Int?
    /// 1-based, in Unicode scalars.
    package var column: Int?
    /// A text that stays the same when lines move.
    package var identity: String

    package init(
      rule: String,
      level: Level,
      message: String,
      path: [UInt8],
      line: Int? = nil,
      column: Int? = nil,
      identity: String
    ) {
      self.rule = rule
      self.level = level
      self.message = message
      self.path = path
      self.line = line
      self.column = column
      self.identity = identity
    }
  }

  /// Results beyond it are counted in one more result.
  package static let resultLimit = 4999

  private let tool: String
  private let results: [Result]
  private let succeeded: Bool
  private let properties: JSONValue?

  /// - Parameters:
  ///   - tool: The version that made the results.
  ///   - results: In the order in which they are shown.
  ///   - succeeded: Whether the tool could do its work; findings are no failure of the tool.
  ///   - properties: An object with what SARIF has no members for.
  package init(tool: String, results: [Result], succeeded: Bool = true, properties: JSONValue? = nil) {
    self.tool = tool
    self.results = results
    self.succeeded = succeeded
    self.properties = properties
  }

  package var value: JSONValue {
    var shown = Array(results.prefix(Self.resultLimit))
    if results.count > shown.count, let last = shown.last {
      let more = results.count - shown.count
      shown.append(
        Result(
          rule: "more",
          level: last.level,
          message: Quantity.text(more, "more result", "is", "are") + " not listed.",
          path: last.path,
          identity: "more"
        )
      )
    }
    let rules = Set(shown.map(\.rule)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let indexes = Dictionary(uniqueKeysWithValues: zip(rules, rules.indices))
    var run: [String: JSONValue] = [
      "columnKind": "unicodeCodePoints",
      "tool": [
        "driver": [
          "name": "mediabatch", "version": .string(tool),
          "rules": .array(
            rules.map { rule in
              [
                "id": .string(rule), "name": .string(rule),
                "shortDescription": ["text": .string(SARIFRules.description(of: rule))],
              ] as JSONValue
            }
          ),
        ]
      ],
      "invocations": [["executionSuccessful": .bool(succeeded)]],
      "results": .array(shown.map { Self.value($0, index: indexes[$0.rule] ?? 0) }),
    ]
    run["properties"] = properties
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [.object(run)],
    ]
  }

  private static func value(_ result: Result, index: Int) -> JSONValue {
    var location: [String: JSONValue] = [
      "artifactLocation": ["uri": .string(URIText.path(result.path))]
    ]
    var region: [String: JSONValue] = ["startLine": JSONValue(result.line ?? 1)]
    if let column = result.column { region["startColumn"] = JSONValue(column) }
    location["region"] = .object(region)
    return [
      "ruleId": .string(result.rule), "ruleIndex": JSONValue(index),
      "level": .string(result.level.rawValue),
      "message": ["text": .string(result.message)],
      "locations": [["physicalLocation": .object(location)]],
      "partialFingerprints": ["mediabatch/v1": .string("\(result.rule):\(result.identity)")],
    ]
  }
}

/// Paths as a URI has them.
enum URIText {
  /// A reference that is relative, or a `file` URI for an absolute path; every byte outside RFC 3986's
  /// unreserved characters is percent-encoded.
  static func path(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    // A first segment with a colon would be a scheme, and two slashes a host.
    var text = Array((bytes.first == .slash ? "file://" : "").utf8)
    for byte in bytes {
      if byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
