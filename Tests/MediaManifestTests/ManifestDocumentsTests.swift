import Foundation
import MediaManifest
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// The documents that are generated from the table of keys. `RECORD_SNAPSHOTS=1` writes them and
/// still fails.
@Suite("Documents about the manifest's keys")
struct ManifestDocumentsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..")

  private func compare(_ generated: String, with path: String) throws {
    let url = Self.root.appendingPathComponent(path)
    let committed = try String(contentsOf: url, encoding: .utf8)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try generated.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("\(path) was written")
    } else {
      #expect(committed == generated, "RECORD_SNAPSHOTS=1 writes \(path) anew")
    }
  }

  @Test("The schema is the one that the table of keys gives")
  func schema() throws {
    try compare(ManifestSchema.text, with: "Manifests/mediabatch.schema.json")
  }

  @Test("The table of keys in the documentation is the one that the code has")
  func table() throws {
    let path = "docs/manifest.md"
    let text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    let head = "| key | type | default | meaning |\n"
    let start = try #require(text.range(of: head)).lowerBound
    let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
    let table = head + "|---|---|---|---|\n" + ManifestTable.rows.joined(separator: "\n")
    try compare(text.replacingCharacters(in: start..<end, with: table), with: path)
  }
}

/// The rows of the table in `docs/manifest.md`.
enum ManifestTable {
  static var rows: [String] { ManifestKeys.descriptions.flatMap { rows($0, "") } }

  private static func rows(_ key: KeyDescription, _ prefix: String) -> [String] {
    let path = prefix + key.name
    let own = row(key, path)
    switch key.shape {
    case .object(let keys) where path == "sources": return own + sources(keys)
    // Its keys are those of the manifest's own policy.
    case .object where path == "sources.*.metadata": return own
    case .object(let keys): return own + keys.flatMap { rows($0, path + ".") }
    case .named(let keys): return own + keys.flatMap { rows($0, path + ".*.") }
    default: return own
    }
  }

  /// The key's own row, unless its keys alone explain it.
  private static func row(_ key: KeyDescription, _ path: String) -> [String] {
    if key.meaning.isEmpty { return [] }
    let name = key.isRequired ? "**`\(path)`**" : "`\(path)`"
    return ["| \(name) | \(type(key.shape)) | \(defaultValue(key)) | \(key.meaning) |"]
  }

  /// The keys that every source has are listed once.
  private static func sources(_ sources: [KeyDescription]) -> [String] {
    let children = sources.map { source -> [KeyDescription] in
      if case .sources(let keys) = source.shape { keys } else { [] }
    }
    let common = children[0].map(\.name).filter { name in
      children.allSatisfy { $0.contains { $0.name == name } }
    }
    let heads = sources.flatMap { row($0, "sources." + $0.name) }
    let shared = children[0].filter { common.contains($0.name) }.flatMap { rows($0, "sources.*.") }
    let special = zip(sources, children).flatMap { source, keys in
      keys.filter { !common.contains($0.name) }.flatMap { rows($0, "sources.\(source.name).") }
    }
    return heads + shared + special
  }

  private static func type(_ shape: KeyShape) -> String {
    switch shape {
    case .anything: ""
    case .anyText, .identifier, .sourceName, .name, .color, .timeZone: "string"
    case .version, .integer: "number"
    case .flag: "boolean"
    case .word, .statuses: "word"
    case .words: "list of words"
    case .wordOrWords: "word or list of words"
    case .path: "path"
    case .pinnedPath: "path or object"
    case .template: "template"
    case .exceptions, .shifts, .statedDates: "list"
    case .size: "list or word"
    case .patterns: "list of patterns"
    case .object, .named: "object"
    case .sources: "object or list"
    }
  }

