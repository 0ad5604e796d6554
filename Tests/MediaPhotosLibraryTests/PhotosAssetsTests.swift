import MediaFileSystem
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPhotosLibrary

@Suite("The assets of a Photos library in memory")
struct PhotosAssetsTests {
  static func uuid(_ random: inout SeededGenerator) -> String {
    func hexadecimal(_ count: Int) -> String {
      (0..<count).map { _ in random.pick(Array("0123456789ABCDEF").map(String.init)) }.joined()
    }
    return [8, 4, 4, 4, 12].map(hexadecimal).joined(separator: "-")
  }

  private static let texts = ["", "a", "Grüße.JPG", "日本", String(repeating: "x", count: 300)]

  private static func asset(_ random: inout SeededGenerator) throws -> PhotosAsset {
    let odd = [
      "12345678", "abcdef01-0000-4000-8000-000000000000", "ZZ345678-0000-4000-8000-000000000000",
    ]
    let uuid = random.chance(0.2) ? random.pick(odd) : uuid(&random)
    var asset = try #require(PhotosAsset(uuid: uuid))
    asset.marks = .init(rawValue: UInt16(random.next() % 512))
    asset.subtypes = random.chance(0.5) ? [] : [.photoPanorama, .spatialMedia]
    func some<Value>(_ value: Value) -> Value? { random.chance(0.5) ? value : nil }
    asset.directory = some(random.pick([Array(uuid.utf8.prefix(1)), Array("a/b".utf8), []]))
    asset.fileName = some(Array((random.pick([uuid, "x"]) + random.pick([".heic", "", "_1.MOV"])).utf8))
    asset.originalName = some(random.pick(texts))
    asset.title = some(random.pick(texts))
    asset.caption = some(random.pick(texts))
    asset.keywords = (0..<random.pick([0, 0, 1, 200])).map { "keyword \($0)" }
    asset.people = (0..<random.pick([0, 0, 1, 3])).map { "person \($0)" }
    asset.taken = some(random.pick([0, -1, 1_500_000_000_123_456, -9_000_000_000_000_000]))
    asset.offsetMinutes = some(random.pick([0, -720, 1080, -1]))
    asset.burst = some("BURST-0001")
    asset.isBurstPick = some(random.chance(0.5))
    asset.place =
      some(MediaDescription.Place(latitude: -900_000_000, longitude: 1_800_000_000)) ?? nil
    return asset
  }

  @Test("Each asset comes back as it was added, and the last one of an identifier counts")
  func roundTrip() throws {
    var random = SeededGenerator()
    var assets = PhotosAssets()
    var expected: [String: PhotosAsset] = [:]
    var order: [String] = []
    for _ in 0..<5_000 {
      let asset = try Self.asset(&random)
      if expected.updateValue(asset, forKey: asset.uuid) == nil { order.append(asset.uuid) }
      #expect(assets.insert(asset) == order.firstIndex(of: asset.uuid))
    }
    #expect(assets.map(\.uuid) == order)
    for uuid in order { #expect(assets[uuid] == expected[uuid]) }
    for unknown in ["", "00000000-0000-0000-0000-000000000000", "1234567", order[0] + "0"] {
      #expect(assets[unknown] == nil, "\(unknown)")
    }
  }

  @Test(
    "The first bytes of UUIDs are in the order of the UUIDs, and other identifiers have no order"
  )
  func order() throws {
    var random = SeededGenerator()
    var assets = PhotosAssets()
    for _ in 0..<1_000 {
      _ = assets.insert(try #require(PhotosAsset(uuid: Self.uuid(&random))))
    }
    let ordered = try assets.indices.sorted {
      try #require(assets.order(at: $0)) < #require(assets.order(at: $1))
    }
    #expect(ordered.map { assets[$0].uuid } == assets.map(\.uuid).sorted())
    let other = assets.insert(try #require(PhotosAsset(uuid: "abcdef01-0000-4000-8000-000000000000")))
    #expect(assets.order(at: other) == nil)
  }

  @Test("An asset as Photos has most of them takes at most 90 bytes")
  func memory() throws {
    var random = SeededGenerator(seed: 1)
    var assets = PhotosAssets()
    let count = 100_000
    for number in 0..<count {
      let uuid = Self.uuid(&random)
      var asset = try #require(PhotosAsset(uuid: uuid))
      asset.marks = [.local]
      (asset.directory, asset.fileName) = (Array(uuid.utf8.prefix(1)), Array("\(uuid).heic".utf8))
      asset.originalName = "IMG_\(number).HEIC"
      (asset.taken, asset.offsetMinutes) = (1_500_000_000_123_456, 120)
      asset.place = MediaDescription.Place(latitude: 535_000_000, longitude: 100_000_000)
      _ = assets.insert(asset)
    }
    #expect(assets.byteCount <= 90 * count, "\(assets.byteCount / count) bytes")
  }

  @Test(
    "What only files need is forgotten of assets without any; all else, and the others, stay as they were"
  )
  func forgotten() throws {
    var random = SeededGenerator(seed: 2)
    var index = PhotosIndex()
    for _ in 0..<6_000 {
      var asset = try Self.asset(&random)
      asset.caption = String(repeating: "c", count: 100)
      index.add(asset)
    }
    let before = Array(index.assets)
    var files: [ItemPath] = before.enumerated().compactMap { $0 % 3 == 0 ? index.originalPath(of: $1) : nil }
    files.sort()
    let paths = before.map { index.originalPath(of: $0) }
    let byteCount = index.assets.byteCount
    var whole = index
    whole.forgetDescriptions(
      besidesThoseOf: ListedItems(paths.map { ListedItem(path: $0, status: FileStatus(kind: .regular)) })
    )
    #expect(Array(whole.assets) == before, "most have files")
    index.forgetDescriptions(
      besidesThoseOf: ListedItems(files.map { ListedItem(path: $0, status: FileStatus(kind: .regular)) })
    )
    #expect(index.assets.byteCount < byteCount)
    let kept = Set(files.compactMap { index.index(of: $0) })
    #expect(!kept.isEmpty && kept.count < before.count)
    for (number, asset) in index.assets.enumerated() {
      #expect(index.assets.index(of: Array(asset.uuid.utf8)[...]) == number)
      #expect(index.originalPath(of: asset) == paths[number])
      if kept.contains(number) {
        #expect(asset == before[number])
      } else {
        #expect(asset.uuid == before[number].uuid && asset.marks == before[number].marks)
        #expect(asset.reason(includesHidden: false) == before[number].reason(includesHidden: false))
        #expect(asset.caption == nil)
      }
    }
  }
}
