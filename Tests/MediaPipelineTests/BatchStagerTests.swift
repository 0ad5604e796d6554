import Foundation
internal import MediaDigest
import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaTestSupport
import Testing

@testable import MediaModel
@testable import MediaPipeline
@testable import MediaSources

@Suite("What becomes of a batch's items")
struct BatchStagerTests {
  private let scratch = TemporaryFolder()
  private static let run = "0000aaaa"
  private static let position = AuditPosition(file: "f", run: "r", records: 1, bytes: 1, head: "h")
  private static let spec = ThumbnailSpec(
    name: "grid",
    size: PixelSize(width: 1, height: 1),
    contentMode: .aspectFit
  )

  /// A file of the batch: its path, its content, what it is.
  private struct File {
    var path: String
    var content: String
    var format = MediaFormat.jpeg
    var identifier: String?
    var failed: ItemReason?
    var stored: KnownAsset?
    var previousAsset: Int64?
    var late: LateHalf?
    var thumbnail = false
    /// Why it has no thumbnail.
    var lack: ItemReason?
  }

  private func library() throws -> Library {
    let library = try openLibrary(scratch.path + "/Library")
    try library.catalogue.beginRun(
      Self.run,
      started: .now,
      client: "c",
      manifestSHA256: "m",
      audit: Self.position
    )
    return library
  }

  /// Collects the paths of the items that had to be stripped again.
  private final class Again {
    var paths: [String] = []
    /// Those that wait for their other half.
    var waiting: [String] = []
  }
  private let again = Again()

  /// Settles and publishes a batch of these files, as if workers had answered for them; those in `left`
  /// are to have no result.
  private func stage(
    _ named: [File],
    _ left: [File] = [],
    in library: Library,
    policy: MetadataPolicy = .strip
  ) throws -> StagedBatch {
    let files = named + left
    let sources = scratch.path + "/source"
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    var source = try plannedSource(sources, kind: .library, policy: policy)
    source.conditions = "conditions"
    let root = try FileSystem.openFolder(bytes(sources))
    let identifier = try library.catalogue.intend(run: Self.run, firstAccess: 1, audit: Self.position)
    var publisher = Publisher(library: library)
    let folder = try publisher.makeStagingFolder(identifier)
    var items: [ItemWork] = []
    for (index, file) in files.enumerated() {
      try Data(file.content.utf8).write(to: URL(fileURLWithPath: sources + "/" + file.path))
      let listed = ListedItem(
        path: ItemPath(bytes: bytes(file.path)),
        status: try FileSystem.status(in: root, name: bytes(file.path)),
        reason: nil
      )
      let item = ItemWork(
        PendingItem(listed: listed, previousAsset: file.previousAsset, late: file.late, number: index + 1),
        index: index,
        source: source,
        saveTime: try publisher.freeSaveTime(
          from: SaveTime(microseconds: identifier * 1000 + Int64(index))
        ),
        stored: file.stored,
        thumbnails: [Self.spec],
        limits: ItemLimits()
      )
      items.append(item)
      if let reason = file.failed {
        item.end(reason, .decode, "\u{1B}[31m")
        continue
      }
      let facts = Facts(
        format: file.format,
        creationDate: CaptureDate(local: "2026-11-21T01:44:39", offsetMinutes: 0, tag: "t"),
        camera: "C",
        hasLocation: true,
        contentIdentifier: file.identifier
      )
      let digest = SHA256.hash(bytes(file.content))
      var product = ItemWork.Product(
        file: try FileSystem.openForReading(beneath: root, bytes(file.path), crossMounts: true),
        claim: ItemWork.Claim(facts: facts, digest: digest, isAccepted: true),
        thumbnails: []
      )
      if file.stored == nil {
        let label = Label(String(decoding: item.planned.path.stem, as: UTF8.self))
        let output = ItemWork.Output(
          label: label,
          fileName: "\(label.text).\(file.format.fileExtension)",
          bytes: Int64(file.content.utf8.count),
          digest: digest,
          removed: []
        )
        product.output = output
        try FileSystem.makeFolder(in: folder, bytes(item.stagedName))
        try FileManager.default.copyItem(
          atPath: sources + "/" + file.path,
          toPath: scratch.path
            + "/Library/.staging/\(identifier)/\(item.stagedName)/\(output.fileName)"
        )
      }
      if file.thumbnail {
        let work = BatchWork(identifier: identifier, items: [], folder: folder, pairingKey: [])
        product.thumbnails = [
          try StagedFile.write(
            bytes("t\(index)"),
            of: item,
            Self.spec,
            PixelSize(width: 1, height: 1),
            nil,
            in: work
          )
        ]
      }
      product.lack = file.lack.map { ($0, "\u{1B}[31m") }
      item.finish(with: product)
    }
    let batch = BatchWork(identifier: identifier, items: items, folder: folder, pairingKey: [])
    var stager = BatchStager(
      batch: batch,
      library: library,
      writtenUnder: [.library: "\(policy.rawValue) "]
    )
    var whole = try stager.staged()
    if whole == nil {
      // The second output of an item that is stripped again has the bytes of the first here.
      for item in stager.restripped {
        item.isPairable.toggle()
        item.restripCount += 1
      }
      again.paths = stager.restripped.map(\.planned.path.text)
      whole = try stager.staged()
    }
    let staged = try #require(whole)
    try library.catalogue.stage(identifier, staged)
    try publisher.publish(identifier, staged)
    try library.catalogue.publish(identifier, staged, run: Self.run)
    try publisher.removeStagingFolder(identifier)
    try library.catalogue.finish([identifier], run: Self.run, audit: Self.position)
    again.waiting = stager.waiting.map(\.pending.listed.path.text)
    let ended = named.map(\.path).filter { !again.waiting.contains($0) }
    #expect(staged.results.map(\.item.path.text) == ended, "every item ends once")
    return staged
  }

