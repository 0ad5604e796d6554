import MediaFileSystem
import MediaListing
import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPhotosLibrary

@Suite("The items of a Photos library")
struct PhotosListingTests {
  private static func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  private static func file(_ path: String) -> ListedItem {
    ListedItem(path: Self.path(path), status: FileStatus(kind: .regular, size: 1))
  }

  /// The items of a listing, as text.
  private static func text(_ items: some Sequence<ListedItem>) -> [String] {
    items.map { "\($0.path.text): \($0.reason.map { "\($0)" } ?? "imported")" }
  }

  @Test(
    "Files and what is missing are in the order of their paths, each once, whatever its name",
    arguments: [false, true]
  )
  func mixed(isSelected: Bool) throws {
    var random = SeededGenerator("\(#function) \(isSelected)")
    var index = PhotosIndex()
    var files: [ListedItem] = []
    var expected: [String: String] = [:]
    func expect(_ path: String, _ reason: String) {
      if !isSelected || path.utf8.count.isMultiple(of: 2) { expected[path] = reason }
    }
    for number in 0..<3_000 {
      let uuid = PhotosAssetsTests.uuid(&random)
      var asset = try #require(PhotosAsset(uuid: uuid))
      let folder = random.pick([String(uuid.prefix(1)), String(uuid.prefix(1)), "0/1", "Z"])
      let name = random.pick(["\(uuid).heic", "\(uuid).jpeg", "IMG_\(number).JPG"])
      (asset.directory, asset.fileName) = (Array(folder.utf8), Array(name.utf8))
      if random.chance(0.5) { asset.marks.insert(.local) }
      if random.chance(0.1) { asset.marks.insert(.hidden) }
      index.add(asset)
      let path = "originals/\(folder)/\(name)"
      let isThere = random.chance(0.5)
      if isThere { files.append(Self.file(path)) }
      let absence = asset.marks.contains(.local) ? "originalMissing" : "notDownloaded"
      expect(path, asset.marks.contains(.hidden) ? "notFetched" : isThere ? "imported" : absence)
    }
    files.append(Self.file("originals/0/nobody.jpg"))
    expect("originals/0/nobody.jpg", "unlisted")
    var selection: PhotosSelection?
    if isSelected {
      var paths = expected.keys.sorted()
      // One is there twice, and one is nowhere.
      paths += ["originals/nowhere.jpg", paths[0]]
      expected["originals/nowhere.jpg"] = "identifierNotFound"
      selection = PhotosSelection(
        try paths.map { try SelectionPattern(SelectionPattern.literalText(of: Self.path($0))) }
      )
    }
    let walked = ListedItems(files.sorted { $0.path < $1.path })
    let listing = PhotosListing(of: walked, index, selection, includesHidden: false)
    #expect(
      Self.text(listing.items)
        == expected.sorted { Self.path($0.key) < Self.path($1.key) }.map {
          "\($0.key): \($0.value)"
        }
    )
    #expect(listing.items.isInOrder)
  }
}
