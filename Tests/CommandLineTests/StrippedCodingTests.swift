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

  /// The digest of each decoded frame.
  private func frames(_ path: String) throws -> [String] {
    try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v:0", "-f", "framemd5", "-"])
      .output
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.suffix(32)) }
  }

  /// Strips a film in a run, and gives the path of what was published.
  private func stripped(_ scene: Scene) throws -> String {
    let run = try scene.run()
    try run.expectCounts(["imported": 1])
    return scene.library + "/Originals/" + (try #require(try scene.originals().first).path)
  }

  private func scene(_ name: String, _ bytes: [UInt8]) throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    try scene.put("sources/library/" + name, bytes)
    return scene
  }

  @Test(
    "Each frame is the same, and the text that was planted is gone",
    arguments: [
      // libavcodec decodes 4:4:4 of x264 before build 151 by the number in its user data.
      ("x264-444.mp4", "core 142"),
      // A unit with another one within it, which ffmpeg shows as one of its own.
      ("mp4-h264-nal14.mp4", "CNRY"), ("avi-strf-text.avi", "Jane Doe"),
      // The comment turns the pictures over.
      ("mjpeg-metasoft.avi", "CNRY"),
    ]
  )
  func same(name: String, text: String) throws {
    let source = Self.folder + "/" + name
    let before = try frames(source)
    try #require(before.count > 1)
    let scene = try scene(name, try readBytes(source))
    let output = try stripped(scene)
    #expect(try frames(output) == before)
    #expect(Data(try readBytes(output)).range(of: Data(text.utf8)) == nil)
    try scene.expectVerified()
  }

  @Test(
    "Of x264's user data two numbers are left, and only where a decoder asks",
    arguments: [
      (142, "core 150"), (150, "core 150"), (151, nil), (164, nil), (33, "core 33"),
      (12, "core 33"),
      (34, "core 150"),
    ] as [(Int, String?)]
  )
  func builds(build: Int, left: String?) throws {
    var bytes = Data(try readBytes(Self.folder + "/x264-444.mp4"))
    // The text goes on with a space and the revision: the number has the same width.
    let written = try #require(bytes.range(of: Data("x264 - core 142".utf8)))
    let number = String(repeating: " ", count: 3 - "\(build)".count) + "\(build)"
    bytes.replaceSubrange(written, with: Data("x264 - core \(number)".utf8))
    let scene = try scene("film.mp4", Array(bytes))
    let output = Data(try readBytes(try stripped(scene)))
    try scene.expectVerified()
    let found = output.range(of: Data("x264".utf8)).map { place in
      String(decoding: output[place.lowerBound...].prefix { $0 != 0x80 }, as: UTF8.self)
    }
    #expect(found == left.map { "x264 - \($0)" })
  }

  @Test(
    "Of a comment that tells a decoder how to show a picture, that is left",
    arguments: [
      ("Metasoft MJPEG Codec", "Metasoft MJPEG Codec"),
      ("Intel(R) JPEG Library, version 1.51.12.44 of Jane", "Metasoft MJPEG Codec"),
      ("CS=ITU601", "CS=ITU601"), ("CS=ITU601 of Jane", nil), ("Jane was here", nil),
    ] as [(String, String?)]
  )
  func comments(comment: String, left: String?) throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    let picture = scene.at("picture.jpg")
    try Independent.make(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.04", "-frames:v", "1", picture]
    )
    var bytes = try readBytes(picture)
    let text = Array(comment.utf8)
    bytes.insert(contentsOf: [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text, at: 2)
    try scene.put("picture.jpg", bytes)
    try scene.makeFolder("sources/library")
    try Independent.make(
      "ffmpeg",
      [
        "-v", "error", "-loop", "1", "-t", "0.2", "-i", picture, "-c:v", "copy",
        scene.at("sources/library/film.avi"),
      ]
    )
    let before = try frames(scene.at("sources/library/film.avi"))
    let output = try stripped(scene)
    #expect(try frames(output) == before)
    let found = Data(try readBytes(output))
    #expect(found.range(of: Data("Jane".utf8)) == nil)
    for text in ["Metasoft MJPEG Codec", "CS=ITU601"] {
      #expect((found.range(of: Data(text.utf8)) != nil) == (text == left), "\(text)")
    }
  }
}
