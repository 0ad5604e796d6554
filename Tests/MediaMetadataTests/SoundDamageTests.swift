import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Damaged and hostile sounds")
struct SoundDamageTests {
  /// One of each kind, with all that its parser looks at.
  static let files: [(name: String, bytes: [UInt8])] = {
    let tag = TinyMP3.id3(
      3,
      [("TIT2", [0] + Array("title".utf8)), ("COMM", [1, 0, 0, 0, 0xFF, 0xFE, 0, 0])]
    )
    let ape = TinyMP3.ape([("Title", Array("title".utf8))])
    let comment = TinyFLAC.comment(["TITLE=title", "x"], vendor: "v")
    let point = [UInt8](repeating: 0, count: 16) + big(192, 2)
    let blocks = TinyFLAC.block(3, point + point) + TinyFLAC.block(4, comment, isLast: true)
    let list = Array("INFO".utf8) + riffChunk("INAM", Array("title".utf8))
    let vbri =
      TinyMP3.head + [UInt8](repeating: 0, count: 32) + Array("VBRI".utf8) + big(1, 2)
      + big(1105, 2)
      + big(75, 2) + big(5 * 417) + big(4) + big(4, 2) + big(1, 2) + big(2, 2) + big(1, 2)
      + (0..<4).flatMap { _ in big(417, 2) }
    return [
      (
        "mp3",
        tag + TinyMP3.information() + TinyMP3.frames + ape + TinyMP3.id3v1(Array("title".utf8))
      ),
      ("vbri", vbri + [UInt8](repeating: 0, count: 417 - vbri.count) + TinyMP3.frames),
      ("lyrics", TinyMP3.frames + TinyMP3.lyrics3(Array("title".utf8)) + TinyMP3.id3v1([])),
      (
        "wav",
        TinyWAV.file(riffChunk("fact", little(10)) + riffChunk("LIST", list), after: riffChunk("id3 ", tag))
      ),
      ("rf64", TinyWAV.long("RF64", table: [UInt8](repeating: 0, count: 12))),
      ("aiff", TinyAIFF.file(iffChunk("NAME", [0x41]) + iffChunk("ID3 ", tag))),
      ("flac", TinyFLAC.file(blocks, after: [1, 2, 3])),
      ("opus", TinyOgg.opus(tags: TinyOgg.tags(comment)) + TinyOgg.opus(serial: 5)),
      ("vorbis", TinyOgg.vorbis(comment: comment + [1])),
      (
        "aac",
        tag + TinyAAC.frames
          + TinyAAC.frame(TinyAAC.bytes(TinyAAC.program([0x41], from: 0) + TinyAAC.sound))
          + TinyAAC.frame(TinyAAC.bytes(TinyAAC.named(Array("libfaac 1.28".utf8)) + TinyAAC.sound))
          + TinyAAC.frame(checksum: [1, 2]) + ape
      ),
      (
        "mp3 in wav",
        TinyWAV.file(format: TinyWAV.mp3Format, samples: tag + TinyMP3.information() + TinyMP3.frames)
      ),
    ]
  }()

