/// The list of the files of a folder that was made from a library, as it lies in that folder.
///
/// Records end with NUL, which no path has: three words about the folder, then one for each
/// file.
package struct ExportList: Sendable {
  /// The name of the list in the folder.
  static let name = [UInt8](".mediabatch-export".utf8)
  private static let version = "mediabatch-export/1"

  /// The values by which a written file is known again.
  package struct File: Sendable, Hashable {
    /// The digest of the content, in hexadecimal digits; empty when it is written anew each time.
    package var sha256: String
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// Whether it is a symbolic link.
    package var isLink = false
  }

  /// The command that made the folder.
  package var kind: String
  /// The digest of the library's state and the options, so that an equal one means that nothing is new.
  package var state: String
  /// The files by their paths below the folder.
  package var files: [[UInt8]: File] = [:]

  init(kind: String, state: String) { (self.kind, self.state) = (kind, state) }

  /// Reads a list; nil when the bytes are none.
  package init?(_ bytes: [UInt8]) {
    var records = bytes.split(separator: 0, omittingEmptySubsequences: false)[...]
    guard records.popLast()?.isEmpty == true, let head = records.popFirst() else { return nil }
    let words = String(decoding: head, as: UTF8.self).split(
      separator: " ",
      omittingEmptySubsequences: false
    )
    guard words.count == 3, words[0] == Self.version else { return nil }
    self.init(kind: String(words[1]), state: String(words[2]))
    files.reserveCapacity(records.count)
    for record in records {
      let words = record.split(
        separator: UInt8(ascii: " "),
        maxSplits: 4,
        omittingEmptySubsequences: false
      )
      guard words.count == 5, let size = Self.number(words[2]), let modified = Self.number(words[3])
      else { return nil }
      files[Array(words[4])] = File(
        sha256: String(decoding: words[1], as: UTF8.self),
        size: size,
        modified: modified,
        isLink: words[0].elementsEqual("l".utf8)
      )
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    Int64(String(decoding: digits, as: UTF8.self))
  }

  /// The first record.
  package var head: [UInt8] { Array("\(Self.version) \(kind) \(state)\0".utf8) }

  /// The record of a file.
  package static func record(_ path: [UInt8], _ file: File) -> [UInt8] {
    Array("\(file.isLink ? "l" : "f") \(file.sha256) \(file.size) \(file.modified) ".utf8) + path
      + [0]
  }
}
