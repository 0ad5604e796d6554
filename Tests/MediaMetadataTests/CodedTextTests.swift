import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Texts where only a reader of the coding finds them: configurations, and units of coded pictures.
@Suite("Texts within configurations and coded pictures")
struct CodedTextTests {
  static let text = Array("CNRY Jane Doe, 48.1371N 11.5754E".utf8)
  private typealias Bits = TinyAAC

  private static func cleaned(_ bytes: [UInt8]) throws -> [UInt8] {
    try AACConfiguration(bytes).bytes
  }

  // MARK: Sound

  /// A configuration of ALS at 8,000 Hz, whose fields begin with a file's type of 1 (WAV).
  private static func als(
    channels: Int = 2,
    flags: [UInt8] = [0x40, 0x0A, 0x18, 0x80],
    order: [UInt8] = [],
    header: [UInt8]?,
    trailer: [UInt8]? = [],
    isRead: Bool = true,
    after: [UInt8] = []
  ) -> [UInt8] {
    let sizes = [header, trailer].map { $0.map { big($0.count) } ?? [255, 255, 255, 255] }
    var bytes: [UInt8] = [0xF8, 0x9E, 0x00, 0x3E, 0x80, 0x00] + Array("ALS\0".utf8)
    bytes += big(8000) + big(1024) + big(channels - 1, 2) + [isRead ? 0x20 : 0, 0x03, 0xFF, 0]
    bytes += flags + order + sizes.flatMap { $0 } + (header ?? []) + (trailer ?? [])
    return bytes + [0xDB, 0xF2, 0xFB, 0x09] + after
  }

  @Test("Of a lossless coder's configuration no header, trailer or data of the coded file is left")
  func lossless() throws {
    let clean = Self.als(header: [], isRead: false)
    for (header, trailer) in [
      (Array("RIFF\0\0\0\0WAVE".utf8) + Self.text, []), ([], Self.text), (nil, nil),
      ([UInt8](repeating: 0x4A, count: 9000), Array("bext".utf8) + Self.text),
    ] as [([UInt8]?, [UInt8]?)] {
      #expect(try Self.cleaned(Self.als(header: header, trailer: trailer)) == clean)
    }
    let auxiliary = big(Self.text.count) + Self.text
    let flagged = Self.als(flags: [0x40, 0x0A, 0x18, 0xBF], header: [], after: auxiliary)
    #expect(try Self.cleaned(flagged) == clean)
    // The lengths of units stand in frames or nowhere.
    let units = Self.als(flags: [0x80, 0x0A, 0x18, 0x80], header: [], after: Self.text)
    let none = Self.als(flags: [0, 0x0A, 0x18, 0x80], header: [], isRead: false)
    #expect(try Self.cleaned(units) == none)
    #expect(try Self.cleaned(clean) == clean)
    for count in 0..<clean.count {
      #expect(code { _ = try Self.cleaned(Array(clean.prefix(count))) } != nil, "\(count)")
    }
  }

  @Test("The order of a lossless coder's channels is one, and nothing stands behind it")
  func order() throws {
    let flags: [UInt8] = [0x40, 0x0A, 0x19, 0x80]
    let file = { (channels: Int, order: [UInt8], isRead: Bool) in
      Self.als(channels: channels, flags: flags, order: order, header: [], isRead: isRead)
    }
    // Places of one bit, and of two.
    #expect(try Self.cleaned(file(2, [0x40 | 0x2A], true)) == file(2, [0x40], false))
    #expect(try Self.cleaned(file(3, [0b0010_0111], true)) == file(3, [0b0010_0100], false))
    #expect(try Self.cleaned(file(1, [], true)) == file(1, [], false))
    #expect(code { _ = try Self.cleaned(file(2, [0x4A], true)) } == nil)
    #expect(code { _ = try Self.cleaned(file(2, [0x0A], true)) } == .damaged)
    #expect(code { _ = try Self.cleaned(file(3, [0b1100_0100], true)) } == .damaged)
  }

