import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The output of a movie, looked at a second time, and what was taken out.
func stripMovie(
  _ bytes: [UInt8],
  _ options: StripOptions = StripOptions()
) throws -> (output: [UInt8], list: EditList) {
  let list = try withSource(bytes) { source in
    let list = try MovieStripper.editList(of: source, options: options)
    try MovieStripper.verify(output: try ByteSource(applying: list, to: source), options: options)
    return list
  }
  return (apply(list, to: bytes), list)
}

func muteMovie(_ bytes: [UInt8]) throws -> (output: [UInt8], list: EditList) {
  let list = try withSource(bytes) { try MovieStripper.muteList(of: $0) }
  return (apply(list, to: bytes), list)
}

@Suite("Movies: what is left and where")
struct MovieStripperTests {
  /// One movie in each of the shapes that a file has.
  static let shapes: [(name: String, movie: MovieFixture)] = {
    var shapes: [(name: String, movie: MovieFixture)] = []
    for isFirst in [false, true] {
      for isLong in [false, true] {
        var movie = TinyMovie.film
        (movie.isMovieFirst, movie.isLong) = (isFirst, isLong)
        movie.slack = Array("slack".utf8)
        shapes.append(("moov \(isFirst ? "first" : "last"), \(isLong ? 64 : 32) bits", movie))
      }
    }
    for fragments in [MovieFixture.Fragments.fromMoof, .absolute, .implicit] {
      var movie = TinyMovie.film
      movie.fragments = fragments
      if fragments != .implicit { movie.slack = Array("slack".utf8) }
      shapes.append(("fragments \(fragments)", movie))
    }
    var old = TinyMovie.film
    (old.hasFileType, old.isQuickTime) = (false, true)
    shapes.append(("QuickTime without ftyp", old))
    return shapes
  }()

  @Test("Offsets lead to the same samples as before", arguments: shapes.indices)
  func samples(shape: Int) throws {
    let (name, movie) = Self.shapes[shape]
    let before = read(movie.bytes)
    #expect(before.samples[1]?.count == 5 && before.samples[3]?.count == 3, "\(name)")
    let output = try stripMovie(movie.bytes).output
    let after = read(output)
    #expect(after.samples[1] == before.samples[1], "\(name)")
    #expect(after.samples[2] == before.samples[2], "\(name)")
    #expect(after.samples[3] == nil, "\(name)")
    #expect(!output.contains("gps"), "\(name)")
    #expect(!output.contains("slack"), "\(name)")
  }

  @Test("Without sound, no byte of it is left", arguments: shapes.indices)
  func withoutSound(shape: Int) throws {
    let (name, movie) = Self.shapes[shape]
    let (output, list) = try stripMovie(movie.bytes, StripOptions(removesAudio: true))
    #expect(read(output).handlers == [1: "vide"], "\(name)")
    #expect(read(output).samples[1] == read(movie.bytes).samples[1], "\(name)")
    #expect(!output.contains("sound"), "\(name)")
    #expect(list.removedNames["sound track"] == 1, "\(name)")
  }

