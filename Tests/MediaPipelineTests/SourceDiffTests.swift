import Foundation
import MediaFileSystem
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary
@testable import MediaPipeline
@testable import MediaSources

@Suite("What a source has that earlier runs have not dealt with")
struct SourceDiffTests {
  /// Earlier items, given in the order of their paths' bytes.
  private struct Earlier: CatalogueItems {
    var items: [CatalogueItem]

    func items(
      of source: SourceID,
      writtenUnder: String,
      failingUnder: String?,
      _ body: (() throws -> CatalogueItem?) throws -> Void
    ) throws(LibraryError) {
      var remaining = items.sorted { $0.path < $1.path }[...]
      do {
        try body {
          guard var item = remaining.popFirst() else { return nil }
          if item.writtenUnder == writtenUnder { item.writtenUnder = nil }
          if failingUnder == nil { item.failure = nil }
          return item
        }
      } catch {
        throw LibraryError(.cannotWrite, "\(error)")
      }
    }

    func albums(of source: SourceID, notAt place: Int64) -> [SourceAlbum] { [] }

    func described(
      of source: SourceID,
      _ take: (ItemPath, [UInt8]) -> Void
    ) throws(LibraryError) {}

    func isWhole(
      item path: ItemPath,
      of source: SourceID,
      asset: Int64
    ) throws(LibraryError) -> Bool { true }
  }

  private static let specs = ["grid", "preview"].map { name in
    ThumbnailSpec(name: name, size: PixelSize(width: 1, height: 1), contentMode: .aspectFit)
  }

  private static func under(_ policy: MetadataPolicy, _ count: Int) -> String {
    WrittenUnder.text(policy: policy, thumbnails: Array(specs.prefix(count)))
  }

  private func listing() throws -> SourceListing {
    let scratch = TemporaryFolder()
    for index in 0..<30 {
      let name = "\(scratch.path)/\(index % 15)\(index < 15 ? "" : "b").jpg"
      try Data(count: index).write(to: URL(fileURLWithPath: name))
    }
    let listing = try SourceListing(of: try plannedSource(scratch.path), guardedDevices: [])
    #expect(listing.items.count == 30)
    return listing
  }

  private func item(_ listed: ListedItem) -> CatalogueItem {
    CatalogueItem(
      path: listed.path,
      device: listed.status.device,
      inode: listed.status.inode,
      size: listed.status.size,
      modified: listed.status.modified,
      changed: listed.status.changed,
      isWritten: true,
      writtenUnder: Self.under(.strip, 1),
      asset: 7
    )
  }

