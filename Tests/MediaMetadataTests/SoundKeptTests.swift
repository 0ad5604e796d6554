import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What a sound may keep")
struct SoundKeptTests {
  static let everything = StripOptions(except: Set(MetadataException.allCases))
  static let date = CaptureDate(local: "2026-11-21T01:44:39", offsetMinutes: nil, tag: KeptMetadata.dateTag)

  static let all: KeptMetadata = {
    var values = KeptMetadata()
    values.title = "Hafen, früh"
    values.caption = "Two lines:\nfog & <horns>"
    values.copyright = "© 2026 Ada"
    values.creator = "Ada; Grace"
    values.creationDate = date
    values.rating = 5
    return values
  }()

  /// One file of each format that says all of it, in the format's own way.
  static let files: [(MediaFormat, [UInt8])] = {
    let comment = VorbisComment.bytes(all)
    let info = WAVInfo.list(all) ?? []
    let texts = AIFFTexts.chunks(all).map {
      iffChunk(String(decoding: $0.type.bytes, as: UTF8.self), $0.data)
    }
    return [
      (.mp3, (ID3Values.tag(all) ?? []) + TinyMP3.frames),
      (.aac, (ID3Values.tag(all) ?? []) + TinyAAC.frames),
      (.wav, TinyWAV.file(riffChunk("LIST", info))),
      (.aiff, TinyAIFF.file(texts.flatMap { $0 })),
      (.flac, TinyFLAC.file(TinyFLAC.block(4, comment, isLast: true))),
      (.ogg, TinyOgg.opus(tags: TinyOgg.tags(comment))),
      (.ogg, TinyOgg.vorbis(comment: comment + [1])),
    ]
  }()

  static func values(of bytes: [UInt8], _ format: MediaFormat) -> KeptMetadata {
    withSource(bytes) { audioTags(of: $0, format).merged }
  }

  @Test("What is written is read back, and stays as it is", arguments: files)
  func roundTrip(format: MediaFormat, bytes: [UInt8]) throws {
    #expect(Self.values(of: bytes, format) == Self.all)
    let (output, list) = try strip(bytes, format, Self.everything)
    #expect(output == bytes)
    #expect(list.removed.isEmpty)
    #expect(Self.values(of: try strip(bytes, format).output, format).isEmpty)
  }

  @Test(
    "Each exception keeps its own value and no other",
    arguments: files,
    [MetadataException.creationDate, .copyright, .caption, .rating, .camera, .location]
  )
  func single(file: (MediaFormat, [UInt8]), exception: MetadataException) throws {
    let options = StripOptions(except: [exception])
    let (output, _) = try strip(file.1, file.0, options)
    #expect(Self.values(of: output, file.0) == Self.all.limited(to: options))
  }

