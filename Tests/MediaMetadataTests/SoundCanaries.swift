import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Sounds with canaries in each place where their formats let something hide.
enum SoundCanaries {
  private static let text = Canaries.ascii
  static let slots = mp3 + aac + wav + aiff + flac + ogg

  private static func slot(
    _ format: MediaFormat,
    _ name: String,
    _ bytes: [UInt8],
    clean: [UInt8]
  ) -> CanarySlot {
    CanarySlot(description: "\(format.rawValue) \(name)", format: format, bytes: bytes, clean: clean)
  }

  private static let mp3: [CanarySlot] = {
    typealias T = TinyMP3
    let frames = T.frames
    let half = T.frame + T.frame
    let picture = [0] + Array("image/png".utf8) + [0, 3, 0]
    let tags: [(String, [UInt8])] = [
      ("ID3v2.2", T.id3(2, [("TT2", [0] + text), ("PIC", picture + text)])),
      ("ID3v2.3", T.id3(3, [("TIT2", [0] + text), ("PRIV", text), ("APIC", picture + text)])),
      ("ID3v2.4", T.id3(4, [("TXXX", [3] + text), ("GEOB", text), ("UFID", text)], padding: 50)),
      ("ID3v2 padding", T.id3(4, [], padding: 10) + T.id3(3, [("\0\0\0\0", text)])),
      ("ID3v2 of no version", T.id3(7, [("TIT9", text)])),
      ("APE", T.ape([("Artist", text), ("Cover Art (Front)", text)])),
    ]
    var variants: [(String, [UInt8])] = []
    for (name, tag) in tags {
      variants.append(("\(name) at the start", tag + frames))
      variants.append(("\(name) twice", tag + tag + frames))
      variants.append(("\(name) between frames", half + tag + half))
      variants.append(("\(name) at the end", frames + tag))
    }
    let old = T.id3v1(text)
    let plus =
      Array("TAG+".utf8) + text.prefix(223)
      + [UInt8](repeating: 0, count: 223 - min(223, text.count))
    variants += [
      ("ID3v2.4 with a footer at the end", frames + T.appended([("TIT2", [3] + text)])),
      ("APE version 1", frames + T.ape([("Title", text)], header: false)),
      ("APE before ID3v1", frames + T.ape([("Title", text)], header: false) + old),
      ("Lyrics3 version 2", frames + T.lyrics3(text) + old),
      (
        "Lyrics3 version 1",
        frames + Array("LYRICSBEGIN".utf8) + text + Array("LYRICSEND".utf8) + old
      ),
      ("ID3v1", frames + old), ("ID3v1 between frames", half + old + half),
      ("TAG+", frames + plus + old), ("bytes before", text + frames),
      ("bytes between", half + text + half), ("bytes behind", frames + text),
      (
        "everything",
        T.id3(3, [("TIT2", [0] + text)]) + frames + T.ape([("a1", text)]) + T.lyrics3(text) + old
      ),
    ]
    var slots = variants.map { slot(.mp3, $0.0, $0.1, clean: frames) }
    let plain = (try? strip(T.information() + frames, .mp3).output) ?? []
    let hidden: [(String, [UInt8])] = [
      ("behind LAME's extension", T.information(behind: Array(text.prefix(220)))),
      ("LAME's version", T.information(encoder: "LAME\(Canaries.all[0])")),
    ]
    for (name, information) in hidden {
      slots.append(slot(.mp3, name, information + frames, clean: plain))
    }
    let late = half + T.information(behind: Array(text.prefix(220))) + half
    slots.append(slot(.mp3, "a second description", late, clean: half + T.frame + half))
    return slots
  }()

  private static let aac: [CanarySlot] = {
    typealias T = TinyAAC
    let frames = T.frames
    let half = T.frame() + T.frame()
    let zeros = [UInt8](repeating: 0, count: text.count)
    let old = TinyMP3.id3v1(text)
    let tag = TinyMP3.id3(3, [("TIT2", [0] + text), ("PRIV", text)])
    let variants = [
      ("ID3v2 at the start", tag + frames), ("ID3v2 between frames", half + tag + half),
      ("APE at the end", frames + TinyMP3.ape([("Artist", text)])), ("ID3v1", frames + old),
      ("bytes between", half + text + half), ("bytes behind", frames + text),
    ]
    var slots = variants.map { name, bytes in
      slot(.aac, name, bytes, clean: name.contains("between") ? half + half : frames)
    }
    let program = { (text: [UInt8]) in
      half + T.frame(T.bytes(T.program(text, from: 0) + T.sound)) + half
    }
    slots.append(
      slot(
        .aac,
        "a program's comment",
        program(Array(text.prefix(250))),
        clean: program(Array(zeros.prefix(250)))
      )
    )
    let data = { (text: [UInt8]) in
      half + T.frame(T.bytes(T.data(text, from: 0) + T.sound)) + half
    }
    slots.append(slot(.aac, "data", data(Array(text.prefix(250))), clean: data(Array(zeros.prefix(250)))))
    return slots
  }()

