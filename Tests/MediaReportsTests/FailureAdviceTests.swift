import MediaModel
import Testing

@testable import MediaReports

struct FailureAdviceTests {
  @Test("Every reason at every source says what happened, to which file, and what to do")
  func golden() throws {
    var text = ""
    for reason in ItemReason.allCases {
      for source in SourceKind.allCases.map({ SourceID($0) }) {
        let message = FailureAdvice.message(
          reason: reason,
          path: ItemPath(bytes: Array("2026/beach.jpg".utf8)),
          source: source
        )
        #expect(message.hasPrefix("\"2026/beach.jpg\" (\(source.displayName)) was "))
        #expect(message.hasSuffix(".") && message.contains(": "))
        text += "\(reason.rawValue) \(source.name): \(message)\n"
      }
    }
    for reason in [ItemReason.stripUnsupported, .overLimit] {
      for format in [MediaFormat.tiff, .dng, .mkv, .wma] {
        let message = FailureAdvice.message(
          reason: reason,
          path: ItemPath(bytes: Array("2026/beach".utf8)),
          source: .camera,
          format: format
        )
        text += "\(reason.rawValue) \(format.rawValue): \(message)\n"
      }
    }
    try expectSnapshot(text, "failure-advice.txt")
  }

  @Test("Each reason has one advice, in the order of the reasons")
  func table() {
    #expect(FailureAdvice.rows.map(\.reason) == ItemReason.allCases)
  }

  @Test("Who accepts damaged files is not told to", arguments: [false, true])
  func accepted(acceptsDamaged: Bool) {
    var settings = AdvisedSettings()
    settings.acceptsDamaged = acceptsDamaged
    let message = FailureAdvice.message(
      reason: .damaged,
      path: ItemPath(bytes: [0x61]),
      source: .camera,
      settings: settings
    )
    #expect(message.contains("acceptDamaged") != acceptsDamaged)
    #expect(message.contains("Copy it from its device again, or export it again"))
    var report = SampleReport.full(failures: 3)
    report.settings = settings
    #expect(SummaryTable.text(report).contains("acceptDamaged") != acceptsDamaged)
  }

  @Test(
    "No advice names what the manifest has set already",
    arguments: [
      (ItemReason.mediaTypeExcluded, SourceID.camera, "photoAndVideo"),
      (.notFetched, .library, "includeHiddenAssets"), (.damaged, .library, "acceptDamaged"),
      (.microphoneRefused, .camera, "authorize the microphone in the manifest"),
    ]
  )
  func alreadySet(reason: ItemReason, source: SourceID, words: String) {
    var settings = AdvisedSettings()
    func message(_ settings: AdvisedSettings) -> String {
      FailureAdvice.message(of: 2, reason: reason, source: source, format: nil, settings: settings)
    }
    #expect(message(settings).contains(words))
    (settings.videoSources, settings.authorizesMicrophone, settings.acceptsDamaged) = ([.camera], true, true)
    settings.hiddenSources = [.library]
    #expect(!message(settings).contains(words))
    #expect(message(settings).hasPrefix("2 files ") && message(settings).hasSuffix("."))
    // Of another source it says nothing.
    settings = AdvisedSettings()
    settings.hiddenSources = [.camera]
    #expect(message(settings).contains(words))
  }

  @Test("A Photos library has no key for what a partner shares", arguments: [nil, [], [SourceID.library]])
  func photosLibrary(filteredSources: Set<SourceID>?) {
    var settings = AdvisedSettings()
    settings.filteredSources = filteredSources
    for photosLibraries in [[], [SourceID.library]] as [Set<SourceID>] {
      settings.photosLibraries = photosLibraries
      let message = FailureAdvice.message(
        of: 2,
        reason: .notFetched,
        source: .library,
        format: nil,
        settings: settings
      )
      #expect(message.contains("includeHiddenAssets"))
      #expect(message.contains("includePartnerSharing") == photosLibraries.isEmpty, "\(message)")
    }
  }

  @Test("An item of a run is told with its format and the words about its cause")
  func item() {
    let path = ItemPath(bytes: Array("a.png".utf8))
    let item = SampleReport.item(.camera, path, .damaged, format: .png, detail: "damaged: cut.")
    let message = FailureAdvice.message(
      reason: .damaged,
      path: path,
      source: .camera,
      format: .png,
      detail: "cut"
    )
    #expect(FailureAdvice.message(of: item) == message && message.contains("(cut)"))
    var settings = AdvisedSettings()
    settings.acceptsDamaged = true
    #expect(!FailureAdvice.message(of: item, settings).contains("acceptDamaged"))
    // Of a film nothing is left.
    let film = SampleReport.item(.camera, path, .damaged, format: .mp4, detail: "")
    #expect(message.contains("acceptDamaged") && !FailureAdvice.message(of: film).contains("acceptDamaged"))
  }

