import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Forms of files that programs show, and of tables that pictures use.
@Suite("Files of unusual forms that programs show, and tables that no picture uses")
struct HealthyFilesTests {
  private static let text = Array("CNRY Jane Doe, 48.1371N 11.5754E".utf8)

  // MARK: JPEG

  private static func table(_ head: UInt8, _ fill: UInt8 = 16) -> [UInt8] {
    [head] + [UInt8](repeating: fill, count: 64)
  }
  /// A table of one code with so many symbols of no meaning.
  private static func codes(_ head: UInt8, _ symbols: [UInt8] = [0]) -> [UInt8] {
    [head, UInt8(symbols.count)] + [UInt8](repeating: 0, count: 15) + symbols
  }

  @Test("A condition of arithmetic coding stays in pictures that are coded so, with known values")
  func conditions() throws {
    let pairs = (Self.text + Self.text).prefix(60)
    for conditions in [
      TinyJPEG.segment(0xCC, "", Array(pairs)), TinyJPEG.segment(0xCC, "", [0, 0x10]),
    ] {
      for file in [
        TinyJPEG.file(conditions), TinyJPEG.file(scan: conditions + TinyJPEG.scan),
        TinyJPEG.file(scan: TinyJPEG.scan + conditions),
      ] {
        let (output, list) = try strip(file, .jpeg)
        #expect(output == TinyJPEG.file())
        #expect(list.removedNames == ["DAC": 1])
      }
    }
    var frame = TinyJPEG.sof
    frame[1] = 0xC9
    let known = TinyJPEG.segment(0xCC, "", [0, 0x10, 0x10, 5])
    let picture = { (segments: [UInt8], after: [UInt8]) in
      TinyJPEG.soi + TinyJPEG.dqt + frame + segments + TinyJPEG.scan + after + TinyJPEG.eoi
    }
    #expect(try strip(picture(known, []), .jpeg).output == picture(known, []))
    #expect(try strip(picture(known, known), .jpeg).output == picture(known, []))
    // No scan of such a picture uses a Huffman table.
    #expect(try strip(picture(known + TinyJPEG.dht, []), .jpeg).output == picture(known, []))
    let wrong = picture(TinyJPEG.segment(0xCC, "", Array(Self.text)), [])
    #expect(code { _ = try strip(wrong, .jpeg) } == .damaged)
  }

