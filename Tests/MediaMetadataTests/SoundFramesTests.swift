import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Samples of sound that are frames, and what else stands in their place.
@Suite("Samples and packets that are no sound")
struct SoundFramesTests {
  private static let text = Array("CNRY Jane Doe, 48.1371N 11.5754E".utf8)

  /// A frame of so many bytes that begins with `head` and ends with the checksum of AC-3.
  private static func checked(_ head: [UInt8], _ count: Int) -> [UInt8] {
    let frame = head + [UInt8](repeating: 0x5A, count: count - head.count - 2)
    return frame + big(TinyFLAC.sum(Array(frame.dropFirst(2)), bits: 16, polynomial: 0x8005), 2)
  }

  /// 32 kbit/s at 48,000 Hz.
  private static let ac3 = checked([0x0B, 0x77, 0, 0, 0, 8 << 3], 128)
  private static let enhanced = checked([0x0B, 0x77, 0, 31, 0, 16 << 3], 64)
  /// A core of 96 bytes, and an extension of 64.
  private static let core =
    [0x7F, 0xFE, 0x80, 0x01, 0xFC, 0x3C, 0x05, 0xF0] + [UInt8](repeating: 0x5A, count: 88)
  private static let expansion =
    [0x64, 0x58, 0x20, 0x25, 0, 0x02, 0xE0, 0x07, 0xE0] + [UInt8](repeating: 0x5A, count: 55)
  private static let trueHD = [0xA0, 0x10, 0x12, 0x34] + [UInt8](repeating: 0x5A, count: 28)

  private static let frames: [(SoundFrames, [UInt8])] = [
    (.ac3, ac3), (.ac3, enhanced), (.ac3, enhanced + enhanced), (.dts, core),
    (.dts, core + expansion),
    (.dts, expansion), (.trueHD, trueHD), (.flac, TinyFLAC.frame(3)), (.mpeg, TinyMP3.frame),
    (.mpeg, TinyMP3.frame + TinyMP3.frame), (.vorbis, [2, 4, 6]),
    (.opus(streams: 1), [0xFC, 1, 2]),
    (.opus(streams: 1), [0xFD, 1, 2, 3, 4]), (.opus(streams: 1), [0xFE, 1, 9, 8, 7]),
    (.opus(streams: 1), [0xFF, 0x42, 2, 1, 2, 0, 0]),
    (.opus(streams: 2), [0xFC, 2, 1, 2, 0xFC, 3]),
  ]

  @Test(
    "A header of MPEG audio of any version and layer gives the length of its frame",
    arguments: [
      // 128 kbit/s and 44,100 Hz of layers III, II and I, with padding, and a free rate.
      (0xFFFB_9064, 417), (0xFFFB_9264, 418), (0xFFFD_8064, 417), (0xFFFF_4064, 136),
      (0xFFFF_4264, 140), (0xFFFB_0064, nil),
      // 64 kbit/s of versions 2 (22,050 Hz) and 2.5 (11,025 Hz), layer III, and layer II of version 2.
      (0xFFF3_8064, 208), (0xFFE3_8064, 417), (0xFFF5_8064, 417),
    ] as [(Int, Int?)]
  )
  func header(word: Int, length: Int?) throws {
    let header = try #require(MPEGAudioHeader(of: ByteSource(big(word)), at: 0))
    #expect(header.length == length)
    let isThird = header.layer == 3
    #expect(MPEGAudioFrame(of: ByteSource(big(word)), at: 0)?.length == (isThird ? length : nil))
    for wrong in [0xFFEB_9064, 0xFFF9_9064, 0xFFFB_F064, 0xFFFB_9C64] {
      #expect(MPEGAudioHeader(of: ByteSource(big(wrong)), at: 0) == nil)
    }
  }

