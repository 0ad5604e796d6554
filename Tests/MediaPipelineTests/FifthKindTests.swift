import MediaAudit
internal import MediaDigest
import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaManifest
import MediaModel
import MediaSources
import MediaTestSupport
import Testing

@testable import MediaPipeline

/// A source whose files are in memory: a kind that nothing in the program knows.
private final class MemorySource: MediaSource {
  private let files: [String: String]
  private(set) var copied: [String] = []

  init(_ files: [String: String]) { self.files = files }

  var isFolder: Bool { false }

  func list(into listing: inout SourceListing) throws {
    for (index, name) in files.keys.sorted().enumerated() {
      listing.items.append(
        ListedItem(
          path: ItemPath(bytes: bytes(name)),
          status: FileStatus(
            kind: .regular,
            device: 1,
            inode: UInt64(index + 1),
            size: Int64(files[name]?.utf8.count ?? 0),
            modified: 5,
            changed: 6,
            linkCount: 1
          )
        )
      )
    }
    listing.applyRulesOfWalk()
  }

  func holds(_ path: ItemPath) -> Bool { true }

  func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    guard let content = files[path.text] else {
      throw SourceFileFailure(reason: .identifierNotFound, detail: "")
    }
    copied.append(path.text)
    do throws(FileSystemError) {
      try copy.write(bytes(content))
    } catch {
      throw SourceFileFailure(reason: .outOfSpace, detail: "\(error)")
    }
  }

  func knowledge(of path: ItemPath) -> SourceKnowledge? {
    SourceKnowledge(originalName: "original of \(path.text)")
  }
}

@Suite("A kind of source that is told in one file")
struct FifthKindTests {
  private let scratch = TemporaryFolder()
  private static let writtenUnder = WrittenUnder.text(policy: .keep, thumbnails: [])

  /// Ends an item as if a worker had said that its file is a photo.
  private func answer(_ item: ItemWork, _ attempt: ItemAttempt, in batch: BatchWork) throws {
    let size = try attempt.file.status().size
    let content = try [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, filled in
      filled = try attempt.file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    let digest = SHA256.hash(content)
    var product = ItemWork.Product(
      file: attempt.file,
      claim: ItemWork.Claim(facts: Facts(format: .jpeg), digest: digest, isAccepted: true),
      thumbnails: []
    )
    let name = item.source.media.knowledge(of: item.planned.path)?.originalName ?? ""
    product.output = ItemWork.Output(
      label: Label(name),
      fileName: "\(name).jpg",
      bytes: size,
      digest: digest,
      removed: []
    )
    try FileSystem.makeFolder(in: batch.folder, bytes(item.stagedName))
    try FileSystem.createFile(in: batch.folder, bytes("\(item.stagedName)/\(name).jpg"))
      .write(content)
    item.finish(with: product)
  }

  private func diff(_ source: PlannedSource, in library: Library) throws -> SourceDiff {
    try SourceDiff(
      SourceListing(of: source, guardedDevices: []),
      DiffContext(
        of: .library,
        catalogue: library.catalogue,
        writtenUnder: Self.writtenUnder,
        firstNumber: 1
      )
    )
  }

  @Test("Its files are listed, recorded, read from copies and published, and then unchanged")
  func imports() throws {
    let library = try openLibrary(scratch.path + "/Library")
    defer { library.catalogue.close() }
    let log = try RunLog.begin("0000aaaa", in: library, opening: .ofCommand("import"))
    let account = RunAccount()
    let journal = BatchJournal(
      records: RunRecords(library: library, audit: log.writer),
      account: account,
      rules: BatchJournal.Rules(writtenUnder: [.library: Self.writtenUnder]),
      services: BatchJournal.Services()
    )
    let leftOut = ["Thumbs.db", ".trashed-1714492983-c.jpg", "DCIM/@Recycle/d.jpg", "CaptureOne/Cache/e.jpg"]
    let memory = MemorySource(
      ["b.jpg": "second", "a.jpg": "first"].merging(leftOut.map { ($0, "left out") }) { $1 }
    )
    var source = try plannedSource(scratch.path, kind: .library, policy: .keep)
    source.media = memory
    let difference = try diff(source, in: library)
    #expect(difference.pending.map(\.listed.path.text) == ["a.jpg", "b.jpg"])

    var plan = BatchPlan(
      sources: [(source, difference.pending)],
      library: library,
      thumbnails: [],
      limits: ItemLimits()
    )
    let recorded = log.writer.recordCount
    let batch = try journal.intend(try #require(try plan.next()))
    #expect(log.writer.recordCount == recorded + 2 && memory.copied == [])
    let opener = ItemOpener(options: RunOptions()) { [] }
    for item in batch.items {
      try answer(item, try #require(opener.open(item, in: batch.folder)), in: batch)
    }
    #expect(memory.copied == ["a.jpg", "b.jpg"])
    let completion = try journal.complete(batch) { stage in
      stage()
      return true
    }
    guard case .published(let waiting) = completion else {
      Issue.record("the batch is published")
      return
    }
    #expect(waiting.isEmpty && account.tally.counts == [.library: [.imported: 2]])
    let published = try library.catalogue.publishedFiles(superseded: false).map(\.path)
    #expect(published.contains { $0.hasSuffix("/original of a.jpg.jpg") })

    let again = try diff(source, in: library)
    #expect(again.pending.isEmpty && again.unchanged.map(\.text) == ["a.jpg", "b.jpg"])
    try journal.close()
  }
}