  private func row(_ path: String, in library: Library) throws -> Int64? {
    var row: Int64?
    try library.catalogue.items(of: .library, writtenUnder: "") { next in
      while let item = try next() {
        if item.path.text == path { row = item.asset }
      }
    }
    return row
  }

  private func published() throws -> [String] {
    let walk = FileManager.default.enumerator(atPath: scratch.path + "/Library/Originals")
    let names = walk?.compactMap { $0 as? String }.filter {
      $0.contains(".jpg") || $0.contains(".mov")
    }
    return (names ?? []).map { ($0 as NSString).lastPathComponent }.sorted()
  }

  @Test("What a person withdraws between two batches of an open library stays out of the second")
  func withdrawnBetweenBatches() throws {
    let library = try library()
    defer { library.catalogue.close() }
    #expect(try !library.catalogue.hasWithdrawnContent())
    let first = try stage([File(path: "a.jpg", content: "same")], in: library)
    let asset = try #require(first.results.first?.localIdentifier)
    let edit = try #require(try library.catalogue.withdrawal(of: asset, to: "Quarantine/\(Self.run)"))
    let decision = StagedBatch(edits: [edit])
    let batch = try library.catalogue.intend(run: Self.run, firstAccess: 1, audit: Self.position)
    try library.catalogue.stage(batch, decision)
    try library.catalogue.publish(batch, decision, run: Self.run)
    try library.catalogue.finish([batch], run: Self.run, audit: Self.position)
    #expect(try library.catalogue.hasWithdrawnContent())
    // Under the other policy no content is looked up that is written under this one.
    let files = [File(path: "b.jpg", content: "same"), File(path: "c.jpg", content: "other")]
    let second = try stage(files, in: library, policy: .keep)
    #expect(second.results.map(\.reason) == [.withdrawn, nil])
    #expect(second.results.map(\.outcome) == [.skipped, .imported])
  }

  @Test("Equal bytes in one batch are one asset and duplicates")
  func duplicatesInBatch() throws {
    let library = try library()
    defer { library.catalogue.close() }
    let files = ["a", "b", "c"].map { File(path: "\($0).jpg", content: "same") }
    let staged = try stage(files + [File(path: "d.jpg", content: "other")], in: library)
    #expect(staged.results.map(\.outcome) == [.imported, .duplicate, .duplicate, .imported])
    #expect(Set(staged.results.prefix(3).map(\.localIdentifier)).count == 1)
    #expect(staged.results.last?.localIdentifier != staged.results.first?.localIdentifier)
    #expect(try published() == ["a.jpg", "d.jpg"])
  }