  @Test("Frames are told from texts, and what follows one is cut")
  func frames() throws {
    for (coding, frame) in Self.frames {
      let bitstream = Bitstream.sound(coding)
      #expect(try CodedTextTests.kept(bitstream, frame) == frame, "\(coding)")
      for count in 13...32 {
        let text = Array(Self.text.prefix(count))
        if coding == .vorbis { continue }
        #expect(try CodedTextTests.kept(bitstream, text) == [], "\(coding) \(count)")
      }
      if case .opus = coding { continue }
      if coding == .vorbis { continue }
      let cut = try CodedTextTests.kept(bitstream, frame + Self.text)
      #expect(cut == (coding == .flac ? [] : frame), "\(coding)")
      guard coding == .ac3 || coding == .flac else { continue }
      var changed = frame
      changed[frame.count / 2] ^= 1
      #expect(try CodedTextTests.kept(bitstream, changed).count < frame.count, "\(coding)")
    }
    #expect(try CodedTextTests.kept(.sound(.vorbis), [3] + Self.text) == [])
    // Words whose bytes are in the other order are decoded too.
    let turned = stride(from: 0, to: 128, by: 2).flatMap { [Self.ac3[$0 + 1], Self.ac3[$0]] }
    #expect(try CodedTextTests.kept(.sound(.ac3), turned) == turned)
  }

  @Test("A sample of text goes from an MP4 and from a Matroska, and the frames beside it stay")
  func samples() throws {
    let head = Array(TinyMovie.mp4a()[8..<36])
    for (entry, codec, frame) in [
      ("ac-3", "A_AC3", Self.ac3), ("ec-3", "A_EAC3", Self.enhanced), ("dtsc", "A_DTS", Self.core),
      ("mlpa", "A_TRUEHD", Self.trueHD), ("fLaC", "", TinyFLAC.frame(0)),
      (".mp3", "A_MPEG/L3", TinyMP3.frame),
    ] {
      var movie = TinyMovie.film
      movie.tracks = [movie.tracks[1]]
      movie.tracks[0].entry = isoBox(entry, head)
      movie.tracks[0].samples = [frame, Self.text, frame]
      let output = try stripMovie(movie.bytes).output
      #expect(read(output).samples[2] == [frame, [], frame], "\(entry)")
      #expect(try stripMovie(output).output == output)
      if codec.isEmpty { continue }
      let film = TinyMatroska.file(
        tracks: TinyMatroska.video() + TinyMatroska.sound(codec: codec, own: []),
        clusters: TinyMatroska.cluster(
          TinyMatroska.block(1, 0, [1, 2, 3]) + TinyMatroska.block(2, 0, frame)
            + TinyMatroska.block(2, 10, Self.text) + TinyMatroska.block(2, 20, frame)
        )
      )
      let stripped = try strip(film, .mkv).output
      #expect(stripped.contains(frame) && !stripped.contains("CNRY"), "\(codec)")
      #expect(try strip(stripped, .mkv).output == stripped)
    }
  }

  @Test("Frames whose first bytes are in the track's header are looked at with them")
  func shared() throws {
    let settings = TinyMatroska.element(0x4254, [3]) + TinyMatroska.element(0x4255, [0x0B, 0x77])
    let encodings = TinyMatroska.element(
      0x6D80,
      TinyMatroska.element(0x6240, TinyMatroska.element(0x5034, settings))
    )
    let tracks = TinyMatroska.video() + TinyMatroska.sound(encodings, codec: "A_AC3", own: [])
    let rest = Array(Self.ac3.dropFirst(2))
    let cluster = { (more: [UInt8]) in
      TinyMatroska.cluster(
        TinyMatroska.block(1, 0, [1, 2, 3]) + TinyMatroska.block(2, 0, rest) + more
          + TinyMatroska.block(2, 20, rest)
      )
    }
    let clean = try strip(TinyMatroska.file(tracks: tracks, clusters: cluster([])), .mkv).output
    #expect(clean.contains([0x0B, 0x77]) && clean.contains(rest))
    let text = TinyMatroska.block(2, 10, Self.text)
    let output = try strip(TinyMatroska.file(tracks: tracks, clusters: cluster(text)), .mkv).output
    #expect(output == clean)
  }

