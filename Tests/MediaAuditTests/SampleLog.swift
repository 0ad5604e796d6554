import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// A log of two runs, as the coordinator would write it, with what the catalogue then knows.
struct SampleLog: Sendable {
  var files: [(name: String, bytes: [UInt8])]
  var expectations: [AuditPosition]
  /// The head after each run.
  var heads: [String]
  /// The signed heads by the names of their files; empty when nobody signs.
  var signedHeads: [String: String] = [:]
  /// What the catalogue keeps of the tree after each run, and its blocks.
  var trees: [[UInt8]] = []
  var blocks: [AuditBlock] = []

  static let library = "0B7E6F5D-3C1A-4F57-9A55-6E5B3D7B8D11"

  static let opening = {
    var opening = AuditOpening()
    opening.clientIdentifier = "org.example.feed"
    opening.clientName = "Feed importer"
    opening.manifestSHA256 = String(repeating: "ab", count: 32)
    (opening.tool, opening.worker) = ("0.1.0", "0.1.0")
    (opening.host, opening.user) = ("host", "user")
    (opening.enforcement, opening.landlockABI, opening.seccomp) = (.kernel, 7, true)
    return opening
  }()

  /// Two runs of about 30 records each; `tornBytes` of a half record in the place of its last one end
  /// the first; `signer` says who
  /// signs which run, 1-based.
  init(
    itemsPerRun: Int = 12,
    tornBytes: Int = 0,
    runs: Int = 2,
    signer: (Int) -> AuditSigner? = { _ in nil }
  ) throws {
    let folder = TemporaryFolder()
    files = []
    expectations = []
    heads = []
    var previous: AuditPreviousHead?
    var tree = AuditTree()
    for run in 1...runs {
      let name = try #require(AuditFileName(number: run, run: "run-\(run)"))
      let path = folder.path + "/" + name.text
      let descriptor = try createFile(path)
      defer { closeFile(descriptor) }
      var microseconds: Int64 = 1_763_689_479_000_000
      let writer = AuditWriter(
        descriptor: descriptor,
        file: name,
        previous: previous,
        tree: tree,
        opening: Self.opening,
        operations: .system,
        clock: {
          microseconds += 1
          return AuditTime(microseconds: microseconds)
        },
        makeSalt: {
          let digits = String(microseconds, radix: 16)
          return String(repeating: "0", count: 32 - digits.utf8.count) + digits
        }
      )
      if let signer = signer(run) { writer.append(AuditKey(signer, library: Self.library)) }
      Self.fill(writer, items: itemsPerRun, ends: run > 1 || tornBytes == 0)
      try writer.flush()
      if let signer = signer(run) {
        let head = SignedHead(
          library: Self.library,
          tree: writer.treeHead,
          head: writer.head,
          file: name.text,
          time: "2026-11-21T01:44:39.123456Z"
        )
        signedHeads[name.headText] = head.signed(by: signer).note.serialized
      }
      var position = writer.takePosition()
      position.isEnded = run > 1 || tornBytes == 0
      let state = try #require(position.tree)
      trees.append(state.encoded)
      blocks += state.blocks
      expectations.append(position)
      heads.append(writer.head)
      let parent = try openFolder(folder.path)
      defer { closeFile(parent) }
      tree = try AuditFolder(descriptor: parent).tree(from: state.encoded)
      var bytes = try readBytes(path)
      if run == 1 { bytes += Array(bytes.prefix(tornBytes)) }
      files.append((name.text, bytes))
      previous = AuditPreviousHead(
        file: name.text,
        head: writer.head,
        bytes: writer.byteCount,
        tornBytes: run == 1 ? tornBytes : 0
      )
    }
  }