  @Test("Another exception's value is a residue", arguments: files)
  func residue(format: MediaFormat, bytes: [UInt8]) {
    withSource(bytes) { source in
      let options = StripOptions(except: [.caption])
      let errorCode = code { try Stripper.verify(output: source, format: format, options: options) }
      #expect(errorCode == .residue)
      #expect(
        code { try Stripper.verify(output: source, format: format, options: Self.everything) }
          == nil
      )
    }
  }

  @Test("Text is read in each encoding of ID3, and each version's date")
  func encodings() {
    typealias T = TinyMP3
    let wide = { (text: String) in Array(text.utf16).flatMap { little(Int($0), 2) } }
    let wideBig = { (text: String) in Array(text.utf16).flatMap { big(Int($0), 2) } }
    let latin: [UInt8] = [0, 0x48, 0xE9]
    for content in [
      latin, [1, 0xFF, 0xFE] + wide("Hé"), [1, 0xFE, 0xFF] + wideBig("Hé"), [2] + wideBig("Hé"),
      [3] + Array("Hé".utf8), [3] + Array("Hé".utf8) + [0] + Array("x".utf8),
    ] {
      for (version, name) in [(UInt8(2), "TT2"), (3, "TIT2"), (4, "TIT2")] {
        let file = T.id3(version, [(name, content)]) + T.frames
        #expect(Self.values(of: file, .mp3).title == "Hé")
      }
    }
    let parts = ["TYER": "2026", "TDAT": "2111", "TIME": "0144"].map { ($0, [0] + Array($1.utf8)) }
    let old = Self.values(of: T.id3(3, parts) + T.frames, .mp3).creationDate
    #expect(old?.local == "2026-11-21T01:44:00")
    let year = T.id3(4, [("TDRC", [3] + Array("2026".utf8))]) + T.frames
    #expect(Self.values(of: year, .mp3).creationDate == nil)
  }

  @Test("A comment with a description belongs to a program")
  func comments() {
    typealias T = TinyMP3
    let own = [0] + Array("eng".utf8) + Array("iTunNORM\0".utf8) + Array("0001".utf8)
    let wide = [1] + Array("eng".utf8) + [0xFF, 0xFE, 0, 0, 0xFF, 0xFE] + little(0x68, 2)
    #expect(Self.values(of: T.id3(3, [("COMM", own)]) + T.frames, .mp3).caption == nil)
    #expect(Self.values(of: T.id3(3, [("COMM", own), ("COMM", wide)]) + T.frames, .mp3).caption == "h")
  }

  @Test("A tag that was unsynchronized is read as it was meant")
  func unsynchronized() {
    let content: [UInt8] = [1, 0xFF, 0, 0xFE, 0x68, 0]
    var tag = TinyMP3.id3(3, [("TIT2", [1, 0xFF, 0xFE, 0x68, 0])])
    tag = Array(tag.prefix(20)) + content
    tag[5] = 0x80
    tag.replaceSubrange(6..<10, with: TinyMP3.syncSafe(tag.count - 10))
    #expect(Self.values(of: tag + TinyMP3.frames, .mp3).title == "h")
  }

  @Test("ID3v2 counts before APE, and both before ID3v1, whose texts are cut")
  func precedence() {
    typealias T = TinyMP3
    let old = T.id3v1(Array("old title".utf8) + [UInt8](repeating: 0, count: 21) + Array("old artist".utf8))
    let ape = T.ape([
      ("Title", Array("ape title".utf8)), ("Record Date", Array("2026-11-21 01:44".utf8)),
    ])
    let tag = T.id3(4, [("TIT2", [3] + Array("new title".utf8))])
    let all = Self.values(of: tag + T.frames + ape + old, .mp3)
    #expect(all.title == "new title" && all.creator == "old artist")
    #expect(all.creationDate?.local == "2026-11-21T01:44:00")
    #expect(Self.values(of: T.frames + ape + old, .mp3).title == "ape title")
    #expect(Self.values(of: T.frames + old, .mp3).title == "old title")
  }

  @Test("A broadcast WAV says when it was recorded")
  func broadcast() throws {
    let pad = { (text: String, length: Int) in
      Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
    }
    let bext =
      pad("A description", 256) + pad("Ada", 32) + pad("REF", 32) + Array("2026-11-21".utf8)
      + Array("01:44:39".utf8) + [UInt8](repeating: 0, count: 264)
    let file = TinyWAV.file(riffChunk("bext", bext))
    #expect(Self.values(of: file, .wav).creationDate == Self.date)
    #expect(try facts(of: file).creationDate?.local == Self.date.local)
    let kept = try strip(file, .wav, StripOptions(except: [.creationDate])).output
    #expect(Self.values(of: kept, .wav).creationDate == Self.date)
    #expect(Self.values(of: kept, .wav).creator == nil)
  }

  @Test("Which loudspeaker a channel is for is no metadata")
  func channelMask() throws {
    let mask = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x4"
    let file = TinyFLAC.file(
      TinyFLAC.block(4, TinyFLAC.comment([mask, "TITLE=t"], vendor: "v"), isLast: true)
    )
    let clean = TinyFLAC.file(TinyFLAC.block(4, TinyFLAC.comment([mask]), isLast: true))
    #expect(try strip(file, .flac).output == clean)
    for wrong in ["0x3", "4", "0x", "0x400000", "0x4 and more"] {
      let text = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK=\(wrong)"
      let other = TinyFLAC.file(TinyFLAC.block(4, TinyFLAC.comment([text]), isLast: true))
      #expect(try strip(other, .flac).output == TinyFLAC.file())
    }
  }
}
