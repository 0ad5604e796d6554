import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("The facts that the catalogue has of a stripped file are those that the file still says")
struct KeptFactsTests {
  private static let choices: [StripOptions] =
    [
      StripOptions(), StripOptions(except: Set(MetadataException.allCases)),
      StripOptions(except: [.location], isLocationCoarse: true),
    ] + MetadataException.allCases.map { StripOptions(except: [$0]) }

  /// The facts of a file that `except` decides about.
  private func keptFacts(_ bytes: [UInt8], _ format: MediaFormat, _ options: StripOptions) throws -> Facts {
    let facts = try withSource(bytes) { try MetadataReader.describedFacts(of: $0, format: format) }
      .publishable(under: options)
    var kept = Facts(format: format)
    (kept.creationDate, kept.camera, kept.lensModel) = (facts.creationDate, facts.camera, facts.lensModel)
    (kept.hasLocation, kept.description) = (facts.hasLocation, facts.description)
    return kept
  }

  /// Compares what a source says, as far as options let it, with what its stripped file says.
  ///
  /// - Returns: Whether the file could be stripped and says something.
  private func compare(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ options: StripOptions,
    _ name: String
  ) throws -> Bool {
    guard let output = try? strip(bytes, format, options).output else { return false }
    let before = try keptFacts(bytes, format, options)
    let after = try keptFacts(output, format, options)
    #expect(before == after, "\(name) \(options.except.map(\.rawValue).sorted())")
    return after != Facts(format: format)
  }

  @Test("Of a file of each format, by each word of except")
  func files() throws {
    var formats: Set<MediaFormat> = []
    for options in Self.choices {
      for (number, (format, bytes)) in InspectorAgreementTests.files.enumerated()
      where try compare(bytes, format, options, "\(number) \(format)") { formats.insert(format) }
    }
    let wanted: Set<MediaFormat> = [
      .jpeg, .png, .webp, .gif, .tiff, .mp4, .mov, .mp3, .wav, .aiff, .flac, .ogg,
    ]
    #expect(formats.isSuperset(of: wanted), "\(formats)")
  }

  @Test(
    "Of real files",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func realFiles() throws {
    var count = 0
    for path in Corpus.files(beneath: "visible") {
      let bytes = try readBytes(path)
      guard bytes.count < 4 << 20, let format = format(of: bytes) else { continue }
      for options in Self.choices.prefix(3) where try compare(bytes, format, options, path) { count += 1 }
    }
    #expect(count >= 40, "\(count)")
  }
}
