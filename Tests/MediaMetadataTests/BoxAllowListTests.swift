import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Boxes that an output may have")
struct BoxAllowListTests {
  struct Output: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var list: BoxAllowList
    var bytes: [UInt8]

    /// Returns the finding of the format's whole verification.
    func verified(_ bytes: [UInt8]) -> MetadataError.Code? {
      code {
        try withSource(bytes) { source in
          let options = StripOptions()
          if list.allows("meta", in: "file") {
            try HEIFVerification.verify(source, options: options)
          } else {
            try MovieVerification.verify(source, options: options)
          }
        }
      }
    }

    /// Returns the finding of the list alone.
    func compared(_ bytes: [UInt8]) -> MetadataError.Code? {
      code {
        try withSource(bytes) { source in
          for box in ISOBoxes(source, in: 0..<source.length) { try list.verify(box, of: source) }
        }
      }
    }
  }

  private static let outputs = Result {
    let plant = HEIFCanaryTests.Canaries()
    let sequence = TinySequence.file(plant, picture: HEIFCanaryTests.picture, alpha: HEIFCanaryTests.alpha)
    var fragments = MovieCanaryTests.planted(plant)
    (fragments.fragments, fragments.behind) = (.fromMoof, [])
    let pictures = [
      ("still", HEIFCanaryTests.still(plant).bytes), ("avif", HEIFCanaryTests.avif(plant).bytes),
      ("sequence", sequence.bytes),
    ]
    let movies = [
      ("movie", MovieCanaryTests.planted(plant).bytes), ("fragments", fragments.bytes),
      ("QuickTime", MovieCanaryTests.planted(plant, isQuickTime: true).bytes),
    ]
    return try pictures.map { name, bytes in
      Output(testDescription: name, list: .picture, bytes: try stripHEIF(bytes).output)
    }
      + movies.map { name, bytes in
        Output(testDescription: name, list: .movie, bytes: try stripMovie(bytes).output)
      }
  }

  /// A box of an output, by a walk that is not the one under test.
  private struct ParsedBox {
    var path: [String]
    var range: Range<Int>
    /// Where the boxes start that it is in, and it itself.
    var starts: [Int]
    var isParent: Bool
  }

  private static let heads = [
    "meta": 4, "iinf": 6, "iref": 4, "dref": 8, "stsd": 8, "avc1": 78, "hvc1": 78, "mp4a": 28,
  ]
  private static let parents: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "iprp", "ipco", "dinf", "grpl", "edts", "tref", "tapt",
    "mvex", "moof", "traf",
  ]

  private static func boxes(of bytes: [UInt8]) -> [ParsedBox] {
    var boxes: [ParsedBox] = []
    func walk(_ range: Range<Int>, _ path: [String], _ starts: [Int]) {
      var position = range.lowerBound
      while position + 8 <= range.upperBound {
        let size = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8, position + size <= range.upperBound else { return }
        let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
        let isParent = parents.contains(type) || heads[type] != nil
        let box = ParsedBox(
          path: path + [type],
          range: position..<(position + size),
          starts: starts + [position],
          isParent: isParent
        )
        boxes.append(box)
        if isParent {
          walk((position + 8 + (heads[type] ?? 0))..<(position + size), box.path, box.starts)
        }
        position += size
      }
    }
    walk(0..<bytes.count, [], [])
    return boxes
  }

  /// Inserts bytes at the end of a box, and makes it and those that it is in longer.
  private static func insert(_ added: [UInt8], into box: ParsedBox, of bytes: [UInt8]) -> [UInt8] {
    var changed = bytes
    changed.insert(contentsOf: added, at: box.range.upperBound)
    for start in box.starts {
      let size = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      changed.replaceSubrange(start..<(start + 4), with: big(size + added.count))
    }
    return changed
  }

  @Test("A box that strip should have removed is refused wherever it was copied to")
  func planted() throws {
    for output in try Self.outputs.get() {
      #expect(output.verified(output.bytes) == nil, "\(output)")
      #expect(output.compared(output.bytes) == nil, "\(output)")
      let boxes = Self.boxes(of: output.bytes).filter(\.isParent)
      #expect(boxes.count >= 4, "\(output)")
      for box in boxes {
        for type in ["free", "udta", "uuid", "abcd"] {
          let copy = isoBox(type, Array("a name".utf8))
          let planted = Self.insert(copy, into: box, of: output.bytes)
          #expect(output.compared(planted) == .residue, "\(type) in \(box.path) of \(output)")
          #expect(output.verified(planted) != nil, "\(type) in \(box.path) of \(output)")
        }
      }
      let behind = output.bytes + isoBox("free", Array("a name".utf8))
      #expect(output.compared(behind) == .residue && output.verified(behind) == .residue)
    }
  }

  @Test("A copied box that is longer than its numbers is refused")
  func longer() throws {
    var count = 0
    for output in try Self.outputs.get() {
      for box in Self.boxes(of: output.bytes) {
        let type = FourCharacterCode(stringLiteral: box.path.last ?? "")
        let parent = box.path.dropLast().last ?? "file"
        let key = ["avc1", "hvc1", "mp4a"].contains(parent) ? "entry" : parent
        let rule = output.list.rules[FourCharacterCode(stringLiteral: key)]?[type]
        guard case .copied(let lengths) = rule, lengths.upperBound < Int.max else { continue }
        count += 1
        let room = lengths.upperBound - (box.range.count - 8)
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: room + 1)
        let planted = Self.insert(text, into: box, of: output.bytes)
        #expect(output.compared(planted) == .residue, "\(box.path) of \(output)")
      }
    }
    #expect(count > 0)
  }

  @Test("docs/metadata.md names every box that an output may have, and no other")
  func documented() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/metadata.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    for (heading, list) in [("## HEIC and AVIF", BoxAllowList.picture), ("## MP4, ", .movie)] {
      let start = try #require(text.range(of: heading))
      let section = text[start.upperBound...].prefix { $0 != "#" }
      var named: Set<FourCharacterCode> = []
      for row in section.split(separator: "\n") where row.hasPrefix("| `") {
        let cells = row.split(separator: "|")
        for code in try #require(cells.first).split(separator: "`") where code.contains(/\w/) {
          for type in code.split(separator: "/") {
            named.insert(FourCharacterCode(stringLiteral: String(type)))
          }
        }
      }
      // The types of sample entries are codecs, and wave ends with a box without a type.
      var allowed = Set(list.rules.filter { $0.key != "stsd" }.flatMap(\.value.keys))
      allowed.remove(FourCharacterCode(value: 0))
      #expect(allowed.subtracting(named).map(\.displayName).sorted() == [], "\(heading)")
      #expect(named.subtracting(allowed).map(\.displayName).sorted() == [], "\(heading)")
    }
  }
}
