import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Tracks of containers without a parser")
struct ContainerProbeTests {
  private func facts(
    _ name: String,
    _ format: MediaFormat,
    in bench: VideoBench
  ) throws -> (durationMilliseconds: Int?, tracks: [TrackFacts]) {
    try bench.bytes(name).withUnsafeBytes { bytes in
      try ContainerProbe.facts(of: bytes, format: format)
    }
  }

  @Test("Picture, sound and text are told, with what describes them")
  func matroska() throws {
    let bench = VideoBench()
    try bench.bench.write(Array("1\n00:00:00,000 --> 00:00:01,000\nhello\n".utf8), "text.srt")
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(320, 180, seconds: 2),
      "-f",
      "lavfi",
      "-i",
      "sine=d=2:r=44100",
      "-f",
      "lavfi",
      "-i",
      "anullsrc=r=48000:cl=5.1:d=2",
      "-i",
      "text.srt",
      "-map",
      "0",
      "-map",
      "1",
      "-map",
      "2",
      "-map",
      "3",
      "-c:v",
      "libx264",
      "-c:a:0",
      "aac",
      "-c:a:1",
      "ac3",
      "-c:s",
      "srt",
      "many.mkv"
    )
    let facts = try facts("many.mkv", .mkv, in: bench)
    #expect(abs((facts.durationMilliseconds ?? 0) - 2000) < 100)
    #expect(facts.tracks.map(\.kind) == [.video, .audio, .audio, .text])
    #expect(facts.tracks.map(\.codec) == ["h264", "aac", "ac3", "subrip"])
    #expect(facts.tracks[0].pixelSize == PixelSize(width: 320, height: 180))
    #expect(facts.tracks[0].frameRateMilli == 25_000)
    #expect(facts.tracks[0].channelCount == nil)
    #expect(facts.tracks.map(\.channelCount) == [nil, 1, 6, nil])
    #expect(facts.tracks.map(\.sampleRate) == [nil, 44_100, 48_000, nil])
  }

  static let others: [(name: String, format: MediaFormat, words: [String], codecs: [String])] = [
    ("a.avi", .avi, ["-c:v", "mpeg4", "-c:a", "mp3"], ["mpeg4", "mp3"]),
    ("b.wmv", .wmv, ["-c:v", "wmv2", "-c:a", "wmav2"], ["wmv2", "wmav2"]),
    ("c.webm", .webm, ["-c:v", "libvpx", "-c:a", "libopus"], ["vp8", "opus"]),
  ]

  @Test("AVI, WMV and WebM are told the same way", arguments: others.indices)
  func eachOther(index: Int) throws {
    let bench = VideoBench()
    let (name, format, words, codecs) = Self.others[index]
    let arguments =
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30000/1001:d=2", "-f",
        "lavfi", "-i", "sine=d=2:r=48000",
      ] + words + ["-ac", "2", name]
    let made = try Tool.run("ffmpeg", arguments, in: bench.bench.folder.path)
    try #require(made.status == 0, "\(made.error)")
    let facts = try facts(name, format, in: bench)
    #expect(abs((facts.durationMilliseconds ?? 0) - 2000) < 120)
    #expect(facts.tracks.map(\.kind) == [.video, .audio])
    #expect(facts.tracks.map(\.codec) == codecs)
    #expect(facts.tracks.first?.pixelSize == PixelSize(width: 160, height: 120))
    #expect(abs((facts.tracks.first?.frameRateMilli ?? 0) - 29_970) <= 30)
    #expect(facts.tracks.last?.channelCount == 2)
    #expect(facts.tracks.last?.sampleRate == 48_000)
  }

  @Test("What is no container is damaged; a picture is unsupported")
  func nonsense() {
    let bytes = [UInt8](repeating: 9, count: 4096)
    for (format, code) in [(MediaFormat.mkv, ImagingError.Code.damaged), (.jpeg, .unsupported)] {
      let error = #expect(throws: ImagingError.self) {
        _ = try bytes.withUnsafeBytes { bytes in
          try ContainerProbe.facts(of: bytes, format: format)
        }
      }
      #expect(error?.code == code)
    }
  }
}
