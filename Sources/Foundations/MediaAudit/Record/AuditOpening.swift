package import MediaModel
internal import MediaSyntax

/// The facts about a run in its first record, which ``AuditWriter`` gives its place in the log.
package struct AuditOpening: RecordBody, Hashable {
  package static let events = [AuditEvent.run]

  package var clientIdentifier = ""
  /// What people call the client.
  package var clientName = ""
  /// SHA-256 of the manifest's bytes, hexadecimal.
  package var manifestSHA256 = ""
  /// Their number, where the log keeps the manifest's text; nil for a command without one, until the log begins, and
  /// in a log of a version that did not keep it.
  package var manifestBytes: Int?
  /// The manifest's signature, which the run verified; nil where no policy asks for signatures.
  package var signature: ManifestSignature?
  package var labelsSHA256: String?
  package var infoPlistSHA256: String?
  /// SHA-256 of the list of the files with the texts of the property list in other languages; nil without one.
  package var localizationsSHA256: String?
  /// SHA-256 of each policy file that was heard, hexadecimal.
  package var policySHA256s: [String] = []
  /// Head of the answer store's table of transitions; nil without a store.
  package var answersHead: String?
  /// Version and build of `mediabatch`.
  package var tool = ""
  /// Version and build of `mediabatch-worker`; nil when it was not found.
  package var worker: String?
  package var host = ""
  package var user = ""
  /// Nil in a record that names no mode that is known.
  package var enforcement: Enforcement?
  /// Landlock's ABI version; nil when the kernel has none.
  package var landlockABI: Int?
  package var seccomp = false
  /// The thumbnails that the manifest asks for, in its order; nil for a command that makes none, and in a log of a
  /// version that did not write them.
  package var thumbnailSpecs: [AuditThumbnailSpec]?
  /// Whether the manifest makes albums of the sources' folders.
  package var albumsFromFolders = false
  /// The rules by which files get dates that they do not state themselves; nil for a command, and in a log of a
  /// version that did not have them.
  package var dateRules: DateRules?
  /// The names of the time zones by which dates are completed, by the source's word; that of a source with a name of its
  /// own is in ``AuditListing``, where its name can be held back.
  package var timeZones: [String: String] = [:]
  /// Whether the run stores facts that stripping takes from files in `private.sqlite`.
  package var keepsPrivateFacts = false
  /// The check value of the library's digest key, 64 hexadecimal digits; nil until the log begins, and in a log of an
  /// earlier version.
  package var digestKeyCheck: String?

  /// The digest of no bytes: what a command that changes a library without a manifest, such as
  /// `clean`, has in the place of the manifest's. No manifest is empty, so no run has it.
  package static let noManifestSHA256 =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.object("client") {
      $0.needed("identifier", &clientIdentifier)
      $0.field("name", &clientName)
    }
    fields.needed("manifestSHA256", &manifestSHA256)
    fields.field("manifestBytes", &manifestBytes)
    fields.field("signature", &signature)
    fields.field("labelsSHA256", &labelsSHA256)
    fields.field("infoPlistSHA256", &infoPlistSHA256)
    fields.field("localizationsSHA256", &localizationsSHA256)
    fields.list("policySHA256s", &policySHA256s)
    fields.field("answersHead", &answersHead)
    fields.field("tool", &tool)
    fields.field("worker", &worker)
    fields.field("host", &host)
    fields.field("user", &user)
    fields.object("enforcement") {
      $0.field("mode", &enforcement)
      $0.nullable("landlockABI", &landlockABI)
      $0.field("seccomp", &seccomp)
    }
    fields.field("thumbnailSpecs", &thumbnailSpecs)
    fields.object("albums") { $0.flag("fromFolders", &albumsFromFolders) }
    fields.field("dates", &dateRules)
    fields.texts("timeZones", &timeZones)
    fields.flag("privateFacts", &keepsPrivateFacts)
    fields.field("digestKeyCheck", &digestKeyCheck)
  }
}

/// A thumbnail that a run's manifest asks for: its name, and the settings that its bytes depend on.
package struct AuditThumbnailSpec: Sendable, Hashable {
  package var name: String
  /// See `ThumbnailSpec.fingerprint`.
  package var fingerprint: String

  package init(name: String, fingerprint: String) {
    self.name = name
    self.fingerprint = fingerprint
  }
}

