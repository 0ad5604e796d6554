package import MediaModel
internal import MediaSyntax

/// The facts about a run in its first record.
package struct AuditOpening: Sendable, Hashable {
  package var clientIdentifier: String
  package var clientName: String
  /// SHA-256 of the manifest's bytes, hexadecimal.
  package var manifestSHA256: String
  /// Their number, where the log keeps the manifest's text; nil for a command without one, and until the
  /// log begins.
  package var manifestBytes: Int?
  package var labelsSHA256: String?
  package var infoPlistSHA256: String?
  /// SHA-256 of each policy file that was heard, hexadecimal.
  package var policySHA256s: [String]
  /// Head of the answer store's table of transitions; nil without a store.
  package var answersHead: String?
  /// Version and build of `mediabatch`.
  package var toolBuild: String
  /// Version and build of `mediabatch-worker`; nil when it was not found.
  package var workerBuild: String?
  package var host: String
  package var user: String
  package var enforcement: Enforcement
  /// Landlock's ABI version; nil when the kernel has none.
  package var landlockABI: Int?
  package var seccomp: Bool
  /// The thumbnails that the manifest asks for, in its order; nil for a command that makes none.
  package var thumbnailSpecs: [AuditThumbnailSpec]?
  /// Whether the manifest makes albums of the sources' folders.
  package var albumsFromFolders: Bool
  /// The rules by which files get dates that they do not state themselves; nil for a command.
  package var dateRules: DateRules?
  /// The names of the time zones by which dates are completed, by source.
  package var timeZones: [SourceKind: String]
  /// Whether the run stores facts that stripping takes from files in `private.sqlite`.
  package var keepsPrivateFacts = false
  /// The check value of the library's digest key, 64 hexadecimal digits; nil until the log begins.
  package var digestKeyCheck: String?

  /// The digest of no bytes: what a command that changes a library without a manifest, such as
  /// `clean`, has in the place of the manifest's. No manifest is empty, so no run has it.
  package static let noManifestSHA256 =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  package init(
    clientIdentifier: String,
    clientName: String,
    manifestSHA256: String,
    labelsSHA256: String? = nil,
    infoPlistSHA256: String? = nil,
    policySHA256s: [String] = [],
    answersHead: String? = nil,
    toolBuild: String,
    workerBuild: String?,
    host: String,
    user: String,
    enforcement: Enforcement,
    landlockABI: Int?,
    seccomp: Bool,
    thumbnailSpecs: [AuditThumbnailSpec]? = nil,
    albumsFromFolders: Bool = false,
    dateRules: DateRules? = nil,
    timeZones: [SourceKind: String] = [:],
    keepsPrivateFacts: Bool = false
  ) {
    self.clientIdentifier = clientIdentifier
    self.clientName = clientName
    self.manifestSHA256 = manifestSHA256
    self.labelsSHA256 = labelsSHA256
    self.infoPlistSHA256 = infoPlistSHA256
    self.policySHA256s = policySHA256s
    self.answersHead = answersHead
    self.toolBuild = toolBuild
    self.workerBuild = workerBuild
    self.host = host
    self.user = user
    self.enforcement = enforcement
    self.landlockABI = landlockABI
    self.seccomp = seccomp
    self.thumbnailSpecs = thumbnailSpecs
    self.albumsFromFolders = albumsFromFolders
    self.dateRules = dateRules
    self.timeZones = timeZones
    self.keepsPrivateFacts = keepsPrivateFacts
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

extension AuditRecord {
  static func run(
    file: AuditFileName,
    previous: AuditPreviousHead?,
    opening: AuditOpening
  ) -> AuditRecord {
    AuditRecord(
      .run,
      [
        "schema": .string(schema),
        "file": .string(file.text),
        "previous": previous?.value ?? .null,
        "client": [
          "identifier": safe(opening.clientIdentifier), "name": safe(opening.clientName),
        ],
        "manifestSHA256": .string(opening.manifestSHA256),
        "manifestBytes": opening.manifestBytes.map { JSONValue($0) },
        "labelsSHA256": opening.labelsSHA256.map { .string($0) },
        "infoPlistSHA256": opening.infoPlistSHA256.map { .string($0) },
        "policySHA256s": opening.policySHA256s.isEmpty
          ? nil : .array(opening.policySHA256s.map { .string($0) }),
        "answersHead": opening.answersHead.map { .string($0) },
        "tool": safe(opening.toolBuild),
        "worker": opening.workerBuild.map { safe($0) },
        "host": safe(opening.host),
        "user": safe(opening.user),
        "enforcement": [
          "mode": .string(opening.enforcement.rawValue),
          "landlockABI": JSONValue(opening.landlockABI),
          "seccomp": .bool(opening.seccomp),
        ],
        "thumbnailSpecs": opening.thumbnailSpecs.map { specs in
          .array(
            specs.map { ["name": safe($0.name), "fingerprint": safe($0.fingerprint)] }
          )
        },
        "albums": opening.albumsFromFolders ? ["fromFolders": true] : nil,
        "dates": opening.dateRules.map { .array($0.rules.map { .string($0.rawValue) }) },
        "timeZones": opening.timeZones.isEmpty
          ? nil
          : .object(
            Dictionary(
              uniqueKeysWithValues: opening.timeZones.map { ($0.key.rawValue, safe($0.value)) }
            )
          ),
        "privateFacts": opening.keepsPrivateFacts ? .bool(true) : nil,
        "digestKeyCheck": opening.digestKeyCheck.map { .string($0) },
      ]
    )
  }

  /// The last record of a run: its totals, over all allowed sources, and how it ended.
  ///
  /// Its `prev` is the head of all that is totalled; the head of the file is this record's own hash.
  package static func end(
    counts: [ItemOutcome: Int],
    degraded: Int,
    thumbnails: Int,
    exitCode: RunExitCode,
    catalogue: CatalogueContent? = nil
  ) -> AuditRecord {
    var totals: [String: JSONValue] = [:]
    for outcome in ItemOutcome.allCases {
      totals[outcome.rawValue] = JSONValue(counts[outcome] ?? 0)
    }
    let discovered = counts.values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    totals["discovered"] = JSONValue(discovered)
    return AuditRecord(
      .end,
      [
        "counts": .object(totals), "degraded": JSONValue(degraded),
        "thumbnails": JSONValue(thumbnails), "exitCode": JSONValue(Int(exitCode.rawValue)),
        "catalogue": catalogue.map {
          ["schema": .string($0.schema), "sha256": .string($0.sha256)]
        },
      ]
    )
  }
}