  private static let wav: [CanarySlot] = {
    typealias T = TinyWAV
    var slots: [CanarySlot] = []
    let types = [
      "LIST", "bext", "iXML", "aXML", "axml", "chna", "cart", "id3 ", "ID3 ", "_PMX", "JUNK",
      "FLLR",
      "PAD ", "cue ", "smpl", "inst", "DISP", "MD5 ", "afsp", "SNDM", "umid", "labl", "note",
      "plst",
    ]
    for type in types {
      slots.append(slot(.wav, type, T.file(riffChunk(type, text)), clean: T.file()))
      slots.append(slot(.wav, "\(type) behind", T.file(after: riffChunk(type, text)), clean: T.file()))
    }
    for (name, list) in [
      ("INFO", Array("INFO".utf8) + riffChunk("IART", text) + riffChunk("ISFT", text)),
      ("adtl", Array("adtl".utf8) + riffChunk("labl", little(1) + text)),
      ("exif", Array("exif".utf8) + riffChunk("ecor", text)),
    ] {
      slots.append(slot(.wav, "LIST \(name)", T.file(riffChunk("LIST", list)), clean: T.file()))
    }
    let fact = T.file(riffChunk("fact", little(10)))
    slots += [
      slot(.wav, "the end of fmt", T.file(format: T.format + little(500, 2) + text), clean: T.file()),
      slot(.wav, "the end of fact", T.file(riffChunk("fact", little(10) + text)), clean: fact),
      slot(.wav, "a second fmt", T.file(riffChunk("fmt ", text)), clean: T.file()),
      slot(.wav, "a second data", T.file(after: riffChunk("data", text)), clean: T.file()),
      slot(.wav, "behind the end", T.file(behind: [0] + text), clean: T.file()),
    ]
    let format = TinyWAV.mp3Format
    let tag = TinyMP3.id3(3, [("TIT2", [0] + text)])
    slots.append(
      slot(
        .wav,
        "a tag of an MP3 in it",
        T.file(format: format, samples: tag + TinyMP3.frames),
        clean: T.file(format: format, samples: TinyMP3.frames)
      )
    )
    for form in ["RF64", "BW64"] {
      let clean = (try? strip(T.long(form), .wav).output) ?? []
      let table = text + [UInt8](repeating: 0, count: 12 - text.count % 12)
      slots.append(slot(.wav, "\(form) ds64 table", T.long(form, table: table), clean: clean))
      let after = riffChunk("axml", text)
      slots.append(slot(.wav, "\(form) behind", T.long(form, after: after), clean: clean))
    }
    return slots
  }()

  private static let aiff: [CanarySlot] = {
    typealias T = TinyAIFF
    let zeros = [UInt8](repeating: 0, count: 8)
    var slots: [CanarySlot] = []
    for type in [
      "NAME", "AUTH", "(c) ", "ANNO", "COMT", "MARK", "INST", "MIDI", "AESD", "APPL", "ID3 ",
      "SAXL",
    ] {
      slots.append(slot(.aiff, type, T.file(iffChunk(type, text)), clean: T.file()))
      slots.append(slot(.aiff, "\(type) behind", T.file(after: iffChunk(type, text)), clean: T.file()))
    }
    let offset = big(text.count) + big(0) + text + T.samples
    let named = T.common + Array("NONE".utf8) + [200] + text
    let common = T.common + Array("NONE".utf8) + [0, 0]
    slots += [
      slot(.aiff, "before the samples", T.file(audio: offset), clean: T.file()),
      slot(.aiff, "behind the samples", T.file(audio: zeros + T.samples + text), clean: T.file()),
      slot(.aiff, "the end of COMM", T.file(common: T.common + text), clean: T.file()),
      slot(
        .aiff,
        "the compression's name",
        T.file(kind: "AIFC", common: named),
        clean: T.file(kind: "AIFC", common: common)
      ),
      slot(
        .aiff,
        "FVER",
        T.file(iffChunk("FVER", text), kind: "AIFC", common: common),
        clean: T.file(kind: "AIFC", common: common)
      ),
      slot(.aiff, "behind the end", T.file(behind: [0] + text), clean: T.file()),
    ]
    return slots
  }()

