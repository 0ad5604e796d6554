import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

/// Real files, whole and cut, against readers that are not ours.
@Suite(
  "Whole files and cut ones: real media",
  .enabled(
    if: Corpus.folder != nil && Tool.exists("ffprobe") && Tool.exists("exiftool"),
    "no corpus, no ffprobe or no exiftool"
  )
)
struct CompletenessCorpusTests {
  private static let folders = ["visible", "second/formats", "second/formats2"]

  /// Files of the corpus that are found cut, and what they lack: their repositories hold their heads
  /// alone, or changed them on purpose. No reader decodes one without an error.
  private static let expected: [String: String] = [
    "truncated.heic": "data of an item (hvc1)", "ultrahdr.jpg": "EOI",
    "Panasonic.rw2": "strips or tiles", "IMG_1361.dng": "strips or tiles", "canon-r6.cr3": "mdat",
    "sony-a7-xavc.MP4": "samples that its tables point to", "Matroska.mkv": "Segment",
    "tiff_wrong_bits_per_sample.tiff": "strips or tiles", "00r0_gray_l.jp2": "a box (jp2c)",
    "not_enough_data.jp2": "a codestream", "balloon_eciRGBv2_aware.jp2": "a tile",
    "combined_larger_than_size.psd": "layers", "unsupported_bitcount.dds": "pixels",
    "adts-mpeg4.aac": "the end of a frame",
  ]

  /// The format of a file, and what it lacks; nil for a file that is not recognized.
  private static func finding(_ bytes: [UInt8]) -> (format: MediaFormat, part: String?)? {
    withSource(bytes) { source in
      FormatSniffer.format(of: source).map {
        ($0, Completeness.missingPart(of: source, format: $0))
      }
    }
  }

  /// The complaints of ffprobe and exiftool about a file, by tool.
  private static func complaints(_ path: String) throws -> [String: String] {
    let probe = try Tool.run("ffprobe", ["-v", "warning", path])
    let tags = try Tool.run("exiftool", ["-s3", "-Warning", "-Error", path])
    var results: [String: String] = [:]
    if probe.status != 0 || !probe.error.isEmpty {
      results["ffprobe"] = String(probe.error.prefix(200))
    }
    if !tags.output.isEmpty { results["exiftool"] = String(tags.output.prefix(200)) }
    return results
  }

  @Test("Only files that are cut are found cut")
  func falseAlarms() throws {
    var findings: [String: String] = [:]
    for folder in Self.folders {
      for path in Corpus.files(beneath: folder) {
        guard let part = Self.finding(try readBytes(path))?.part else { continue }
        let name = (path as NSString).lastPathComponent
        // Inputs that crashed a decoder once.
        if ["crash-", "oom-", "timeout-"].contains(where: name.hasPrefix) { continue }
        findings[name] = part
      }
    }
    #expect(findings == Self.expected)
  }

  /// Whether a file is a JPEG XL without boxes, which states no length; `docs/formats.md` says so.
  private static func isCodestreamAlone(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0x0A])
  }

  @Test("A real file that is cut is found, or no reader misses what was taken")
  func cuts() throws {
    let scratch = TemporaryFolder()
    var files: [MediaFormat: Int] = [:]
    var table: [MediaFormat: (cuts: Int, detected: Int)] = [:]
    for path in Self.folders.flatMap({ Corpus.files(beneath: $0) }) {
      let bytes = try readBytes(path)
      // What costs little is asked first.
      guard let format = format(of: bytes), ![.aac, .ts, .m2ts].contains(format),
        files[format, default: 0] < Amount.of(1, all: .max), !Self.isCodestreamAlone(bytes),
        CompletenessTests.reason(bytes) == nil
      else { continue }
      files[format, default: 0] += 1
      for length in CompletenessTests.cuts(bytes.count, at: Amount.of(3, all: 20)) {
        let cut = Array(bytes[..<length])
        table[format, default: (0, 0)].cuts += 1
        if CompletenessTests.isRefused(cut) {
          table[format, default: (0, 0)].detected += 1
          continue
        }
        let file = "\(scratch.path)/cut.\(format.fileExtension)"
        try Data(cut).write(to: URL(fileURLWithPath: file))
        let name = (path as NSString).lastPathComponent
        let before = try Self.complaints(path)
        let new = try Self.complaints(file).filter { before[$0.key] == nil }
        #expect(new.isEmpty, "\(name) cut at \(length) of \(bytes.count): \(new)")
      }
    }
    #expect(table.count > 20)
    for (format, row) in table.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      print("\(format.rawValue): \(row.detected) of \(row.cuts) cuts found")
      // An MP3 without a count of its frames promises nothing.
      #expect(row.detected * 4 >= row.cuts * 3 || format == .mp3, "\(format)")
    }
  }
}