  @Test("Other configurations of MPEG-4 sound end behind their fields, or are refused")
  func configurations() throws {
    let text = Bits.bits(of: Self.text)
    // Enhanced low delay; a layer of MPEG-1; low complexity with tools against errors.
    for bits in [
      "11111" + "000111" + "0100" + "0001" + "0000" + "0" + "0000" + "00",
      "11111" + "000010" + "0100" + "0010" + "0",
      "10001" + "0100" + "0010" + "0" + "0" + "1" + "0000" + "00",
    ] {
      #expect(try Self.cleaned(Bits.bytes(bits + text)) == Bits.bytes(bits))
    }
    // Unified speech and audio, whose fill is a text.
    let head = "11111" + "001010" + "0100" + "0001" + "00100" + "001" + "00001" + "0000" + "0000"
    let fill = { (content: String) in Bits.bytes(head + "1" + "00" + "0000" + "0100" + content) }
    let written = Bits.bits(of: Array(Self.text.prefix(4)))
    #expect(try Self.cleaned(fill(written + text)) == fill(String(repeating: "0", count: 32)))
    // Another coder, and protection against errors with a description.
    for bits in ["01000" + "0100" + "0001", "10001" + "0100" + "0010" + "000" + "10"] {
      #expect(code { _ = try Self.cleaned(Bits.bytes(bits + text)) } == .stripUnsupported)
    }
  }