  @Test("Equal bytes of an earlier batch: a duplicate elsewhere, unchanged at its own path")
  func duplicatesOfEarlier() throws {
    let library = try library()
    defer { library.catalogue.close() }
    _ = try stage([File(path: "a.jpg", content: "same")], in: library)
    var touched = File(path: "a.jpg", content: "same")
    touched.previousAsset = try row("a.jpg", in: library)
    let staged = try stage([touched, File(path: "b.jpg", content: "same")], in: library)
    #expect(staged.results.map(\.outcome) == [.unchanged, .duplicate])
    #expect(try published() == ["a.jpg"])
  }

  @Test("A lost original comes back from its path or another one, and from one of them")
  func restored() throws {
    let library = try library()
    defer { library.catalogue.close() }
    let imported = try stage([File(path: "a.jpg", content: "same")], in: library)
    let path = try #require(imported.results.first?.output?.published)
    let lost = URL(fileURLWithPath: scratch.path + "/Library/" + path)
    var touched = File(path: "a.jpg", content: "same")
    touched.previousAsset = try row("a.jpg", in: library)
    let moved = ["b.jpg", "c.jpg"].map { File(path: $0, content: "same") }
    for (files, outcome) in [(moved, ItemOutcome.duplicate), ([touched] + moved, .unchanged)] {
      try FileManager.default.removeItem(at: lost)
      let staged = try stage(files, in: library)
      #expect(staged.results.map(\.outcome) == [outcome] + files.dropFirst().map { _ in .duplicate })
      #expect(Set(staged.results.map(\.localIdentifier)).count == 1)
      #expect(staged.results.map { $0.restored?.published } == [path] + files.dropFirst().map { _ in nil })
      #expect(try Data(contentsOf: lost) == Data("same".utf8))
    }
    #expect(try stage([File(path: "d.jpg", content: "same")], in: library).results[0].restored == nil)
    #expect(try published() == ["a.jpg"])
  }

