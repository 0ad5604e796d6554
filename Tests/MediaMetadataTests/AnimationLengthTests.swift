import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite(
  "How long animations are",
  .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
)
struct AnimationLengthTests {
  @Test(
    "Frames and duration are those that ffmpeg was told to write",
    arguments: [
      ("a.gif", MediaFormat.gif, [String]()), ("a.apng", .png, ["-plays", "0"]),
      ("a.webp", .webp, ["-c:v", "libwebp_anim"]),
    ]
  )
  func length(name: String, format: MediaFormat, options: [String]) throws {
    let path = NSTemporaryDirectory() + "/\(UUID().uuidString)-\(name)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=32x32:rate=10:duration=2"] + options
        + [path]
    )
    try #require(result.status == 0, "\(result.error)")
    let facts = try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
      try Result { () throws(MetadataError) in
        try MetadataReader.facts(of: ByteSource(bytes), format: format)
      }.get()
    }
    // Its encoder joins pictures that differ too little.
    #expect(format == .webp ? (2...20).contains(facts.frameCount ?? 0) : facts.frameCount == 20)
    #expect(facts.durationMilliseconds == 2000)
  }

  @Test("One picture is no animation")
  func still() {
    var facts = Facts(format: .gif)
    var length = AnimationLength()
    length.add(milliseconds: 100)
    length.write(to: &facts)
    #expect(facts.frameCount == nil && facts.durationMilliseconds == nil)
  }
}
