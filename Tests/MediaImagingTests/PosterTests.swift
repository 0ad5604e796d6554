import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

@Suite("Posters")
struct PosterTests {
  /// How close to FFmpeg's own reduction of the same frame a poster is, in dB; another frame of the
  /// test picture is below 24.
  static let near = 30.0

  /// One file of each kind that cameras, phones and recorders write: name, then ffmpeg's words.
  static let kinds: [(name: String, words: [String])] = [
    ("a.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    ("b.mov", ["-c:v", "libx264", "-pix_fmt", "yuv422p10le"]),
    (
      "c.mp4",
      ["-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=none"]
    ),
    ("d.3gp", ["-c:v", "mpeg4", "-q:v", "2"]),
    ("e.mkv", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    ("f.webm", ["-c:v", "libvpx", "-b:v", "4M"]),
    ("g.webm", ["-c:v", "libvpx-vp9", "-b:v", "4M", "-cpu-used", "8"]),
    ("h.avi", ["-c:v", "mjpeg", "-q:v", "2"]),
    ("i.wmv", ["-c:v", "wmv2", "-q:v", "2"]),
    ("j.mov", ["-c:v", "prores_ks"]),
    ("k.mkv", ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime"]),
    ("l.avi", ["-c:v", "rawvideo", "-pix_fmt", "bgr24"]),
    ("m.ts", ["-c:v", "mpeg2video", "-q:v", "2"]),
    ("n.m2ts", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    ("o.mpg", ["-c:v", "mpeg1video", "-q:v", "2"]), ("p.flv", ["-c:v", "flv", "-q:v", "2"]),
  ]

  /// The first pictures of a video of each kind, and ffmpeg's reduction of its first one; made at
  /// once, since ffmpeg takes long to start.
  private static let videos: Result<[(video: [UInt8], frame: [UInt8])], any Error> = Result {
    let bench = VideoBench()
    var arguments = ["-f", "lavfi", "-i", VideoBench.scene()]
    for kind in kinds { arguments += kind.words + ["-frames:v", "8", kind.name] }
    try bench.ffmpeg(arguments)
    let filter = "scale=256:144:flags=area+accurate_rnd+full_chroma_inp"
    arguments = []
    for kind in kinds { arguments += ["-ss", "0", "-i", kind.name] }
    for index in kinds.indices {
      arguments += ["-map", "\(index):v", "-frames:v", "1", "-vf", filter, "\(index).png"]
    }
    try bench.ffmpeg(arguments)
    return try kinds.enumerated().map { index, kind in
      (video: try bench.bytes(kind.name), frame: try bench.bytes("\(index).png"))
    }
  }

  @Test("The first picture of a plain video is its poster", arguments: kinds.indices)
  func eachKind(index: Int) throws {
    let sample = try Self.videos.get()[index]
    let bench = VideoBench()
    try bench.bench.write(sample.frame, "frame.png")
    let name = Self.kinds[index].name
    let format = try #require(MediaFormat(rawValue: String(name.suffix(while: { $0 != "." }))))
    let poster = try poster(of: sample.video, format: format)
    #expect(poster.pixelSize == PixelSize(width: 256, height: 144))
    let distance = try bench.psnr(poster, "frame.png")
    #expect(distance > Self.near)
  }

  @Test("Black before the picture is passed over, with a key frame in it and without")
  func blackFirst() throws {
    let bench = VideoBench()
    for words in [["-g", "250", "-sc_threshold", "0"], ["-g", "25", "-keyint_min", "25"]] {
      let arguments =
        [
          "-v", "error", "-y", "-f", "lavfi", "-i", "color=black:s=640x360:r=25:d=1", "-f",
          "lavfi", "-i", VideoBench.scene(seconds: 2), "-filter_complex", "[0][1]concat",
          "-c:v", "libx264", "-pix_fmt", "yuv420p",
        ] + words + ["black.mp4"]
      let result = try Tool.run("ffmpeg", arguments, in: bench.bench.folder.path)
      try #require(result.status == 0)
      try bench.frame(of: "black.mp4", at: "1", filter: "scale=256:144", as: "frame.png")
      let poster = try poster(of: try bench.bytes("black.mp4"), format: .mp4)
      let distance = try bench.psnr(poster, "frame.png")
      #expect(distance > Self.near)
    }
  }

  @Test("One color before the picture is passed over")
  func flatFirst() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      "color=#d0e0f0:s=640x360:r=25:d=1",
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(),
      "-filter_complex",
      "[0][1]concat",
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "-sc_threshold",
      "0",
      "flat.mkv"
    )
    try bench.frame(of: "flat.mkv", at: "1", filter: "scale=256:144", as: "frame.png")
    let poster = try poster(of: try bench.bytes("flat.mkv"), format: .mkv)
    let distance = try bench.psnr(poster, "frame.png")
    #expect(distance > Self.near)
  }

  @Test("Where the first seconds are black, a picture further in is shown")
  func longBlack() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      "color=black:s=320x180:r=25:d=8",
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(320, 180, seconds: 12),
      "-filter_complex",
      "[0][1]concat",
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "-g",
      "25",
      "long.mp4"
    )
    let poster = try poster(of: try bench.bytes("long.mp4"), format: .mp4)
    try bench.bench.write(poster.bytes, "poster.jpg")
    let mean = try #require(Double(try bench.bench.identify("poster.jpg", "%[fx:mean]")))
    #expect(mean > 0.3)
  }