  static func fill(_ writer: AuditWriter, items: Int, ends: Bool = true) {
    var decision = SourceDecision()
    (decision.source, decision.authorizationStatus) = (.camera, .authorized)
    (decision.verdict, decision.reason, decision.row) = (.allow, .authorized, 12)
    (decision.availability, decision.required) = (.available, true)
    decision.usageKey = UsageDescriptionKey.camera.rawValue
    decision.usageTextSHA256 = String(repeating: "cd", count: 32)
    writer.append(decision)
    decision = SourceDecision()
    (decision.source, decision.authorizationStatus) = (.microphone, .denied)
    (decision.verdict, decision.reason, decision.row) = (.refuse, .denied, 5)
    decision.usageKey = UsageDescriptionKey.microphone.rawValue
    writer.append(decision)
    var listing = AuditListing()
    listing.path = ItemPath(bytes: Array("media/DCIM".utf8))
    listing.resolvedPath = ItemPath(bytes: Array("/srv/media/DCIM".utf8))
    (listing.device, listing.inode, listing.basis) = (2049, 12, .authorized)
    writer.append(listing)
    for item in 0..<items { append(item: item, to: writer) }
    var unchanged = AuditCount(.unchanged, of: .camera, 2)
    unchanged.listSHA256 = AuditRecord.listSHA256([])
    writer.append(unchanged)
    guard ends else { return }
    var end = AuditEnd(counts: [.imported: items], exitCode: .success)
    end.degraded = 1
    writer.append(end)
  }

  /// The access to a file, and how it ended.
  static func append(item: Int, to writer: AuditWriter) {
    let path = path(of: item)
    var access = AuditAccess()
    (access.path, access.size, access.basis) = (path, 4211, .authorized)
    (access.modified, access.changed) = (1_763_689_479_000_000_000, 1)
    (access.device, access.inode) = (.max, 131)
    writer.append(access)
    var outcome = Outcome(source: .camera, path: path, outcome: .imported)
    outcome.localIdentifier = "A-\(item)"
    outcome.role = .photo
    outcome.output = OutputFile(
      path: ItemPath(bytes: Array("Originals/a b.jpg".utf8)),
      sha256: String(repeating: "ef", count: 32),
      bytes: 4100
    )
    outcome.sourceDigest = SourceDigest([UInt8](repeating: 1, count: 32), isKeyed: true)
    outcome.policy = .strip
    outcome.removed = [RemovedMetadata(name: "APP1 Exif", count: 1)]
    outcome.degraded = item == 3
    outcome.recovered = item == 4
    writer.append(.outcome(outcome))
  }

  static func path(of item: Int) -> ItemPath {
    ItemPath(bytes: Array("IMG_\(item) \u{e9}\u{202e}\n\"%41".utf8) + [0xFF])
  }

  /// The log with one file's bytes replaced.
  func replacing(_ index: Int, with bytes: [UInt8]) -> [AuditFile] {
    files.enumerated().map {
      AuditFile(name: $1.name, bytes: $0 == index ? bytes : $1.bytes)
    }
  }

  func verify(
    _ index: Int,
    with bytes: [UInt8],
    catalogue: Bool = true
  ) throws -> AuditVerification {
    try AuditVerifier.verify(replacing(index, with: bytes), expectations: catalogue ? expectations : [])
  }

  /// What a file that was cut to a length is: torn when that is within a record.
  func cutKind(_ file: Int, _ length: Int) -> AuditDifference.Kind {
    length == 0 || length > expectations[file].bytes
      || files[file].bytes[length - 1] == UInt8(ascii: "\n") ? .cut : .torn
  }

  /// The lines of one file, each with its newline.
  func lines(_ index: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    for byte in files[index].bytes {
      lines[lines.count - 1].append(byte)
      if byte == UInt8(ascii: "\n") { lines.append([]) }
    }
    return lines.filter { !$0.isEmpty }
  }
}

extension AuditFolder {
  func verify(
    expectations: [AuditPosition] = [],
    expectedHead: String? = nil
  ) throws -> AuditVerification {
    var witnesses = AuditWitnesses()
    witnesses.expectations = expectations
    witnesses.expectedHeads = expectedHead.map { [.hash($0)] } ?? []
    return try verify(witnesses)
  }
}
