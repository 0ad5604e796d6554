import Foundation
import Testing

@testable import MediaModel

/// The registry of formats, and the table of it in `docs/formats.md`. `RECORD_SNAPSHOTS=1` writes the
/// table and still fails.
@Suite("The registry of formats")
struct FormatRowTests {
  @Test("Each format has one row")
  func complete() {
    let formats = MediaFormat.registry.map(\.0)
    #expect(formats.count == MediaFormat.allCases.count)
    #expect(Set(formats) == Set(MediaFormat.allCases))
  }

  @Test("Each extension is lowercase, has no dot, and leads to one format")
  func extensions() {
    var owners: [String: MediaFormat] = [:]
    for format in MediaFormat.allCases {
      #expect(!format.row.extensions.isEmpty, "\(format)")
      for name in format.row.extensions {
        #expect(owners.updateValue(format, forKey: name) == nil, "\(name)")
        #expect(name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        #expect(MediaFormat(fileExtension: name) == format)
      }
    }
    #expect(MediaFormat(fileExtension: "JPG") == nil)
    #expect(MediaFormat(fileExtension: "") == nil)
    #expect(MediaFormat(fileExtension: "txt") == nil)
  }

  @Test("A published file has the format's word as its extension, but .jpg and .tif")
  func published() {
    for format in MediaFormat.allCases {
      let expected = [MediaFormat.jpeg: "jpg", .tiff: "tif"][format] ?? format.rawValue
      #expect(format.fileExtension == expected)
    }
  }

  @Test("A media type names the kind of its format, and a raw format is a picture")
  func kinds() {
    for format in MediaFormat.allCases {
      let (row, kind) = (format.row, format.mediaType.rawValue)
      if let name = row.mediaTypeName { #expect(name.hasPrefix(kind + "/"), "\(name)") }
      if row.isRaw { #expect(row.mediaType == .image) }
    }
    #expect(MediaFormat.allCases.count(where: \.isRaw) == 21)
  }

  @Test(
    "A signature is all of its bytes at their offsets, and one of several is enough",
    arguments: [
      (.jpeg, "FF D8 FF E0", true), (.jpeg, "FF D8", false), (.jpeg, "", false),
      (.webp, "52 49 46 46 00 00 00 00 57 45 42 50", true),
      (.webp, "52 49 46 46 00 00 00 00 57 41 56 45", false),
      (.wav, "52 46 36 34 00 00 00 00 57 41 56 45", true), (.wav, "52 46 36 34", false),
      (.tga, "00 00 02", true), (.tga, "07 01 0B", true), (.tga, "00 02 02", false),
      (.tga, "00 01 04", false), (.tga, "00 01", false),
      (.pnm, "50 37 0A", true), (.pnm, "50 66", true), (.pnm, "50 38", false), (.pnm, "50", false),
      (.mpg, "00 00 01 BA", true), (.mpg, "00 00 01 B3", false), (.flv, "46 4C 56 01", true),
      (.m2ts, "00 00 00 00 47", true), (.m2ts, "47 00 00 00 00", false),
      (.mov, "00 00 00 08 77 69 64 65", true), (.mov, "00 00 00 08 6D 6F 6F 66", false),
      (.flac, "49 44 33 04", true), (.mp3, "23 21", true), (.aac, "", true),
    ] as [(MediaFormat, String, Bool)]
  )
  func signatures(format: MediaFormat, start: String, fits: Bool) {
    let bytes = start.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    #expect(format.canStart(with: bytes) == fits)
  }

  @Test("docs/formats.md has each row")
  func document() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/formats.md")
    let committed = try String(contentsOf: url, encoding: .utf8)
    let head = try #require(committed.range(of: "<!-- formats -->\n")).upperBound
    let remaining = head..<committed.endIndex
    let end = try #require(committed.range(of: "<!-- end -->", range: remaining)).lowerBound
    let rows = MediaFormat.registry.map { format, row in
      let others = row.extensions.dropFirst().map { "`\($0)`" }.joined(separator: " ")
      let names = [row.mediaTypeName, row.uniformType].map { $0 ?? "–" }
      return "| `\(format.fileExtension)` | \(others) | \(names.joined(separator: " | ")) |\n"
    }
    let table =
      "| published as | also found as | media type | uniform type identifier |\n"
      + "|---|---|---|---|\n" + rows.joined()
    let text = committed.replacingCharacters(in: head..<end, with: table)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("docs/formats.md was written")
    } else {
      #expect(committed == text, "RECORD_SNAPSHOTS=1 writes docs/formats.md anew")
    }
  }
}