  @Test("A file that may not be looked at again is not, and stays pending")
  func secondLook() throws {
    let scratch = TemporaryFolder()
    let files = ["a.jpg", "b.jpg"].map { "\(scratch.path)/\($0)" }
    for file in files { try Data(count: 1).write(to: URL(fileURLWithPath: file)) }
    let source = try plannedSource(scratch.path)
    var diff = try SourceDiff(
      SourceListing(of: source, guardedDevices: []),
      DiffContext(
        of: .camera,
        catalogue: Earlier(items: []),
        writtenUnder: Self.under(.strip, 1),
        firstNumber: 1
      )
    )
    // By this clock all changes lie in the future, so that the times of the files tell nothing.
    var settling = Settling(quiet: 1, now: 0)
    #expect(throws: RunError.self) {
      try diff.leaveOutChanging(&settling, of: source) { (_) throws(RunError) in
        throw RunError(.accessRevoked, "")
      }
    }
    #expect(diff.pending.count == 2 && diff.stillChanging.isEmpty)
    var asked: [ItemPath] = []
    try diff.leaveOutChanging(&settling, of: source) { _ in
      for file in files { try? FileManager.default.removeItem(atPath: file) }
    } mayLook: { path in
      asked.append(path)
      return path.text == "a.jpg"
    }
    #expect(asked.map(\.text) == ["a.jpg", "b.jpg"])
    #expect(diff.stillChanging.map(\.text) == ["a.jpg"])
    withExtendedLifetime(scratch) {}
  }

  @Test(
    "Over random lists of earlier items it says what looking each path up says",
    arguments: 0..<Amount.of(12, all: 40)
  )
  func random(_ seed: Int) throws {
    let listing = try listing()
    var generator = SeededGenerator(seed: UInt64(seed))
    var earlier: [CatalogueItem] = []
    for listed in listing.items where Int.random(in: 0..<4, using: &generator) > 0 {
      var stored = item(listed)
      switch Int.random(in: 0..<14, using: &generator) {
      case 0: stored.inode &+= 1
      case 1: stored.size += 1
      case 2: stored.modified -= 1
      case 3: stored.changed += 1
      case 4: stored.device &+= 1
      case 5: stored.isWritten = false
      case 6: stored.asset = nil
      case 7: stored.writtenUnder = Self.under(.keep, 1)
      case 8: stored.writtenUnder = Self.under(.strip, 0)
      case 9: stored.writtenUnder = Self.under(.strip, 2)
      default: break
      }
      earlier.append(stored)
      if Bool.random(using: &generator) {
        var gone = stored
        gone.path = ItemPath(bytes: listed.path.bytes + bytes("~gone"))
        earlier.append(gone)
      }
    }
    let wanted = Self.under(.strip, 1)
    let diff = try SourceDiff(
      listing,
      DiffContext(of: .camera, catalogue: Earlier(items: earlier), writtenUnder: wanted, firstNumber: 5)
    )
    let byPath = Dictionary(uniqueKeysWithValues: earlier.map { ($0.path, $0) })
    var unchanged: [ItemPath] = []
    var pending: [(ItemPath, Bool, Int64?)] = []
    var otherPolicy = 0
    for listed in listing.items {
      let stored = byPath[listed.path]
      let isSame =
        stored.map { stored in
          stored.inode == listed.status.inode && stored.size == listed.status.size
            && stored.modified == listed.status.modified && stored.changed == listed.status.changed
            && (stored.device == listed.status.device || listed.status.changed % 10_000_000 != 0)
            && stored.asset != nil
            && stored.isWritten
        } ?? false
      let under = stored?.writtenUnder ?? ""
      if isSame, under.hasPrefix("keep") { otherPolicy += 1 }
      if isSame, under.hasPrefix("keep") || under.contains("grid") {
        unchanged.append(listed.path)
      } else {
        pending.append((listed.path, isSame, stored?.asset))
      }
    }
    #expect(Array(diff.unchanged) == unchanged)
    #expect(diff.underAnotherPolicy == otherPolicy)
    #expect(diff.pending.map(\.listed.path) == pending.map(\.0))
    #expect(diff.pending.map(\.getsThumbnailsOnly) == pending.map(\.1))
    #expect(diff.pending.map(\.previousAsset) == pending.map(\.2))
    #expect(diff.pending.map(\.number) == Array(5..<(5 + pending.count)))
    #expect(diff.pending.count + diff.unchanged.count == listing.items.count)
  }

  @Test("Without a catalogue, and with an empty one, everything is pending")
  func first() throws {
    let listing = try listing()
    for catalogue in [nil, Earlier(items: [])] as [Earlier?] {
      let diff = try SourceDiff(
        listing,
        DiffContext(of: .camera, catalogue: catalogue, writtenUnder: Self.under(.strip, 1), firstNumber: 1)
      )
      #expect(diff.pending.count == 30)
      #expect(diff.unchanged.isEmpty)
    }
  }

  @Test("Whatever the listing has ended is never unchanged")
  func ended() throws {
    let scratch = TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: scratch.path + "/a"))
    try FileManager.default.linkItem(atPath: scratch.path + "/a", toPath: scratch.path + "/b")
    let device = try FileSystem.status(ofPath: bytes(scratch.path)).device
    let listing = try SourceListing(of: try plannedSource(scratch.path), guardedDevices: [device])
    let diff = try SourceDiff(
      listing,
      DiffContext(
        of: .camera,
        catalogue: Earlier(items: listing.items.map(item)),
        writtenUnder: Self.under(.strip, 1),
        firstNumber: 1
      )
    )
    #expect(diff.pending.map(\.listed.reason) == [.hardLinked, .hardLinked])
    #expect(diff.unchanged.isEmpty)
  }

  /// Every item of a listing as one that failed, its failure said.
  private func failed(_ listing: SourceListing) -> [CatalogueItem] {
    listing.items.map { listed in
      var stored = item(listed)
      stored.asset = nil
      stored.isWritten = false
      let status = listed.status
      stored.failure = CatalogueFailure(
        device: status.device,
        inode: status.inode,
        size: status.size,
        modified: status.modified,
        changed: status.changed
      )
      return stored
    }
  }

  private func diff(
    _ listing: SourceListing,
    _ earlier: [CatalogueItem],
    failingUnder: String? = "the same",
    reprocesses: Bool = false
  ) throws -> SourceDiff {
    try SourceDiff(
      listing,
      DiffContext(
        of: .camera,
        catalogue: Earlier(items: earlier),
        writtenUnder: Self.under(.strip, 1),
        failingUnder: failingUnder,
        firstNumber: 1,
        reprocesses: reprocesses
      )
    )
  }

  @Test("A file whose failure was said is not read again until anything about it changes")
  func failedBefore() throws {
    let listing = try listing()
    let earlier = failed(listing)
    #expect(Array(try diff(listing, earlier).failedBefore) == listing.items.map(\.path))
    #expect(try diff(listing, earlier).pending.isEmpty)
    #expect(try diff(listing, earlier, failingUnder: nil).pending.count == listing.items.count)
    let changes: [(inout CatalogueFailure) -> Void] = [
      { $0.inode += 1 }, { $0.size += 1 }, { $0.modified += 1 }, { $0.changed += 1 },
    ]
    for (index, change) in changes.enumerated() {
      var changed = earlier
      var failure = try #require(changed[index].failure)
      change(&failure)
      changed[index].failure = failure
      #expect(try diff(listing, changed).pending.map(\.listed.path) == [earlier[index].path])
    }
  }

  @Test("Another device is another file only where the time of change is no finer than FAT's")
  func device() throws {
    let scratch = TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: scratch.path + "/a"))
    var status = try FileSystem.status(ofPath: bytes(scratch.path + "/a"))
    func isUnchanged(onDevice device: UInt64) -> Bool {
      status.isUnchanged(since: (device, status.inode, status.size, status.modified, status.changed))
    }
    for (changed, isSame) in [
      (1_700_000_000_123_456_789, true), (1_700_000_000_120_000_000, false),
      (1_700_000_000_000_000_000, false), (0, false), (-1, true),
    ] as [(Int64, Bool)] {
      status.changed = changed
      #expect(isUnchanged(onDevice: status.device))
      #expect(isUnchanged(onDevice: status.device &+ 1) == isSame, "\(changed)")
    }
  }

  @Test("Thumbnails that are over a limit are not tried again until anything changes")
  func thumbnailMissing() throws {
    let listing = try listing()
    var earlier = failed(listing)
    for index in earlier.indices {
      earlier[index].asset = 7
      earlier[index].isWritten = true
      earlier[index].writtenUnder = Self.under(.strip, 0)
      earlier[index].failure?.isThumbnailMissing = true
    }
    let same = try diff(listing, earlier)
    #expect(Array(same.unchanged) == listing.items.map(\.path))
    #expect(same.pending.isEmpty && same.failedBefore.isEmpty)
    let retried = try diff(listing, earlier, failingUnder: nil)
    #expect(retried.pending.count == listing.items.count)
    #expect(retried.pending.allSatisfy { $0.getsThumbnailsOnly })
    // The file itself is new.
    earlier[0].size += 1
    #expect(try diff(listing, earlier).pending.map(\.listed.path) == [earlier[0].path])
  }

  @Test("An asset under a looser policy is reported, and written anew, whatever failed before")
  func failedUnderAnotherPolicy() throws {
    let listing = try listing()
    var earlier = failed(listing)
    for index in earlier.indices {
      earlier[index].asset = 7
      earlier[index].isWritten = true
      earlier[index].writtenUnder = Self.under(.keep, 1)
    }
    #expect(try diff(listing, earlier).underAnotherPolicy == listing.items.count)
    #expect(try diff(listing, earlier).failedBefore.isEmpty)
    let again = try diff(listing, earlier, reprocesses: true)
    #expect(again.pending.count == listing.items.count && again.pending[0].isRewritten)
  }
}
