import Foundation
import MediaFileSystem
import MediaModel
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaConsent
@testable import MediaPhotosLibrary
@testable import MediaPicking

@Suite("What a Photos library holds, as a person picks it")
struct PhotosCandidatesTests {
  private static let one = "10000000-0000-4000-8000-000000000001"
  private static let two = "20000000-0000-4000-8000-000000000002"
  private static let three = "A0000000-0000-4000-8000-00000000000A"

  private static func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  private func asset(
    _ uuid: String,
    _ name: String?,
    _ change: (inout PhotosAsset) -> Void = { _ in }
  ) throws -> PhotosAsset {
    var asset = try #require(PhotosAsset(uuid: uuid))
    asset.originalName = name
    change(&asset)
    return asset
  }

  private func candidates(
    _ assets: [PhotosAsset],
    albums: [(title: String, members: [String])] = [],
    showsHidden: Bool = false,
    _ files: [String]
  ) throws -> [PickCandidate] {
    var index = PhotosIndex()
    for asset in assets { index.add(asset) }
    for (number, album) in albums.enumerated() {
      let uuid = "ALBUM-\(1_000 + number)"
      let members = album.members.compactMap { member in
        assets.firstIndex { $0.uuid == member }.map { UInt32($0) }
      }
      index.add(try #require(PhotosAlbum(uuid: uuid, title: album.title, members: members)))
    }
    var all = PhotosCandidates(of: index, showsHidden: showsHidden)
    for (number, file) in files.enumerated() {
      let status = FileStatus(kind: .regular, size: 100, modified: Int64(number + 1))
      all.add(Self.path(file), status)
    }
    return all.all
  }

  @Test("An asset is one item: what was edited first, then what was taken, whatever the order")
  func files() throws {
    let (one, two, three) = (Self.one, Self.two, Self.three)
    let live = [
      "resources/renders/1/\(one)_1_201_a.jpeg", "resources/renders/1/\(one)_2_100_a.mov",
      "originals/1/\(one).heic", "originals/1/\(one)_3.mov",
    ]
    let film = ["resources/renders/2/\(two)_2_0_a.mov", "originals/2/\(two).mp4"]
    let pair = ["originals/A/\(three).jpeg", "originals/A/\(three)_4.dng"]
    let assets = try [asset(one, "a.HEIC"), asset(two, "b.MP4"), asset(three, "c.JPG")]
    for turn in [live + film + pair, (live + film + pair).reversed()] {
      let items = try candidates(assets, turn)
      #expect(items.map { $0.files.map(\.text) } == [pair, live, film])
      #expect(items.map(\.kind) == [.images, .livePhotos, .videos])
      #expect(items.map(\.isEdited) == [false, true, true])
      #expect(items.map(\.size) == [200, 400, 200])
      #expect(items.map(\.title) == ["c.JPG", "a.HEIC", "b.MP4"])
    }
  }

  @Test("An asset with more files than an item may have is several items, and none is lost")
  func manyFiles() throws {
    let files = [
      "resources/renders/1/\(Self.one)_1_201_a.jpeg", "resources/renders/1/\(Self.one)_2_100_a.mov",
      "originals/1/\(Self.one).heic", "originals/1/\(Self.one)_3.mov",
      "originals/1/\(Self.one)_4.dng",
    ]
    let items = try candidates([asset(Self.one, "a.HEIC")], files)
    #expect(items.map(\.files.count) == [1, 4])
    #expect(items.flatMap(\.files).map(\.text).sorted() == files.sorted())
    #expect(items.allSatisfy { $0.title == "a.HEIC" })
  }

  @Test("What a run would not import is not there: trash, hidden, unnamed files and other formats")
  func leftOut() throws {
    let assets = try [
      asset(Self.one, "trash.JPG") { $0.marks = .trashed },
      asset(Self.two, "hidden.JPG") { $0.marks = .hidden }, asset(Self.three, "shown.JPG"),
    ]
    let files = [
      "originals/1/\(Self.one).jpeg", "originals/2/\(Self.two).jpeg",
      "originals/A/\(Self.three).jpeg", "originals/A/\(Self.three).aae",
      "originals/C/C0000000-0000-4000-8000-00000000000C.jpeg", "originals/A/x\(Self.three).jpeg",
    ]
    #expect(try candidates(assets, files).map(\.title) == ["shown.JPG"])
    #expect(
      try candidates(assets, showsHidden: true, files).map(\.title) == ["hidden.JPG (hidden)", "shown.JPG"]
    )
  }