  @Test("The sound of an AVI is frames, whether or not chunks end with them")
  func interleaved() throws {
    var format: [UInt8] = [0x55, 0, 1, 0]
    format += little(44_100) + little(16_000)
    format += [1, 0, 0, 0, 12, 0, 1, 0, 2, 0, 0, 0, 0xA2, 1, 1, 0, 0, 0]
    let sound = TinyAVI.list("strl", TinyAVI.head("auds") + riffChunk("strf", format))
    let frames = TinyMP3.frames
    let file = { (chunks: [[UInt8]]) in
      TinyAVI.file(
        streams: TinyAVI.video() + sound,
        data: riffChunk("00db", TinyAVI.picture) + chunks.flatMap { riffChunk("01wb", $0) },
        index: []
      )
    }
    // Frames in chunks of their own, and frames that chunks divide.
    for chunks in [
      [TinyMP3.frame, Self.text, TinyMP3.frame], [TinyMP3.frame + Self.text, TinyMP3.frame],
      [Array(frames.prefix(600)), Array(frames.dropFirst(600)) + Self.text, TinyMP3.frame],
    ] {
      let output = try strip(file(chunks), .avi).output
      #expect(!output.contains("CNRY") && output.contains(TinyMP3.head))
      #expect(try strip(output, .avi).output == output)
    }
    let whole = [Array(frames.prefix(600)), Array(frames.dropFirst(600))]
    let clean = try strip(file(whole), .avi)
    #expect(clean.list.removedNames[SoundFrames.noFrame] == nil)
  }

  // MARK: Ogg

  @Test("Of an Ogg the packets that are sound stay, and nothing behind the page that ends it")
  func packets() throws {
    typealias T = TinyOgg
    let behind = T.page([T.packets[0], Self.text], granule: 9600, sequence: 4)
    #expect(try strip(T.opus(after: behind), .ogg).output == T.opus())
    let vorbis = { (packets: [[UInt8]]) in
      T.page([T.vorbisHead], flags: 2, sequence: 0)
        + T.page([[3] + Array("vorbis".utf8) + TinyFLAC.comment([]) + [1], T.setup], sequence: 1)
        + T.page(packets, flags: 4, granule: 44_100, sequence: 2)
    }
    let clean = try strip(vorbis([[2, 4, 6], [8, 10]]), .ogg).output
    let header: [UInt8] = [5] + Array("vorbis".utf8)
    for other in [[3] + Self.text, header + Self.text, [0xFF] + Self.text] {
      let (output, list) = try strip(vorbis([[2, 4, 6], other, [8, 10]]), .ogg)
      #expect(output == clean)
      #expect(list.removedNames["packet that is no sound"] == 1)
    }
    // A packet with a table of contents that cannot be.
    let headers = T.page([T.opusHead], flags: 2, sequence: 0) + T.page([T.tags()], sequence: 1)
    let file = { (packets: [[UInt8]]) in
      headers + T.page(packets, flags: 4, granule: 4800, sequence: 2)
    }
    let wrong: [UInt8] = [0x43, 0x4E] + Self.text
    #expect(try strip(file([T.packets[0], wrong]), .ogg).output == file([T.packets[0]]))
  }

