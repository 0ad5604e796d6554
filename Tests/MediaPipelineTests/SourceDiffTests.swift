import Foundation
import MediaFileSystem
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary
@testable import MediaPipeline

@Suite("What a source has that earlier runs have not dealt with")
struct SourceDiffTests {
  /// Earlier items, given in the order of their paths' bytes.
  private struct Earlier: CatalogueItems {
    var items: [CatalogueItem]

    func items(
      of source: SourceKind,
      writtenUnder: String,
      _ body: (() throws -> CatalogueItem?) throws -> Void
    ) throws(LibraryError) {
      var rest = items.sorted { $0.path < $1.path }[...]
      do {
        try body {
          guard var item = rest.popFirst() else { return nil }
          if item.writtenUnder == writtenUnder { item.writtenUnder = nil }
          return item
        }
      } catch {
        throw LibraryError(.cannotWrite, "\(error)")
      }
    }
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

  @Test(
    "Over random lists of earlier items it says what looking each path up says",
    arguments: 0..<40
  )
  func random(_ seed: Int) throws {
    let listing = try listing()
    var generator = SeededGenerator(seed: UInt64(seed))
    var earlier: [CatalogueItem] = []
    for listed in listing.items where Int.random(in: 0..<4, using: &generator) > 0 {
      var known = item(listed)
      switch Int.random(in: 0..<14, using: &generator) {
      case 0: known.inode &+= 1
      case 1: known.size += 1
      case 2: known.modified -= 1
      case 3: known.changed += 1
      case 4: known.device &+= 1
      case 5: known.isWritten = false
      case 6: known.asset = nil
      case 7: known.writtenUnder = Self.under(.keep, 1)
      case 8: known.writtenUnder = Self.under(.strip, 0)
      case 9: known.writtenUnder = Self.under(.strip, 2)
      default: break
      }
      earlier.append(known)
      if Bool.random(using: &generator) {
        var gone = known
        gone.path = ItemPath(bytes: listed.path.bytes + bytes("~gone"))
        earlier.append(gone)
      }
    }
    let wanted = Self.under(.strip, 1)
    let diff = try SourceDiff(
      listing,
      of: .camera,
      catalogue: Earlier(items: earlier),
      writtenUnder: wanted,
      firstNumber: 5
    )
    let byPath = Dictionary(uniqueKeysWithValues: earlier.map { ($0.path, $0) })
    var unchanged: [ItemPath] = []
    var pending: [(ItemPath, Bool, Int64?)] = []
    var otherPolicy = 0
    for listed in listing.items {
      let known = byPath[listed.path]
      let isSame =
        known.map { known in
          known.inode == listed.status.inode && known.size == listed.status.size
            && known.modified == listed.status.modified && known.changed == listed.status.changed
            && known.device == listed.status.device && known.asset != nil
            && known.isWritten
        } ?? false
      let under = known?.writtenUnder ?? ""
      if isSame, under.hasPrefix("keep") { otherPolicy += 1 }
      if isSame, under.hasPrefix("keep") || under.contains("grid") {
        unchanged.append(listed.path)
      } else {
        pending.append((listed.path, isSame, known?.asset))
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
        of: .camera,
        catalogue: catalogue,
        writtenUnder: Self.under(.strip, 1),
        firstNumber: 1
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
    let listing = try SourceListing(
      of: try plannedSource(scratch.path),
      guardedDevices: [device]
    )
    let diff = try SourceDiff(
      listing,
      of: .camera,
      catalogue: Earlier(items: listing.items.map(item)),
      writtenUnder: Self.under(.strip, 1),
      firstNumber: 1
    )
    #expect(diff.pending.map(\.listed.reason) == [.hardLinked, .hardLinked])
    #expect(diff.unchanged.isEmpty)
  }
}
