import Foundation
import MediaFileSystem
import MediaModel
import Testing

@testable import MediaLibrary

@Suite("A staged batch in the journal")
struct StagedBatchJournalTests {
  /// A batch of which no optional is nil and no list is empty.
  private static let full: StagedBatch = {
    var status = FileStatus(
      kind: .regular,
      device: .max,
      inode: 131,
      mount: 7,
      size: 5_000_000_000,
      modified: -1,
      changed: 1_763_689_479_000_000_000,
      linkCount: 2
    )
    status.allocated = 4096
    let time = SaveTime(microseconds: 1_763_689_479_123_456)
    let policy = MetadataPolicy(except: [.caption, .location])
    let path = ItemPath(bytes: Array("a/\u{e9}.jpg".utf8) + [0xFF, 0x0A])
    let thumbnail = StagedThumbnail(
      name: "grid",
      fingerprint: "32x32 aspectFill",
      size: PixelSize(width: 32, height: 24),
      stagedName: "0.grid",
      date: "2026-11-22",
      fileName: "014439.123456 harbour.jpg",
      bytes: 812,
      sha256: "ab",
      thumbHash: [0xD0, 0x15, 0x0A],
      perceptualHash: .min
    )
    var result = ItemResult(
      item: PlannedItem(
        source: SourceID(.camera, name: "Card/2"),
        path: path,
        status: status,
        saveTime: time
      ),
      outcome: .imported,
      reason: .damaged,
      step: .decode,
      failedFormat: .jpeg,
      message: "a \"quoted\" \\ text\u{1}\u{1F} with \u{1F600}",
      writtenUnder: "strip grid=32x32",
      policy: policy
    )
    result.conditions = "0b7e"
    result.damage = Damage(rawValue: "no EOI")
    result.localIdentifier = "5f1c"
    result.role = .photo
    result.output = OutputFile(
      published: "Originals/2026-11-22/014439.123456/harbour.jpg",
      sha256: "cd",
      bytes: 4211
    )
    result.sourceDigest = [0, 1, 9, 10, 99, 100, 255]
    result.removed = [RemovedMetadata(name: "APP1 Exif", count: 2)]
    result.degraded = true
    result.thumbnails = [thumbnail]
    result.olderVersion = "5f1b"
    result.replaces = .version
    result.contentDigest = [7, 8]
    result.burstDigest = [9]
    result.isAgain = true
    result.dateShift = "+01:02:30"
    result.dateAbout = "1978-06~"
    result.restored = OutputFile(published: "Originals/d/t/c", sha256: "ef", bytes: 1)
    var track = TrackFacts(kind: .video, codec: "avc1")
    track.durationMilliseconds = 1000
    track.pixelSize = PixelSize(width: 640, height: 480)
    track.frameRateMilli = 29_970
    track.channelCount = 2
    track.sampleRate = 48_000
    var facts = Facts(format: .mov, pixelSize: PixelSize(width: 4032, height: 3024))
    facts.creationDate = CaptureDate(
      local: "2026-11-21T01:44:39",
      offsetMinutes: -90,
      tag: "DateTimeOriginal"
    )
    facts.creationDate?.fraction = "047"
    facts.camera = "Example Optics EO-1"
    facts.lensModel = "Example 50mm F1.8"
    facts.contentIdentifier = "identifier"
    facts.burstIdentifier = "burst"
    facts.durationMilliseconds = 1
    facts.frameCount = 3
    facts.tracks = [track]
    facts.embeddedMovie = EmbeddedMovie(offset: 1000, length: 2000, stillLength: 990, soundTrackCount: 1)
    var description = MediaDescription()
    description.dates = [CaptureDate(local: "2026-11-21", offsetMinutes: 1, tag: "fileName")]
    description.locationTime = "2026-11-21T00:44:39"
    description.place = MediaDescription.Place(latitude: -1, longitude: 2)
    description.statesPlace = true
    description.placeTag = "gpx"
    description.placeName = PlaceName(city: "Lyon \"L\"", region: "A\n", country: "FR")
    description.subtypes = [.photoHDR, .photoLive]
    description.rating = -1
    description.isFavorite = true
    description.isHidden = false
    description.caption = "a \"caption\""
    description.keywords = ["one", "two \n"]
    description.people = ["Ann", "Bo \"B\""]
    description.burst = "b"
    description.isBurstPick = true
    description.subject = .picture("1530000000 IMG_1.jpg")
    description.isTrashed = true
    description.isOfOthers = true
    description.ownerExtension = "jpg"
    description.implausibleDateTag = "xmp:CreateDate"
    description.uncorrected = CaptureDate(local: "2026-11-20T10:15:30", offsetMinutes: 60, tag: "fileName")
    description.misstatesMovie = true
    facts.description = description
    var asset = StagedAsset(
      localIdentifier: "5f1c",
      saveTime: time,
      label: "harbour",
      mediaType: .video,
      source: SourceID(.library, name: "Anna"),
      policy: policy,
      facts: facts,
      stagedName: "0"
    )
    asset.isKnown = true
    asset.isRewritten = false
    asset.replaces = .beginning
    asset.contentDigest = [7, 8]
    asset.burstDigest = [9]
    asset.olderVersion = "5f1a"
    asset.restoredFolder = "2026-11-22/014439.123456"
    asset.resources = [
      StagedResource(
        role: .video,
        fileName: "harbour.mov",
        format: .media(.mov),
        bytes: 4211,
        sha256: "cd",
        sourceDigest: [7],
        source: SourceID(.library, name: "Anna"),
        sourcePath: path
      )
    ]
    asset.thumbnails = [thumbnail]
    var batch = StagedBatch(results: [result, result], assets: [asset, asset])
    batch.additions = StagedAdditions(
      photoLibrary: Array("/photos".utf8),
      files: [
        StagedAddition(
          source: SourceID(.camera, name: "Card/2"),
          path: path,
          localIdentifier: "5f1c",
          incomingName: Array("7-0".utf8),
          date: "2026-11-21",
          bytes: 4211,
          sourceDigest: [7],
          isDigestKeyed: true
        )
      ]
    )
    var edit = LibraryEdit(.withdraw, ["0b7e", "two \""])
    (edit.label, edit.rotation, edit.folder) = ("a \"b\"", 90, "Quarantine/5f1c")
    edit.moves = [
      LibraryEdit.Move(
        from: "Originals/d/t/\"a",
        to: "Quarantine/5f1c/Originals/d/t/\"a",
        bytes: 7,
        sha256: "5f1c"
      )
    ]
    var label = edit
    label.kind = .label
    label.moves[0].to = "Originals/d/t/b"
    batch.edits = [label, edit]
    return batch
  }()

