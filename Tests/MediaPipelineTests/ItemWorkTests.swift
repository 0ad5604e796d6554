import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaModel
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaPipeline
@testable import MediaSources
@testable import MediaWorkerPool

@Suite("The states of an item")
struct ItemWorkTests {
  private func item(_ index: Int = 0) throws -> ItemWork {
    let source = try plannedSource()
    return itemWork("a.jpg", source, index: index)
  }

  /// Puts a value into everything that a try holds.
  private func fill(_ attempt: ItemAttempt, in scratch: TemporaryFolder) throws {
    attempt.claim = ItemWork.Claim(facts: Facts(format: .mov), digest: [1], isAccepted: true)
    let folder = try FileSystem.openFolder(bytes(scratch.path))
    attempt.output = (
      Label("a"),
      try OutputAssembler(source: attempt.file, length: 1, folder: folder, fileName: "output")
    )
    attempt.removed = [RemovedMetadata(name: "APP1 Exif", count: 1)]
    let spec = ThumbnailSpec(name: "grid", size: PixelSize(width: 1, height: 1), contentMode: .aspectFit)
    attempt.thumbnails = [
      ItemWork.Thumbnail(spec: spec, size: spec.size, stagedName: "0.grid", bytes: 1, sha256: "")
    ]
    attempt.partial = MadeThumbnails.Thumbnail(spec: spec, size: spec.size, bytes: [1])
    attempt.isAnswered = true
  }

  @Test("Another try begins with nothing of the one before")
  func retry() throws {
    let scratch = TemporaryFolder()
    let item = try item()
    let first = item.begin(with: item.source.root, item.planned.status)
    try fill(first, in: scratch)
    #expect(item.facts != nil && item.isAccepted)
    item.retry()
    #expect(item.facts == nil && !item.isAccepted && !item.isComplete)
    #expect(item.attempt == nil && item.product == nil && item.ending == nil)
    let second = item.begin(with: item.source.root, item.planned.status)
    let isEmpty = Mirror(reflecting: second).children.allSatisfy { child in
      switch child.value {
      case is Descriptor: true
      case let flag as Bool: !flag
      case let list as any Collection: list.isEmpty
      default: Mirror(reflecting: child.value).children.isEmpty
      }
    }
    #expect(isEmpty, "a value of the first try is left in \(second)")
  }

  @Test("An item that ends keeps what its file is, and lets go of the file")
  func ending() throws {
    let item = try item()
    weak var file: Descriptor?
    do {
      let opened = try FileSystem.openPath(bytes("/"))
      file = opened
      let attempt = item.begin(with: opened, item.planned.status)
      attempt.claim = ItemWork.Claim(facts: Facts(format: .mov), digest: [1], isAccepted: true)
    }
    #expect(file != nil)
    item.end(.damaged, .decode)
    #expect(file == nil)
    #expect(item.facts?.format == .mov && item.isAccepted && item.isComplete)
    #expect(item.ending?.reason == .damaged)
  }

  @Test("A retried item is the next that waits")
  func waiting() throws {
    let items = try (0..<3).map { try item($0) }
    let batch = BatchWork(identifier: 1, items: items, folder: items[0].source.root, pairingKey: [])
    _ = items[0].begin(with: items[0].source.root, items[0].planned.status)
    #expect(batch.waiting === items[1])
    batch.retry(items[0])
    #expect(batch.waiting === items[0])
    for item in items { item.end(.damaged, .decode) }
    #expect(batch.waiting == nil && batch.isComplete)
  }
}
