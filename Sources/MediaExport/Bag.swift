internal import MediaDigest
internal import MediaModel

/// The tag files of a bag, of which an export is the payload.
///
/// Source: RFC 8493, sections 2.1 and 2.2.
struct Bag {
  /// The folder of the payload.
  static let payload = "data"

  private var manifest: [UInt8] = []
  private var byteCount: Int64 = 0
  private var fileCount = 0

  /// Notes a file of the payload.
  ///
  /// - Parameters:
  ///   - path: In the bag.
  ///   - sha256: Hexadecimal digits.
  ///   - bytes: The length.
  mutating func add(_ path: [UInt8], sha256: String, bytes: Int64) {
    manifest += Array((sha256 + "  ").utf8) + path + [UInt8(ascii: "\n")]
    byteCount += bytes
    fileCount += 1
  }

  /// Notes a file of the payload that was written from these bytes.
  mutating func add(_ path: [UInt8], content: [UInt8]) {
    let digest = Hexadecimal.text(SHA256.hash(content))
    add(path, sha256: digest, bytes: Int64(content.count))
  }

  /// The tag files with their names, in the order in which they are written.
  var tagFiles: [(name: String, content: [UInt8])] {
    let files: [(String, [UInt8])] = [
      ("bagit.txt", Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)),
      (
        "bag-info.txt",
        Array(
          "Bag-Software-Agent: mediabatch \(BuildInfo.version)\nPayload-Oxum: \(byteCount).\(fileCount)\n"
            .utf8
        )
      ),
      ("manifest-sha256.txt", manifest),
    ]
    let digests = files.map { name, content in
      "\(Hexadecimal.text(SHA256.hash(content)))  \(name)\n"
    }
    return files + [("tagmanifest-sha256.txt", Array(digests.joined().utf8))]
  }

  /// A name in which no reader of bags sees another one: RFC 8493 has `%` written as `%25`, and readers
  /// differ in that.
  static func name(_ text: String) -> String { text.substituting("%", by: "_") }
}