/// Where the log of the run before ended, as the next run found it.
package struct AuditPreviousHead: Sendable, Hashable {
  /// The file's name in the folder of the log.
  package var file: String
  /// SHA-256 of its last whole record; of the file before it, when it has none.
  package var head: String
  /// Up to which byte it is accepted: the end of its last whole line.
  package var bytes: Int
  /// The bytes after that: the torn last line that a power cut leaves.
  package var tornBytes: Int
  /// The library's tree up to there; nil until the writer has entered it.
  package var tree: AuditTreeHead?

  package init(
    file: String,
    head: String,
    bytes: Int,
    tornBytes: Int,
    tree: AuditTreeHead? = nil
  ) {
    self.file = file
    self.head = head
    self.bytes = bytes
    self.tornBytes = tornBytes
    self.tree = tree
  }

  /// Reads the member `previous` of a run's first record; nil when it has another form.
  init?(_ members: [String: JSONValue]) {
    func count(_ key: String) -> Int? {
      guard case .integer(let value)? = members[key], value >= 0 else { return nil }
      return Int(exactly: value)
    }
    guard case .string(let file)? = members["file"], case .string(let head)? = members["head"],
      let bytes = count("bytes"), let tornBytes = count("tornBytes"),
      case .string(let root)? = members["root"], let size = count("size")
    else { return nil }
    self.init(
      file: file,
      head: head,
      bytes: bytes,
      tornBytes: tornBytes,
      tree: AuditTreeHead(size: size, root: root)
    )
  }

  var value: JSONValue {
    var members: [String: JSONValue] = [
      "file": .string(file), "head": .string(head), "bytes": JSONValue(bytes),
      "tornBytes": JSONValue(tornBytes),
    ]
    if let tree {
      members["size"] = JSONValue(tree.size)
      members["root"] = .string(tree.root)
    }
    return .object(members)
  }
}

extension AuditThumbnailSpec: RecordValue {
  var json: JSONValue { ["name": name.json, "fingerprint": fingerprint.json] }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .object(let members) = json, case .string(let name)? = members["name"],
      case .string(let fingerprint)? = members["fingerprint"]
    else { return nil }
    self.init(name: name, fingerprint: fingerprint)
  }
}

extension AuditRecord {
  static func run(
    file: AuditFileName,
    previous: AuditPreviousHead?,
    opening: AuditOpening
  ) -> AuditRecord {
    let place = [
      Member(key: "schema", value: .string(schema)), Member(key: "file", value: .string(file.text)),
      Member(key: "previous", value: previous?.value ?? .null),
    ]
    return AuditRecord(.run, place + AuditRecord(opening).members)
  }
}

/// The last record of a run: its totals, over all allowed sources, and how it ended.
///
/// Its `prev` is the head of all that is totalled; the head of the file is this record's own hash.
package struct AuditEnd: RecordBody {
  package static let events = [AuditEvent.end]

  /// Of every outcome, also of those without an item.
  package var counts: [ItemOutcome: Int] = [:]
  package var degraded = 0
  package var thumbnails = 0
  package var exitCode: Int?
  /// The content of the catalogue as the run ended.
  package var catalogue: CatalogueContent?

  package init() {}

  /// Makes the end of a run that has these items and no others.
  package init(counts: [ItemOutcome: Int], exitCode: RunExitCode) {
    for outcome in ItemOutcome.allCases { self.counts[outcome] = counts[outcome] ?? 0 }
    self.exitCode = Int(exitCode.rawValue)
  }

  package mutating func list(_ fields: inout RecordFields) {
    fields.object("counts") {
      for outcome in ItemOutcome.allCases { $0.field(outcome.rawValue, &counts[outcome]) }
      $0.told("discovered", counts.values.reduce(0) { $0.addingReportingOverflow($1).partialValue })
    }
    fields.field("degraded", &degraded)
    fields.field("thumbnails", &thumbnails)
    fields.field("exitCode", &exitCode)
    fields.field("catalogue", &catalogue)
  }
}