  private static let flac: [CanarySlot] = {
    typealias T = TinyFLAC
    var slots: [CanarySlot] = []
    for type in UInt8(1)...9 where type != 3 && type != 4 {
      let file = T.file(T.block(type, text, isLast: true))
      slots.append(slot(.flac, "block \(type)", file, clean: T.file()))
    }
    let comment = T.comment(Canaries.all.map { "TITLE=\($0)" }, vendor: Canaries.all[1])
    let point = big(0) + big(0) + big(0) + big(0) + big(192, 2)
    let placeholder = [UInt8](repeating: 0xFF, count: 8) + text.prefix(10)
    let table = T.file(T.block(3, point, isLast: true))
    let id3 = TinyMP3.id3(3, [("TIT2", [0] + text)])
    slots += [
      slot(.flac, "comment", T.file(T.block(4, comment, isLast: true)), clean: T.file()),
      slot(.flac, "comment's end", T.file(T.block(4, T.comment([]) + text, isLast: true)), clean: T.file()),
      slot(.flac, "STREAMINFO's end", T.file(information: T.information() + text), clean: T.file()),
      slot(.flac, "seek table", T.file(T.block(3, point + text + placeholder, isLast: true)), clean: table),
      slot(.flac, "ID3 before", T.file(before: id3 + id3), clean: T.file()),
      slot(.flac, "ID3v1 behind", T.file(after: TinyMP3.id3v1(text)), clean: T.file()),
      slot(.flac, "APE behind", T.file(after: TinyMP3.ape([("a1", text)])), clean: T.file()),
      slot(.flac, "bytes behind", T.file(after: text), clean: T.file()),
      slot(.flac, "bytes and zeros behind", T.file(after: [0, 0] + text + [0]), clean: T.file()),
    ]
    return slots
  }()

  private static let ogg: [CanarySlot] = {
    typealias T = TinyOgg
    let comment = TinyFLAC.comment(Canaries.all.map { "ARTIST=\($0)" }, vendor: Canaries.all[2])
    let clean = T.opus()
    let skeleton = T.page([Array("fishead\0".utf8) + text], flags: 2, serial: 9, sequence: 0)
    let bone = T.page([Array("fisbone\0".utf8) + text], serial: 9, sequence: 1)
    var slots = [
      slot(.ogg, "OpusTags", T.opus(tags: T.tags(comment)), clean: clean),
      slot(.ogg, "behind the tags", T.opus(tags: T.tags() + text), clean: clean),
      slot(.ogg, "behind OpusHead", T.opus(head: T.opusHead + text), clean: clean),
      slot(.ogg, "Skeleton", T.opus(start: skeleton, middle: bone), clean: clean),
      slot(.ogg, "Skeleton first", skeleton + T.opus(middle: bone), clean: clean),
      slot(
        .ogg,
        "a page of no stream",
        T.opus(middle: T.page([text], serial: 7, sequence: 0)),
        clean: clean
      ),
      slot(.ogg, "between pages", T.opus(middle: text), clean: clean),
      slot(.ogg, "before", T.opus(after: text), clean: clean),
    ]
    let vorbis = T.vorbis()
    slots += [
      slot(.ogg, "Vorbis comment", T.vorbis(comment: comment + [1]), clean: vorbis),
      slot(
        .ogg,
        "behind Vorbis' comment",
        T.vorbis(comment: TinyFLAC.comment([]) + [1] + text),
        clean: vorbis
      ),
      slot(.ogg, "behind Vorbis' head", T.vorbis(head: T.vorbisHead + text), clean: vorbis),
    ]
    return slots
  }()
}

extension CanarySlot {
  /// Whether its place is too small for all canaries.
  var isSmall: Bool {
    ["ID3v1", "TAG+", "LAME", "a second description", "a program's comment", "aac data"].contains {
      description.contains($0)
    }
  }
}
