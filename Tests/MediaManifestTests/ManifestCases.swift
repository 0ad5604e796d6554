import Foundation
import MediaTestSupport

/// The manifests in `Cases`, which the schema check reads too.
enum ManifestCases {
  struct Mistake: Decodable, Hashable, Comparable, CustomStringConvertible {
    var code: String
    var path: String
    var line: Int
    var column: Int

    var description: String { "\(line):\(column) \(code) \(path)" }

    static func < (lhs: Mistake, rhs: Mistake) -> Bool {
      (lhs.line, lhs.column, lhs.code) < (rhs.line, rhs.column, rhs.code)
    }
  }

  struct Bad: Decodable {
    var mistakes: [Mistake]
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Cases"

  static let good = files(in: "good")
  static let bad = files(in: "bad")

  static func bytes(_ name: String) throws -> [UInt8] { try readBytes(folder + "/" + name) }

  static func expected() throws -> [String: Bad] {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/expected.json"))
    return try JSONDecoder().decode([String: Bad].self, from: data)
  }

  private static func files(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: self.folder + "/" + folder)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { folder + "/" + $0 }
  }
}

func writeBytes(_ bytes: [UInt8], _ path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}
