import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A QOI of 3 × 2 pixels, as parts.
enum TinyQOI {
  /// A color, a small and a larger difference, a color that was there before, and a run of two: one of each
  /// kind of chunk but that with alpha.
  static let chunks: [UInt8] = [0xFE, 10, 20, 30, 0x79, 0xA5, 0xA7, 0x09, 0xC1]
  static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  static func file(
    width: Int = 3,
    height: Int = 2,
    channels: UInt8 = 3,
    space: UInt8 = 0,
    _ chunks: [UInt8] = chunks,
    end: [UInt8] = endMarker,
    after: [UInt8] = []
  ) -> [UInt8] {
    Array("qoif".utf8) + big(width) + big(height) + [channels, space] + chunks + end + after
  }
}

@Suite("QOI")
struct QOITests {
  @Test("A whole header is recognized; the magic alone, other channels or another space are not")
  func sniffing() throws {
    let file = TinyQOI.file()
    #expect(format(of: file) == .qoi)
    #expect(format(of: TinyQOI.file(channels: 4, space: 1)) == .qoi)
    #expect(format(of: Array(file[..<14])) == .qoi)
    #expect(format(of: Array(file[..<13])) == nil)
    #expect(format(of: Array("qoif is a word of four letters".utf8)) == nil)
    for channels: UInt8 in [0, 2, 5] {
      #expect(format(of: TinyQOI.file(channels: channels)) == nil)
    }
    #expect(format(of: TinyQOI.file(space: 2)) == nil)
  }

  @Test("Its size is that of the header, and it says nothing else")
  func size() throws {
    let read = try facts(of: TinyQOI.file())
    #expect(read.format == .qoi)
    #expect(read.pixelSize == PixelSize(width: 3, height: 2))
    let description = withSource(TinyQOI.file()) {
      MetadataReader.description(of: $0, format: .qoi)
    }
    #expect(description == MediaDescription())
    for file in [TinyQOI.file(width: 0), TinyQOI.file(height: 0)] {
      #expect(code { _ = try facts(of: file) } == .damaged)
      #expect(code { _ = try strip(file, .qoi) } == .damaged)
    }
  }

  @Test("A picture without more is copied, byte for byte")
  func copied() throws {
    for file in [TinyQOI.file(), TinyQOI.file(channels: 4, [0xFF, 1, 2, 3, 4, 0xC4])] {
      let (output, list) = try strip(file, .qoi)
      #expect(output == file)
      #expect(list.removed.isEmpty)
    }
  }

  @Test("What stands behind the end marker is removed, and named")
  func trailer() throws {
    let file = TinyQOI.file(after: Array("canary".utf8))
    let (output, list) = try strip(file, .qoi, StripOptions(except: Set(MetadataException.allCases)))
    #expect(output == TinyQOI.file())
    #expect(list.removedNames == ["trailer": 1])
    let entries = try withSource(file) { try MetadataInspector.entries(of: $0, format: .qoi) }
    #expect(entries.map(\.path) == ["trailer"])
    #expect(entries.map(\.isRemoved) == [true])
    let missing = withSource(file) { Completeness.missingPart(of: $0, format: .qoi) }
    #expect(missing == nil)
  }

  @Test("A file that is cut at any byte lacks a part, and is not stripped")
  func cut() {
    let file = TinyQOI.file()
    for count in 14..<file.count {
      let bytes = Array(file[..<count])
      let missing = withSource(bytes) { Completeness.missingPart(of: $0, format: .qoi) }
      #expect(missing == (count < 23 ? "pixels" : "the end marker"), "\(count)")
      #expect(code { _ = try strip(bytes, .qoi) } == .damaged, "\(count)")
    }
    #expect(withSource(file) { Completeness.missingPart(of: $0, format: .qoi) } == nil)
  }

  @Test("Chunks that no encoder makes, and impossible sizes, are damage")
  func hostile() {
    let files = [
      // A run behind the last pixel, and transparency that decoders do not show.
      TinyQOI.file([0xFE, 10, 20, 30, 0xC5]), TinyQOI.file([0xFF, 1, 2, 3, 4, 0xC4]),
      TinyQOI.file(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF), TinyQOI.file(width: 0xFFFF_FFFF),
      TinyQOI.file([]), TinyQOI.file(end: [0, 0, 0, 0, 0, 0, 0, 2]),
    ]
    for file in files { #expect(code { _ = try strip(file, .qoi) } == .damaged) }
  }

  @Test("The verification finds what a stripper would copy by mistake")
  func verification() {
    let residue = code {
      try withSource(TinyQOI.file(after: [1])) { try Stripper.verify(output: $0, format: .qoi) }
    }
    #expect(residue == .residue)
    let whole = code {
      try withSource(TinyQOI.file()) { try Stripper.verify(output: $0, format: .qoi) }
    }
    #expect(whole == nil)
  }

  @Test("Of changed bytes an output is either refused or stays as it is when stripped again")
  func changed() throws {
    var random = SeededGenerator("\(#function)")
    var count = 0
    for _ in 0..<2000 {
      var file = TinyQOI.file(channels: 4, after: [0xFE, 0xC0, 0x80])
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let offset = Int.random(in: 4..<file.count, using: &random)
        file[offset] = .random(in: 0...255, using: &random)
      }
      guard let output = try? strip(file, .qoi).output else { continue }
      count += 1
      #expect(try strip(output, .qoi).output == output)
    }
    #expect(count > 100)
  }

  @Test("The allow-list in the documentation is that of the stripper")
  func document() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/formats.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let rows = QOIAllowList.list.parts.map { part in
      "| \(part.keys.joined(separator: " or ")) | \(part.rule.rawValue) | \(part.content) |\n"
    }
    #expect(text.contains("<!-- allow-list: QOI -->\n"))
    #expect(text.contains("| --- | --- | --- |\n" + rows.joined() + "<!-- end -->"))
  }
}
