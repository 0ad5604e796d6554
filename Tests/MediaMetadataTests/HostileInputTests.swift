import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Nothing here asks for a result: each call ends, quickly, and the process lives.
@Suite("Bad input")
struct HostileInputTests {
  /// All that a worker does with a file in the parsers' modules.
  static func useAll(_ bytes: [UInt8]) {
    withSource(bytes) { source in
      let sniffed = FormatSniffer.format(of: source)
      for format in sniffed.map({ [$0] }) ?? [] {
        _ = try? MetadataReader.facts(of: source, format: format)
        _ = MetadataReader.description(of: source, format: format)
        _ = try? MetadataReader.describedFacts(of: source, format: format)
        _ = Completeness.missingPart(of: source, format: format)
        guard let list = try? Stripper.editList(of: source, format: format) else { continue }
        // What was made is a list that the coordinator accepts.
        var end: UInt64 = 0
        for case .copy(let offset, let length) in list.operations {
          #expect(offset >= end && length > 0)
          end = offset + length
        }
        #expect(end <= UInt64(bytes.count))
      }
    }
  }

  /// As many cuts as are affordable: all of a small file, and everywhere in the first part of a large.
  static func cuts(_ length: Int) -> [Int] {
    let step = max(1, length / 200)
    return Array(Set(Array(0..<min(length, 200)) + Array(stride(from: 0, to: length, by: step))))
      .sorted()
  }

  static let folders = [
    "avif", "edge", "gif", "heic", "jpeg", "orientation", "makernote", "png", "raw", "tiff", "webp",
    "video", "audio", "livephoto", "motionphoto",
  ]

  @Test(
    "A file that is cut anywhere ends",
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: folders
  )
  func cutFiles(folder: String) throws {
    // Without all, each file has a third of the cuts, another third in turn.
    let step = Amount.of(3, all: 1)
    for (number, path) in Corpus.files(beneath: "visible/" + folder).enumerated() {
      let bytes = try readBytes(path)
      guard bytes.count < 400_000 else { continue }
      for (index, length) in Self.cuts(bytes.count).enumerated()
      where (index + number) % step == 0 {
        Self.useAll(Array(bytes[..<length]))
      }
    }
  }

  @Test(
    "A file with changed bytes ends",
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: folders
  )
  func changedFiles(folder: String) throws {
    var random = SeededGenerator()
    for path in Corpus.files(beneath: "visible/" + folder) {
      var bytes = try readBytes(path)
      guard !bytes.isEmpty, bytes.count < 400_000 else { continue }
      let original = bytes
      // Most structure stands at the start.
      for round in 0..<Amount.of(50, all: 150) {
        for _ in 0...(round % 4) {
          let reach = round % 3 == 0 ? bytes.count : min(bytes.count, 1024)
          let offset = Int.random(in: 0..<reach, using: &random)
          let drawn = UInt8.random(in: 0...255, using: &random)
          bytes[offset] = [0, 0xFF, 0x7F, 0x80, drawn][round % 5]
        }
        Self.useAll(bytes)
        if round % 10 == 9 { bytes = original }
      }
    }
  }

  @Test(
    "Every damaged file of the corpus ends at once",
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: ["bmp", "gif", "jpeg", "png", "tiff", "webp"]
  )
  func damagedFiles(folder: String) throws {
    let files = Corpus.files(beneath: "damaged/" + folder)
    #expect(files.count > 30)
    for path in files {
      let bytes = try readBytes(path)
      let seconds = processorSeconds { Self.useAll(bytes) }
      #expect(seconds < 1, "\(path)")
    }
  }

  @Test(
    "Each tiny file with any one byte changed to any of these ends",
    arguments: [
      UInt8(0), 1, 2, 0x7F, 0x80, 0xD9, 0xE1, 0xFE, 0xFF,
    ]
  )
  func everyByte(value: UInt8) {
    let block = TinyTIFF.block(
      [.text(0x010F, "Make"), .short(0x0112, 6)],
      exif: [.text(0x9003, "2026:01:02 03:04:05")],
      location: [.degrees(2)]
    )
    for file in [
      jpeg(exif: block), TinyPNG.file(pngChunk("eXIf", block)), block,
      TinyHEIF.file(exif: block),
      TinyHEIF.movie,
    ] {
      for offset in file.indices {
        var bytes = file
        bytes[offset] = value
        Self.useAll(bytes)
      }
    }
  }

  @Test("A million tiny parts cost little time and are refused or merged")
  func manyParts() {
    let count = 100_000
    var segments = TinyJPEG.soi
    for _ in 0..<count { segments += [0xFF, 0xFE, 0, 2, 0xFF, 0xDD, 0, 4, 0, 0] }
    var chunks = TinyPNG.signature + TinyPNG.header
    let text = pngChunk("tEXt", [])
    for _ in 0..<count { chunks += text }
    let restarts = TinyJPEG.file(
      scan: TinyJPEG.scan + [UInt8]((0..<count).flatMap { _ in [0xFF, 0xD0] as [UInt8] })
    )
    let fills = TinyJPEG.file(scan: TinyJPEG.scan + [UInt8](repeating: 0xFF, count: count))
    let seconds = processorSeconds {
      // Of the restart intervals a scan can use the last one alone.
      #expect(
        (try? strip(segments + TinyJPEG.file().dropFirst(2), .jpeg))?.output
          == TinyJPEG.file([0xFF, 0xDD, 0, 4, 0, 0])
      )
      #expect((try? strip(chunks + TinyPNG.data + TinyPNG.end, .png))?.output == TinyPNG.file())
      #expect((try? strip(restarts, .jpeg))?.output == restarts)
      #expect((try? strip(fills, .jpeg))?.output == TinyJPEG.file())
    }
    // Seconds even in a debug build; quadratic behavior would be hours.
    #expect(seconds < 60)
  }
}
