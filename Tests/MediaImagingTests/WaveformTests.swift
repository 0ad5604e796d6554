import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

@Suite("Waveforms")
struct WaveformTests {
  static let kinds: [(name: String, format: MediaFormat, words: [String])] = [
    ("a.wav", .wav, ["-c:a", "pcm_s16le"]), ("b.wav", .wav, ["-c:a", "pcm_u8"]),
    ("c.wav", .wav, ["-c:a", "pcm_s24le"]), ("d.wav", .wav, ["-c:a", "pcm_f32le"]),
    ("e.wav", .wav, ["-c:a", "pcm_f64le"]), ("f.wav", .wav, ["-rf64", "always"]),
    ("g.aiff", .aiff, ["-c:a", "pcm_s16be"]), ("h.flac", .flac, []),
    ("i.m4a", .m4a, ["-c:a", "aac", "-b:a", "192k"]), ("j.m4a", .m4a, ["-c:a", "alac"]),
    ("k.mp3", .mp3, ["-b:a", "192k"]), ("l.ogg", .ogg, ["-c:a", "libvorbis"]),
    ("m.ogg", .ogg, ["-c:a", "libopus"]), ("o.aac", .aac, ["-c:a", "aac", "-b:a", "192k"]),
    ("p.wma", .wma, ["-c:a", "wmav2", "-b:a", "192k"]),
    ("q.wav", .wav, ["-c:a", "libmp3lame", "-b:a", "192k"]),
    ("n.wav", .wav, ["-c:a", "adpcm_ima_wav"]),
  ]

  /// One second of silence, one of a tone of half the full scale, one of silence; left channel only.
  private static let audio =
    "aevalsrc=0.5*sin(2*PI*440*t)*between(t\\,1\\,2)|0:s=48000:d=3"

  /// A sound of each kind, made at once, since ffmpeg takes long to start.
  private static let sounds: Result<[String: [UInt8]], any Error> = Result {
    let bench = VideoBench()
    var arguments = ["-f", "lavfi", "-i", audio]
    for kind in kinds { arguments += kind.words + [kind.name] }
    try bench.ffmpeg(arguments)
    var files: [String: [UInt8]] = [:]
    for kind in kinds { files[kind.name] = try bench.bytes(kind.name) }
    return files
  }

  /// For each column of a waveform: pixels that are not background, and those of the dark shade.
  private func columns(
    _ thumbnail: Thumbnail,
    in bench: VideoBench,
    background: [Int] = [255, 255, 255]
  ) throws -> [(peak: Int, loudness: Int)] {
    try bench.bench.write(thumbnail.bytes, "wave.jpg")
    let pixels = try bench.pixels("wave.jpg").map { Int($0) }
    let (width, height) = (thumbnail.pixelSize.width, thumbnail.pixelSize.height)
    return (0..<width).map { x in
      var (peak, loudness) = (0, 0)
      for y in 0..<height {
        let at = 3 * (y * width + x)
        let distance = (0..<3).map { abs(pixels[at + $0] - background[$0]) }.reduce(0, +)
        if distance > 90 { peak += 1 }
        if distance > 350 { loudness += 1 }
      }
      return (peak, loudness)
    }
  }

  private func waveform(
    of bytes: [UInt8],
    format: MediaFormat,
    _ specification: ThumbnailSpec = spec(300, 200, quality: 100),
    decoder: WaveformDecoder = WaveformDecoder()
  ) throws -> Thumbnail {
    try #require(try thumbnails(decoder, of: bytes, format: format, [specification]).first)
  }

  @Test(
    "A tone stands where it sounds, as high as its peaks and as loud as it is",
    arguments: kinds.indices
  )
  func tone(index: Int) throws {
    let bench = VideoBench()
    let (name, format, _) = Self.kinds[index]
    let bytes = try #require(try Self.sounds.get()[name])
    let thumbnail = try waveform(of: bytes, format: format)
    #expect(thumbnail.pixelSize == PixelSize(width: 300, height: 200))
    let columns = try columns(thumbnail, in: bench)
    // Codecs add some milliseconds of silence, and smear the edges a little.
    for x in Array(0..<90) + Array(210..<300) {
      #expect(columns[x].peak <= 4, "\(name) column \(x)")
    }
    for x in 110..<190 {
      // Half of full scale is half of the height; the root mean square of both channels a quarter.
      #expect(abs(columns[x].peak - 100) <= 8, "\(name) column \(x)")
      #expect(abs(columns[x].loudness - 50) <= 8, "\(name) column \(x)")
    }
  }

