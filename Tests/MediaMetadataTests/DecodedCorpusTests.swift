import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Decoded pictures and samples of each film and sound, before and after strip.
@Suite(
  "Every film and sound of the corpora is decoded as before",
  .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg"),
  .enabled(if: Corpus.folder != nil, "no corpus"),
  .enabled(if: Amount.isAll, "decodes hundreds of films twice: set MEDIABATCH_TEST_ALL")
)
struct DecodedCorpusTests {
  private static let extensions: Set<String> = [
    "3ga", "3gp", "aac", "aif", "aiff", "avi", "flac", "m4a", "m4v", "mka", "mkv", "mov", "mp3",
    "mp4", "oga", "ogg", "opus", "wav", "weba", "webm",
  ]

  static let files: [String] = ["visible", "second", "third"]
    .flatMap { Corpus.files(beneath: $0) }
    .filter { extensions.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }

  /// Files whose strip is right and whose frames differ, and why.
  private static let different: [String: String] = [
    // ffmpeg decodes the first frame twice where STREAMINFO is not the first block.
    "stream_info_last.flac": "the blocks are in order in the copy"
  ]

  /// The digests of the decoded frames of each stream, without attached pictures; empty streams are
  /// left out.
  private static func streams(_ path: String) throws -> [[String]] {
    let result = try Tool.run(
      "ffmpeg",
      ["-v", "quiet", "-i", path, "-map", "0:V?", "-map", "0:a?", "-f", "framemd5", "-"]
    )
    var streams: [Int: [String]] = [:]
    for line in result.output.split(separator: "\n") where !line.hasPrefix("#") {
      // The number of the stream comes first, the digest last.
      guard let stream = Int(line.prefix { $0 != "," }) else { continue }
      streams[stream, default: []].append(String(line.suffix(32)))
    }
    return streams.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test("There are films and sounds in them")
  func present() {
    #expect(Self.files.count > 10)
  }

  @Test(
    "Each stream that strip keeps has the same frames, and the first one is kept",
    arguments: files
  )
  func same(path: String) throws {
    let bytes = try readBytes(path)
    // What strip refuses, what is no film or sound, and what a run leaves out as damaged has no output.
    guard let kind = format(of: bytes), kind.mediaType != .image,
      Self.different[(path as NSString).lastPathComponent] == nil,
      withSource(bytes, { Completeness.missingPart(of: $0, format: kind) }) == nil,
      let output = try? strip(bytes, kind).output
    else { return }
    let before = try Self.streams(path)
    guard let first = before.first else { return }
    let folder = TemporaryFolder()
    let clean = "\(folder.path)/clean.\(kind.fileExtension)"
    try Data(output).write(to: URL(fileURLWithPath: clean))
    let after = try Self.streams(clean)
    #expect(after.first == first)
    #expect(after.allSatisfy(before.contains))
  }
}
