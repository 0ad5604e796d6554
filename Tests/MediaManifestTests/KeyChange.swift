import Foundation
import MediaManifest
import MediaModel
import Testing

/// One key of a manifest with two values, and what going from one to the other is.
struct KeyChange: CustomTestStringConvertible, Sendable {
  enum Outcome: Hashable, Sendable {
    case same
    case widened
    case narrowed(Narrowing)
  }

  /// As in the schema, with `*` for the name of a thumbnail.
  var key: String
  /// JSON; nil for a key that is not there.
  var old: String?
  var new: String?
  var forward: Outcome
  var backward: Outcome
  /// Other keys of both manifests, so that the value means something; nil leaves one out.
  var beside: [String: String?]

  init(
    _ key: String,
    _ old: String?,
    _ new: String?,
    _ forward: Outcome = .widened,
    back backward: Outcome = .widened,
    beside: [String: String?] = [:]
  ) {
    self.key = key
    self.old = old
    self.new = new
    self.forward = forward
    self.backward = backward
    self.beside = beside
  }

  var testDescription: String { "\(key): \(old ?? "–") → \(new ?? "–")" }

  func manifest(_ value: String?) throws -> Manifest {
    var values = ManifestBuilder.base.merging(beside) { $1 }
    values[key] = .some(value)
    return try ManifestBuilder.manifest(values)
  }
}

/// Makes manifests from values by their keys.
enum ManifestBuilder {
  /// Every key has room in it.
  static let base: [String: String?] = [
    "version": "1", "client.identifier": #""org.example.feed""#, "client.name": #""Feed""#,
    "usageDescriptions.NSCameraUsageDescription": #""Why.""#,
    "sources.camera.path": #""media/DCIM""#,
    "sources.camera.authorizationStatus": #""authorized""#,
    "sources.library.path": #""media/Photos""#,
    "sources.library.authorizationStatus": #""limited""#,
    "sources.library.selection": #"["a.jpg"]"#,
    "sources.microphone.path": #""media/Voice""#,
    "sources.microphone.authorizationStatus": #""authorized""#,
    "thumbnails.*.size": "[256, 256]", "output.path": #""Library""#,
  ]

  static func manifest(_ values: [String: String?]) throws -> Manifest {
    let text = json(values)
    let reading = ManifestReader.read(Array(text.utf8))
    return try #require(reading.manifest, "\(reading.issues.map { $0.description(in: "m") }) in \(text)")
  }

  private static func json(_ values: [String: String?]) -> String {
    var root = Node.object([:])
    // A key with keys beneath it comes first, so that these replace its value.
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let value else { continue }
      let names = key.split(separator: ".").map { $0 == "*" ? "grid" : String($0) }
      root.set(names[...], value)
    }
    return root.text
  }

  private indirect enum Node {
    case value(String)
    case object([String: Node])

    mutating func set(_ names: ArraySlice<String>, _ value: String) {
      guard let name = names.first else {
        self = .value(value)
        return
      }
      var members: [String: Node] = if case .object(let members) = self { members } else { [:] }
      var member = members[name] ?? .object([:])
      member.set(names.dropFirst(), value)
      members[name] = member
      self = .object(members)
    }

    var text: String {
      switch self {
      case .value(let text): text
      case .object(let members):
        "{"
          + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.text)" }
          .joined(separator: ", ") + "}"
      }
    }
  }
}

/// The keys that a manifest may have, from its schema.
enum SchemaKeys {
  /// Keys with a value of their own, as in ``KeyChange/key``.
  static func leaves() throws -> Set<String> {
    let path =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
      + "/../../Manifests/mediabatch.schema.json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = schema["$defs"] as? [String: Any] ?? [:]
    return leaves(schema, "", definitions)
  }

  private static func leaves(
    _ schema: [String: Any],
    _ path: String,
    _ definitions: [String: Any]
  ) -> Set<String> {
    let prefix = path.isEmpty ? "" : path + "."
    if let reference = schema["$ref"] as? String,
      let name = reference.split(separator: "/").last,
      let definition = definitions[String(name)] as? [String: Any]
    {
      return leaves(definition, path, definitions)
    }
    // The sources of a list have the keys of a single one.
    if (schema["items"] as? [String: Any])?["$ref"] != nil { return [] }
    if let choices = schema["anyOf"] as? [[String: Any]] {
      return choices.reduce(into: []) { $0.formUnion(leaves($1, path, definitions)) }
    }
    if let properties = schema["properties"] as? [String: Any] {
      return properties.reduce(into: []) { paths, property in
        let child = property.value as? [String: Any] ?? [:]
        paths.formUnion(leaves(child, prefix + property.key, definitions))
      }
    }
    if let child = schema["additionalProperties"] as? [String: Any] {
      return leaves(child, prefix + "*", definitions)
    }
    return [path]
  }
}