  @Test("A detail does not say the reason's word again")
  func wordOnce() {
    let message = FailureAdvice.message(
      reason: .damaged,
      path: ItemPath(bytes: Array("a.png".utf8)),
      source: .camera,
      detail: "damaged: IDAT that ends early."
    )
    #expect(message.contains(": damaged (IDAT that ends early). Copy it"))
  }

  @Test(
    "The codes of a worker become words",
    arguments: [
      (
        "stripUnsupported: stripUnsupported: nothing but stpp track",
        "metadata cannot be stripped safely (nothing but stpp track)"
      ),
      (
        "decoderMissing: unsupported: LibRaw cannot open it",
        "no installed decoder for this format (LibRaw cannot open it)"
      ),
      ("damaged: damaged: no EOI.", "it is damaged (no EOI, the picture's end)"),
      ("overLimit: ", "larger than the limits allow"),
      ("open \"0\": Permission denied", "open \"0\": Permission denied"),
      ("it shows no picture", "it shows no picture"),
    ]
  )
  func explained(words: String, expected: String) {
    #expect(FailureAdvice.explained(words) == expected)
  }

  @Test(
    "A missing thumbnail has the advice that helps, and no other",
    arguments: [
      ("decoderMissing: libheif1: not there", "its decoder is not installed (libheif1: not there). Install"),
      (
        "unsupported: indeo4", "mediabatch has no decoder for it (indeo4). The file itself is in the library."
      ),
      ("overLimit: 40000x40000", "decoding exceeds the limits (40000x40000). Raise \"limits\""),
      ("damaged: no EOI", "damaged (no EOI). Copy it from its device again"),
      ("", "exceeds the limits. The next run makes them, or names a package"),
    ]
  )
  func undecoded(detail: String, words: String) {
    let message = FailureAdvice.message(
      reason: .thumbnailMissing,
      path: ItemPath(bytes: [0x61]),
      source: .camera,
      detail: detail
    )
    #expect(message.contains(words), "\(message)")
    #expect(message.contains("package") == (detail.hasPrefix("decoderMissing") || detail.isEmpty))
  }

  @Test("A file of a source without a filter is hidden or shared, and of one with a filter it is not said")
  func notFetched() {
    var settings = AdvisedSettings()
    settings.filteredSources = [.camera]
    func message(_ source: SourceID) -> String {
      FailureAdvice.message(of: 1, reason: .notFetched, source: source, format: nil, settings: settings)
    }
    #expect(!message(.library).contains("predicate") && message(.library).contains("includeHiddenAssets"))
    #expect(message(.camera).contains("predicate"))
  }

  @Test("A film or a sound is never to be exported as a picture", arguments: MediaFormat.allCases)
  func kinds(format: MediaFormat) {
    for reason in ItemReason.allCases where reason.outcome == .failed {
      let message = FailureAdvice.message(
        reason: reason,
        path: ItemPath(bytes: [0x61]),
        source: .camera,
        format: format
      )
      guard format.mediaType != .image else { continue }
      #expect(!["JPEG", "PNG"].contains { message.contains($0) }, "\(message)")
      #expect(format.mediaType == .video || !message.contains("pixels"), "\(message)")
    }
  }

  @Test("No two reasons read alike")
  func distinct() {
    let messages = Set(
      ItemReason.allCases.map {
        FailureAdvice.message(reason: $0, path: ItemPath(bytes: [0x61]), source: .camera)
      }
    )
    #expect(messages.count == ItemReason.allCases.count)
  }

  @Test("A detail joins the cause, without its full stop and not too long")
  func detail() {
    let message = FailureAdvice.message(
      reason: .damaged,
      path: ItemPath(bytes: [0x61]),
      source: .camera,
      detail: "its EXIF block ends early."
    )
    #expect(message.contains(": damaged (its EXIF block ends early). Copy"))
    let long = FailureAdvice.message(
      reason: .damaged,
      path: ItemPath(bytes: [0x61]),
      source: .camera,
      detail: String(repeating: "x", count: 10_000)
    )
    #expect(long.count < 400)
  }

  @Test("Hostile names and details stay text", arguments: ItemReason.allCases)
  func hostile(reason: ItemReason) {
    expectHarmless(
      FailureAdvice.message(
        reason: reason,
        path: SampleReport.nastyPath,
        source: .library,
        detail: SampleReport.nasty
      )
    )
  }
}