  @Test(
    "What lacks a thumbnail is imported, and tried again later: always, or when conditions change",
    arguments: [ItemReason.decoderMissing, .overLimit]
  )
  func thumbnailMissing(_ lack: ItemReason) throws {
    let library = try library()
    defer { library.catalogue.close() }
    let files = [
      File(path: "a.jpg", content: "same", lack: lack),
      File(path: "b.jpg", content: "same", lack: lack),
      // The asset's thumbnails are those of the still.
      File(path: "x.jpg", content: "still", identifier: "I", thumbnail: true),
      File(path: "x.mov", content: "movie", format: .mov, identifier: "I", lack: lack),
    ]
    let staged = try stage(files, in: library)
    #expect(staged.results.map(\.outcome) == [.imported, .duplicate, .imported, .imported])
    #expect(staged.results.map(\.reason) == [.thumbnailMissing, .thumbnailMissing, nil, nil])
    #expect(staged.results[0].step == .thumbnail && staged.results[0].message == "\\u{1B}[31m")
    #expect(staged.results[0].conditions == (lack == .overLimit ? "conditions" : nil))
    #expect(try published() == ["a.jpg", "x.jpg", "x.mov"])

    // A file that was only touched has its thumbnail made by a later run too.
    var touched = files[0]
    touched.previousAsset = try row("a.jpg", in: library)
    let again = try stage([touched], in: library)
    #expect(again.results.map(\.outcome) == [.unchanged])
    #expect(again.results.map(\.reason) == [.thumbnailMissing])

    touched.stored = try library.catalogue.asset(row: try #require(touched.previousAsset))
    touched.lack = nil
    touched.thumbnail = true
    let restaged = try stage([touched], in: library)
    #expect(restaged.results.map(\.reason) == [nil])
    #expect(restaged.results.map(\.thumbnails.count) == [1])
  }

  @Test("Under another policy the same bytes are written anew")
  func otherPolicy() throws {
    let library = try library()
    defer { library.catalogue.close() }
    for policy in [MetadataPolicy.strip, .keep] {
      let staged = try stage([File(path: "a.jpg", content: "same")], in: library, policy: policy)
      #expect(staged.results.map(\.outcome) == [.imported])
    }
    #expect(try published() == ["a.jpg", "a.jpg"])
  }

  @Test("A pair is one asset of two files in one folder, whichever half comes first")
  func pair() throws {
    let library = try library()
    defer { library.catalogue.close() }
    let still = File(path: "x.jpg", content: "still", identifier: "I")
    let movie = File(path: "x.mov", content: "movie", format: .mov, identifier: "I")
    let staged = try stage([movie, still], in: library)
    #expect(staged.assets.count == 1)
    #expect(staged.assets.first?.resources.map(\.role) == [.photo, .pairedVideo])
    #expect(staged.results.map(\.role) == [.pairedVideo, .photo])
    #expect(staged.assets.first?.degraded == false)
    #expect(try published() == ["x.jpg", "x.mov"])
    #expect(again.paths.isEmpty)
  }

  @Test(
    "Namesakes that are no pair are stripped again, without an identifier",
    arguments: [MetadataPolicy.strip, .keep]
  )
  func namesakes(_ policy: MetadataPolicy) throws {
    let library = try library()
    defer { library.catalogue.close() }
    let files = [
      File(path: "x.jpg", content: "still", identifier: "I"),
      File(path: "x.mov", content: "movie", format: .mov, identifier: "J"),
      File(path: "y.jpg", content: "other", identifier: "K"),
    ]
    let staged = try stage(files, in: library, policy: policy)
    #expect(staged.assets.count == 2)
    #expect(again.waiting == ["x.mov"])
    // Alone in its folder from the beginning, the third never had one.
    #expect(again.paths == (policy == .keep ? [] : ["x.jpg"]))
  }

  @Test(
    "Halves of different names in one batch are a pair, stripped again with an identifier",
    arguments: [MetadataPolicy.strip, .keep]
  )
  func namedApart(_ policy: MetadataPolicy) throws {
    let library = try library()
    defer { library.catalogue.close() }
    let files = [
      File(path: "a.jpg", content: "still", identifier: "I"),
      File(path: "b.mov", content: "movie", format: .mov, identifier: "i"),
    ]
    let staged = try stage(files, in: library, policy: policy)
    #expect(staged.assets.map { $0.resources.map(\.role) } == [[.photo, .pairedVideo]])
    #expect(again.paths == (policy == .keep ? [] : ["a.jpg", "b.mov"]))
    #expect(again.waiting.isEmpty)
  }

  @Test(
    "A half that was published alone is published anew with the other one, as the same asset",
    arguments: [false, true]
  )
  func joins(_ stillFirst: Bool) throws {
    let library = try library()
    defer { library.catalogue.close() }
    let still = File(path: "a.jpg", content: "still", identifier: "I")
    let movie = File(path: "b.mov", content: "movie", format: .mov, identifier: "I")
    var first = stillFirst ? still : movie
    first.late = .alone(hasPublishedStill: false)
    let alone = try stage([first], in: library)
    #expect(alone.assets.count == 1)
    var (second, again) = stillFirst ? (movie, still) : (still, movie)
    second.late = .waited
    again.late = .published(label: "kept")
    again.previousAsset = try row(first.path, in: library)
    let staged = try stage([second, again], in: library)
    #expect(staged.assets.map(\.localIdentifier) == alone.assets.map(\.localIdentifier))
    #expect(staged.assets.first?.resources.map(\.role) == [.photo, .pairedVideo])
    #expect(staged.assets.first?.mediaType == .image)
    #expect(staged.results.map(\.isAgain) == [false, true])
    // Content that is not what was published joins nothing, and has no outcome.
    again.content = "other"
    second.content = "third"
    let refused = try stage([second], [again], in: library)
    #expect(refused.results.map(\.isAgain) == [false])
    #expect(refused.assets.map(\.degraded) == [true])
  }

  @Test("Two stills, each beside a copy of one movie, are two live photos, also in two batches")
  func sharedMovie() throws {
    let library = try library()
    defer { library.catalogue.close() }
    let pair = { (name: String) in
      [
        File(path: name + ".jpg", content: name, identifier: "I"),
        File(path: name + ".mov", content: "movie", format: .mov, identifier: "I"),
      ]
    }
    for files in [pair("a") + pair("b"), pair("c")] {
      let staged = try stage(files, in: library)
      #expect(staged.results.allSatisfy { $0.outcome == .imported })
      #expect(staged.assets.allSatisfy { $0.resources.map(\.role) == [.photo, .pairedVideo] })
      #expect(staged.assets.allSatisfy { !$0.degraded })
      #expect(staged.assets.count == files.count / 2)
    }
    var copy = pair("d")[1]
    copy.late = .alone(hasPublishedStill: false)
    #expect(try stage([copy], in: library).results.map(\.outcome) == [.duplicate])
  }

  @Test("A still whose movie the library has already is stripped again")
  func knownMovie() throws {
    let library = try library()
    defer { library.catalogue.close() }
    var movie = File(path: "a.mov", content: "movie", format: .mov, identifier: "I")
    movie.late = .alone(hasPublishedStill: false)
    _ = try stage([movie], in: library)
    var second = movie
    second.late = nil
    second.path = "x.mov"
    let still = File(path: "x.jpg", content: "still", identifier: "I")
    let staged = try stage([still, second], in: library)
    #expect(staged.results.map(\.outcome) == [.imported, .duplicate])
    #expect(staged.assets.map(\.degraded) == [true])
    #expect(again.paths == ["x.jpg"])
  }

  @Test("A half whose other half failed is published alone, degraded", arguments: [false, true])
  func halfFailed(_ movieFails: Bool) throws {
    let library = try library()
    defer { library.catalogue.close() }
    var still = File(path: "x.jpg", content: "still", identifier: "I")
    var movie = File(path: "x.mov", content: "movie", format: .mov, identifier: "I")
    if movieFails { movie.failed = .stripUnsupported } else { still.failed = .damaged }
    let staged = try stage([still, movie], in: library)
    #expect(staged.assets.map(\.degraded) == [true])
    #expect(again.paths == [movieFails ? "x.jpg" : "x.mov"])
    #expect(staged.results.map(\.outcome) == (movieFails ? [.imported, .failed] : [.failed, .imported]))
    #expect(staged.results.compactMap(\.message).allSatisfy { !$0.contains("\u{1B}") })
  }

  @Test(
    "Under strip the catalogue holds of the capture only what the file still says",
    arguments: [MetadataPolicy.strip, .keep]
  )
  func facts(_ policy: MetadataPolicy) throws {
    let library = try library()
    defer { library.catalogue.close() }
    let staged = try stage(
      [File(path: "x.jpg", content: "x", identifier: "I")],
      in: library,
      policy: policy
    )
    let facts = try #require(staged.assets.first?.facts)
    let isKept = policy == .keep
    #expect((facts.camera != nil) == isKept)
    #expect((facts.creationDate != nil) == isKept)
    #expect((facts.contentIdentifier != nil) == isKept)
    #expect(facts.hasLocation == isKept)
    let plain = SHA256.hash(bytes("x"))
    #expect((staged.results.first?.sourceDigest == plain) == isKept)
  }

  @Test(
    "Two paths of one asset bring it a new thumbnail once, in one batch and in two",
    arguments: [1, 2]
  )
  func sharedThumbnail(_ batches: Int) throws {
    let library = try library()
    defer { library.catalogue.close() }
    _ = try stage(["a", "b"].map { File(path: "\($0).jpg", content: "same") }, in: library)
    let row = try #require(try row("a.jpg", in: library))
    // Both know the asset as it was before either of them brought it anything.
    let stored = try #require(try library.catalogue.asset(row: row))
    let files = ["a", "b"].map { name in
      File(path: "\(name).jpg", content: "same", stored: stored, previousAsset: row, thumbnail: true)
    }
    if batches == 1 {
      #expect(try stage(files, in: library).results.map(\.outcome) == [.unchanged, .unchanged])
    } else {
      for file in files {
        #expect(try stage([file], in: library).results.map(\.outcome) == [.unchanged])
      }
    }
    #expect(try library.catalogue.asset(row: row)?.thumbnails == ["grid": Self.spec.fingerprint])
    #expect(try library.catalogue.publishedFiles(superseded: false).count == 2)
  }

  @Test("A file that is another one than its asset's gets no thumbnail of it")
  func changedUnderThumbnails() throws {
    let library = try library()
    defer { library.catalogue.close() }
    _ = try stage([File(path: "a.jpg", content: "old")], in: library)
    let row = try #require(try row("a.jpg", in: library))
    let file = File(
      path: "a.jpg",
      content: "new",
      stored: try library.catalogue.asset(row: row),
      previousAsset: row,
      thumbnail: true
    )
    let staged = try stage([file], in: library)
    #expect(staged.results.map(\.reason) == [.changedDuringRun])
    #expect(try library.catalogue.asset(row: row)?.thumbnails.isEmpty == true)
  }
}