  /// The entry of a track of MPEG-4, with a configuration.
  private static func entry(
    _ name: String,
    head: [UInt8],
    _ type: UInt8,
    _ specific: [UInt8],
    flags: [UInt8] = [0]
  ) -> [UInt8] {
    func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
      [tag, UInt8(body.count >> 14 & 0x7F) | 0x80, UInt8(body.count >> 7 & 0x7F) | 0x80]
        + [UInt8(body.count & 0x7F)] + body
    }
    let codec = [type, 0x15] + [UInt8](repeating: 0, count: 11) + descriptor(5, specific)
    let esds = descriptor(3, [0, 1] + flags + descriptor(4, codec) + descriptor(6, [2]))
    return isoBox(name, head, isoFullBox("esds", esds))
  }

  @Test(
    "A movie's sound keeps a configuration that its decoder needs, and an address of nothing goes"
  )
  func movie() throws {
    let head = Array(TinyMovie.mp4a()[8..<36])
    var movie = TinyMovie.film
    movie.tracks = [movie.tracks[1]]
    movie.tracks[0].samples = [Array("one".utf8), Array("two".utf8)]
    let als = Self.als(header: Self.text)
    let address = [0x40, UInt8(Self.text.count)] + Self.text
    for (type, specific, flags) in [
      (0x40, als, [0]), (0x40, als, address), (0x6A, Self.text, [0]), (0xA0, Self.text, [0]),
    ] as [(UInt8, [UInt8], [UInt8])] {
      movie.tracks[0].entry = Self.entry("mp4a", head: head, type, specific, flags: flags)
      #expect(movie.bytes.contains(Self.text))
      let output = try stripMovie(movie.bytes).output
      #expect(!output.contains("CNRY") && !output.contains("Jane"))
      #expect(output.contains(Self.als(header: [], isRead: false)) == (type == 0x40))
      #expect(output.contains("two"))
      #expect(try stripMovie(output).output == output)
    }
  }

  @Test("A receipt counts the texts in the header of a coded file by their class")
  func codedFile() throws {
    let artist = riffChunk("IART", Array("Jane Doe\0".utf8))
    let form = riffChunk("fmt ", [UInt8](repeating: 1, count: 16))
    let list = riffChunk("LIST", Array("INFO".utf8) + artist)
    let data: [UInt8] = Array("data".utf8) + little(4096)
    let header = Array("RIFF".utf8) + little(9999) + Array("WAVE".utf8) + form + list + data
    let head = Array(TinyMovie.mp4a()[8..<36])
    var movie = TinyMovie.film
    movie.tracks = [movie.tracks[1]]
    let als = Self.als(header: header, trailer: riffChunk("LIST", Array("INFO".utf8) + artist))
    movie.tracks[0].entry = Self.entry("mp4a", head: head, 0x40, als)
    let expected = try ReceiptTests.inspected(movie.bytes, .m4a, StripOptions())
    #expect(expected[.person] == 2)
    #expect(ReceiptTests.receipt(try strip(movie.bytes, .m4a).list) == expected)
  }

  @Test("Boxes of sound are written from numbers that can be, and a text is none of them")
  func boxes() throws {
    func written(_ type: FourCharacterCode, _ body: [UInt8]) -> [UInt8]? {
      SoundConfiguration.written(type, 0..<body.count, of: ByteSource(body))
    }
    let dts = big(48_000) + big(1_500_000) + big(1_500_000) + [24] + [0x4F, 0, 0, 0, 0, 0, 0x20]
    let ambisonic = [0, 0] + big(1) + [0, 0] + big(4) + big(0) + big(1) + big(2) + big(3)
    let decoder = [1, 2, 44_100, 96_000, 4096, 256, 1300].flatMap { big($0) }
    let range: [UInt8] = Array("ACLR0001".utf8) + big(1) + big(0)
    let bitmap = big(1 << 16) + big(3) + big(0) + big(0)
    for (type, body) in [
      ("ddts", dts), ("SA3D", ambisonic), ("QDCA", decoder), ("ACLR", range), ("chan", bitmap),
      ("chnl", [0, 0, 0, 0, 1, 0, 0, 1, 126, 0, 30, 0]), ("chnl", [1, 0, 0, 0, 0x10, 2, 2, 0]),
      ("dmlp", big(0x8000_0000) + [1, 2] + big(0)), ("mhaP", [2, 0x0B, 0x0C]),
      ("dac3", [16, 60, 64]),
    ] as [(FourCharacterCode, [UInt8])] {
      #expect(written(type, body) != nil, "\(type.name)")
      let again = written(type, body).flatMap { written(type, $0) }
      #expect(again == written(type, body), "\(type.name)")
      for count in [16, 20, 24, 28, 36, 64, 100] where type != "dmlp" && type != "dac3" {
        let text = (0..<count).map { Self.text[$0 % Self.text.count] }
        #expect(written(type, text) == nil, "\(type.name) \(count)")
      }
    }
    // A loudspeaker of a number has no coordinates, and one of coordinates no text.
    let place = { (label: Int, rest: [UInt8]) in
      big(0) + big(0) + big(0) + big(1) + big(label) + rest
    }
    let words = Array(Self.text.prefix(16))
    #expect(written("chan", place(1, words)) == place(1, [UInt8](repeating: 0, count: 16)))
    let speaker = place(100, big(1) + words.prefix(12))
    #expect(written("chan", speaker).map { $0.contains("CNRY") } != true)
    let alac = big(4096) + [0, 16, 40, 10, 14, 2, 0, 255] + big(0) + big(0) + big(44_100)
    #expect(SoundConfiguration.lossless(alac + Self.text) == alac)
    #expect(SoundConfiguration.lossless(Self.text) == nil)
  }

  @Test("The streams of Opus' channels are streams, in a packet and in a box")
  func channels() throws {
    let packet = Array("OpusHead".utf8) + [1, 4] + little(312, 2) + little(48_000) + [0, 0, 1, 2, 2]
    let box = [0, 4] + big(312, 2) + big(48_000) + [0, 0, 1, 2, 2]
    for (head, form) in [(packet, OpusHeader.Form.packet), (box, .box)] {
      let header = { (map: [UInt8]) in OpusHeader(of: ByteSource(head + map + Self.text), form) }
      #expect(try header([0, 3, 1, 2]).length() == head.count + 4)
      #expect(try header([0, 255, 1, 2]).length() == head.count + 4)
      #expect(code { _ = try header(Array("Jane".utf8)).length() } == .damaged)
      #expect(header([]).streamCount == 2 && header([]).channelCount == 4)
      #expect(header([]).skippedSampleCount == 312)
      let cut = OpusHeader(of: ByteSource(Array(head.prefix(9))), form)
      #expect(code { _ = try cut.length() } == .damaged)
    }
  }

  // MARK: MPEG-4 part 2

  private static let picture: [UInt8] = [0, 0, 1, 0xB6, 0x10, 0x55, 0xAA]

  /// What stays of a sample.
  static func kept(_ bitstream: Bitstream, _ sample: [UInt8]) throws -> [UInt8] {
    var kept: [UInt8] = []
    try bitstream.forEachUnit(in: 0..<sample.count, of: ByteSource(sample)) { unit, disposition in
      switch disposition {
      case .kept: kept += sample[unit]
      case .removed: break
      case .rewritten(let anew, _): kept += bitstream.prefixed(anew)
      }
    }
    return kept
  }

  @Test("Of MPEG-4 units that a decoder needs stay, in front of a picture and behind it")
  func units() throws {
    for code in (0x30...0xFF).map({ UInt8($0) })
    where ![0xB0, 0xB1, 0xB3, 0xB5, 0xB6].contains(code) {
      let unit = [0, 0, 1, code] + Self.text
      for sample in [unit + Self.picture, Self.picture + unit, unit + unit + Self.picture + unit] {
        #expect(try Self.kept(.mpeg4, sample) == Self.picture, "\(code)")
      }
    }
    // Two pictures in one sample, as some encoders put them.
    let two = Self.picture + Self.picture
    #expect(try Self.kept(.mpeg4, Self.picture + [0, 0, 1, 0xB2] + Self.text + Self.picture) == two)
    let name: [UInt8] = [0, 0, 1, 0xB2] + Array("DivX503b1393p".utf8)
    #expect(try Self.kept(.mpeg4, name + two) == name + two)
    // A sample that is no picture, and one that stands for a picture that is left out.
    #expect(try Self.kept(.mpeg4, Self.text) == [])
    #expect(try Self.kept(.mpeg4, Self.text + Self.picture) == Self.picture)
    #expect(try Self.kept(.mpeg4, [0x7F]) == [0x7F])
    let studio: [UInt8] = [0, 0, 1, 0xB0, 0xE2]
    #expect(code { _ = try Self.kept(.mpeg4, studio + Self.picture) } == .stripUnsupported)
  }

  @Test("Headers of MPEG-4 end behind their fields, and the time of a group is zero")
  func headers() throws {
    let layer: [UInt8] = [0, 0, 1, 0x20, 8, 0xD4, 0x8D, 8, 0, 0xCD, 3, 4, 0x0A, 0x14, 0x10, 0x3F]
    let group = { (time: [UInt8]) in [0, 0, 1, 0xB3] + time }
    for (header, written) in [
      (layer, layer), ([0, 0, 1, 0xB0, 1], [0, 0, 1, 0xB0, 1]), ([0, 0, 1, 0], [0, 0, 1, 0]),
      ([0, 0, 1, 0xB5, 0xA9, 0x13], [0, 0, 1, 0xB5, 0xA9, 0x13]),
      ([0, 0, 1, 0xB5, 9], [0, 0, 1, 0xB5, 9]), ([0, 0, 1, 0xB1], [0, 0, 1, 0xB1]),
      // 9 hours, 24 minutes, 51 seconds; the group is closed.
      (group([0x4B, 0x1C, 0xE7]), group([0, 0x10, 0x27])),
      (group([0, 0x10, 7]), group([0, 0x10, 7])),
    ] as [([UInt8], [UInt8])] {
      #expect(try Self.kept(.mpeg4, header + Self.picture) == written + Self.picture)
      #expect(try Self.kept(.mpeg4, header + Self.text + Self.picture) == written + Self.picture)
    }
  }

  @Test("User data behind a picture go from an MP4 and from a Matroska")
  func films() throws {
    let sample = Self.picture + [0, 0, 1, 0xB2] + Self.text
    var movie = TinyMovie.film
    let head = Array(TinyMovie.avc1()[8..<86])
    let set = [0, 0, 1, 0xB2] + Self.text + [0, 0, 1, 0x20, 1, 2, 3]
    movie.tracks[0].entry = Self.entry("mp4v", head: head, 0x20, set)
    movie.tracks[0].samples = [sample, Self.picture, sample + Self.picture]
    let output = try stripMovie(movie.bytes).output
    let expected = [Self.picture, Self.picture, Self.picture + Self.picture]
    #expect(read(output).samples[1] == expected)
    #expect(!output.contains("CNRY"))
    let film = TinyMatroska.file(
      tracks: TinyMatroska.video(TinyMatroska.element(0x63A2, set), codec: "V_MPEG4/ISO/ASP")
        + TinyMatroska.sound(),
      clusters: TinyMatroska.cluster(
        TinyMatroska.block(1, 0, sample) + TinyMatroska.block(1, 40, Self.picture)
      )
    )
    let stripped = try strip(film, .mkv).output
    #expect(!stripped.contains("CNRY") && stripped.contains(Self.picture))
    #expect(try strip(stripped, .mkv).output == stripped)
  }

  /// mkvmerge takes the start code from each frame of MPEG-4, and writes it once into the header of the track.
  @Test("Pictures whose first bytes are in the header of a Matroska get them back, and lose user data")
  func sharedBytes() throws {
    let settings = TinyMatroska.element(0x4254, [3]) + TinyMatroska.element(0x4255, [0, 0, 1])
    let encodings = TinyMatroska.element(
      0x6D80,
      TinyMatroska.element(0x6240, TinyMatroska.element(0x5034, settings))
    )
    let set = TinyMatroska.element(0x63A2, [0, 0, 1, 0x20, 1, 2, 3])
    let tracks = TinyMatroska.video(set + encodings, codec: "V_MPEG4/ISO/ASP") + TinyMatroska.sound()
    let userData = [0, 0, 1, 0xB2] + Self.text
    let strippedFilm = { (frames: [[UInt8]]) in
      let blocks = frames.enumerated().flatMap { index, frame in
        TinyMatroska.block(1, UInt8(index * 40), Array(frame.dropFirst(3)))
      }
      let clusters = TinyMatroska.cluster(blocks)
      return try strip(TinyMatroska.file(tracks: tracks, clusters: clusters), .mkv).output
    }
    let output = try strippedFilm([Self.picture + userData, userData + Self.picture, Self.picture])
    #expect(!output.contains("CNRY"))
    #expect(output.indices.count { output[$0...].starts(with: Self.picture) } == 3)
    #expect(try output == strippedFilm([Self.picture, Self.picture, Self.picture]))
    #expect(try strip(output, .mkv).output == output)
  }

  // MARK: AV1, HEVC, H.264

  @Test("A sequence header of AV1 ends at its trailing bits, and one that is none goes")
  func sequenceHeader() throws {
    let header = TinyCoded.sequenceHeader
    let unit = TinyCoded.obu(1, header)
    let frame = TinyCoded.obu(6, [1, 2, 3])
    #expect(try Self.kept(.av1(isMovie: true), unit + frame) == unit + frame)
    let longer = TinyCoded.obu(1, header + Self.text)
    #expect(try Self.kept(.av1(isMovie: true), longer + frame) == unit + frame)
    let other = TinyCoded.obu(1, Self.text)
    #expect(try Self.kept(.av1(isMovie: true), unit + other + frame) == unit + frame)
    for units in [longer, unit + other] {
      let box = TinyCoded.av1C(units)
      let body = try DecoderConfiguration("av1C", 8..<box.count, of: ByteSource(box)).body
      #expect(body == Array(TinyCoded.av1C(unit).dropFirst(8)))
    }
    let film = TinyMatroska.file(
      tracks: TinyMatroska.video(codec: "V_AV1") + TinyMatroska.sound(),
      clusters: TinyMatroska.cluster(TinyMatroska.block(1, 0, longer + frame))
    )
    let output = try strip(film, .mkv).output
    #expect(output.contains(unit + frame) && !output.contains("CNRY"))
  }

  @Test("Messages of HEVC about units of a picture go, and those about displays can be read")
  func messages() throws {
    var units = NALUnits(isHEVC: true, lengthSize: 4, isMovie: true)
    units.timing = BufferTiming()
    let judged = { (type: UInt8, body: [UInt8]) in
      let unit = [78, 1, type, UInt8(body.count)] + body + [0x80]
      return try Self.kept(.nal(units), big(unit.count) + unit)
    }
    for type: UInt8 in [130, 176] {
      for count in [12, 16, 20] {
        let text = Array((Self.text + Self.text).prefix(count))
        #expect(try !judged(type, text).contains(Array(text.suffix(8))), "\(type) \(count)")
      }
    }
    // A width of precision 0 and exponent 31, two views, no shift.
    let bits = "1" + "0" + "1" + "1" + "010" + Bits.bits(31, 6) + "0" + "0" + "1"
    let displays = Bits.bytes(bits)
    #expect(try judged(176, displays).contains(displays))
    #expect(try !judged(176, displays + Self.text).contains("CNRY"))
  }

  @Test("A frame header of AV1 that repeats another one goes")
  func repeatedHeader() throws {
    let frame = TinyCoded.obu(3, [1, 2]) + TinyCoded.obu(4, [3])
    for copy in [[1, 2], Self.text] {
      for isMovie in [false, true] {
        let sample = TinyCoded.obu(3, [1, 2]) + TinyCoded.obu(7, copy) + TinyCoded.obu(4, [3])
        #expect(try Self.kept(.av1(isMovie: isMovie), sample) == frame)
      }
    }
  }

  @Test("Units of a layer that no parameter set of HEVC names go")
  func layers() throws {
    let base = TinyCoded.nal(1, [0xAA])
    for layer: UInt8 in [1, 14, 63] {
      for type: UInt8 in [1, 16, 34, 39] {
        let unit = [type << 1 | layer >> 5, (layer & 31) << 3 | 1] + Self.text
        let sample = base + big(unit.count) + unit + base
        for count: UInt8 in [1, 2] {
          let set: [UInt8] = [0x40, 1, 0x0C, (count - 1) << 4 | 1, 0xFF, 0xFF]
          let box = TinyCoded.hvcC([TinyCoded.array(32, [set]), TinyCoded.array(34, [unit])])
          let read = try DecoderConfiguration("hvcC", 8..<box.count, of: ByteSource(box))
          let isKept = try Self.kept(read.bitstream, sample).contains(Self.text)
          #expect(isKept == (count == 2 && type != 39), "\(layer) \(type) \(count)")
          if type == 34 { #expect(read.body.contains(Self.text) == (count == 2)) }
        }
      }
    }
  }

  @Test("An extension of a parameter set in avcC is as long as one can be")
  func extensions() throws {
    let sets: [UInt8] = [1, 100, 0, 10, 0xFF, 0xE1, 0, 4, 0x67, 66, 0, 10, 1, 0, 3, 0x68, 1, 2]
    let head = sets + [0xFD, 0xF8, 0xF8]
    let plane: [UInt8] = [0x6D, 0xA0, 0x3F, 0x80]
    let text = [0x6D] + Self.text
    let written = { (units: [[UInt8]]) in
      let body = head + [UInt8(units.count)] + units.flatMap { big($0.count, 2) + $0 }
      return try DecoderConfiguration("avcC", 0..<body.count, of: ByteSource(body)).body
    }
    #expect(try written([plane]) == head + [1, 0, 4] + plane)
    #expect(try written([text]) == head + [0])
    #expect(try written([text, plane, text]) == head + [1, 0, 4] + plane)
  }

  @Test("Units of a second view stay beside a set that describes it, and in no other film")
  func views() throws {
    let view = big(Self.text.count + 4) + [0x74, 0x40, 1, 7] + Self.text
    let prefix: [UInt8] = big(4) + [0x6E, 0x40, 1, 7]
    let set = big(6) + [0x6F, 128, 0, 40, 0x80, 0x80]
    let slice = TinyMovie.slice("a picture")
    var movie = TinyMovie.film
    movie.tracks[0].samples = [slice + view, prefix + slice, slice + view]
    #expect(read(try stripMovie(movie.bytes).output).samples[1] == [slice, slice, slice])
    movie.tracks[0].samples = [set + prefix + slice + view, slice + view]
    let output = try stripMovie(movie.bytes).output
    #expect(read(output).samples[1] == movie.tracks[0].samples)
    // One of the scalable profiles describes no view.
    movie.tracks[0].samples = [big(6) + [0x6F, 83, 0, 40, 0x80, 0x80] + slice + view]
    #expect(read(try stripMovie(movie.bytes).output).samples[1] == [slice])
  }
}
