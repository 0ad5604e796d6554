import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaManifest
import Testing

@testable import MediaModel
@testable import MediaPipeline
@testable import MediaSources

@Suite("Pairing the halves of live photos")
struct LivePhotoPairingTests {
  /// A file: its path, what it is, its content identifier.
  private func items(
    _ files: [(String, MediaFormat?, String?)],
    _ source: PlannedSource
  ) -> [ItemWork] {
    files.enumerated().map { index, file in
      let item = itemWork(file.0, source, index: index)
      if let format = file.1 {
        finish(item, Facts(format: format, contentIdentifier: file.2))
      } else {
        item.end(.damaged, .metadata, "")
      }
      return item
    }
  }

  private func finish(_ item: ItemWork, _ facts: Facts) {
    let isAccepted = item.source.acceptedMediaTypes.contains(facts.format.mediaType)
    item.finish(
      with: ItemWork.Product(
        file: item.source.root,
        claim: ItemWork.Claim(facts: facts, digest: [], isAccepted: isAccepted),
        thumbnails: []
      )
    )
  }

  /// For each file the index of its other half.
  private func pairs(_ files: [(String, MediaFormat?, String?)]) throws -> [Int?] {
    let items = items(files, try plannedSource(captureMode: .photoAndLivePhoto))
    let pairing = LivePhotoPairing(items)
    return items.map { pairing.still(of: $0)?.index ?? pairing.movie(of: $0)?.index }
  }

  @Test("A still and a movie with one identifier are a pair, whatever their names and order")
  func pair() throws {
    #expect(try pairs([("a.heic", .heic, "I"), ("b.mov", .mov, "I")]) == [1, 0])
    #expect(try pairs([("d/a.heic", .heic, "I"), ("e/a.mov", .mov, "i")]) == [1, 0])
    #expect(try pairs([("a.heic", .heic, "I"), ("a.mov", .mov, "I")]) == [1, 0])
    #expect(try pairs([("A.MOV", .mov, "I"), ("a.jpg", .jpeg, "I")]) == [1, 0])
    #expect(try pairs([("d/a.heic", .heic, "I"), ("d/a.mp4", .mp4, "I")]) == [1, 0])
  }

  @Test("The movie of a motion photo goes with its still by their names alone")
  func motionPhotos() throws {
    #expect(try pairs([("a/P.MP", .mp4, nil), ("a/P.MP.jpg", .jpeg, nil)]) == [1, 0])
    #expect(try pairs([("P.MP~2", .mp4, nil), ("P.MP~2.jpg", .jpeg, nil)]) == [1, 0])
    #expect(try pairs([("P.MP", .mp4, nil), ("P.jpg", .jpeg, nil)]) == [1, 0])
    #expect(
      try pairs([("P.jpg", .jpeg, nil), ("P.MP.jpg", .jpeg, nil), ("P.MP", .mp4, nil)])
        == [nil, 2, 1]
    )
    let none: [[(String, MediaFormat?, String?)]] = [
      [("a/P.MP", .mp4, nil), ("b/P.MP.jpg", .jpeg, nil)],
      [("P.MP~2", .mp4, nil), ("P.MP.jpg", .jpeg, nil)],
      [("P.MP", .mp4, nil), ("Q.MP.jpg", .jpeg, nil)],
      [("P.MP.mp4", .mp4, nil), ("P.MP.jpg", .jpeg, nil)],
      [("P.MP", .mp4, "I"), ("P.MP.jpg", .jpeg, nil)],
      [("P.MP", .m4a, nil), ("P.MP.jpg", .jpeg, nil)],
    ]
    for files in none { #expect(try pairs(files) == files.map { _ in nil }, "\(files)") }
  }

