internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// The file of a folder that says what stripping took out of its copies, and to which position of the library's log.
///
/// Source: docs/spec/plans-and-receipts.md, section 7.
final class StrippingReceipts {
  static let name = Array("mediabatch-receipts.json".utf8)

  /// A receipt of an earlier folder.
  struct Earlier {
    var bytes: Int64
    var sha256: String
    fileprivate var removed: JSONValue?
  }

  let policy: MetadataPolicy
  /// That of the library, by which halves of live photos stay pairs; nil for none.
  let pairingKey: [UInt8]?
  private let reader: CatalogueReader
  private var head: [UInt8]?
  private let entries = SpooledBytes()
  private var earlier: [[UInt8]: Earlier]?

  /// - Parameters:
  ///   - policy: The policy by which copies are stripped.
  ///   - reader: The library.
  init(_ policy: MetadataPolicy, of reader: CatalogueReader) {
    (self.policy, pairingKey, self.reader) = (policy, reader.pairingKey, reader)
  }

  /// The receipt of a file of the earlier folder, which is believed where nobody has changed it; nil for none.
  func earlier(_ path: [UInt8], in folder: ExportFolder) -> Earlier? {
    if let earlier { return earlier[path] }
    let parsed = Self.receipts(of: folder.earlierContent(of: Self.name) ?? [])
    earlier = parsed
    return parsed[path]
  }

  private static func receipts(of content: [UInt8]) -> [[UInt8]: Earlier] {
    var receipts: [[UInt8]: Earlier] = [:]
    for line in content.split(separator: UInt8.newline) {
      let line = line.last == UInt8.comma ? line.dropLast() : line
      guard let members = CanonicalJSON.members(of: Array(line)), case .string(let path)? = members["path"],
        case .integer(let bytes)? = members["bytes"], case .string(let sha256)? = members["sha256"]
      else { continue }
      receipts[Array(path.utf8)] = Earlier(bytes: bytes, sha256: sha256, removed: members["removed"])
    }
    return receipts
  }

  /// Adds the receipt of a file that is in the folder.
  ///
  /// - Throws: ``ExportError`` when the file cannot be read, `FileSystemError` when the receipt cannot be kept.
  func add(_ piece: ExportPiece, _ content: FileContent, in folder: ExportFolder) throws {
    let (bytes, sha256) = try content.digest(of: piece.path, in: folder)
    var members: [String: JSONValue] = [
      "path": .string(String(decoding: piece.path, as: UTF8.self)), "bytes": .integer(bytes),
      "sha256": .string(sha256), "localIdentifier": .string(piece.asset.listed.localIdentifier),
    ]
    if let removed = piece.removed {
      members["removed"] = .array(removed.map { ["name": .string($0.name), "count": JSONValue($0.count)] })
    } else if !piece.isConverted {
      members["removed"] = earlier(piece.path, in: folder)?.removed
    }
    if entries.count > 0 { try entries.append(Array(",\n".utf8)) }
    try entries.append(JSONValue.object(members).serialized)
  }

  /// Passes the content of the file on: an object in JSON, with a line for each receipt. No receipt is added after.
  func pass(to body: ([UInt8]) throws -> Void) throws {
    try body(Array("{\"files\":[\n".utf8))
    try entries.read(0..<entries.count, body)
    let head = try self.head ?? position()
    self.head = head
    try body(Array("\n],".utf8) + head.dropFirst() + [UInt8.newline])
  }

  /// The library, the position of its log, and the policy, as an object.
  private func position() throws(LibraryError) -> [UInt8] {
    let snapshot = try reader.snapshot()
    var log = JSONValue.null
    if let position = snapshot.positions.last {
      log = [
        "file": .string(position.file), "records": JSONValue(position.records),
        "head": .string(position.head),
      ]
    }
    let head: JSONValue = [
      "schema": "mediabatch.receipts/1", "library": .string(snapshot.identifier), "log": log,
      "policy": .string(policy.rawValue),
    ]
    return head.serialized
  }
}

extension FileContent {
  /// The length and the SHA-256 in hexadecimal digits of a file at a path of a folder, which is read where they are not
  /// known.
  ///
  /// - Throws: ``ExportError``.
  func digest(of path: [UInt8], in folder: ExportFolder) throws(ExportError) -> (bytes: Int64, sha256: String)
  {
    switch self {
    case .known(let bytes, let sha256): (bytes, sha256)
    case .bytes(let all): (Int64(all.count), Hexadecimal.text(SHA256.hash(all)))
    case .file: try folder.digest(of: path)
    }
  }
}
