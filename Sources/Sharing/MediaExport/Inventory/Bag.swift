internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel

/// What a person says of a bag.
package struct BagDescription: Sendable, Hashable {
  /// Who sends it; empty for nothing.
  package var organization: String
  /// What is in it; empty for nothing.
  package var text: String

  /// Creates what `bag-info.txt` says beside counts and dates.
  package init(organization: String = "", text: String = "") {
    (self.organization, self.text) = (organization, text)
  }
}

/// The tag files of a bag, of which an export is the payload.
///
/// Source: RFC 8493, sections 2.1 and 2.2.
struct Bag {
  /// The folder of the payload.
  static let payload = "data"

  private let description: BagDescription
  private let manifest = SpooledBytes()
  private var byteCount: Int64 = 0
  private var fileCount = 0

  /// - Parameter description: What a person says of it.
  init(_ description: BagDescription = BagDescription()) { self.description = description }

  /// Notes a file of the payload.
  ///
  /// - Parameters:
  ///   - path: In the bag.
  ///   - sha256: Hexadecimal digits.
  ///   - bytes: The length.
  /// - Throws: `FileSystemError` when the file behind it cannot be written.
  mutating func add(
    _ path: [UInt8],
    sha256: String,
    bytes: Int64
  ) throws(FileSystemError) {
    try manifest.append(Array((sha256 + "  ").utf8) + path + [UInt8.newline])
    byteCount += bytes
    fileCount += 1
  }

  /// Notes a file of the payload that has this content.
  mutating func add(_ path: [UInt8], content: PiecedContent) throws {
    let (sha256, bytes) = try Self.digest(of: content)
    try add(path, sha256: sha256, bytes: bytes)
  }

  /// Makes the tag files, in the order in which they are written; nothing is added after.
  ///
  /// - Parameter others: Tag files beside those of RFC 8493.
  /// - Returns: The files with their names.
  /// - Throws: What reading a content throws.
  func tagFiles(
    with others: [(name: String, content: PiecedContent)] = []
  ) throws -> [(name: String, content: PiecedContent)] {
    let manifest = self.manifest
    let information = Array(information.utf8)
    let declaration = Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)
    let files: [(name: String, content: PiecedContent)] =
      [
        ("bagit.txt", { try $0(declaration) }), ("bag-info.txt", { try $0(information) }),
        ("manifest-sha256.txt", { try manifest.read(0..<manifest.count, $0) }),
      ] + others
    let digests = try files.map { name, content in
      "\(try Self.digest(of: content).sha256)  \(name)\n"
    }
    let text = Array(digests.joined().utf8)
    return files + [("tagmanifest-sha256.txt", { try $0(text) })]
  }

  private static func digest(
    of content: PiecedContent
  ) throws -> (sha256: String, bytes: Int64) {
    var digest = SHA256()
    var byteCount: Int64 = 0
    try content { piece in
      digest.update(piece)
      byteCount += Int64(piece.count)
    }
    return (Hexadecimal.text(digest.finalize()), byteCount)
  }

  /// The content of `bag-info.txt`.
  ///
  /// Source: RFC 8493, section 2.2.2.
  private var information: String {
    var lines: [String] = []
    func add(_ label: String, _ value: String) {
      // A value goes on in an indented line, which readers join in different ways: it has one line.
      let words = value.split {
        $0.isWhitespace || $0.unicodeScalars.contains(where: Self.isControl)
      }
      if !words.isEmpty { lines.append("\(label): \(words.joined(separator: " "))\n") }
    }
    add("Source-Organization", description.organization)
    add("External-Description", description.text)
    add("Bagging-Date", String(SaveTime.now.timestamp.prefix(10)))
    add("Bag-Software-Agent", "mediabatch \(BuildInfo.version)")
    add("Payload-Oxum", "\(byteCount).\(fileCount)")
    return lines.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  /// A name in which no reader of bags sees another one: RFC 8493 has `%` written as `%25`, and readers
  /// differ in that.
  static func name(_ text: String) -> String { text.substituting("%", by: "_") }
}
