import Foundation
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The allow-lists in `docs/metadata.md`. `RECORD_SNAPSHOTS=1` writes them and still fails.
@Suite("The allow-lists in the documentation")
struct AllowListDocumentTests {
  static let tables: [(format: String, rows: [String])] = [
    ("JPEG", rows(JPEGAllowList.list)), ("PNG", rows(PNGAllowList.list)),
    ("WebP", rows(AllowList(webP))), ("GIF", rows(GIFAllowList.list)),
    ("BMP", rows(BMPAllowList.list)), ("TIFF", tiff), ("DNG", dng),
    ("JPEG 2000", jpeg2000), ("JPEG XL", rows(JXLAllowList.file) + rows(JXLAllowList.codestream)),
    ("MP3", rows(MP3AllowList.list)), ("AAC", rows(AACAllowList.list)),
    ("WAV", rows(WAVAllowList.list)), ("AIFF", rows(AIFFAllowList.list)),
    ("FLAC", rows(FLACAllowList.list)), ("Ogg", rows(OggAllowList.list)),
    ("Matroska", matroska), ("AVI", avi), ("DV", rows(DVAllowList.list)),
  ]

  /// The parts of a still picture, then those that only an animation has.
  private static var webP: [AllowList<FourCharacterCode>.Part] {
    let still = WebPAllowList.still.parts
    let stillKeys = Set(still.flatMap(\.keys))
    return still + WebPAllowList.animation.parts.filter { stillKeys.isDisjoint(with: $0.keys) }
  }

  /// A row for neighbors that share a rule and a content; of a list without an order for all that do.
  private static func grouped(
    _ parts: [(name: String, columns: String)],
    isOrdered: Bool
  ) -> [String] {
    var rows: [(names: [String], columns: String)] = []
    for part in parts {
      let index = rows.lastIndex { $0.columns == part.columns }
      if let index, !isOrdered || index == rows.count - 1 {
        rows[index].names.append(part.name)
      } else {
        rows.append(([part.name], part.columns))
      }
    }
    return rows.map { "| \($0.names.joined(separator: ", ")) | \($0.columns) |" }
  }

  private static func rows<Key: PartKey>(_ list: AllowList<Key>) -> [String] {
    let parts = list.parts.map { part in
      (
        name: part.keys.map(\.name).joined(separator: " or "),
        columns: "\(part.rule.rawValue) | \(part.content)"
      )
    }
    return grouped(parts, isOrdered: true)
  }

  /// A row for the children of each element that share a rule and a content.
  private static var matroska: [String] {
    MatroskaAllowList.all.flatMap { parent, list in
      grouped(list, in: parent.map(\.name) ?? "file")
    }
  }

  private static var avi: [String] {
    AVIAllowList.all.flatMap { grouped($0.list, in: $0.parent) }
  }

  private static func grouped<Key: PartKey>(_ list: AllowList<Key>, in parent: String) -> [String] {
    var rows: [(names: [String], columns: String)] = []
    for part in list.parts {
      let columns = "\(part.rule.rawValue) | \(part.content)"
      let names = part.keys.map(\.name)
      if rows.last?.columns == columns {
        rows[rows.count - 1].names += names
      } else {
        rows.append((names, columns))
      }
    }
    return rows.map { "| \(parent): \($0.names.joined(separator: ", ")) | \($0.columns) |" }
  }

  private static var jpeg2000: [String] {
    rows(JP2AllowList.file) + rows(JP2AllowList.header) + rows(J2KAllowList.list)
  }

  private static var tiff: [String] {
    let tags = TIFFAllowList.rules.sorted { $0.key < $1.key }.map { _, rule in
      (name: rule.name, columns: "\(rule.form.rule.rawValue) | \(rule.form.rawValue)")
    }
    return grouped(tags, isOrdered: false)
  }

  private static var dng: [String] {
    let tags = DNGAllowList.rules.sorted { $0.key < $1.key }.map { _, rule in
      (name: rule.name, columns: "\(rule.form.rule.rawValue) | \(rule.form.rawValue)")
    }
    return grouped(tags, isOrdered: false)
  }

  @Test("Each table is the one that the stripper and the verification use")
  func tables() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/metadata.md")
    let committed = try String(contentsOf: url, encoding: .utf8)
    var text = committed
    for (format, rows) in Self.tables {
      let head = "<!-- allow-list: \(format) -->\n"
      let start = try #require(text.range(of: head), "\(format)").upperBound
      let end = try #require(text.range(of: "<!-- end -->", range: start..<text.endIndex))
      let table = ["| part | an output has | namely |", "| --- | --- | --- |"] + rows
      text.replaceSubrange(start..<end.lowerBound, with: table.joined(separator: "\n") + "\n")
    }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("docs/metadata.md was written")
    } else {
      #expect(committed == text, "RECORD_SNAPSHOTS=1 writes docs/metadata.md anew")
    }
  }
}
