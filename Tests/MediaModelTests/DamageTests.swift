import Foundation
import MediaTestSupport
import Testing

@testable import MediaModel

@Suite("What a damaged file lacks")
struct DamageTests {
  @Test(
    "The words of a parser become the table's sentence, with its numbers",
    arguments: [
      ("damaged: APP2 of impossible length, 65533 bytes at byte 4182", nil),
      ("it ends early; missing: EOI at byte 900", nil), ("no SOF before the first scan", nil),
      ("IDAT that ends early, 8192 bytes at byte 33", nil),
      ("it ends early; missing: data of an item (hvc1) at byte 12", nil),
      ("it ends early; missing: mdat of the movie behind the picture", nil),
      ("iden of 3 pictures", nil), ("picture data that end without EOI", nil),
      ("moov without mvhd at byte 8", nil),
      ("xyZw that ends early at byte 8", "unnamed part that ends early at byte 8"),
      ("it ends early; missing: QQQQ chunk", "it ends early; missing: unnamed part chunk"),
    ] as [(String, String?)]
  )
  func words(words: String, expected: String?) throws {
    let damage = try #require(Damage(rawValue: words))
    let plain = words.hasPrefix("damaged: ") ? String(words.dropFirst(9)) : words
    #expect(damage.rawValue == expected ?? plain)
    // A record is read by the same table.
    #expect(Damage(rawValue: damage.rawValue) == damage)
  }

  @Test(
    "Words of a file or of a decoder are in no sentence",
    arguments: [
      "", "Premature end of JPEG file", "no secret words", "hello", "damaged: ", "no ",
      "a second name of a person", "IDAT that ends early and 48.8583", "iden of many pictures",
      "it ends early; missing: Jane Doe", "IDAT that ends early at byte -1",
      "IDAT that ends early at byte 99999999999999999999", " without ", "\u{0} without EOI x",
    ]
  )
  func otherWords(words: String) { #expect(Damage(rawValue: words) == nil) }

  @Test(
    "What a part is stands behind its name",
    arguments: [
      ("no moov that makes sense", "no moov, the file's index, that makes sense"),
      ("SOF0 that makes no sense", "SOF0, the picture's header, that makes no sense"),
      ("picture data that end without EOI", "picture data that end without EOI, the picture's end"),
      ("IDAT that ends early", "IDAT that ends early"), ("", ""),
    ]
  )
  func explained(words: String, expected: String) { #expect(Damage.explained(words) == expected) }

  @Test("One word that is no name is never repeated")
  func unnamed() throws {
    for sentence in DamageTable.sentences where sentence.contains("%") {
      let words = sentence.replacingOccurrences(of: "%", with: "48.8583N")
      let damage = try #require(Damage(rawValue: words), "\(sentence)")
      #expect(!damage.rawValue.contains("48.8583N"), "\(sentence)")
      let named = sentence.replacingOccurrences(of: "%", with: "IHDR")
      #expect(Damage(rawValue: named)?.rawValue == named)
    }
  }

  /// What these say is of no media file.
  private static let others: Set = [
    "GPXTrack.swift", "GeoNamesFile.swift", "SidecarReader.swift", "TakeoutSidecar.swift",
    "ZIPArchive.swift", "TARParser.swift", "TGZArchive.swift", "FilmConverter.swift", "WaveformDecoder.swift",
  ]

  @Test("The table has each sentence of the parsers and of our decoders that has no value in it")
  func isWhole() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/Formats")
    var count = 0
    for module in [
      "MediaContainers", "MediaCodecs", "MediaMetadata", "MediaStripping", "MediaImaging",
    ] {
      let folder = sources.appendingPathComponent(module).path
      for name in try #require(FileManager.default.subpaths(atPath: folder))
      where name.hasSuffix(".swift") && !Self.others.contains((name as NSString).lastPathComponent) {
        let text = String(decoding: try readBytes(folder + "/" + name), as: UTF8.self)
        for part in text.components(separatedBy: "Error(.damaged, \"").dropFirst() {
          let words = String(part.prefix { $0 != "\"" })
          if words.contains("\\(") { continue }
          count += 1
          #expect(Damage(rawValue: words)?.rawValue == words, "\(module)/\(name): \(words)")
        }
      }
    }
    #expect(count > 200)
  }
}
