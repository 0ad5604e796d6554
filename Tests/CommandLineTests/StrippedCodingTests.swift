import Foundation
import MediaTestSupport
import Testing

/// Films of which a decoder reads more than pictures, and films with texts in their coding.
///
/// The fixtures were made with x264 and ffmpeg from test pictures.
@Suite("Stripped films are decoded as before", .enabled(if: Has.ffmpeg, "no ffmpeg"))
struct StrippedCodingTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/strip").path

  /// The digests of each film's decoded frames, in the order of the films.
  func frames(_ paths: [String]) throws -> [[String]] {
    let inputs = paths.flatMap { ["-i", $0] }
    let streams = paths.indices.flatMap { ["-map", "\($0):v:0"] }
    let result = try Tool.run("ffmpeg", ["-v", "error"] + inputs + streams + ["-f", "framemd5", "-"])
    var frames: [[String]] = paths.map { _ in [] }
    for line in result.output.split(separator: "\n") where !line.hasPrefix("#") {
      // The number of the stream comes first, the digest last.
      let stream = try #require(Int(line.prefix { $0 != "," }))
      frames[stream].append(String(line.suffix(32)))
    }
    return frames
  }

  /// Strips films, which have these names, in one run, and gives the paths of what was published.
  func stripped(_ scene: Scene, _ names: [String]) throws -> [String] {
    let run = try scene.run()
    try run.expectCounts(["imported": names.count])
    let originals = try scene.originals().map(\.path)
    return try names.map { name in
      let path = try #require(originals.first { $0.hasSuffix("/" + name) }, "\(name)")
      return scene.library + "/Originals/" + path
    }
  }

  func scene() throws -> Scene { try Scene(policy: "strip").declare("library") }

  @Test("Each frame is the same, and the text that was planted is gone")
  func same() throws {
    let films = [
      // libavcodec decodes 4:4:4 of x264 before build 151 by the number in its user data.
      ("x264-444.mp4", "core 142"),
      // A unit with another one within it, which ffmpeg shows as one of its own.
      ("mp4-h264-nal14.mp4", "CNRY"), ("avi-strf-text.avi", "Jane Doe"),
      // The comment turns the pictures over.
      ("mjpeg-metasoft.avi", "CNRY"),
    ]
    let sources = films.map { Self.folder + "/" + $0.0 }
    let before = try frames(sources)
    try #require(before.allSatisfy { $0.count > 1 })
    let scene = try scene()
    for (film, source) in zip(films, sources) {
      try scene.put("sources/library/" + film.0, copyOf: source)
    }
    let outputs = try stripped(scene, films.map(\.0))
    let after = try frames(outputs)
    for (index, (name, text)) in films.enumerated() {
      #expect(after[index] == before[index], "\(name)")
      let output = Data(try readBytes(outputs[index]))
      #expect(output.range(of: Data(text.utf8)) == nil, "\(name)")
    }
    try scene.expectVerified()
  }

  /// Samsung's slow motion has all of a picture behind the head of a unit of a scalable profile.
  @Test(
    "A picture that a start code divides from a unit that is removed is decoded as before",
    .enabled(if: Tool.exists("ffprobe"), "no ffprobe"),
    arguments: [[], [0x6E, 0xC0, 0x80, 0x0F]] as [[UInt8]]
  )
  func startCodes(head: [UInt8]) throws {
    let scene = try scene()
    let path = scene.at("sources/library/film.mp4")
    try scene.makeFolder("sources/library")
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.4:r=10"]
    try Independent.make("ffmpeg", ["-v", "error"] + source + ["-c:v", "libx264", path])
    let packets = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=size,pos", "-of", "csv=p=0", path]
    ).output.split(separator: "\n").first
    let numbers = try #require(packets).split(separator: ",").compactMap { Int($0) }
    try #require(numbers.count == 2)
    let (size, start) = (numbers[0], numbers[1])
    // The first unit has x264's text, the second one the picture: one length for both.
    var bytes = try readBytes(path)
    let first = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    try #require(first + 8 < size)
    bytes.replaceSubrange((start + 4 + first)..<(start + 8 + first), with: [0, 0, 0, 1])
    bytes.replaceSubrange(start..<(start + 4), with: big(size - 4))
    bytes.replaceSubrange((start + 4)..<(start + 4 + head.count), with: head)
    try scene.put("sources/library/film.mp4", bytes)
    let before = try frames([path])
    try #require(before[0].count == 4)
    let outputs = try stripped(scene, ["film.mp4"])
    #expect(try frames(outputs) == before)
    #expect(try Data(readBytes(outputs[0])).range(of: Data("x264".utf8)) == nil)
    try scene.expectVerified()
  }

  @Test(
    "A film of which each picture stands behind a start code is stripped, however long it is",
    .enabled(if: Tool.exists("ffprobe"), "no ffprobe")
  )
  func manyStartCodes() throws {
    let scene = try scene()
    let path = scene.at("sources/library/film.mp4")
    try scene.makeFolder("sources/library")
    // An edit list may have 1 MiB and a quarter of the file as bytes of its own.
    let source = ["-f", "lavfi", "-i", "testsrc2=s=640x480:d=1:r=10,noise=alls=60:allf=t"]
    let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "10", "-x264-params", "aud=1"]
    try Independent.make("ffmpeg", ["-v", "error"] + source + coding + [path])
    let packets = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=size,pos", "-of", "csv=p=0", path]
    ).output.split(separator: "\n")
    var bytes = try readBytes(path)
    try #require(bytes.count > 2 << 20)
    for packet in packets {
      let numbers = packet.split(separator: ",").compactMap { Int($0) }
      try #require(numbers.count == 2)
      let (size, start) = (numbers[0], numbers[1])
      var offset = start
      while offset < start + size {
        let length = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(offset..<(offset + 4), with: offset == start ? big(size - 4) : [0, 0, 0, 1])
        offset += 4 + length
      }
      try #require(offset == start + size)
    }
    try scene.put("sources/library/film.mp4", bytes)
    let before = try frames([path])
    try #require(before[0].count == 10)
    let outputs = try stripped(scene, ["film.mp4"])
    #expect(try frames(outputs) == before)
    try scene.expectVerified()
  }

  @Test("Of x264's user data two numbers are left, and only where a decoder asks")
  func builds() throws {
    let builds: [(Int, String?)] = [
      (142, "core 150"), (150, "core 150"), (151, nil), (164, nil), (33, "core 33"),
      (12, "core 33"), (34, "core 150"),
    ]
    let scene = try scene()
    for (build, _) in builds {
      var bytes = Data(try readBytes(Self.folder + "/x264-444.mp4"))
      // The text goes on with a space and the revision: the number has the same width.
      let written = try #require(bytes.range(of: Data("x264 - core 142".utf8)))
      let number = String(repeating: " ", count: 3 - "\(build)".count) + "\(build)"
      bytes.replaceSubrange(written, with: Data("x264 - core \(number)".utf8))
      try scene.put("sources/library/film-\(build).mp4", Array(bytes))
    }
    let outputs = try stripped(scene, builds.map { "film-\($0.0).mp4" })
    for (path, (build, left)) in zip(outputs, builds) {
      let output = Data(try readBytes(path))
      let encoder = output.range(of: Data("x264".utf8)).map { range in
        String(decoding: output[range.lowerBound...].prefix { $0 != 0x80 }, as: UTF8.self)
      }
      #expect(encoder == left.map { "x264 - \($0)" }, "\(build)")
    }
    try scene.expectVerified()
  }

  @Test("Of a comment that tells a decoder how to show a picture, that is left")
  func comments() throws {
    let comments: [(String, String?)] = [
      ("Metasoft MJPEG Codec", "Metasoft MJPEG Codec"),
      ("Intel(R) JPEG Library, version 1.51.12.44 of Jane", "Metasoft MJPEG Codec"),
      ("CS=ITU601", "CS=ITU601"), ("CS=ITU601 of Jane", nil), ("Jane was here", nil),
    ]
    let scene = try scene()
    let picture = scene.at("picture.jpg")
    try Independent.make(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.04", "-frames:v", "1", picture]
    )
    let plain = try readBytes(picture)
    let names = comments.indices.map { "film-\($0).avi" }
    var inputs: [String] = []
    var outputs: [String] = []
    for (index, (comment, _)) in comments.enumerated() {
      let text = Array(comment.utf8)
      var bytes = plain
      bytes.insert(contentsOf: [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text, at: 2)
      let file = try scene.put("picture-\(index).jpg", bytes)
      inputs += ["-loop", "1", "-t", "0.2", "-i", file]
      outputs += ["-map", "\(index)", "-c:v", "copy", scene.at("sources/library/" + names[index])]
    }
    try Independent.make("ffmpeg", ["-v", "error"] + inputs + outputs)
    let before = try frames(names.map { scene.at("sources/library/" + $0) })
    try #require(before.allSatisfy { !$0.isEmpty })
    let published = try stripped(scene, names)
    let after = try frames(published)
    for (index, (comment, left)) in comments.enumerated() {
      #expect(after[index] == before[index], "\(comment)")
      let bytes = Data(try readBytes(published[index]))
      #expect(bytes.range(of: Data("Jane".utf8)) == nil, "\(comment)")
      for text in ["Metasoft MJPEG Codec", "CS=ITU601"] {
        #expect((bytes.range(of: Data(text.utf8)) != nil) == (text == left), "\(text) of \(comment)")
      }
    }
  }
}