  @Test("A batch is read as it was written, also with values that no worker may send")
  func equal() throws {
    #expect(try StagedBatch(journal: Data(Self.full.journal)) == Self.full)
    var batch = Self.full
    batch.assets[0].facts.camera = String(repeating: "x", count: 300)
    batch.assets[0].facts.description?.keywords = (0..<100).map(String.init)
    batch.assets[0].facts.creationDate?.tag = String(repeating: "t", count: 100)
    #expect(try StagedBatch(journal: Data(batch.journal)) == batch)
  }

  @Test("A row names the paths that files get and have, for other readers")
  func paths() throws {
    let row = try JSONSerialization.jsonObject(with: Data(Self.full.journal)) as? [String: Any]
    let paths = try #require(row?["paths"] as? [String])
    #expect(Set(paths) == Set(Self.full.assets.flatMap(\.publishedPaths) + ["Originals/d/t/b"]))
    #expect(row?["moved"] as? [String] == ["Originals/d/t/\"a", "Originals/d/t/\"a"])
    let empty = StagedBatch(results: [], assets: [])
    let content = try JSONSerialization.jsonObject(with: Data(empty.journal)) as? [String: Any]
    #expect(content?.keys.sorted() == ["batch", "paths"])
  }

  @Test("A row that is cut at any byte is refused")
  func cut() throws {
    var (batch, row) = (Self.full, JournalRow())
    try row.pass(&batch)
    for count in row.bytes.indices {
      let text = Base64.text(Array(row.bytes[..<count]))
      #expect(throws: DecodingError.self) {
        try StagedBatch(journal: Data("{\"batch\":\"\(text)\"}".utf8))
      }
    }
  }

  @Test(
    "A row that names a file outside the folders of published ones is refused",
    arguments: [
      "../pwn/x/y", "Originals/../../x", "Thumbnails/./d/x", "Originals/d/t", "Originals/d/t/",
      "/a/b/c", "Originals/d/t/x/y", "Audit/d/t/x", "Originals//t/x",
    ]
  )
  func foreignPath(path: String) throws {
    let file = OutputFile(published: path, sha256: "cd", bytes: 1)
    let forgeries: [(inout StagedBatch) -> Void] = [
      { $0.results[1].output = file }, { $0.results[1].restored = file },
      { $0.assets[1].resources[0].fileName = path },
      { $0.assets[1].thumbnails[0].date = path }, { $0.results[1].thumbnails[0].name = path },
      { $0.edits[0].moves[0].from = path }, { $0.edits[0].moves[0].to = path },
      { $0.edits[1].moves[0].from = path }, { $0.edits[1].moves[0].to = path },
      { $0.edits[1].moves[0].to = "Quarantine/\(path)/Originals/d/t/a" },
      { $0.assets[1].stagedName = path }, { $0.assets[1].thumbnails[0].stagedName = path },
      { $0.results[1].thumbnails[0].stagedName = "../x" }, { $0.assets[0].stagedName = ".." },
      { $0.edits[0].rotation = 45 }, { $0.edits[1].rotation = -90 },
    ]
    for forge in forgeries {
      var batch = Self.full
      forge(&batch)
      #expect(throws: DecodingError.self) { try StagedBatch(journal: Data(batch.journal)) }
    }
  }

  @Test("A batch with nothing in it, and one without optional values")
  func empty() throws {
    let status = FileStatus(kind: .symbolicLink)
    let item = PlannedItem(
      source: .microphone,
      path: ItemPath(bytes: []),
      status: status,
      saveTime: SaveTime(microseconds: 0)
    )
    let result = ItemResult(item: item, outcome: .failed, writtenUnder: "", policy: .keep)
    let asset = StagedAsset(
      localIdentifier: "",
      saveTime: SaveTime(microseconds: 0),
      label: "",
      mediaType: .image,
      source: .microphone,
      policy: .keep,
      facts: Facts(format: .png),
      stagedName: ""
    )
    for batch in [
      StagedBatch(results: [], assets: []), StagedBatch(results: [result], assets: [asset]),
    ] {
      #expect(try StagedBatch(journal: Data(batch.journal)) == batch)
    }
  }

  @Test("The example leaves no member out, so that a new one cannot be forgotten")
  func example() {
    // Private facts are stored before the batch, in another database.
    // Only a thumbnail has a size, an outcome has what corrected a date in `dateShift` and `dateAbout`, and a day alone
    // has no fraction of a second. What a file states before any rule is asked for before it is staged.
    let absent = [
      "output.some.pixelSize", "restored.some.pixelSize", "some.clockShift", "some.about", ".fraction",
      "some.stated",
    ]
    let gaps = Self.gaps(in: Self.full, "batch").filter { gap in
      !absent.contains { gap.hasSuffix($0) }
    }
    #expect(gaps == ["batch.privateFacts"])
  }

  /// The paths of values that are nil or empty.
  private static func gaps(in value: Any, _ path: String) -> [String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional, .collection:
      guard !mirror.children.isEmpty else { return [path] }
    default: break
    }
    return mirror.children.flatMap { gaps(in: $0.value, "\(path).\($0.label ?? "")") }
  }
}
