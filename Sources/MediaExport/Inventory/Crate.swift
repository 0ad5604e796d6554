internal import MediaModel
internal import MediaSyntax

/// The metadata file of an RO-Crate, of which an export is the data.
///
/// It describes files by what is in the folder anyway: their paths, lengths and digests. Of the catalogue it has
/// formats and, where a file tells it too, the date of capture; of the log who asked for the runs.
///
/// Source: RO-Crate 1.1 (w3id.org/ro/crate/1.1), "RO-Crate Metadata File", "Data Entities", "Provenance".
struct Crate {
  /// The file's name, in the root of the crate.
  static let name = "ro-crate-metadata.json"

  /// What is known of a file beside its content.
  struct About {
    /// An IANA media type; nil for a format that has none.
    var mediaType: String?
    /// Local time with its offset, as far as it is known; ISO 8601.
    var created: String?
    /// The identifier of the run that saved the asset in the library.
    var run: String
  }

  private let title: String
  private let license: String
  private let runs: [ImportRun]
  /// The folder of the data in the export, with a slash behind it; empty outside of a bag.
  private let root: [UInt8]
  private var files: [UInt8] = []
  private var references: [UInt8] = []
  /// The references to the files that a run has imported, by its identifier.
  private var results: [String: [UInt8]] = [:]
  private var count = 0

  /// - Parameters:
  ///   - title: The name of the crate.
  ///   - license: Under which terms it may be used: an address, or text.
  ///   - runs: The imports of the library, in their order; those without a file of the crate are left out.
  ///   - root: The folder of the data in the export; empty for the export itself.
  init(title: String, license: String, runs: [ImportRun], root: String = "") {
    self.title = title
    self.license = license
    self.runs = runs
    self.root = root.isEmpty ? [] : Array((root + "/").utf8)
  }

  /// Notes a file.
  ///
  /// - Parameters:
  ///   - path: In the export.
  ///   - sha256: Hexadecimal digits.
  ///   - bytes: The length.
  ///   - about: What else is known of it.
  mutating func add(_ path: [UInt8], sha256: String, bytes: Int64, about: About) {
    let own = path.starts(with: root) ? Array(path[root.count...]) : path
    let identifier = Self.identifier(own)
    let name = own.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? own
    var entity: [String: JSONValue] = [
      "@id": .string(identifier), "@type": "File",
      "name": .string(String(decoding: name, as: UTF8.self)),
      // Schema.org has a text here; RO-Crate wants bytes.
      "contentSize": .string(String(bytes)), "sha256": .string(sha256),
    ]
    entity["encodingFormat"] = about.mediaType.map { .string($0) }
    entity["dateCreated"] = about.created.map { .string($0) }
    let reference = JSONValue.object(["@id": .string(identifier)]).serialized
    append(JSONValue.object(entity).serialized, to: &files)
    append(reference, to: &references)
    append(reference, to: &results[about.run, default: []])
    count += 1
  }

  /// Makes the content of the file.
  ///
  /// - Parameter time: When the export was made, in UTC as RFC 3339 has it.
  /// - Returns: JSON-LD, an entity a line.
  func content(at time: String) -> [UInt8] {
    let entities = exportEntities(at: time) + runEntities()
    // The digest's term is younger than the context of RO-Crate 1.1.
    let context = JSONValue.array([
      "https://w3id.org/ro/crate/1.1/context", ["sha256": "https://schema.org/sha256"],
    ]).serialized
    return Array("{\"@context\":".utf8) + context + Array(",\"@graph\":[".utf8)
      + Array(entities.joined(separator: Array(",\n".utf8)))
      + (files.isEmpty ? [] : Array(",\n".utf8) + files) + Array("]}\n".utf8)
  }

  /// The entities of the file itself, the folder, and the export.
  private func exportEntities(at time: String) -> [[UInt8]] {
    [
      JSONValue.object([
        "@id": .string(Self.name), "@type": "CreativeWork", "about": ["@id": "./"],
        "conformsTo": ["@id": "https://w3id.org/ro/crate/1.1"],
      ]).serialized,
      Self.entity(
        [
          "@id": "./", "@type": "Dataset", "name": .string(title), "license": .string(license),
          "description": .string(
            "\(Quantity.text(count, "file")) of a media library, exported by mediabatch"
          ),
          "datePublished": .string(String(time.prefix(10))),
        ],
        list: "hasPart",
        references
      ),
      JSONValue.object([
        "@id": "#mediabatch", "@type": "SoftwareApplication", "name": "mediabatch",
        "softwareVersion": .string(BuildInfo.version),
      ]).serialized,
      JSONValue.object([
        "@id": "#export", "@type": "CreateAction", "name": "Export from the library",
        "agent": ["@id": "#mediabatch"], "instrument": ["@id": "#mediabatch"],
        "endTime": .string(time), "result": ["@id": "./"],
      ]).serialized,
    ]
  }

  /// The entities of the runs that have imported a file of the export, with their clients and programs.
  private func runEntities() -> [[UInt8]] {
    var entities: [[UInt8]] = []
    var clients: Set<String> = []
    for run in runs {
      guard let results = results[run.identifier] else { continue }
      let client = "#client-" + Self.identifier(Array(run.client.utf8))
      if clients.insert(client).inserted {
        entities.append(
          JSONValue.object([
            "@id": .string(client), "@type": "SoftwareApplication",
            "identifier": .string(run.client), "name": .string(run.clientName),
          ]).serialized
        )
      }
      let tool = "#mediabatch-" + Self.identifier(Array(run.tool.utf8))
      if run.tool != BuildInfo.version, clients.insert(tool).inserted {
        entities.append(
          JSONValue.object([
            "@id": .string(tool), "@type": "SoftwareApplication", "name": "mediabatch",
            "softwareVersion": .string(run.tool),
          ]).serialized
        )
      }
      entities.append(
        Self.entity(
          [
            "@id": .string("#run-" + Self.identifier(Array(run.identifier.utf8))),
            "@type": "CreateAction", "name": "Import into the library",
            "agent": ["@id": .string(client)],
            "instrument": ["@id": .string(run.tool == BuildInfo.version ? "#mediabatch" : tool)],
            "startTime": .string(run.started),
          ],
          list: "result",
          results
        )
      )
    }
    return entities
  }

  private func append(_ piece: [UInt8], to pieces: inout [UInt8]) {
    if !pieces.isEmpty { pieces += Array(",\n".utf8) }
    pieces += piece
  }

  /// An entity with a list of references, which may be long.
  private static func entity(
    _ members: [String: JSONValue],
    list name: String,
    _ references: [UInt8]
  ) -> [UInt8] {
    var bytes = JSONValue.object(members).serialized
    bytes.removeLast()
    return bytes + Array(",\"\(name)\":[".utf8) + references + Array("]}".utf8)
  }

  /// A path as a relative address.
  ///
  /// Source: RFC 3986, section 2.3; RO-Crate 1.1, "Encoding file paths".
  private static func identifier(_ path: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An import of a library, as the first record of its file in the log tells it.
package struct ImportRun: Sendable, Hashable {
  /// The run's identifier.
  package var identifier: String
  /// When it began, in UTC as RFC 3339 has it.
  package var started: String
  package var client: String
  package var clientName: String
  /// The version of mediabatch that it ran.
  package var tool: String

  /// Creates a run of what its record says.
  package init(
    identifier: String,
    started: String,
    client: String,
    clientName: String,
    tool: String
  ) {
    self.identifier = identifier
    self.started = started
    self.client = client
    self.clientName = clientName
    self.tool = tool
  }
}