  @Test("A name alone, another identifier or two of a kind pair nothing")
  func noPair() throws {
    let cases: [[(String, MediaFormat?, String?)]] = [
      [("a.heic", .heic, nil), ("a.mov", .mov, nil)],
      [("a.heic", .heic, "I"), ("a.mov", .mov, "J")],
      [("a.heic", .heic, ""), ("a.mov", .mov, "")],
      [("a.heic", .heic, "I"), ("a.jpg", .jpeg, "I")],
      [("a.mov", .mov, "I"), ("a.mp4", .mp4, "I")],
      [("a.heic", .heic, "I"), ("a.m4a", .m4a, "I")],
      [("a.heic", .heic, "I")], [],
    ]
    for files in cases { #expect(try pairs(files) == files.map { _ in nil }, "\(files)") }
  }

  @Test("A movie goes with one still only, that of its own name before others")
  func oneToOne() throws {
    #expect(
      try pairs([("a.heic", .heic, "I"), ("b.heic", .heic, "I"), ("b.mov", .mov, "I")])
        == [nil, 2, 1]
    )
    #expect(
      try pairs([
        ("a.heic", .heic, "I"), ("b.heic", .heic, "I"), ("b.mov", .mov, "I"), ("c.mov", .mov, "I"),
      ]) == [3, 2, 1, 0]
    )
    #expect(
      try pairs([("a.heic", .heic, "I"), ("a.jpg", .jpeg, "I"), ("a.mov", .mov, "I")])
        == [2, nil, 0]
    )
    #expect(
      try pairs([
        ("a.heic", .heic, "I"), ("a.jpg", .jpeg, "J"), ("a.mov", .mov, "J"), ("a.mp4", .mp4, "I"),
      ]) == [3, 2, 1, 0]
    )
  }

  @Test("A half whose other half failed before it said who it is lacks it")
  func widowed() throws {
    let source = try plannedSource(captureMode: .photoAndLivePhoto)
    for format in [MediaFormat.heic, .mov] {
      let items = items([("a.x", format, "I"), ("a.y", nil, nil)], source)
      #expect(LivePhotoPairing(items).lacksCounterpart(items[0]))
      let plain = self.items([("a.x", format, nil), ("a.y", nil, nil)], source)
      #expect(!LivePhotoPairing(plain).lacksCounterpart(plain[0]))
      let other = self.items([("a.x", format, "I"), ("b.y", nil, nil)], source)
      #expect(!LivePhotoPairing(other).lacksCounterpart(other[0]))
    }
  }

  @Test(
    "What each mode leaves out, with and without the microphone",
    arguments: CaptureMode.allCases,
    [false, true]
  )
  func modes(_ mode: CaptureMode, _ refusesSound: Bool) throws {
    let source = try plannedSource(captureMode: mode, audioRefusal: refusesSound ? .refuse : nil)
    let items = items(
      [
        ("a.heic", .heic, "I"), ("a.mov", .mov, "I"), ("b.jpg", .jpeg, nil), ("c.mov", .mov, nil),
        ("d.wav", .wav, nil),
      ],
      source
    )
    let pairing = LivePhotoPairing(items)
    let reasons = items.map(pairing.reasonToLeaveOut)
    let out = ItemReason.mediaTypeExcluded
    let sound = refusesSound ? ItemReason.microphoneRefused : nil
    switch mode {
    case .photo: #expect(reasons == [nil, out, nil, out, out])
    case .photoAndLivePhoto: #expect(reasons == [sound, sound, nil, out, out])
    case .photoAndVideo: #expect(reasons == [sound, sound, nil, sound, out])
    }
  }

  @Test("A photo library that takes no pictures takes no movie of a live photo either")
  func mediaTypes() throws {
    let source = try plannedSource(kind: .library, mediaTypes: [.video])
    let items = items([("a.heic", .heic, "I"), ("a.mov", .mov, "I"), ("b.mov", .mov, nil)], source)
    let pairing = LivePhotoPairing(items)
    #expect(pairing.reasonToLeaveOut(items[1]) == .mediaTypeExcluded)
    #expect(pairing.reasonToLeaveOut(items[2]) == nil)
  }

  @Test("A movie whose still is published, and cannot be read again, is not left out")
  func lateHalf() throws {
    let source = try plannedSource(captureMode: .photoAndLivePhoto)
    for hasStill in [true, false] {
      let item = itemWork("a.mov", source, late: .alone(hasPublishedStill: hasStill))
      finish(item, Facts(format: .mov, contentIdentifier: "I"))
      let pairing = LivePhotoPairing([item])
      #expect(pairing.reasonToLeaveOut(item) == (hasStill ? nil : .mediaTypeExcluded))
      #expect(pairing.lacksCounterpart(item) == hasStill)
    }
  }
}
