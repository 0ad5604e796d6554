internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaPipeline
internal import MediaSyntax

/// The proof that a shard is finished: what its library has, and what its log has come to.
package struct Receipt: Sendable, Hashable {
  static let schema = "mediabatch.receipt/1"
  /// In bytes; a movie without its still takes some 100 and its paths.
  static let maximumLength = 256 << 20

  /// The plan's digest, hexadecimal.
  package var plan: String
  package var shard: Int
  package var attempt: Int
  /// The identifier of the library.
  package var library: String
  /// The code with which the run has ended: success, or that some items failed.
  package var exitCode: RunExitCode
  /// The number of items by their outcomes.
  package var counts: [ItemOutcome: Int]
  package var assets: Int
  /// The end of the log, with its tree.
  package var log: AuditPosition
  /// The content of the catalogue.
  package var catalogue: CatalogueContent
  /// The number of published files, and the SHA-256 of the list of their paths, lengths and digests.
  package var files: Int
  package var filesSHA256: String
  package var loneHalves: [LoneHalf]

  private var members: [String: JSONValue] {
    var outcomes: [String: JSONValue] = [:]
    for (outcome, count) in counts { outcomes[outcome.rawValue] = JSONValue(count) }
    return [
      "schema": .string(Self.schema),
      "planSHA256": .string(plan),
      "shard": JSONValue(shard),
      "attempt": JSONValue(attempt),
      "library": .string(library),
      "exitCode": JSONValue(Int(exitCode.rawValue)),
      "counts": .object(outcomes),
      "assets": JSONValue(assets),
      "log": [
        "file": .string(log.file), "run": .string(log.run), "records": JSONValue(log.records),
        "bytes": JSONValue(log.bytes), "head": .string(log.head),
        "size": JSONValue(log.tree?.head.size ?? 0), "root": .string(log.tree?.head.root ?? ""),
      ],
      "catalogue": ["schema": .string(catalogue.schema), "sha256": .string(catalogue.sha256)],
      "files": ["count": JSONValue(files), "sha256": .string(filesSHA256)],
      "loneHalves": .array(loneHalves.map(\.value)),
    ]
  }

  package var serialized: [UInt8] { JSONValue.object(members).serialized + [UInt8.newline] }

  /// The receipt that ``serialized`` wrote; nil for other bytes.
  package init?(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.last == .newline { bytes.removeLast() }
    guard let members = CanonicalJSON.members(of: bytes), members["schema"] == .string(Self.schema),
      let plan = members["planSHA256"]?.text, let shard = members["shard"]?.number,
      let attempt = members["attempt"]?.number, let library = members["library"]?.text,
      let code = members["exitCode"]?.number.flatMap({ Int32(exactly: $0) })
        .flatMap(RunExitCode.init(rawValue:)),
      case .object(let outcomes)? = members["counts"], let assets = members["assets"]?.number,
      case .object(let log)? = members["log"], let file = log["file"]?.text,
      let run = log["run"]?.text, let records = log["records"]?.number,
      let size = log["bytes"]?.number, let head = log["head"]?.text,
      let leaves = log["size"]?.number, let root = log["root"]?.text,
      case .object(let catalogue)? = members["catalogue"], let schema = catalogue["schema"]?.text,
      let content = catalogue["sha256"]?.text, case .object(let files)? = members["files"],
      let count = files["count"]?.number, let list = files["sha256"]?.text,
      case .array(let halves)? = members["loneHalves"]
    else { return nil }
    self.plan = plan
    self.shard = shard
    self.attempt = attempt
    self.library = library
    exitCode = code
    counts = [:]
    for (name, value) in outcomes {
      guard let outcome = ItemOutcome(rawValue: name), let number = value.number else { return nil }
      counts[outcome] = number
    }
    self.assets = assets
    self.log = AuditPosition(file: file, run: run, records: records, bytes: size, head: head)
    self.log.tree = AuditTreePosition(head: AuditTreeHead(size: leaves, root: root), encoded: [])
    self.catalogue = CatalogueContent(schema: schema, sha256: content)
    self.files = count
    filesSHA256 = list
    loneHalves = halves.compactMap { LoneHalf($0) }
    guard loneHalves.count == halves.count else { return nil }
  }

  /// Reads the library of an attempt that has ended.
  ///
  /// - Throws: `LibraryError` when it cannot be read, or is not what one run has made.
  package init(
    of plan: Plan,
    shard: Int,
    attempt: Int,
    exitCode: RunExitCode,
    loneHalves: [LoneHalf],
    library path: [UInt8]
  ) throws {
    let reader = try CatalogueReader(library: path)
    let snapshot = try reader.snapshot()
    guard snapshot.positions.count == 1, let position = snapshot.positions.first,
      position.isEnded, position.run == plan.run(shard: shard, attempt: attempt),
      snapshot.identifier == plan.library, let content = snapshot.content
    else {
      throw LibraryError(
        .inconsistent,
        "The library \"\(EscapedText.percentEscaped(path))\" is not that of one finished run of shard \(shard). Run the shard again."
      )
    }
    self.plan = plan.sha256
    self.shard = shard
    self.attempt = attempt
    library = snapshot.identifier
    self.exitCode = exitCode
    self.loneHalves = loneHalves
    log = position
    catalogue = content
    (counts, assets) = try reader.outcomeCounts()
    (files, filesSHA256) = try Self.files(of: reader)
  }

  /// The number of a library's files, and the SHA-256 of the list of them.
  static func files(of reader: CatalogueReader) throws -> (Int, String) {
    var hash = SHA256()
    var count = 0
    for superseded in [false, true] {
      try reader.forEachPage(superseded: superseded) { page in
        count += page.count
        for file in page {
          hash.update(Array("\(file.path)\0\(file.bytes) \(file.sha256)\n".utf8))
        }
      }
    }
    return (count, Hexadecimal.text(hash.finalize()))
  }
}

extension LoneHalf {
  var value: JSONValue {
    .object(
      source.members.merging([
        "movie": movie.value, "sidecars": .array(sidecars.map(\.value)),
        "contentIdentifierHMAC": .string(Hexadecimal.text(digest)),
      ]) { $1 }
    )
  }

  init?(_ value: JSONValue) {
    guard case .object(let members) = value,
      let source = SourceID(members),
      let movie = members["movie"].flatMap({ Item($0) }),
      case .array(let sidecars)? = members["sidecars"],
      let digest = members["contentIdentifierHMAC"]?.text.flatMap({ Hexadecimal.bytes($0) })
    else { return nil }
    self.init(source: source, movie: movie, sidecars: sidecars.compactMap { Item($0) }, digest: digest)
  }
}

extension LoneHalf.Item {
  fileprivate var value: JSONValue {
    ["path": .string(path.text), "number": JSONValue(number)]
  }

  fileprivate init?(_ value: JSONValue) {
    guard case .object(let members) = value, let path = members["path"]?.text,
      let number = members["number"]?.number
    else { return nil }
    self.init(path: ItemPath(bytes: EscapedText.bytes(percentEscaped: path)), number: number)
  }
}