  private static func defaultValue(_ key: KeyDescription) -> String {
    if let text = key.defaultText { return text }
    if let json = key.defaultJSON { return "`\(json.replacing("\"", with: ""))`" }
    if case .path = key.shape, !key.isRequired { return "none" }
    return ""
  }
}

/// The JSON Schema of a manifest, with a line for each key.
///
/// Source: JSON Schema 2020-12.
enum ManifestSchema {
  static var text: String {
    let head = [
      #""$schema": "https://json-schema.org/draft/2020-12/schema""#,
      #""title": "mediabatch manifest, version 1""#,
      #""description": "What one import may open, why, and what becomes of it. An editor checks with this; mediabatch itself never fetches it and also finds what a schema cannot say: repeated keys, comments, byte order marks, U+0000, numbers such as 256.0, ranges that run backwards in a selection, thumbnail names that differ only in case, more than 16 MiB, folders that overlap. Generated from the table of keys.""#,
    ]
    return object(head + members(ManifestKeys.descriptions, "", "  "), "") + "\n"
  }

  /// What a schema says of several keys of one object together.
  private static let rules: [String: String] = [
    "sources.library":
      #""not": { "required": ["selection", "authorizationStatus"], "properties": { "authorizationStatus": { "anyOf": [{ "const": "authorized" }, { "type": "object", "required": ["readWrite"], "properties": { "readWrite": { "const": "authorized" } } }] } } }"#,
    "metadata":
      #""not": { "required": ["policy", "except"], "properties": { "policy": { "const": "keep" } } }"#,
    "thumbnails.*":
      #""allOf": [{ "if": { "required": ["format"], "properties": { "format": { "const": "png" } } }, "then": { "properties": { "quality": false } } }, { "if": { "required": ["format"], "properties": { "format": { "enum": ["png", "webp"] } } }, "then": { "properties": { "background": false } } }]"#,
    "labels":
      #""not": { "required": ["neutral"], "properties": { "neutral": { "const": true } }, "anyOf": [{ "required": ["file"] }, { "required": ["template"] }] }"#,
  ]

  private static let blank =
    #""not": { "pattern": "^[\\s\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]+(?![\\s\\S])" }"#
  private static let template =
    #""pattern": "^(?:[^{}/]|\\{\\{|\\}\\}|\\{originalName\\}|\\{source\\}|\\{number(?::[1-9])?\\}|\\{creationDate(?::(?:[^A-Za-z'{}/]|'[^'{}/]*'|yyyy(?!y)|MM(?!M)|dd(?!d)|HH(?!H)|mm(?!m)|ss(?!s))+)?\\})+(?![\\s\\S])""#
  private static let pattern =
    #"{ "type": "string", "minLength": 1, "maxLength": 4096, "pattern": "^(?!/)(?:(?:^|/)(?!(?:\\.|%2[eE]){1,2}(?:/|(?![\\s\\S])))(?:\\*\\*(?=/|(?![\\s\\S]))|(?:[^/*?\\[%]|%(?!2[fF]|00)|\\?|\\*(?!\\*)|\\[[!^]?(?:(?!\\[[:.=]|%(?:2[fF]|00))[\\x01-\\x2e\\x30-\\x5c\\x5e-\\x7f]|\\](?=[^/\\]]*\\]))(?:(?!\\[[:.=]|%(?:2[fF]|00))[\\x01-\\x2e\\x30-\\x5c\\x5e-\\x7f])*\\])+))+(?![\\s\\S])" }"#
  private static let shift =
    #"{ "type": "object", "additionalProperties": false, "required": ["by"], "properties": { "by": { "type": "string", "pattern": "^[+-](?!0+:00(?::00)?(?![\\s\\S]))[0-9]{1,6}:[0-5][0-9](?::[0-5][0-9])?(?![\\s\\S])" }, "where": { "type": "string" }, "from": \#(localTime), "to": \#(localTime) } }"#
  private static let statedDate =
    #"{ "type": "object", "additionalProperties": false, "required": ["path", "date"], "properties": { "path": \#(pattern), "date": { "type": "string", "pattern": "^[0-9]{4}(?:-[0-9]{2}){0,2}~?(?![\\s\\S])" } } }"#
  private static let localTime =
    #"{ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2})?(?![\\s\\S])" }"#
  private static let thumbnailName =
    #""propertyNames": { "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+(?![\\s\\S])" }"#

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).serialized, as: UTF8.self)
  }

  private static func list(_ words: [String]) -> String {
    "[" + words.map(quoted).joined(separator: ", ") + "]"
  }

  private static func object(_ members: [String], _ indent: String) -> String {
    "{\n" + members.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n" + indent + "}"
  }

  /// The members of an object's schema.
  private static func members(
    _ keys: [KeyDescription],
    _ path: String,
    _ indent: String
  ) -> [String] {
    let required = keys.filter(\.isRequired).map(\.name)
    let prefix = path.isEmpty ? "" : path + "."
    let properties = keys.map {
      quoted($0.name) + ": " + schema($0, prefix + $0.name, indent + "  ")
    }
    let rule = rules[path] ?? (path.hasSuffix(".metadata") ? rules["metadata"] : nil)
    return [#""type": "object""#, #""additionalProperties": false"#]
      + (required.isEmpty ? [] : ["\"required\": " + list(required)])
      + ["\"properties\": " + object(properties, indent)] + (rule.map { [$0] } ?? [])
  }

  private static func schema(_ key: KeyDescription, _ path: String, _ indent: String) -> String {
    var head: [String] = []
    if !key.meaning.isEmpty {
      let meaning = key.meaning.replacing("`", with: "").replacing("; see below", with: "")
      head = ["\"description\": " + quoted(meaning)]
    }
    switch key.shape {
    case .anything: return "true"
    case .object(let keys): return object(head + members(keys, path, indent + "  "), indent)
    case .sources(let keys):
      // The list has what the object has, and each a name.
      let indented = indent + "    "
      let single = object(members(keys, path, indented + "  "), indented)
      let reference = "\"$ref\": \"#/properties/\(path.replacing(".", with: "/properties/"))/anyOf/0\""
      let list =
        "{ \"type\": \"array\", \"minItems\": 1, \"maxItems\": 100, \"items\": { \(reference), \"required\": [\"name\"] } }"
      return object(head + ["\"anyOf\": [\n\(indented)\(single),\n\(indented)\(list)\n\(indent)  ]"], indent)
    case .named(let keys):
      let values = object(members(keys, path + ".*", indent + "    "), indent + "  ")
      return object(
        head + [#""type": "object""#, #""maxProperties": 16"#, thumbnailName]
          + ["\"additionalProperties\": " + values],
        indent
      )
    default:
      let value = key.defaultJSON.map { ["\"default\": " + $0] } ?? []
      return "{ " + (head + members(key.shape) + value).joined(separator: ", ") + " }"
    }
  }

  /// The members of the schema of one value.
  private static func members(_ shape: KeyShape) -> [String] {
    switch shape {
    case .anything, .object, .sources, .named: return []
    case .anyText: return [#""type": "string""#]
    case .version: return [#""type": "integer""#, #""const": 1"#]
    case .flag: return [#""type": "boolean""#]
    case .integer(let range):
      return [
        #""type": "integer""#, "\"minimum\": \(range.lowerBound)",
        "\"maximum\": \(range.upperBound)",
      ]
    case .word(let words): return ["\"enum\": " + list(words)]
    case .words(let words):
      return [
        #""type": "array""#, #""minItems": 1"#, #""uniqueItems": true"#,
        "\"items\": { \"enum\": \(list(words)) }",
      ]
    case .wordOrWords(let words):
      let list = members(.words(words)).joined(separator: ", ")
      return ["\"anyOf\": [{ \"enum\": \(self.list(words)) }, { \(list) }]"]
    case .statuses(let words, nil): return ["\"enum\": " + list(words)]
    case .statuses(let readWrite, let addOnly?):
      let levels =
        "\"readWrite\": { \"enum\": \(list(readWrite)) }, \"addOnly\": { \"enum\": \(list(addOnly)) }"
      return [
        "\"anyOf\": [{ \"enum\": \(list(readWrite)) }, { \"type\": \"object\", "
          + "\"additionalProperties\": false, \"minProperties\": 1, \"properties\": { \(levels) } }]"
      ]
    case .identifier:
      return [
        #""type": "string""#, #""maxLength": 155"#, #""pattern": "^[A-Za-z0-9.-]+(?![\\s\\S])""#,
      ]
    case .sourceName:
      return [#""type": "string""#, #""minLength": 1"#, #""maxLength": 64"#, #""pattern": "^\\S(.*\\S)?$""#]
    case .name: return [#""type": "string""#, #""minLength": 1"#, #""maxLength": 255"#, blank]
    case .path: return [#""type": "string""#, #""minLength": 1"#, #""maxLength": 4096"#]
    case .pinnedPath:
      let path = "{ " + members(.path).joined(separator: ", ") + " }"
      let digest = #"{ "type": "string", "pattern": "^[0-9a-f]{64}(?![\\s\\S])" }"#
      let object =
        #"{ "type": "object", "additionalProperties": false, "required": ["file", "sha256"], "properties": { "file": \#(path), "sha256": \#(digest) } }"#
      return ["\"anyOf\": [\(path), \(object)]"]
    case .template:
      return [#""type": "string""#, #""minLength": 1"#, #""maxLength": 1000"#, template]
    case .color: return [#""type": "string""#, #""pattern": "^#[0-9A-Fa-f]{6}$""#]
    case .shifts:
      return [#""type": "array""#, #""maxItems": 1000"#, "\"items\": " + shift]
    case .statedDates:
      return [#""type": "array""#, #""maxItems": 10000"#, "\"items\": " + statedDate]
    case .timeZone:
      return [
        #""type": "string""#, #""maxLength": 255"#,
        #""pattern": "^[A-Z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*(?![\\s\\S])""#,
      ]
    case .size:
      return [
        #""anyOf": [{ "const": "maximum" }, { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": "integer", "minimum": 1, "maximum": 16384 } }]"#
      ]
    case .patterns:
      return [#""type": "array""#, #""maxItems": 100000"#, "\"items\": " + pattern]
    case .exceptions(let words):
      let coarse =
        #"{ "type": "object", "additionalProperties": false, "required": ["location"], "properties": { "location": { "const": "coarse" } } }"#
      return [
        #""type": "array""#, #""uniqueItems": true"#,
        "\"items\": { \"anyOf\": [{ \"enum\": \(list(words)) }, \(coarse)] }",
        #""not": { "allOf": [{ "contains": { "const": "location" } }, { "contains": { "type": "object" } }] }"#,
      ]
    }
  }
}