  @Test("Tables that no scan names, that others replace, or that stand behind the last scan go")
  func tables() throws {
    let quantization = { (tables: [UInt8]) in TinyJPEG.segment(0xDB, "", tables) }
    let huffman = { (tables: [UInt8]) in TinyJPEG.segment(0xC4, "", tables) }
    let clean = TinyJPEG.file()
    for unused in [
      quantization(Self.table(1, 0x4A)), quantization(Self.table(0, 0x4A)),
      huffman(Self.codes(1, Self.text)),
      huffman(Self.codes(0x13, Self.text)), huffman(Self.codes(0, Self.text)),
      huffman(Self.codes(1, Self.text) + Self.codes(0x12, Self.text)),
    ] {
      let (output, list) = try strip(TinyJPEG.file(unused), .jpeg)
      #expect(output == clean)
      #expect(list.removedNames.values.reduce(0, +) == 1)
    }
    for behind in [
      quantization(Self.table(0, 0x4A)), huffman(Self.codes(0, Self.text)),
      quantization(Self.table(3)),
      TinyJPEG.segment(0xDD, "", [0, 9]),
    ] {
      #expect(try strip(TinyJPEG.file(scan: TinyJPEG.scan + behind), .jpeg).output == clean)
      let verdict = withSource(TinyJPEG.file(scan: TinyJPEG.scan + behind)) { source in
        code { try Stripper.verify(output: source, format: .jpeg) }
      }
      #expect(verdict == .residue)
    }
    // Of a segment with several tables the others stay; a later scan may use another one.
    let mixed = huffman(Self.codes(0, Self.text) + Self.codes(0x10) + Self.codes(0))
    let parts = TinyJPEG.soi + TinyJPEG.dqt + TinyJPEG.sof
    let written = huffman(Self.codes(0x10) + Self.codes(0))
    #expect(
      try strip(parts + mixed + TinyJPEG.scan + TinyJPEG.eoi, .jpeg).output
        == parts + written + TinyJPEG.scan + TinyJPEG.eoi
    )
    let second = TinyJPEG.segment(0xDA, "", [1, 1, 0x11, 0, 63, 0]) + [0x3F]
    var two = parts + TinyJPEG.dht + huffman(Self.codes(1) + Self.codes(0x11))
    two += TinyJPEG.scan + second + TinyJPEG.eoi
    #expect(try strip(two, .jpeg).output == two)
  }

  @Test("Motion JPEG loses conditions, and tables behind the last scan")
  func motion() throws {
    let picture = TinyJPEG.file()
    let conditions = TinyJPEG.segment(0xCC, "", Self.text)
    let table = TinyJPEG.segment(0xC4, "", Self.codes(0, Self.text))
    for sample in [
      TinyJPEG.file(conditions), TinyJPEG.file(scan: TinyJPEG.scan + conditions),
      TinyJPEG.file(scan: TinyJPEG.scan + table),
      TinyJPEG.file(scan: TinyJPEG.scan + table + table),
    ] {
      #expect(try CodedTextTests.kept(.jpeg, sample) == picture)
      #expect(try CodedTextTests.kept(.jpeg, sample + sample) == picture + picture)
    }
    // Segments end behind their fields, and others of their markers have none.
    func longer(_ segment: [UInt8]) -> [UInt8] {
      TinyJPEG.segment(segment[1], "", segment.dropFirst(4) + Self.text)
    }
    let (scan, interval) = (TinyJPEG.scan.dropLast(), TinyJPEG.segment(0xDD, "", [0, 4]))
    let tables = TinyJPEG.soi + TinyJPEG.dqt
    let rest = TinyJPEG.dht + TinyJPEG.scan + TinyJPEG.eoi
    #expect(try CodedTextTests.kept(.jpeg, tables + longer(TinyJPEG.sof) + rest) == picture)
    let long = TinyJPEG.file(longer(interval), scan: longer(Array(scan)) + [0x3F])
    #expect(try CodedTextTests.kept(.jpeg, long) == TinyJPEG.file(interval))
    for marker: UInt8 in [0xC0, 0xC1, 0xC8, 0xDC, 0xDD] {
      // Of a frame the sixth byte counts components.
      let isLine = marker >= 0xDC
      let count = isLine ? Self.text.count : 6 + 3 * Int(Self.text[5])
      let text = (0..<count).map { Self.text[$0 % Self.text.count] }
      let kept = try CodedTextTests.kept(.jpeg, TinyJPEG.file(TinyJPEG.segment(marker, "", text)))
      let line = isLine ? TinyJPEG.segment(marker, "", Array(text.prefix(2))) : []
      #expect(kept == TinyJPEG.file(line), "\(marker)")
    }
    // A table of a later picture may stand in this one.
    let early = TinyJPEG.file(TinyJPEG.segment(0xC4, "", Self.codes(1)))
    #expect(try CodedTextTests.kept(.jpeg, early) == early)
  }

  // MARK: JPEG 2000

  @Test("Maps and meanings of a JP2's channels name what is there")
  func channels() throws {
    let clean = TinyJP2.file()
    let map = isoBox("cmap", Array(Self.text.prefix(28)))
    #expect(try strip(TinyJP2.file(color: TinyJP2.gray + map), .jp2).output == clean)
    #expect(try strip(TinyJP2.file(map), .jp2).output == clean)
    let palette = TinyJP2.gray + isoBox("pclr", [0, 1, 2, 7, 7, 1, 2])
    let good = isoBox("cmap", [0, 0, 1, 0, 0, 0, 1, 1])
    for wrong: [UInt8] in [
      Array(Self.text.prefix(28)), [0, 0, 1, 0, 0, 0, 1, 2], [0, 9, 1, 0, 0, 0, 1, 1],
      [0, 0, 1, 0, 65],
      [0, 0, 1, 0, 0, 0, 1, 0],
    ] {
      let file = TinyJP2.file(color: palette + isoBox("cmap", wrong))
      #expect(code { _ = try strip(file, .jp2) } == .damaged, "\(wrong)")
    }
    let meanings = { (entries: [UInt8]) in
      TinyJP2.file(color: palette + good + isoBox("cdef", [0, UInt8(entries.count / 6)] + entries))
    }
    let alpha = meanings([0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0])
    #expect(try strip(alpha, .jp2).output == alpha)
    for wrong: [UInt8] in [
      Array(Self.text.prefix(24)), [0, 2, 0, 0, 0, 0], [0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 0, 9],
      [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
    ] {
      #expect(code { _ = try strip(meanings(wrong), .jp2) } == .damaged, "\(wrong)")
    }
  }

  // MARK: Films

  @Test(
    "H.264 with its parameter sets within the frames, as browsers record it, loses the same units"
  )
  func browser() throws {
    let start: [UInt8] = [0, 0, 0, 1]
    let sets = start + [0x67, 66, 0, 10, 0xF8] + start + [0x68, 0xCE, 0x38, 0x80]
    let user: [UInt8] = start + [6, 5, 48] + [UInt8](repeating: 7, count: 16) + Self.text + [0x80]
    let slice = { (number: UInt8) in start + [0x65, 0x88, 0x84, number, 0x10] }
    let film = { (first: [UInt8], second: [UInt8]) in
      TinyMatroska.file(
        tracks: TinyMatroska.video(codec: "V_MPEG4/ISO/AVC") + TinyMatroska.sound(),
        clusters: TinyMatroska.cluster(
          TinyMatroska.block(1, 0, first) + TinyMatroska.block(1, 40, second, flags: 0)
        )
      )
    }
    let clean = film(sets + slice(1), slice(2))
    let output = try strip(film(sets + user + slice(1), user + slice(2)), .mkv).output
    #expect(try output == strip(clean, .mkv).output)
    #expect(output.contains(sets + slice(1)) && output.contains(slice(2)))
    #expect(try strip(output, .mkv).output == output)
    // Without sets it is not known what the frames are.
    #expect(code { _ = try strip(film(slice(1), slice(2)), .mkv) } == .stripUnsupported)
  }

  @Test("A sequence of pictures whose primary picture has no item is a sequence")
  func sequence() throws {
    var movie = MovieFixture()
    movie.brands = ["avis", "msf1"]
    movie.isMovieFirst = true
    let kind = big(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 12)
    movie.ahead = isoFullBox("meta", isoFullBox("hdlr", kind + Self.text))
    movie.tracks = [
      .init(
        number: 1,
        handler: "pict",
        entry: TinyMovie.avc1(isoFullBox("ccst", big(0))),
        samples: [TinyMovie.slice("one"), TinyMovie.slice("two")]
      )
    ]
    #expect(format(of: movie.bytes) == .avif)
    #expect(try facts(of: movie.bytes).pixelSize == PixelSize(width: 64, height: 48))
    let output = try strip(movie.bytes, .avif).output
    #expect(output.contains("one") && output.contains("two") && !output.contains("CNRY"))
    #expect(try strip(output, .avif).output == output)
    #expect(format(of: output) == .avif)
  }

  @Test(
    "A movie of unknown brands is one by its tracks, and one with a compressed header has no facts"
  )
  func brands() throws {
    var movie = TinyMovie.film
    movie.brands = ["ianb", "zzzz"]
    #expect(format(of: movie.bytes) == .mp4)
    movie.tracks.removeFirst()
    #expect(format(of: movie.bytes) == .m4a)
    #expect(try !strip(movie.bytes, .m4a).output.contains("ianb"))
    movie.tracks.removeFirst()
    #expect(format(of: movie.bytes) == nil)
    let header = isoBox("cmov", isoBox("dcom", Array("zlib".utf8)), isoBox("cmvd", big(9) + [1, 2]))
    let compressed = isoBox("moov", header) + isoBox("mdat", [1, 2, 3])
    #expect(format(of: compressed) == .mov)
    #expect(try facts(of: compressed).durationMilliseconds == nil)
    #expect(code { _ = try strip(compressed, .mov) } == .stripUnsupported)
  }

  /// A transport stream of a program with streams of these types.
  private static func transport(_ types: [UInt8]) -> [UInt8] {
    func packet(_ identifier: Int, _ payload: [UInt8]) -> [UInt8] {
      let head = [0x47, 0x40 | UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0x10]
      return head + payload + [UInt8](repeating: 0xFF, count: 184 - payload.count)
    }
    let programs: [UInt8] = [0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE1, 0, 1, 2, 3, 4]
    let streams = types.enumerated().flatMap { number, type -> [UInt8] in
      [type, 0xE1, UInt8(number + 1), 0xF0, 0]
    }
    let head: [UInt8] = [0, 2, 0xB0, UInt8(13 + streams.count), 0, 1, 0xC1, 0, 0, 0xE1, 1, 0xF0, 0]
    let sound = packet(0x101, [0, 0, 1, 0xC0, 0, 0, 0x80, 0, 0])
    let map = packet(0x100, head + streams + [1, 2, 3, 4])
    return packet(0, programs) + map + sound + sound + sound
  }

  @Test(
    "A transport stream of sound alone is one, and not stripped",
    arguments: [0x11, 0x0F, 3, 6, 0x82] as [UInt8]
  )
  func sound(type: UInt8) throws {
    let file = Self.transport([type])
    #expect(format(of: file) == .ts)
    #expect(try facts(of: file).tracks.count == 1)
    #expect(code { _ = try strip(file, .ts) } == .stripUnsupported)
    #expect(format(of: Self.transport([])) == nil)
  }
}
