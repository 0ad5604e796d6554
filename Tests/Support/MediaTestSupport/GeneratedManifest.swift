/// A manifest that was drawn, and what was drawn, so that a test knows it without reading it.
package struct GeneratedManifest: Sendable {
  /// One source as drawn; words and numbers as a manifest writes them.
  package struct Source: Sendable {
    package var kind: String
    /// Nil for a microphone without a folder.
    package var path: String?
    /// Whether the path leads to a folder that is there.
    package var isThere = false
    /// Nil when nothing is said; of reading, when two levels are written.
    package var status: String?
    /// Of adding, in the form with two levels.
    package var addOnlyStatus: String?
    package var hasTwoLevels = false
    package var required: Bool?
    /// Camera only.
    package var captureMode: String?
    /// Photo library only.
    package var selection: [String]?

    /// One about which nothing is said.
    package init(kind: String) {
      self.kind = kind
    }
  }

  /// The value of each usage description as JSON, without those that are left out.
  package var usageDescriptions: [String: String]
  package var sources: [Source]
  package var onNotDetermined: String?
  /// As JSON.
  package var metadata = "{ \"policy\": \"keep\" }"

  /// Draws one; the same generator state gives the same manifest.
  ///
  /// Most of it is good, so that every row of the decision table is met; `limited` also stands where
  /// it may not, and usage descriptions are missing or say nothing now and then.
  package init(using random: inout SeededGenerator) {
    usageDescriptions = [:]
    for key in Self.keys where random.chance(0.95) {
      usageDescriptions[key] =
        random.chance(0.96)
        ? "\"Why: \(key).\"" : random.pick(["\"\"", "\" \\t\"", "7", "null", "[\"Why.\"]"])
    }
    onNotDetermined = random.chance(0.3) ? nil : random.pick(["ask", "fail", "deny", "deny"])
    sources = []
    for kind in ["camera", "library", "microphone"] where random.chance(0.7) {
      sources.append(Self.source(kind, using: &random))
    }
  }

  /// Draws what is stripped, and what of it is left.
  package mutating func drawMetadata(using random: inout SeededGenerator) {
    var entries = ["creationDate", "copyright", "camera", "caption", "rating", "location"]
      .filter { _ in random.chance(0.3) }.map { "\"\($0)\"" }
    if random.chance(0.3) {
      entries.removeAll { $0 == "\"location\"" }
      entries.append("{ \"location\": \"coarse\" }")
    }
    metadata = random.pick([
      "{ \"policy\": \"keep\" }", "{ \"policy\": \"strip\" }", "{}",
      "{ \"except\": [\(entries.joined(separator: ", "))] }",
      "{ \"policy\": \"strip\", \"except\": [\(entries.joined(separator: ", "))] }",
    ])
  }

  private static let keys = [
    "NSCameraUsageDescription", "NSPhotoLibraryUsageDescription",
    "NSPhotoLibraryAddUsageDescription", "NSMicrophoneUsageDescription",
  ]

  private static func source(_ kind: String, using random: inout SeededGenerator) -> Source {
    let isThere = random.chance(0.9)
    var statuses = ["notDetermined", "restricted", "denied", "authorized", "authorized"]
    if kind == "library" { statuses += ["limited", "limited", "limited"] }
    if random.chance(0.02) { statuses = ["limited"] }
    var source = Source(kind: kind)
    source.isThere = isThere
    if kind != "microphone" || random.chance(0.6) {
      source.path = (isThere ? "sources/" : "gone/") + kind
    }
    if random.chance(0.9) { source.status = random.pick(statuses) }
    if random.chance(0.4) { source.required = random.chance(0.5) }
    switch kind {
    case "camera":
      let modes = ["photo", "photoAndLivePhoto", "photoAndVideo"]
      if random.chance(0.5) { source.captureMode = random.pick(modes) }
    case "library":
      if random.chance(0.2) {
        source.hasTwoLevels = true
        let adding = ["notDetermined", "denied", "restricted", "authorized", "authorized"]
        if random.chance(0.8) { source.addOnlyStatus = random.pick(adding) }
        if source.status == nil, source.addOnlyStatus == nil { source.status = "denied" }
      }
      if source.status != "authorized", random.chance(0.8) {
        source.selection = random.pick([["1.jpg"], ["*.jpg"], [], ["2026/**", "1.jpg"]])
      }
    default: break
    }
    return source
  }

  /// The manifest's text.
  package var json: String {
    let descriptions = usageDescriptions.sorted { $0.key < $1.key }
      .map { "    \"\($0.key)\": \($0.value)" }.joined(separator: ",\n")
    let onNotDetermined = onNotDetermined.map { "  \"onNotDetermined\": \"\($0)\",\n" } ?? ""
    return """
      {
        "version": 1,
        "client": { "identifier": "org.example.test" },
        "usageDescriptions": {
      \(descriptions)
        },
        "sources": {
      \(sources.map { "    \"\($0.kind)\": \($0.json)" }.joined(separator: ",\n"))
        },
      \(onNotDetermined)  "metadata": \(metadata),
        "output": { "path": "Library" }
      }

      """
  }
}

extension GeneratedManifest.Source {
  fileprivate var json: String {
    func quoted(_ text: String) -> String { "\"\(text)\"" }
    var members: [String] = []
    if let path { members.append("\"path\": \(quoted(path))") }
    if hasTwoLevels {
      let levels = [("readWrite", status), ("addOnly", addOnlyStatus)]
        .compactMap { level, status in status.map { "\(quoted(level)): \(quoted($0))" } }
      members.append("\"authorizationStatus\": { \(levels.joined(separator: ", ")) }")
    } else if let status {
      members.append("\"authorizationStatus\": \(quoted(status))")
    }
    if let required { members.append("\"required\": \(required)") }
    if let captureMode { members.append("\"capture\": { \"mode\": \(quoted(captureMode)) }") }
    if let selection {
      members.append("\"selection\": [\(selection.map(quoted).joined(separator: ", "))]")
    }
    return "{ \(members.joined(separator: ", ")) }"
  }
}