  @Test("Muted, everything but sound is as it was", arguments: shapes.indices)
  func muted(shape: Int) throws {
    var (name, movie) = Self.shapes[shape]
    movie.inMovie = isoBox("udta", isoBox("name", Array("kept as it is".utf8)))
    movie.behind = isoBox("free", Array("behind".utf8)) + [1, 2, 3]
    movie.time = 0xC0FF_EE00
    let (output, list) = try muteMovie(movie.bytes)
    let (before, after) = (read(movie.bytes), read(output))
    #expect(after.samples[1] == before.samples[1], "\(name)")
    #expect(after.samples[2] == nil, "\(name)")
    #expect(after.samples[3] == before.samples[3], "\(name)")
    #expect(!output.contains("sound"), "\(name)")
    for text in ["kept as it is", "behind"] { #expect(output.contains(text), "\(name): \(text)") }
    #expect(output.suffix(3) == [1, 2, 3] && output.contains(big(0xC0FF_EE00)), "\(name)")
    #expect(list.removedNames["sound track"] == 1, "\(name)")
  }

  @Test("Muted, a second movie and samples in other boxes are refused, and hints go")
  func mutedFurther() throws {
    var movie = TinyMovie.film
    let single = movie.bytes
    #expect(code { _ = try muteMovie(single + single) } == .stripUnsupported)
    let mdat = try #require(single.indices.first { single[$0...].starts(with: "mdat".utf8) })
    var hidden = single
    hidden.replaceSubrange(mdat..<(mdat + 4), with: "free".utf8)
    #expect(code { _ = try muteMovie(hidden) } == .stripUnsupported)
    movie.tracks[2].handler = "hint"
    #expect(try !muteMovie(movie.bytes).output.contains("gps"))
  }

  @Test("A second strip changes nothing", arguments: shapes.indices)
  func stable(shape: Int) throws {
    let once = try stripMovie(Self.shapes[shape].movie.bytes)
    let twice = try stripMovie(once.output)
    #expect(twice.output == once.output)
    #expect(twice.list.removed.isEmpty, "\(twice.list.removed)")
  }

  @Test("Messages for people go, messages for decoders stay, and sizes follow")
  func supplemental() throws {
    var movie = TinyMovie.film
    let timing = (1, [UInt8](repeating: 9, count: 3))
    let user = (5, [UInt8](repeating: 7, count: 16) + Array("x264 canary".utf8))
    let slice = TinyMovie.slice("a picture")
    movie.tracks[0].samples = [
      TinyMovie.sei([user]) + slice, TinyMovie.sei([timing]) + slice,
      TinyMovie.sei([timing, user]) + slice, slice + big(3) + [12, 0xFF, 0x80], slice + [0, 0],
    ]
    for fragments in [MovieFixture.Fragments.none, .fromMoof] {
      movie.fragments = fragments
      let (output, list) = try stripMovie(movie.bytes)
      let kept = TinyMovie.sei([timing]) + slice
      #expect(read(output).samples[1] == [slice, kept, kept, slice, slice])
      #expect(!output.contains("canary"))
      #expect(list.removedNames["SEI user data"] == 2)
      #expect(list.removedNames["padding"] == 1)
    }
  }

  @Test("A chunk of which nothing is left has no place", arguments: [false, true])
  func emptied(isFragmented: Bool) throws {
    var movie = TinyMovie.film
    movie.fragments = isFragmented ? .fromMoof : .none
    movie.samplesPerChunk = 1
    let user = TinyMovie.sei([(5, [UInt8](repeating: 7, count: 16))])
    movie.tracks[0].samples = [TinyMovie.slice("a"), user, TinyMovie.slice("b")]
    let output = try stripMovie(movie.bytes).output
    #expect(read(output).samples[1] == [TinyMovie.slice("a"), [], TinyMovie.slice("b")])
    #expect(try stripMovie(output).output == output)
  }

  @Test("Messages are read without the bytes against start codes, and written with them")
  func emulation() throws {
    // Three zeros, and what follows them once the second message is gone.
    let unit: [UInt8] = [6, 1, 3, 0, 0, 3, 0, 5, 16] + [UInt8](repeating: 8, count: 16) + [0x80]
    var movie = TinyMovie.film
    movie.tracks[0].samples = [big(unit.count) + unit + TinyMovie.slice("a")]
    let sample = try #require(read(try stripMovie(movie.bytes).output).samples[1]?.first)
    let anew: [UInt8] = [6, 1, 3, 0, 0, 3, 0, 0x80]
    #expect(sample == big(anew.count) + anew + TinyMovie.slice("a"))
  }

  @Test("Fill at the start of a packet of AAC is cleared in its place")
  func fill() throws {
    // A fill element of 20 bytes: 110, 1111, 6, 0000, then its bytes.
    let text = Array("libfaac canary text".utf8)
    var bits = "110" + "1111" + "00000110" + "0000"
    for byte in text {
      bits +=
        String(repeating: "0", count: 8 - String(byte, radix: 2).count) + String(byte, radix: 2)
    }
    bits += "0000" + "001" + "10101010101"
    while bits.count % 8 != 0 { bits += "1" }
    let packet = stride(from: 0, to: bits.count, by: 8).map { offset -> UInt8 in
      let start = bits.index(bits.startIndex, offsetBy: offset)
      return UInt8(bits[start..<bits.index(start, offsetBy: 8)], radix: 2) ?? 0
    }
    var movie = TinyMovie.film
    movie.tracks[1].samples = [packet, TinyMovie.packet("sound")]
    let output = try stripMovie(movie.bytes)
    let sample = try #require(read(output.output).samples[2]?.first)
    #expect(sample.count == packet.count)
    #expect(sample.first == packet.first && sample.last == packet.last)
    #expect(sample != packet)
    #expect(sample.dropFirst(2).dropLast(3).allSatisfy { $0 == 0 })
    #expect(output.list.removedNames["AAC fill"] == 1)
  }

  @Test("Chunks that share bytes are copied once; half of one is no file")
  func shared() throws {
    var movie = TinyMovie.film
    movie.tracks = [movie.tracks[1]]
    movie.samplesPerChunk = 1
    movie.tracks[0].samples = (0..<4).map { TinyMovie.packet("sound \($0)") }
    var bytes = movie.bytes
    let stco = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stco".utf8)) })
    // The third chunk is the first one again.
    bytes.replaceSubrange((stco + 20)..<(stco + 24), with: bytes[(stco + 12)..<(stco + 16)])
    let output = try stripMovie(bytes).output
    let sounds = read(bytes).samples[2] ?? []
    #expect(sounds[2] == sounds[0] && read(output).samples[2] == sounds)
    #expect(!output.contains("sound 2"))
  }

  @Test("An index in the file has the lengths that its fragments have now")
  func index() throws {
    var movie = TinyMovie.film
    (movie.fragments, movie.hasIndex) = (.fromMoof, true)
    let output = try stripMovie(movie.bytes, StripOptions(removesAudio: true)).output
    let reader = read(output)
    let top = reader.boxes(0..<output.count)
    let sidx = try #require(top.first { $0.type == "sidx" }).body
    let count = reader.number(sidx.lowerBound + 22, 2)
    #expect(count == 4)
    var offset = sidx.upperBound + reader.number(sidx.lowerBound + 16, 4)
    // The last fragments have sound alone: nothing is left of them.
    for entry in 0..<count where reader.number(sidx.lowerBound + 24 + 12 * entry, 4) > 0 {
      #expect(top.contains { $0.type == "moof" && $0.start == offset }, "entry \(entry)")
      offset += reader.number(sidx.lowerBound + 24 + 12 * entry, 4)
    }
    #expect(offset == output.count)
  }

  @Test("The numbers of fragments are no place for a text, though no fragment follows")
  func textInDefaults() throws {
    var movie = TinyMovie.film
    movie.fragments = .fromMoof
    let bytes = movie.bytes
    let moof = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("moof".utf8)) })
    var start = Array(bytes[..<(moof - 4)])
    let trex = try #require(start.indices.first { start[$0...].starts(with: Array("trex".utf8)) })
    #expect(try stripMovie(start).output.contains("trex"))
    start.replaceSubrange((trex + 12)..<(trex + 28), with: Array("Ann Other, Kiel.".utf8))
    #expect(code { _ = try stripMovie(start) } == .damaged)
  }

  @Test("What cannot be told or lies elsewhere is refused")
  func refused() throws {
    let refusal = { (change: (inout MovieFixture) -> Void) -> MetadataError.Code? in
      var movie = TinyMovie.film
      change(&movie)
      return code { _ = try stripMovie(movie.bytes) }
    }
    #expect(refusal { $0.tracks[0].entry = TinyMovie.entry("xyzw") } == .stripUnsupported)
    #expect(refusal { $0.tracks[1].entry = TinyMovie.entry("enca") } == .stripUnsupported)
    #expect(refusal { $0.tracks[0].url = Array("file:///x".utf8) } == .stripUnsupported)
    #expect(refusal { $0.inMovie = isoBox("cmov", []) } == .stripUnsupported)
    #expect(refusal { $0.inMovie = isoBox("rmra", []) } == .stripUnsupported)
    #expect(refusal { $0.tracks = [$0.tracks[2]] } == .stripUnsupported)
    #expect(refusal { $0.tracks[1].number = 1 } == .damaged)
    #expect(refusal { $0.behind = isoBox("moov", []) } == .damaged)
    #expect(refusal { _ in } == nil)
    var silent = TinyMovie.film
    silent.tracks.remove(at: 0)
    #expect(code { _ = try stripMovie(silent.bytes, StripOptions(removesAudio: true)) } != nil)
    silent.tracks.remove(at: 1)
    #expect(code { _ = try muteMovie(silent.bytes) } == .stripUnsupported)
  }

  @Test("Pictures of chapters and a still beside a film go")
  func thumbnails() throws {
    var movie = TinyMovie.film
    let still = isoBox("jpeg", Array(TinyMovie.avc1()[8..<86]))
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    movie.tracks.append(.init(number: 4, handler: "vide", entry: still, samples: [picture]))
    movie.tracks.append(
      .init(number: 5, handler: "vide", entry: TinyMovie.avc1(), samples: [TinyMovie.slice("chapter")])
    )
    movie.tracks[0].inTrak = isoBox("tref", isoBox("chap", big(5)))
    let (output, list) = try stripMovie(movie.bytes)
    #expect(Set(read(output).handlers.keys) == [1, 2])
    #expect(!output.contains("chapter") && !output.contains("tref"))
    #expect(list.removedNames["video track"] == 2)
  }

  @Test("Sound without compression has chunks of its own lengths")
  func uncompressed() throws {
    // One byte of table a sample, four bytes of sound: 16 bits, two channels.
    let head =
      big(0) + big(1) + big(0) + big(0) + big(2, 2) + big(16, 2) + big(0)
      + big(44_100 << 16)
    var movie = TinyMovie.film
    movie.isQuickTime = true
    movie.tracks[1] = .init(
      number: 2,
      handler: "soun",
      entry: isoBox("sowt", head),
      samples: [Array("12345678".utf8), Array("abcdefgh".utf8)],
      duration: 1
    )
    movie.samplesPerChunk = 1
    var bytes = movie.bytes
    // Two samples of four bytes in each chunk, of which the table says that they have one byte.
    let sizes = big(0) + big(2) + big(8) + big(8)
    let stsz = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("stsz".utf8) + big(0) + sizes) }
    )
    bytes.replaceSubrange((stsz + 8)..<(stsz + 16), with: big(1) + big(4))
    let stsc = bytes[..<stsz].lastIndex(of: UInt8(ascii: "c")) ?? 0
    bytes.replaceSubrange((stsc + 13)..<(stsc + 17), with: big(2))
    let stts = Array("stts".utf8) + big(0) + big(1) + big(2) + big(1)
    let time = try #require(bytes.indices.first { bytes[$0...].starts(with: stts) })
    bytes.replaceSubrange((time + 12)..<(time + 16), with: big(4))
    let output = try stripMovie(bytes).output
    for text in ["12345678", "abcdefgh"] { #expect(output.contains(text)) }
    #expect(!output.contains("gps"))
  }
  @Test("The configuration of the other eye stays, and what it cannot hold is refused")
  func otherEye() throws {
    // Five bytes, the number of arrays, one SPS and one PPS: the box of a spatial video of an iPhone.
    let head: [UInt8] = [1, 0xF0, 0, 0xFC, 0xCB]
    let sets =
      TinyCoded.array(33, [[0x42, 9, 0x0E, 0x82, 0x2E]])
      + TinyCoded.array(34, [[0x44, 9, 0x48, 2]])
    let layers = isoBox("lhvC", head + [2] + sets)
    var movie = TinyMovie.film
    movie.tracks[0].entry = TinyMovie.avc1(layers)
    let output = try stripMovie(movie.bytes).output
    #expect(output.contains(layers))
    #expect(try stripMovie(output).output == output)
    let text = TinyCoded.array(40, [Array("a text".utf8)])
    movie.tracks[0].entry = TinyMovie.avc1(isoBox("lhvC", head + [1] + text))
    #expect(code { _ = try stripMovie(movie.bytes) } == .stripUnsupported)
  }

  @Test("Code points without the byte of their range are of limited range", arguments: [0, 1, 6])
  func shortCodePoints(missing: Int) throws {
    let points: [UInt8] = [0, 1, 0, 1, 0, 1, 0]
    let color = isoBox("colr", Array("nclx".utf8) + points.dropLast(missing))
    var movie = TinyMovie.film
    movie.tracks[0].entry = TinyMovie.avc1(color)
    guard missing < 2 else {
      #expect(code { _ = try stripMovie(movie.bytes) } == .damaged)
      return
    }
    let output = try stripMovie(movie.bytes).output
    #expect(output.contains(isoBox("colr", Array("nclx".utf8) + points)))
    #expect(try stripMovie(output).output == output)
  }

  @Test(
    "ffmpeg decodes the same pictures, and ffprobe finds the same colors, of a stripped spatial video",
    .enabled(if: Tool.exists("ffmpeg") && Tool.exists("ffprobe"), "no ffmpeg or no ffprobe"),
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: ["water_180_mvhevc_5frames.mov", "sample_18byte_nclx_colr.mp4"]
  )
  func realFiles(name: String) throws {
    let path = try #require(
      Corpus.files(beneath: "third").first { $0.hasSuffix("/" + name) },
      "\(name) is not in the corpus"
    )
    let folder = TemporaryFolder()
    let output = "\(folder.path)/\(name)"
    let bytes = try stripMovie(try readBytes(path)).output
    try Data(bytes).write(to: URL(fileURLWithPath: output))
    let entries = "stream=width,height,color_range,color_space,color_transfer,color_primaries"
    let outputs = try [path, output].map { file in
      let frames = ["-v", "quiet", "-i", file, "-map", "0:v:0", "-f", "hash", "-"]
      let probe = ["-v", "quiet", "-select_streams", "v:0", "-show_entries", entries, file]
      return try Tool.run("ffmpeg", frames).output + Tool.run("ffprobe", probe).output
    }
    #expect(outputs[0].hasPrefix("SHA256=") && outputs[0] == outputs[1])
  }
}
