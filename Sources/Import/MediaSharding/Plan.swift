internal import MediaDigest
package import MediaModel
internal import MediaSyntax

/// The content of a plan: how a run is divided, and what its shards share.
package struct Plan: Sendable, Hashable {
  /// A part of the run.
  package struct Shard: Sendable, Hashable {
    /// The number of its items.
    package var items: Int
    /// The sizes of their files, added up.
    package var bytes: Int64
    /// The SHA-256 of the file with its items, hexadecimal.
    package var sha256: String

    package init(items: Int, bytes: Int64, sha256: String) {
      (self.items, self.bytes, self.sha256) = (items, bytes, sha256)
    }
  }

  static let schema = "mediabatch.plan/1"

  // The digest covers these: manifest, decision and listing, and nothing else.

  /// The SHA-256 of the manifest, and of the files that it names.
  package var manifestSHA256: String
  package var labelsSHA256: String?
  package var infoPlistSHA256: String?
  package var policySHA256s: [String]
  /// The number of what the program knew of formats.
  package var formatVersion: Int
  /// The SHA-256 of the decisions about all sources, with the selections.
  package var decisionSHA256: String
  /// From the first one on, whose number is 1.
  package var shards: [Shard]

  // These are drawn or found anew with each plan.

  /// The identifier of the library, which all shards have.
  package var library: String
  /// The library's digest key, 32 bytes.
  package var digestKey: [UInt8]
  /// The number from which the identifiers of runs are counted.
  package var firstRun: UInt32
  /// The manifest's absolute path, and where it was found.
  package var manifest: [UInt8]
  /// The policy files that were named, by their absolute paths.
  package var policies: [[UInt8]]
  /// The version of the program.
  package var tool: String
  /// The end of the log of the planning: its tree, and the hash of its last record.
  package var log = AuditTreeHead(size: 0, root: "")
  package var logHead = ""

  package init(
    manifestSHA256: String,
    labelsSHA256: String?,
    infoPlistSHA256: String?,
    policySHA256s: [String],
    formatVersion: Int,
    decisionSHA256: String,
    shards: [Shard],
    library: String,
    digestKey: [UInt8],
    firstRun: UInt32,
    manifest: [UInt8],
    policies: [[UInt8]],
    tool: String
  ) {
    self.manifestSHA256 = manifestSHA256
    self.labelsSHA256 = labelsSHA256
    self.infoPlistSHA256 = infoPlistSHA256
    self.policySHA256s = policySHA256s
    self.formatVersion = formatVersion
    self.decisionSHA256 = decisionSHA256
    self.shards = shards
    self.library = library
    self.digestKey = digestKey
    self.firstRun = firstRun
    self.manifest = manifest
    self.policies = policies
    self.tool = tool
  }

  private var digested: JSONValue {
    .object([
      "schema": .string(Self.schema),
      "manifestSHA256": .string(manifestSHA256),
      "labelsSHA256": JSONValue(labelsSHA256),
      "infoPlistSHA256": JSONValue(infoPlistSHA256),
      "policySHA256s": .array(policySHA256s.map { .string($0) }),
      "formatVersion": JSONValue(formatVersion),
      "decisionSHA256": .string(decisionSHA256),
      "shards": .array(
        shards.map { shard in
          [
            "items": JSONValue(shard.items), "bytes": .integer(shard.bytes),
            "sha256": .string(shard.sha256),
          ]
        }
      ),
    ])
  }

  /// The digest of the plan, hexadecimal: it depends on manifest, decision and listing alone.
  package var sha256: String { Hexadecimal.text(SHA256.hash(digested.serialized)) }

  /// The plan as its file has it.
  package var serialized: [UInt8] {
    JSONValue.object([
      "plan": digested,
      "planSHA256": .string(sha256),
      "library": .string(library),
      "digestKey": .string(Hexadecimal.text(digestKey)),
      "firstRun": .integer(Int64(firstRun)),
      "manifest": .string(EscapedText.percentEscaped(manifest)),
      "policies": .array(policies.map { .string(EscapedText.percentEscaped($0)) }),
      "log": [
        "head": .string(logHead), "size": JSONValue(log.size), "root": .string(log.root),
      ],
      "tool": .string(tool),
    ]).serialized + [UInt8.newline]
  }

  /// The plan that ``serialized`` wrote; nil for other bytes, and for a plan that no planning makes: without shards,
  /// or of numbers that cannot be added up.
  package init?(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.last == .newline { bytes.removeLast() }
    guard let members = CanonicalJSON.members(of: bytes), case .object(let plan)? = members["plan"],
      plan["schema"] == .string(Self.schema), case .array(let parts)? = plan["shards"],
      let manifestSHA256 = plan["manifestSHA256"]?.text,
      let formatVersion = plan["formatVersion"]?.number,
      let decisionSHA256 = plan["decisionSHA256"]?.text,
      case .array(let policies)? = plan["policySHA256s"],
      let library = members["library"]?.text, let manifest = members["manifest"]?.text,
      let key = members["digestKey"]?.text.flatMap({ Hexadecimal.bytes($0) }), key.count == 32,
      let firstRun = members["firstRun"]?.number.flatMap({ UInt32(exactly: $0) }),
      let tool = members["tool"]?.text, case .array(let files)? = members["policies"],
      case .object(let log)? = members["log"], let head = log["head"]?.text,
      let size = log["size"]?.number, let root = log["root"]?.text
    else { return nil }
    self.log = AuditTreeHead(size: size, root: root)
    logHead = head
    self.policies = files.compactMap(\.text).map { EscapedText.bytes(percentEscaped: $0) }
    guard (1...PlanFolder.maximumShards).contains(parts.count) else { return nil }
    shards = []
    // What is left of the numbers whose sums others compute.
    var (itemsLeft, bytesLeft) = (Int.max, Int.max)
    for part in parts {
      guard case .object(let shard) = part, let items = shard["items"]?.number,
        let bytes = shard["bytes"]?.number, let sha256 = shard["sha256"]?.text,
        (0...itemsLeft).contains(items), (0...bytesLeft).contains(bytes)
      else { return nil }
      itemsLeft -= items
      bytesLeft -= bytes
      shards.append(Shard(items: items, bytes: Int64(bytes), sha256: sha256))
    }
    self.manifestSHA256 = manifestSHA256
    labelsSHA256 = plan["labelsSHA256"]?.text
    infoPlistSHA256 = plan["infoPlistSHA256"]?.text
    policySHA256s = policies.compactMap(\.text)
    self.formatVersion = formatVersion
    self.decisionSHA256 = decisionSHA256
    self.library = library
    digestKey = key
    self.firstRun = firstRun
    self.manifest = EscapedText.bytes(percentEscaped: manifest)
    self.tool = tool
    guard members["planSHA256"] == .string(sha256) else { return nil }
  }

  /// The identifier of a run, which no other run of the plan has: 8 hexadecimal digits.
  ///
  /// - Parameters:
  ///   - shard: From 1; 0 for the planning and the merge.
  ///   - attempt: From 1; 0 for the planning.
  /// - Returns: The identifier.
  package func run(shard: Int, attempt: Int) -> String {
    let number =
      UInt32(truncatingIfNeeded: shard) << 16 | UInt32(truncatingIfNeeded: attempt) & 0xFFFF
    let digits = String(firstRun &+ number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }
}

extension PlanFolder {
  /// In bytes; a plan of 65,535 shards takes 8 MiB.
  private static let maximumPlanLength = 64 << 20

  /// Reads the plan.
  ///
  /// - Throws: ``ShardingError``, 78 for a folder without one.
  package func plan() throws(ShardingError) -> Plan {
    let bytes: [UInt8]?
    do {
      bytes = try read(Self.planName, limit: Self.maximumPlanLength)
    } catch {
      throw ShardingError(.manifestMistake, "The plan in \"\(shown)\" cannot be read: \(error).")
    }
    guard let bytes else {
      throw ShardingError(
        .manifestMistake,
        "\"\(shown)\" has no \(Self.planName). Make a plan: mediabatch shards plan manifest.json --shards 8 "
          + "--output \(ShellWord.quoted(shown))"
      )
    }
    guard let plan = Plan(bytes) else {
      throw ShardingError(
        .manifestMistake,
        "\(Self.planName) in \"\(shown)\" is damaged, or of another version of mediabatch. Plan again."
      )
    }
    return plan
  }

  /// Checks that a shard of a plan has this number.
  ///
  /// - Throws: ``ShardingError``, 64.
  package func check(shard: Int, of plan: Plan) throws(ShardingError) {
    guard (1...plan.shards.count).contains(shard) else {
      throw ShardingError(
        .usage,
        "There is no shard \(shard): the plan in \"\(shown)\" has the shards 1 to \(plan.shards.count)."
      )
    }
  }
}