  /// A setup header of Vorbis with one of each part, written from numbers and their bits.
  private static let setup: [UInt8] = {
    let parts = [
      // A codebook of two entries of one bit, without values; a transform in time.
      (0, 8), (0x564342, 24), (1, 16), (2, 24), (0, 2), (0, 10), (0, 4), (0, 6), (0, 16),
      // A floor without partitions, and a residue.
      (0, 6), (1, 16), (0, 5), (0, 6), (0, 6), (2, 16), (0, 72), (0, 6), (0, 8), (0, 4),
      // A mapping, a mode, and the bit that ends the header.
      (0, 6), (0, 16), (0, 4), (0, 24), (0, 6), (0, 41), (1, 1),
    ]
    var bits = parts.flatMap { value, count in
      (0..<count).map { $0 < 32 ? value >> $0 & 1 : 0 }
    }
    bits += [Int](repeating: 0, count: (8 - bits.count % 8) % 8)
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
    }
    return [5] + Array("vorbis".utf8) + bytes
  }()

  @Test("The setup header of Vorbis ends with its framing bit, in an Ogg and in a Matroska")
  func setupHeader() throws {
    typealias T = TinyOgg
    #expect(VorbisSetup.length(of: Self.setup, channels: 2) == Self.setup.count)
    #expect(VorbisSetup.length(of: Self.setup + Self.text, channels: 2) == Self.setup.count)
    #expect(VorbisSetup.length(of: Array(Self.setup.dropLast()), channels: 2) == nil)
    let comment = [3] + Array("vorbis".utf8) + TinyFLAC.comment([]) + [1]
    let file = { (setup: [UInt8]) in
      T.page([T.vorbisHead], flags: 2, sequence: 0) + T.page([comment, setup], sequence: 1)
        + T.page([[2, 4, 6], [8, 10]], flags: 4, granule: 44_100, sequence: 2)
    }
    let clean = try strip(file(Self.setup), .ogg).output
    #expect(try strip(file(Self.setup + Self.text), .ogg).output == clean)
    let own = { (setup: [UInt8]) in
      [2, 30, UInt8(comment.count)] + T.vorbisHead + comment + setup
    }
    let film = { (setup: [UInt8]) in
      TinyMatroska.file(
        tracks: TinyMatroska.video() + TinyMatroska.sound(codec: "A_VORBIS", own: own(setup)),
        clusters: TinyMatroska.cluster(
          TinyMatroska.block(1, 0, [1, 2, 3]) + TinyMatroska.block(2, 0, [2, 4, 6])
        )
      )
    }
    let whole = try strip(film(Self.setup), .mkv).output
    #expect(try strip(film(Self.setup + Self.text), .mkv).output == whole)
  }

  @Test("A FLAC packet in an Ogg is a frame whose checksum is right, also over several pages")
  func flacPackets() throws {
    typealias T = TinyOgg
    let head =
      [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8)
      + TinyFLAC.block(0, TinyFLAC.information())
    let comment = TinyFLAC.block(4, TinyFLAC.comment([]), isLast: true)
    let headers = T.page([head], flags: 2, sequence: 0) + T.page([comment], sequence: 1)
    let sound = T.page([TinyFLAC.frame(0), TinyFLAC.frame(1)], granule: 384, sequence: 2)
    let last = T.page([TinyFLAC.frame(2)], flags: 4, granule: 576, sequence: 3)
    let clean = headers + sound + last
    #expect(try strip(clean, .ogg).output == clean)
    var changed = TinyFLAC.frame(1)
    changed[7] ^= 1
    for packet in [Self.text, changed, [0xFF, 0xF8] + Self.text] {
      let page = T.page([TinyFLAC.frame(0), packet, TinyFLAC.frame(1)], granule: 384, sequence: 2)
      #expect(try strip(headers + page + last, .ogg).output == clean)
    }
    // 510 bytes of text that begin on one page and end on the next one.
    let long = (0..<510).map { Self.text[$0 % Self.text.count] }
    let first = T.page(
      lacing: [11, 11, 255],
      TinyFLAC.frame(0) + TinyFLAC.frame(1) + long.prefix(255),
      granule: 384,
      sequence: 2
    )
    let second = T.page(
      lacing: [255, 0, 11],
      long.suffix(255) + TinyFLAC.frame(2),
      flags: 5,
      granule: 576,
      sequence: 3
    )
    #expect(try strip(headers + first + second, .ogg).output == clean)
    // What is left of a packet whose page is missing is not played.
    #expect(try strip(headers + sound + second, .ogg).output == clean)
  }

  // MARK: FLAC

  @Test("Blocks of several lengths under a mark of one length are numbered by their samples")
  func earlyBlocks() throws {
    // 192 or 576 samples of one value.
    func frame(_ number: [UInt8], isLong: Bool) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xF8, isLong ? 0x29 : 0x19, 0x08] + number
      bytes.append(UInt8(TinyFLAC.sum(bytes, bits: 8, polynomial: 0x07)))
      bytes += [0, 0, 5]
      return bytes + big(TinyFLAC.sum(bytes, bits: 16, polynomial: 0x8005), 2)
    }
    let information = big(192, 2) + big(576, 2) + TinyFLAC.information(samples: 960).dropFirst(4)
    let frames =
      frame([0], isLong: true) + frame([0xC9, 0x80], isLong: false)
      + frame([0xCC, 0x80], isLong: false)
    let file = TinyFLAC.file(information: information, frames: frames)
    #expect(withSource(file) { Completeness.missingPart(of: $0, format: .flac) } == nil)
    #expect(try strip(file, .flac).output == file)
    // One frame is missing.
    let cut = TinyFLAC.file(
      information: information,
      frames: frame([0], isLong: true) + frame([0xCC, 0x80], isLong: false)
    )
    #expect(code { _ = try strip(cut, .flac) } == .damaged)
  }
}