  @Test("A video that is black throughout has a black poster")
  func allBlack() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      "color=black:s=320x180:r=25:d=7",
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "black.mp4"
    )
    let poster = try poster(of: try bench.bytes("black.mp4"), format: .mp4)
    try bench.bench.write(poster.bytes, "poster.jpg")
    let mean = try #require(Double(try bench.bench.identify("poster.jpg", "%[fx:mean]")))
    #expect(mean < 0.02)
  }

  /// Copies of a video, by how they are turned; made once.
  private static let turned: Result<[Int: [UInt8]], any Error> = Result {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(),
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "-frames:v",
      "8",
      "plain.mp4"
    )
    // From ffmpeg 6 on, what turns a copy is an option of its input.
    let hasOption = try Tool.run("ffmpeg", ["-h", "full"]).output.contains("-display_rotation")
    var turned: [Int: [UInt8]] = [:]
    for degrees in [90, 180, 270] {
      try bench.ffmpeg(
        (hasOption ? ["-display_rotation", "\(-degrees)"] : []) + ["-i", "plain.mp4", "-c", "copy"]
          + (hasOption ? [] : ["-metadata:s:v", "rotate=\(degrees)"]) + ["turned.mov"]
      )
      turned[degrees] = try bench.bytes("turned.mov")
    }
    return turned
  }

  @Test("A video is turned as its matrix says", arguments: [90, 180, 270])
  func rotation(degrees: Int) throws {
    let bench = VideoBench()
    try bench.bench.write(try #require(try Self.turned.get()[degrees]), "turned.mov")
    // ffmpeg turns by itself what it shows.
    let size = degrees == 180 ? (256, 144) : (144, 256)
    try bench.frame(of: "turned.mov", filter: "scale=\(size.0):\(size.1)", as: "frame.png")
    let poster = try poster(of: try bench.bytes("turned.mov"), format: .mov)
    #expect(poster.pixelSize == PixelSize(width: size.0, height: size.1))
    let distance = try bench.psnr(poster, "frame.png")
    #expect(distance > Self.near)
  }

  @Test("A quarter turn of each orientation is another one, and four are none")
  func quarterTurns() {
    let turned = (1...8).map { Orientation($0).rotated(by: 90) }
    #expect(turned == [6, 7, 8, 5, 2, 3, 4, 1].map { Orientation($0) })
    for value in 1...8 {
      let orientation = Orientation(value)
      #expect(orientation.rotated(by: 90).rotated(by: 270) == orientation, "\(value)")
    }
  }

  @Test("All eight turns and mirrors of a matrix are told apart")
  func matrices() {
    let one: Int32 = 1 << 16
    // EXIF's orientation in which a picture must be stored, and a, b, c, d.
    let expected: [(Int, [Int32])] = [
      (1, [one, 0, 0, one]), (2, [-one, 0, 0, one]), (3, [-one, 0, 0, -one]),
      (4, [one, 0, 0, -one]), (5, [0, one, one, 0]), (6, [0, one, -one, 0]),
      (7, [0, -one, -one, 0]), (8, [0, -one, one, 0]),
    ]
    for (value, matrix) in expected {
      #expect(Orientation(displayMatrix: matrix) == Orientation(value), "\(value)")
    }
    #expect(Orientation(displayMatrix: [0, 0, 0, 0]) == .upright)
    let least = Int32.min
    #expect(Orientation(displayMatrix: [least, least, least, least]) == Orientation(3))
  }

  @Test("Pixels that are no squares are made squares", arguments: ["2/1", "64/45", "1/2"])
  func aspect(ratio: String) throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(360, 288),
      "-vf",
      "setsar=\(ratio)",
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "wide.mp4"
    )
    let size = ["2/1": (256, 102), "64/45": (256, 144), "1/2": (160, 256)][ratio] ?? (0, 0)
    try bench.frame(of: "wide.mp4", filter: "scale=\(size.0):\(size.1)", as: "frame.png")
    let poster = try poster(of: try bench.bytes("wide.mp4"), format: .mp4)
    #expect(poster.pixelSize == PixelSize(width: size.0, height: size.1))
    let distance = try bench.psnr(poster, "frame.png")
    #expect(distance > Self.near)
  }

  @Test("A file of a video's format that holds sound alone gives a waveform")
  func soundAlone() throws {
    let bench = VideoBench()
    try bench.ffmpeg("-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", "sound.mp4")
    let poster = try poster(of: try bench.bytes("sound.mp4"), format: .mp4, spec(120, 50))
    #expect(poster.pixelSize == PixelSize(width: 120, height: 50))
  }

  @Test("A cover in a video is not its poster")
  func cover() throws {
    let bench = VideoBench()
    try bench.bench.convert("-size", "900x900", "xc:red", "cover.png")
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(),
      "-i",
      "cover.png",
      "-map",
      "0",
      "-map",
      "1",
      "-c:v:0",
      "libx264",
      "-pix_fmt:v:0",
      "yuv420p",
      "-c:v:1",
      "png",
      "-disposition:v:1",
      "attached_pic",
      "cover.mp4"
    )
    try bench.frame(of: "cover.mp4", filter: "scale=256:144", as: "frame.png")
    let poster = try poster(of: try bench.bytes("cover.mp4"), format: .mp4)
    let distance = try bench.psnr(poster, "frame.png")
    #expect(distance > Self.near)
  }

  @Test("A thumbnailer makes posters and waveforms in every size and format that is asked for")
  func thumbnailer() throws {
    let bench = VideoBench()
    try bench.ffmpeg(
      "-f",
      "lavfi",
      "-i",
      VideoBench.scene(),
      "-f",
      "lavfi",
      "-i",
      "sine=d=1",
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "both.mp4"
    )
    try bench.ffmpeg("-i", "both.mp4", "-vn", "sound.m4a")
    var wanted = [
      spec(64, 64, name: "fit"), spec(64, 64, .aspectFill, name: "fill"),
      spec(100, 20, name: "wide"),
    ]
    wanted[1].format = .png
    wanted[2].format = .webp
    let thumbnailer = ImageThumbnailer()
    let expected: [(String, MediaFormat, [String])] = [
      ("both.mp4", .mp4, ["64 36", "64 64", "36 20"]),
      ("sound.m4a", .m4a, ["64 64", "64 64", "100 20"]),
    ]
    for (name, format, sizes) in expected {
      let thumbnails = try bench.bytes(name).withUnsafeBytes { bytes in
        try thumbnailer.thumbnails(of: bytes, format: format, orientation: 1, specifications: wanted)
      }
      #expect(thumbnails.map(\.name) == ["fit", "fill", "wide"])
      for ((thumbnail, size), ending) in zip(zip(thumbnails, sizes), ["jpg", "png", "webp"]) {
        try bench.bench.write(thumbnail.bytes, "made.\(ending)")
        #expect(try bench.bench.identify("made.\(ending)") == size, "\(name)")
      }
    }
  }

  @Test(
    "Every video of the corpus that ffmpeg decodes has a poster",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func corpus() throws {
    let bench = VideoBench()
    let files =
      (Corpus.files(beneath: "visible/video") + Corpus.files(beneath: "visible/livephoto"))
      .filter { ["mp4", "mov"].contains($0.lowercased().suffix(3)) }
    try #require(files.count >= 4)
    for file in files {
      let decoded = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-y", "-i", file, "-frames:v", "1", bench.path("one.png")]
      )
      let isWhole =
        decoded.status == 0 && FileManager.default.fileExists(atPath: bench.path("one.png"))
      let format: MediaFormat = file.lowercased().hasSuffix("mov") ? .mov : .mp4
      let code = posterCode(of: try readBytes(file), format: format)
      #expect(code == (isWhole ? nil : .damaged), "\(file)")
      try? FileManager.default.removeItem(atPath: bench.path("one.png"))
    }
  }
}

extension String {
  fileprivate func suffix(while predicate: (Character) -> Bool) -> String {
    String(reversed().prefix(while: predicate).reversed())
  }
}