  /// All that a worker does with a file in the parsers' modules; what it accepts is stable and within limits.
  static func use(_ bytes: [UInt8], _ name: String) {
    guard let format = format(of: bytes) else { return }
    _ = try? facts(of: bytes)
    withSource(bytes) { source in
      _ = Completeness.missingPart(of: source, format: format)
      _ = try? MetadataInspector.entries(of: source, format: format, showsValues: true)
    }
    for options in [StripOptions(), StripOptions(except: Set(MetadataException.allCases))] {
      do {
        let (output, list) = try strip(bytes, format, options)
        var end: UInt64 = 0
        for case .copy(let offset, let length) in list.operations {
          #expect(offset >= end && length > 0 && offset + length <= UInt64(bytes.count), "\(name)")
          end = offset + length
        }
        #expect(try strip(output, format, options).output == output, "\(name)")
      } catch let error as MetadataError {
        #expect(error.code != .residue, "\(name): \(error)")
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
  }

  @Test("Every cut ends, and what is accepted is stable", arguments: files)
  func cuts(name: String, bytes: [UInt8]) {
    let step = max(1, bytes.count / Amount.of(125, all: 500))
    for length in stride(from: 0, to: bytes.count, by: step) {
      Self.use(Array(bytes[..<length]), "\(name) cut at \(length)")
    }
  }

  @Test("Every number set to 0, 1 and its maximum ends", arguments: files)
  func numbers(name: String, bytes: [UInt8]) {
    let step = max(1, bytes.count / Amount.of(50, all: 200))
    for offset in stride(from: 0, to: bytes.count, by: step) {
      for width in [1, 4] where offset + width <= bytes.count {
        for value in [UInt8(0), 1, 0xFF] {
          var changed = bytes
          for position in offset..<(offset + width) { changed[position] = value }
          if width > 1, value == 1 { changed[offset] = 0 }
          Self.use(changed, "\(name) with \(value) at \(offset)")
        }
      }
    }
  }

  @Test(
    "Real files, cut and changed, end and are stable",
    .enabled(if: Corpus.folder != nil, "no corpus")
  )
  func corpus() throws {
    var random = SeededGenerator()
    for path in Corpus.files(beneath: "visible/audio") {
      let bytes = try readBytes(path)
      for round in 0..<12 {
        let cut = Int.random(in: 0..<bytes.count, using: &random)
        var changed = Array(bytes.prefix(round % 3 == 0 ? cut : bytes.count))
        guard !changed.isEmpty else { continue }
        for _ in 0..<(round % 4) {
          let reach = round % 2 == 0 ? changed.count : min(changed.count, 4096)
          let offset = Int.random(in: 0..<reach, using: &random)
          let drawn = UInt8.random(in: 0...255, using: &random)
          changed[offset] = [0, 0xFF, 0x7F, drawn][round % 4]
        }
        Self.use(changed, "\(path) in round \(round)")
      }
    }
  }

  @Test("A FLAC whose frame is cut or changed fails; one with frames missing in between too")
  func flac() {
    typealias T = TinyFLAC
    var changed = T.file()
    changed[changed.count - 4] ^= 1
    #expect(code { _ = try strip(changed, .flac) } == .damaged)
    #expect(code { _ = try strip(Array(T.file().dropLast()), .flac) } == .damaged)
    let gap = T.file(frames: T.frame(0) + [1, 2, 3] + T.frame(1) + T.frame(2))
    #expect(code { _ = try strip(gap, .flac) } == .damaged)
    #expect(code { _ = try strip(T.file(frames: T.frame(0) + T.frame(2)), .flac) } == .damaged)
    #expect(code { _ = try strip(T.file(frames: []), .flac) } == nil)
  }

  @Test("A WAV of a recorder that was cut off keeps its samples, or fails")
  func cutRecorder() throws {
    typealias T = TinyWAV
    var unknown = T.file()
    unknown.replaceSubrange(40..<44, with: little(0xFFFF_FFFF))
    #expect(try strip(unknown, .wav).output == T.file())
    var long = T.file()
    long.replaceSubrange(40..<44, with: little(5000))
    #expect(try strip(long, .wav).output == T.file())
    var none = T.file(samples: T.samples + [0xFF, 0xFE, 0, 1])
    none.replaceSubrange(40..<44, with: little(0))
    #expect(code { _ = try strip(none, .wav) } == .damaged)
    #expect(try strip(T.file(samples: T.samples + [9]), .wav).output == T.file())
  }

  @Test("What is compressed in a way that is not known fails closed")
  func unknown() {
    for code in [0x50, 0x161, 0x2000, 0xFFFF] {
      let format = little(code, 2) + TinyWAV.format.dropFirst(2) + little(0, 2)
      let errorCode = MediaMetadataTests.code { _ = try strip(TinyWAV.file(format: format), .wav) }
      #expect(errorCode == .stripUnsupported)
    }
    let claimed = TinyWAV.file(format: TinyWAV.mp3Format)
    #expect(code { _ = try strip(claimed, .wav) } == .damaged)
    let extensible =
      little(0xFFFE, 2) + TinyWAV.format.dropFirst(2) + little(22, 2) + little(16, 2) + little(4)
    let plain =
      extensible + little(1, 2) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    #expect(code { _ = try strip(TinyWAV.file(format: plain), .wav) } == nil)
    let text = extensible + little(1, 2) + Array("a text of a b.".utf8)
    #expect(code { _ = try strip(TinyWAV.file(format: text), .wav) } == .stripUnsupported)
    let common = TinyAIFF.common + Array("MAC3".utf8) + [0, 0]
    #expect(
      code { _ = try strip(TinyAIFF.file(kind: "AIFC", common: common), .aiff) }
        == .stripUnsupported
    )
  }

  @Test("Two sounds at once in an Ogg fail closed, one after another do not")
  func several() throws {
    typealias T = TinyOgg
    let second = T.page([T.opusHead], flags: 2, serial: 2, sequence: 0)
    #expect(code { _ = try strip(T.opus(start: second), .ogg) } == .stripUnsupported)
    let video = T.page([[0x80] + Array("theora".utf8)], flags: 2, serial: 2, sequence: 0)
    #expect(code { _ = try strip(T.opus(start: video), .ogg) } == .stripUnsupported)
    #expect(format(of: T.opus(start: video)) == .ogv)
    let both = T.opus(serial: 77) + T.opus(serial: 77)
    #expect(try strip(both, .ogg).output == T.opus(serial: 1) + T.opus(serial: 2))
    #expect(try facts(of: both).durationMilliseconds == 2 * (9600 - 312) / 48)
  }

  @Test("An Ogg with an unknown stream or a second sound is its first sound, and not stripped")
  func besideAnother() throws {
    typealias T = TinyOgg
    let unknown = T.page([Array("PCM     ".utf8)], flags: 2, serial: 2, sequence: 0)
    let more = T.page([[1, 2, 3]], flags: 4, granule: 99_999, serial: 2, sequence: 1)
    let second = T.page([T.vorbisHead], flags: 2, serial: 2, sequence: 0)
    let alone = try facts(of: T.opus())
    for file in [
      unknown + T.opus(middle: more), T.opus(start: unknown, middle: more),
      T.opus(start: second, middle: more),
    ] {
      #expect(format(of: file) == .ogg)
      #expect(try facts(of: file) == alone)
      #expect(code { _ = try strip(file, .ogg) } == .stripUnsupported)
    }
    #expect(format(of: unknown + more) == nil)
    let titled = T.opus(tags: T.tags(TinyFLAC.comment(["TITLE=of the sound"])), start: unknown)
    #expect(withSource(titled) { audioTags(of: $0, .ogg).merged.title } == "of the sound")
  }

  @Test("Headers of an Ogg FLAC whose number is unknown go to the last of them")
  func unknownHeaders() throws {
    typealias T = TinyFLAC
    let head =
      [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 0] + Array("fLaC".utf8) + T.block(0, T.information())
    let picture = T.block(6, Array("picture".utf8), isLast: true)
    let file =
      TinyOgg.page([head], flags: 2, sequence: 0)
      + TinyOgg.page([T.block(4, T.comment([])), picture], sequence: 1)
      + TinyOgg.page([T.frame(0), T.frame(1)], flags: 4, granule: 384, sequence: 2)
    #expect(try !strip(file, .ogg).output.contains("picture"))
  }

  @Test("A page of an Ogg that is missing stays missing")
  func gap() throws {
    typealias T = TinyOgg
    let headers =
      T.page([T.opusHead], flags: 2, serial: 3, sequence: 0)
      + T.page([T.tags()], serial: 3, sequence: 1)
    let late = { (serial: Int, first: Int) in
      T.page(T.packets, granule: 960_000, serial: serial, sequence: first)
        + T.page(T.packets, granule: 964_800, serial: serial, sequence: first + 1)
    }
    let clean =
      T.page([T.opusHead], flags: 2, sequence: 0) + T.page([T.tags()], sequence: 1) + late(1, 3)
    #expect(try strip(headers + late(3, 500), .ogg).output == clean)
    // It began in the middle of a broadcast, and says so.
    #expect(try facts(of: headers + late(3, 500)).durationMilliseconds == (9600 - 312) / 48)
  }

  @Test("A comment on several pages is one again, and the pages behind it are counted anew")
  func longComment() throws {
    typealias T = TinyOgg
    let text = "TITLE=" + String(repeating: "long ", count: 30_000)
    let packet = T.tags(TinyFLAC.comment([text], vendor: "v"))
    var pages: [UInt8] = []
    var number = 1
    var remaining = packet[...]
    while !remaining.isEmpty {
      let part = remaining.prefix(255 * 255)
      remaining = remaining.dropFirst(255 * 255)
      let lacing =
        [UInt8](repeating: 255, count: part.count / 255)
        + (remaining.isEmpty ? [UInt8(part.count % 255)] : [])
      pages += T.page(
        lacing: lacing,
        Array(part),
        flags: number == 1 ? 0 : 1,
        granule: remaining.isEmpty ? 0 : -1,
        sequence: number
      )
      number += 1
    }
    let file =
      T.page([T.opusHead], flags: 2, sequence: 0) + pages
      + T.page(T.packets, granule: 4800, sequence: number)
      + T.page(T.packets, flags: 4, granule: 9600, sequence: number + 1)
    #expect(number == 4)
    #expect(try strip(file, .ogg).output == T.opus())
    #expect(
      withSource(file) { audioTags(of: $0, .ogg).merged.title?.hasPrefix("long") }
        == true
    )
  }
}