  @Test("A waveform fills its box, whatever the box is")
  func boxes() throws {
    let bench = VideoBench()
    try bench.ffmpeg("-f", "lavfi", "-i", "sine=d=1", "tone.wav")
    let bytes = try bench.bytes("tone.wav")
    for (width, height) in [(1, 1), (1, 50), (50, 1), (3, 7), (64, 64), (1000, 30), (2000, 500)] {
      for mode in ContentMode.allCases {
        let thumbnail = try waveform(of: bytes, format: .wav, spec(width, height, mode))
        #expect(thumbnail.pixelSize == PixelSize(width: width, height: height))
      }
    }
  }

  @Test("Each of several boxes is filled, of one decode")
  func eachBox() throws {
    let bench = VideoBench()
    try bench.ffmpeg("-f", "lavfi", "-i", "sine=d=1", "tone.wav")
    let bytes = try bench.bytes("tone.wav")
    let thumbnails = try thumbnails(
      WaveformDecoder(),
      of: bytes,
      format: .wav,
      [spec(40, 40, name: "square"), spec(200, 20, name: "wide")]
    )
    #expect(thumbnails.map(\.name) == ["square", "wide"])
    #expect(thumbnails.map(\.pixelSize.width) == [40, 200])
    #expect(thumbnails.map(\.pixelSize.height) == [40, 20])
  }

  @Test("A waveform stands on the background that is asked for")
  func background() throws {
    let bench = VideoBench()
    try bench.ffmpeg("-f", "lavfi", "-i", Self.audio, "tone.wav")
    var dark = spec(300, 200, quality: 100)
    dark.background = RGBColor(red: 16, green: 16, blue: 32)
    let thumbnail = try waveform(of: try bench.bytes("tone.wav"), format: .wav, dark)
    let columns = try columns(thumbnail, in: bench, background: [16, 16, 32])
    #expect(columns[50].peak <= 4)
    #expect(abs(columns[150].peak - 100) <= 8)
    #expect(abs(columns[150].loudness - 50) <= 8)
  }

  @Test(
    "Of a sound that takes too long, each stretch is heard in part, and stands in its place",
    arguments: ["long.ogg", "long.mp3"]
  )
  func partly(name: String) throws {
    let bench = VideoBench()
    // From 40 to 80 s all the time; from 90 to 110 s only where nothing is heard. Repeated, two
    // seconds of either are computed in no time.
    let tone = "aevalsrc=0.5*sin(2*PI*440*t)"
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      "anullsrc=r=48000:cl=mono:d=40[a];\(tone):s=48000:d=2,aloop=19:96000[b];"
        + "anullsrc=r=48000:cl=mono:d=10[c];"
        + "\(tone)*between(t\\,0.7\\,1.8):s=48000:d=2,aloop=9:96000[d];"
        + "anullsrc=r=48000:cl=mono:d=10[e];[a][b][c][d][e]concat=n=5:v=0:a=1",
      name
    )
    let bytes = try bench.bytes(name)
    // A tenth of what it would take.
    let cost = name.hasSuffix("ogg") ? 30.0 : 8.0
    let decoder = WaveformDecoder(budget: 120 * 48_000 * cost / 10)
    let format: MediaFormat = name.hasSuffix("ogg") ? .ogg : .mp3
    let columns = try columns(try waveform(of: bytes, format: format, decoder: decoder), in: bench)
    for x in Array(0..<95) + Array(205..<300) { #expect(columns[x].peak <= 6, "column \(x)") }
    for x in 105..<195 { #expect(columns[x].peak > 50, "column \(x)") }
    let whole = try self.columns(try waveform(of: bytes, format: format), in: bench)
    #expect(whole[245..<255].contains { $0.peak > 70 })
  }

  @Test("A cut sound shows what is left; where nothing is, it is damaged")
  func cut() throws {
    for (name, format, _) in Self.kinds where format != .m4a {
      let bytes = try #require(try Self.sounds.get()[name])
      #expect(throws: Never.self, "\(name)") {
        try waveform(of: Array(bytes[..<(bytes.count * 9 / 10)]), format: format)
      }
      for count in [0, 1, 12] {
        let error = #expect(throws: ImagingError.self, "\(name)") {
          try waveform(of: Array(bytes[..<count]), format: format)
        }
        #expect(error?.code == .damaged)
      }
    }
  }

  @Test(
    "Every sound of the corpus has a waveform",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func corpus() throws {
    let formats: [String: MediaFormat] = [
      "aiff": .aiff, "m4a": .m4a, "mp3": .mp3, "opus": .ogg, "ogg": .ogg, "wav": .wav,
      "flac": .flac,
    ]
    var count = 0
    for file in Corpus.files(beneath: "visible/audio") {
      guard let format = formats[String(file.split(separator: ".").last ?? "")] else { continue }
      #expect(throws: Never.self, "\(file)") {
        try waveform(of: try readBytes(file), format: format)
      }
      count += 1
    }
    #expect(count >= 10)
  }
}
