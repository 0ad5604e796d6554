internal import MediaFileSystem
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
  private let files = SpooledBytes()
  private let references = SpooledBytes()
  /// The references to the files that a run has imported, by its identifier: those in a range stand behind each
  /// other.
  private var results: [String: [Range<Int>]] = [:]
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
  /// - Throws: `FileSystemError` when the files behind it cannot be written.
  mutating func add(
    _ path: [UInt8],
    sha256: String,
    bytes: Int64,
    about: About
  ) throws(FileSystemError) {
    let own = path.starts(with: root) ? Array(path[root.count...]) : path
    let identifier = Self.identifier(own)
    let name = own.split(separator: UInt8.slash).last.map(Array.init) ?? own
    var entity: [String: JSONValue] = [
      "@id": .string(identifier), "@type": "File",
      "name": .string(String(decoding: name, as: UTF8.self)),
      // Schema.org has a text here; RO-Crate wants bytes.
      "contentSize": .string(String(bytes)), "sha256": .string(sha256),
    ]
    entity["encodingFormat"] = about.mediaType.map { .string($0) }
    entity["dateCreated"] = about.created.map { .string($0) }
    let reference = JSONValue.object(["@id": .string(identifier)]).serialized
    try append(JSONValue.object(entity).serialized, to: files)
    let range = try append(reference, to: references)
    Self.extend(&results[about.run, default: []], by: range)
    count += 1
  }

  private static let separator = Array(",\n".utf8)

  @discardableResult
  private func append(
    _ piece: [UInt8],
    to pieces: SpooledBytes
  ) throws(FileSystemError) -> Range<Int> {
    if pieces.count > 0 { try pieces.append(Self.separator) }
    return try pieces.append(piece)
  }

  /// Adds the range of a reference: to the last one, if it is the reference behind that.
  private static func extend(_ ranges: inout [Range<Int>], by range: Range<Int>) {
    if let last = ranges.last, last.upperBound + separator.count == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Passes the content of the file on: JSON-LD, an entity a line.
  ///
  /// - Parameters:
  ///   - time: When the export was made, in UTC as RFC 3339 has it.
  ///   - body: Takes the pieces.
  /// - Throws: `FileSystemError` when what was noted cannot be read, and what `body` throws.
  func pass(at time: String, to body: ([UInt8]) throws -> Void) throws {
    // The digest's term is younger than the context of RO-Crate 1.1.
    let context = JSONValue.array([
      "https://w3id.org/ro/crate/1.1/context", ["sha256": "https://schema.org/sha256"],
    ]).serialized
    try body(Array("{\"@context\":".utf8) + context + Array(",\"@graph\":[".utf8))
    for (index, entity) in (exportEntities(at: time) + runEntities()).enumerated() {
      if index > 0 { try body(Self.separator) }
      try pass(entity, to: body)
    }
    if files.count > 0 { try body(Self.separator) }
    try files.read(0..<files.count, body)
    try body(Array("]}\n".utf8))
  }

  /// An entity, which may have a list of references, of any length.
  private struct Entity {
    var members: JSONValue
    var list: (name: String, references: [Range<Int>])?
  }

  private func pass(_ entity: Entity, to body: ([UInt8]) throws -> Void) throws {
    var bytes = entity.members.serialized
    guard let list = entity.list else { return try body(bytes) }
    bytes.removeLast()
    try body(bytes + Array(",\"\(list.name)\":[".utf8))
    for (index, range) in list.references.enumerated() {
      if index > 0 { try body(Self.separator) }
      try references.read(range, body)
    }
    try body(Array("]}".utf8))
  }

  /// The entities of the file itself, the folder, and the export.
  private func exportEntities(at time: String) -> [Entity] {
    let all = references.count == 0 ? [] : [0..<references.count]
    return [
      Entity(members: [
        "@id": .string(Self.name), "@type": "CreativeWork", "about": ["@id": "./"],
        "conformsTo": ["@id": "https://w3id.org/ro/crate/1.1"],
      ]),
      Entity(
        members: [
          "@id": "./", "@type": "Dataset", "name": .string(title), "license": .string(license),
          "description": .string(
            "\(Quantity.text(count, "file")) of a media library, exported by mediabatch"
          ),
          "datePublished": .string(String(time.prefix(10))),
        ],
        list: ("hasPart", all)
      ),
      Entity(members: [
        "@id": "#mediabatch", "@type": "SoftwareApplication", "name": "mediabatch",
        "softwareVersion": .string(BuildInfo.version),
      ]),
      Entity(members: [
        "@id": "#export", "@type": "CreateAction", "name": "Export from the library",
        "agent": ["@id": "#mediabatch"], "instrument": ["@id": "#mediabatch"],
        "endTime": .string(time), "result": ["@id": "./"],
      ]),
    ]
  }

  /// The entities of the runs that have imported a file of the export, with their clients and programs.
  private func runEntities() -> [Entity] {
    var entities: [Entity] = []
    var clients: Set<String> = []
    for run in runs {
      guard let results = results[run.identifier] else { continue }
      let client = "#client-" + Self.identifier(Array(run.client.utf8))
      if clients.insert(client).inserted {
        entities.append(
          Entity(members: [
            "@id": .string(client), "@type": "SoftwareApplication",
            "identifier": .string(run.client), "name": .string(run.clientName),
          ])
        )
      }
      let tool = "#mediabatch-" + Self.identifier(Array(run.tool.utf8))
      if run.tool != BuildInfo.version, clients.insert(tool).inserted {
        entities.append(
          Entity(members: [
            "@id": .string(tool), "@type": "SoftwareApplication", "name": "mediabatch",
            "softwareVersion": .string(run.tool),
          ])
        )
      }
      entities.append(
        Entity(
          members: [
            "@id": .string("#run-" + Self.identifier(Array(run.identifier.utf8))),
            "@type": "CreateAction", "name": "Import into the library",
            "agent": ["@id": .string(client)],
            "instrument": ["@id": .string(run.tool == BuildInfo.version ? "#mediabatch" : tool)],
            "startTime": .string(run.started),
          ],
          list: ("result", results)
        )
      )
    }
    return entities
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
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8.hyphen, UInt8.dot,
        UInt8.underscore, UInt8(ascii: "~"), UInt8.slash:
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
