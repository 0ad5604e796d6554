import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

@Suite("Damaged videos")
struct PosterDamageTests {
  static let containers: [(name: String, format: MediaFormat, words: [String])] = [
    ("a.mp4", .mp4, ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]),
    (
      "b.mov", .mov,
      ["-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params", "log-level=none"]
    ),
    ("c.mkv", .mkv, ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    ("d.webm", .webm, ["-c:v", "libvpx", "-b:v", "1M"]), ("e.avi", .avi, ["-c:v", "mpeg4"]),
    ("f.wmv", .wmv, ["-c:v", "wmv2"]),
  ]

  private func make(_ index: Int, in bench: VideoBench) throws -> [UInt8] {
    let (name, _, words) = Self.containers[index]
    let arguments =
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", VideoBench.scene(192, 108), "-f", "lavfi",
        "-i", "sine=d=1",
      ] + words + [name]
    let result = try Tool.run("ffmpeg", arguments, in: bench.bench.folder.path)
    try #require(result.status == 0, "\(result.error)")
    return try bench.bytes(name)
  }

  @Test("A cut file is damaged only where no picture is left", arguments: containers.indices)
  func cut(index: Int) throws {
    let bytes = try make(index, in: VideoBench())
    let format = Self.containers[index].format
    #expect(posterCode(of: bytes, format: format) == nil)
    for count in [0, 1, 3, 20, 64] {
      #expect(posterCode(of: Array(bytes[..<count]), format: format) == .damaged, "\(count)")
    }
    for tenths in 1...9 {
      let code = posterCode(of: Array(bytes[..<(bytes.count * tenths / 10)]), format: format)
      #expect(code == nil || code == .damaged, "\(tenths)")
      // The movie box of a MOV stands at its end; the others begin with what is needed.
      if tenths == 9 { #expect(code == (format == .mov ? .damaged : nil)) }
    }
  }

  @Test("Bytes turned at random never stop the process", arguments: containers.indices)
  func turned(index: Int) throws {
    let bytes = try make(index, in: VideoBench())
    let format = Self.containers[index].format
    var random = SeededGenerator("\(#function) \(format)")
    var count = 0
    for round in 0..<60 {
      var turned = bytes
      let span = round % 2 == 0 ? bytes.count : min(bytes.count, 2000)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        turned[Int.random(in: 0..<span, using: &random)] = .random(in: 0...255, using: &random)
      }
      if posterCode(of: turned, format: format) == nil { count += 1 }
    }
    #expect(count > 10)
  }

  @Test("A broken first picture gives way to a whole one")
  func brokenStart() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(640, 360, seconds: 3),
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "-g",
      "25",
      "-movflags",
      "+faststart",
      "whole.mp4"
    )
    var bytes = try bench.bytes("whole.mp4")
    let listed = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of",
        "csv=p=0", bench.path("whole.mp4"),
      ]
    )
    let first = try #require(listed.output.split(separator: "\n").first).split(separator: ",")
    let sizes = first.compactMap { Int($0) }
    try #require(sizes.count == 2)
    let (size, position) = (sizes[0], sizes[1])
    // The first key frame's slices, not the parameter sets before them.
    for offset in stride(from: position + size / 3, to: position + size, by: 7) {
      bytes[offset] ^= 0x5A
    }
    try bench.frame(of: "whole.mp4", at: "1", filter: "scale=256:144", as: "frame.png")
    let poster = try poster(of: bytes, format: .mp4)
    let distance = try bench.psnr(poster, "frame.png")
    #expect(distance > PosterTests.near)
  }

  @Test("A stream that never has a key frame still shows what decodes")
  func noKeyFrame() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(320, 180, seconds: 2),
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "-g",
      "250",
      "whole.mkv"
    )
    try bench.ffmpeg("-i", "whole.mkv", "-c", "copy", "-bsf:v", "noise=drop=eq(n\\,0)", "headless.mkv")
    #expect(posterCode(of: try bench.bytes("headless.mkv"), format: .mkv) == nil)
  }

  @Test("Where nothing decodes, the file is damaged")
  func nothing() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(320, 180),
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "whole.mp4"
    )
    var bytes = try bench.bytes("whole.mp4")
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "mdat".utf8) })
    let end = try #require(bytes.indices.last { bytes[$0...].starts(with: "moov".utf8) })
    for index in (start + 4)..<(end - 4) { bytes[index] = 0 }
    #expect(posterCode(of: bytes, format: .mp4) == .damaged)
    #expect(posterCode(of: [UInt8](repeating: 7, count: 5000), format: .mkv) == .damaged)
  }

  @Test("A picture that is larger than allowed is refused before it is decoded")
  func tooLarge() throws {
    let bench = VideoBench()
    let bytes = try make(0, in: bench)
    let exact = ImagingLimits(ItemLimits(pixels: 192 * 108))
    #expect(posterCode(of: bytes, format: .mp4, limits: exact) == nil)
    let less = ImagingLimits(ItemLimits(pixels: 192 * 108 - 1))
    #expect(posterCode(of: bytes, format: .mp4, limits: less) == .overLimit)
  }

  @Test("A playlist under a video's name is never followed")
  func playlist() {
    let text = "#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n"
    for format in [MediaFormat.mp4, .mkv, .avi, .wmv] {
      #expect(posterCode(of: Array(text.utf8), format: format) == .damaged)
    }
  }

  @Test("Without FFmpeg's libraries, the package that is missing is named")
  func missing() throws {
    let bytes = try make(0, in: VideoBench())
    let decoders: [any MediaDecoder] = [
      PosterDecoder(library: { () throws(ImagingError) in try AVLibrary.load(suffix: ".gone") }),
      WaveformDecoder(library: { () throws(ImagingError) in try AVLibrary.load(suffix: ".gone") }),
    ]
    for decoder in decoders {
      let error = #expect(throws: ImagingError.self) {
        _ = try thumbnails(decoder, of: bytes, format: .mp4, [spec(50, 50)])
      }
      #expect(error?.code == .decoderMissing)
      #expect(error?.detail.hasPrefix("libav") == true)
    }
  }

  @Test("With no thumbnail wanted, a video is only tried")
  func nothingWanted() throws {
    let bytes = try make(0, in: VideoBench())
    #expect(try thumbnails(PosterDecoder(), of: bytes, format: .mp4, []).isEmpty)
    #expect(throws: ImagingError.self) {
      try thumbnails(PosterDecoder(), of: Array(bytes[..<100]), format: .mp4, [])
    }
  }
}