  @Test("An item has the titles of its albums, each once and at most 16, and the local time")
  func facts() throws {
    let many = (0..<40).map { (title: "Album \($0 / 2)", members: [Self.one, Self.one]) }
    let items = try candidates(
      [
        // An hour before 1970 began in UTC, where the clock is two hours ahead.
        asset(Self.one, nil) { ($0.taken, $0.offsetMinutes) = (-3_600_000_000, 120) },
        asset(Self.two, nil) { $0.title = String(repeating: "é", count: 1_000) },
      ],
      albums: many,
      ["originals/1/\(Self.one).jpeg", "originals/2/\(Self.two).jpeg"]
    )
    try #require(items.count == 2)
    #expect(items[0].albums == (0..<16).map { "Album \($0)" })
    #expect(items[0].taken == 3_600_000_000_000)
    // A file's name stands for the name that is missing.
    #expect(items[0].title == "originals/1/\(Self.one).jpeg")
    #expect(items[1].title == String(repeating: "é", count: 512))
    #expect(items[1].albums.isEmpty && items[1].taken == nil)
    // The page accepts what is sent.
    let message = ViewerMessage.names(items)
    #expect(try ViewerMessage(frame: message.frame[4...]) == message)
  }

  @Test("A viewer is told whether hidden assets are shown")
  func task() throws {
    let folder = TemporaryFolder()
    let root = try FileSystem.openPath(Array(folder.path.utf8))
    for showsHidden in [false, true] {
      let request = PickerRequest(
        folder: root,
        layout: .photosLibrary,
        clientName: "org.example.feed",
        showsHidden: showsHidden
      )
      let task = try ViewerTask(frame: request.viewerTask.frame[4...])
      #expect(task == request.viewerTask)
      #expect(task.showsHidden == showsHidden && task.layout == .photosLibrary)
    }
  }

  // MARK: The answer

  /// What the coordinator takes of an answer where one item may be picked; nil for one that it refuses.
  private func checked(_ answer: [String], showsHidden: Bool = false) throws -> [String]? {
    let folder = TemporaryFolder()
    for file in answer {
      let file = URL(fileURLWithPath: folder.path + "/" + file)
      let above = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    let request = PickerRequest(
      folder: try FileSystem.openPath(Array(folder.path.utf8)),
      layout: .photosLibrary,
      clientName: "org.example.feed",
      showsHidden: showsHidden
    )
    do {
      return try PickedFiles.checked(answer.map(Self.path), for: request).map(\.text)
    } catch {
      #expect(error.code == .pickerAnswer)
      return nil
    }
  }

  @Test("All files of one identifier count once against the limit, and no others do")
  func counts() throws {
    let asset = [
      "originals/1/\(Self.one).heic", "originals/1/\(Self.one)_3.mov",
      "resources/renders/1/\(Self.one)_1_201_a.jpeg", "resources/renders/1/\(Self.one)_2_100_a.mov",
    ]
    #expect(try checked(asset) == asset)
    for other in [
      "originals/2/\(Self.two).heic", "resources/renders/2/\(Self.two)_1_201_a.jpeg",
      // Names that begin alike, and with no identifier.
      "originals/1/\(Self.one)_7.heic", "originals/1/\(Self.one)x.heic", "originals/1/IMG_1.heic",
    ] {
      #expect(try checked(asset + [other]) == nil, "\(other)")
      #expect(try checked([other]) == [other])
    }
    #expect(try checked(["originals/1/IMG_1.heic", "originals/1/IMG_2.heic"]) == nil)
  }

  @Test("What is no photo of the library is not taken, whoever says that it was picked")
  func places() throws {
    let shared = "scopes/cloudsharing/data/album/\(Self.one).jpeg"
    for path in [
      "database/Photos.sqlite", "resources/derivatives/1/\(Self.one)_1_105_c.jpeg", shared,
      "\(Self.one).jpeg", "resources/renders/1/\(Self.one).plist",
    ] {
      #expect(try checked([path]) == nil, "\(path)")
    }
    #expect(try checked([shared], showsHidden: true) == [shared])
  }
}
