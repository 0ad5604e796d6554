import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

@Suite("Films that browsers cannot play", .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg"))
struct FilmConverterTests {
  private let bench = VideoBench()

  /// Makes a film with ffmpeg, of a test picture and, unless it is silent, a tone.
  private func make(
    _ name: String,
    size: (Int, Int) = (320, 180),
    _ coding: [String],
    isSilent: Bool = false
  ) throws {
    let tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1:sample_rate=44100"]
    try bench.ffmpeg(
      ["-f", "lavfi", "-i", VideoBench.scene(size.0, size.1)] + (isSilent ? [] : tone) + coding
        + [name]
    )
  }

  /// The new film, as `film.mp4`; nil for one that browsers play.
  private func convert(
    _ name: String,
    _ format: MediaFormat,
    height: Int = 1080
  ) throws -> [UInt8]? {
    var film: [UInt8] = []
    try bench.bytes(name).withUnsafeBytes { bytes in
      try FilmConverter().convert(bytes, format: format, height: height) { offset, part in
        let end = Int(offset) + part.count
        if film.count < end { film += [UInt8](repeating: 0, count: end - film.count) }
        film.replaceSubrange(Int(offset)..<end, with: part)
      }
    }
    guard !film.isEmpty else { return nil }
    try bench.bench.write(film, "film.mp4")
    return film
  }

  /// What ffprobe says of the streams of `film.mp4`.
  private func streams() throws -> [[String: String]] {
    let probe = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_streams", "-of", "compact=p=0", bench.path("film.mp4")]
    )
    return probe.output.split(separator: "\n").map { line in
      var values: [String: String] = [:]
      for pair in line.split(separator: "|") {
        let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
        if words.count == 2 { values[words[0]] = words[1] }
      }
      return values
    }
  }

  @Test(
    "HEVC, ProRes, MPEG-4 in AVI, MPEG-2 in a transport stream and in Matroska become H.264 and AAC",
    arguments: Amount.some(
      3,
      of: [
        (MediaFormat.mp4, "-c:v libx265 -x265-params log-level=error -c:a aac"),
        (.mov, "-c:v prores_ks -c:a pcm_s16le"), (.avi, "-c:v mpeg4 -c:a mp3"),
        (.ts, "-c:v mpeg2video -c:a mp2 -f mpegts"),
        (.mov, "-c:v libx264 -pix_fmt yuv420p10le -c:a aac"),
        (.mkv, "-c:v mpeg2video -c:a ac3 -ac 6"),
      ]
    )
  )
  func codings(format: MediaFormat, coding: String) throws {
    let name = "source." + format.fileExtension
    try make(name, coding.split(separator: " ").map(String.init))
    let film = try #require(try convert(name, format))
    let streams = try streams()
    #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
    let video = try #require(streams.first)
    #expect(video["pix_fmt"] == "yuv420p" && video["nb_frames"] == "25")
    #expect(video["width"] == "320" && video["height"] == "180")
    for stream in streams {
      let seconds = try #require(Double(stream["duration"] ?? ""))
      #expect(abs(seconds - 1) < 0.1, "\(stream)")
    }
    // The index stands before the data, behind the box of the brands.
    let index = Int(film[3]) + 4
    #expect(Array(film[index..<index + 4]) == Array("moov".utf8))
    // The pictures are those of the source.
    let filter = "scale=320:180"
    try bench.frame(of: name, filter: filter, as: "expected.png")
    try bench.frame(of: "film.mp4", filter: filter, as: "made.png")
    #expect(try bench.bench.psnr("made.png", "expected.png") > 34)
  }

  @Test("Progress rises from 0 in steps of the film, and is none of one that browsers play")
  func progress() throws {
    try make("source.mov", ["-c:v", "prores_ks"], isSilent: true)
    try make("plays.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"], isSilent: true)
    for (name, format) in [("source.mov", MediaFormat.mov), ("plays.mp4", .mp4)] {
      var reports: [Int] = []
      try bench.bytes(name).withUnsafeBytes { bytes in
        try FilmConverter().convert(
          bytes,
          format: format,
          height: 144,
          progress: { reports.append($0) },
          write: { _, _ in }
        )
      }
      #expect(reports == Array(Set(reports)).sorted() && reports.allSatisfy { $0 < 100 }, "\(reports)")
      #expect(name == "plays.mp4" ? reports.isEmpty : reports.first == 0 && reports.count > 4, "\(reports)")
    }
  }

  @Test(
    "What browsers play is left alone",
    arguments: [
      (MediaFormat.mp4, "-c:v libx264 -pix_fmt yuv420p -c:a aac"),
      (.mov, "-c:v libx264 -pix_fmt yuv420p -c:a aac"), (.webm, "-c:v libvpx-vp9 -c:a libopus"),
    ]
  )
  func playable(format: MediaFormat, coding: String) throws {
    let name = "source." + format.fileExtension
    try make(name, coding.split(separator: " ").map(String.init))
    #expect(try convert(name, format) == nil)
  }

  @Test(
    "A film stands upright, and a silent one stays silent",
    arguments: Amount.some(2, of: [180, 90, 270])
  )
  func turned(degrees: Int) throws {
    try make("plain.mp4", ["-c:v", "libx265", "-x265-params", "log-level=error"], isSilent: true)
    let hasOption = try Tool.run("ffmpeg", ["-h", "full"]).output.contains("-display_rotation")
    try bench.ffmpeg(
      (hasOption ? ["-display_rotation", "\(-degrees)"] : []) + ["-i", "plain.mp4", "-c", "copy"]
        + (hasOption ? [] : ["-metadata:s:v", "rotate=\(degrees)"]) + ["turned.mov"]
    )
    _ = try #require(try convert("turned.mov", .mov))
    let streams = try streams()
    let size = degrees == 180 ? (320, 180) : (180, 320)
    #expect(streams.count == 1 && streams[0]["width"] == "\(size.0)")
    #expect(!streams[0].keys.contains { $0.contains("rotat") })
    // ffmpeg turns by itself what it shows.
    let filter = "scale=\(size.0):\(size.1)"
    try bench.frame(of: "turned.mov", filter: filter, as: "expected.png")
    try bench.frame(of: "film.mp4", filter: filter, as: "made.png")
    #expect(try bench.bench.psnr("made.png", "expected.png") > 34)
  }

  @Test(
    "The shorter side has at most the height, sides are even, and nothing is enlarged",
    arguments: Amount.some(
      2,
      of: [
        (361, 641, 240, 240, 426), (641, 361, 240, 426, 240), (320, 180, 720, 320, 180),
        (321, 181, 1080, 320, 180),
      ]
    )
  )
  func sizes(width: Int, height: Int, limit: Int, newWidth: Int, newHeight: Int) throws {
    try make("odd.mkv", size: (width, height), ["-pix_fmt", "yuv444p", "-c:v", "ffv1"], isSilent: true)
    _ = try #require(try convert("odd.mkv", .mkv, height: limit))
    let video = try #require(try streams().first)
    #expect(video["width"] == "\(newWidth)" && video["height"] == "\(newHeight)")
  }

  @Test("Wide pixels become square ones")
  func aspect() throws {
    try make("wide.avi", size: (360, 288), ["-c:v", "mpeg4", "-aspect", "16:9"], isSilent: true)
    _ = try #require(try convert("wide.avi", .avi))
    let video = try #require(try streams().first)
    #expect(video["width"] == "512" && video["height"] == "288")
    #expect(video["sample_aspect_ratio"] == "1:1")
  }

  @Test(
    "HDR becomes SDR as in a poster, by BT.709",
    arguments: Amount.isAll ? ["smpte2084", "arib-std-b67"] : ["smpte2084"]
  )
  func highDynamicRange(transfer: String) throws {
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(320, 180),
      "-vf",
      "format=yuv420p10le,setparams=range=tv:color_primaries=bt2020:color_trc=\(transfer)"
        + ":colorspace=bt2020nc",
      "-c:v",
      "libx265",
      "-x265-params",
      "log-level=error:lossless=1",
      "-color_primaries",
      "bt2020",
      "-color_trc",
      transfer,
      "-colorspace",
      "bt2020nc",
      "-color_range",
      "tv",
      "hdr.mp4"
    )
    _ = try #require(try convert("hdr.mp4", .mp4))
    let video = try #require(try streams().first)
    #expect(video["color_transfer"] == "bt709" && video["color_primaries"] == "bt709")
    #expect(video["pix_fmt"] == "yuv420p")
    let expected = try poster(of: bench.bytes("hdr.mp4"), format: .mp4, spec(320, 180, quality: 95))
    let actual = try poster(of: bench.bytes("film.mp4"), format: .mp4, spec(320, 180, quality: 95))
    try bench.bench.write(expected.bytes, "expected.jpg")
    #expect(try bench.psnr(actual, "expected.jpg") > 30)
  }

  @Test(
    "A film that ends long before its time, and one without a picture that decodes, are damaged"
  )
  func damaged() throws {
    try make("whole.mov", ["-c:v", "prores_ks", "-movflags", "faststart"], isSilent: true)
    var bytes = try bench.bytes("whole.mov")
    bytes.removeLast(bytes.count / 2)
    try bench.bench.write(bytes, "half.mov")
    let data = try #require(bytes.firstRange(of: Array("mdat".utf8))).upperBound
    for index in data..<bytes.count { bytes[index] = 0 }
    try bench.bench.write(bytes, "none.mov")
    for name in ["half.mov", "none.mov"] {
      let error = #expect(throws: ImagingError.self) { _ = try convert(name, .mov) }
      #expect(error?.code == .damaged, "\(name)")
    }
  }
}
