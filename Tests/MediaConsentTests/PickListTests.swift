import Foundation
import Glibc
import MediaFileSystem
import MediaManifest
import MediaModel
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaPicking

@Suite("What a picker lists and what a person chooses of it")
struct PickListTests {
  private static func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  private static func texts(_ candidates: [PickCandidate]) -> [String] {
    candidates.map { $0.files.map(\.text).joined(separator: " + ") }
  }

  // MARK: Candidates

  @Test(
    "A still and a movie of one name are one, but where movies alone are wanted",
    arguments: [
      ([], ["a.JPG", "b.HEIC + b.mov", "c.heic + C.MP4", "d.gif", "d.mov", "e.mov", "f.qt"]),
      ([.images], ["a.JPG", "b.HEIC + b.mov", "c.heic + C.MP4", "d.gif"]),
      ([.livePhotos], ["b.HEIC + b.mov", "c.heic + C.MP4"]),
      ([.videos], ["C.MP4", "b.mov", "d.mov", "e.mov", "f.qt"]),
      ([.livePhotos, .videos], ["b.HEIC + b.mov", "c.heic + C.MP4", "d.mov", "e.mov", "f.qt"]),
      ([.images, .livePhotos], ["a.JPG", "b.HEIC + b.mov", "c.heic + C.MP4", "d.gif"]),
      (
        [.images, .videos],
        ["a.JPG", "b.HEIC + b.mov", "c.heic + C.MP4", "d.gif", "d.mov", "e.mov", "f.qt"]
      ),
    ] as [(Set<PickFilter>, [String])]
  )
  func candidates(filter: Set<PickFilter>, expected: [String]) {
    let files = [
      "C.MP4", "a.JPG", "b.HEIC", "b.mov", "c.heic", "d.gif", "d.mov", "e.mov", "f.qt", "notes.txt",
    ].map(Self.path)
    let found = Self.texts(PickCandidates(filter: filter).all(among: files))
    // A pair stands at the place of its first file, whichever that is.
    let pairs = found.map { $0 == "C.MP4 + c.heic" ? "c.heic + C.MP4" : $0 }
    #expect(pairs.sorted() == expected.sorted())
    #expect(found == found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("Of several stills of one name the first has the movie, and the others stand alone")
  func severalStills() {
    let files = ["a.heic", "a.jpg", "a.mov", "a.mp4"].map(Self.path)
    #expect(
      Self.texts(PickCandidates(filter: []).all(among: files)) == [
        "a.heic + a.mov", "a.jpg", "a.mp4",
      ]
    )
    #expect(
      Self.texts(PickCandidates(filter: [.images]).all(among: files)) == ["a.heic + a.mov", "a.jpg"]
    )
  }

  @Test("A name stands in the list by its last extension, in any case")
  func names() {
    let candidates = PickCandidates(filter: [])
    for name in ["a.jpg", "a.JpEg", "a.b.png", "sub/a.QT", "\u{E9}.jxl"] {
      #expect(candidates.mayShow(Self.path(name)), "\(name)")
    }
    #expect(candidates.mayShow(ItemPath(bytes: [0xFF] + Array(".jpg".utf8))))
    for name in ["jpg", ".jpg", "a.", "a.jpg.txt", "a.jpg/b", "a.xmp", "a.pdf", "a. jpg", "a.jpg~"]
    {
      #expect(!candidates.mayShow(Self.path(name)), "\(name)")
    }
  }

  @Test("A file of each format that a run imports can be picked, by each of its extensions")
  func everyFormat() {
    for format in MediaFormat.allCases {
      let kinds: [MediaType: PickFilter] = [.image: .images, .video: .videos]
      let kind = kinds[format.mediaType]
      for name in format.row.extensions.flatMap({ ["a.\($0)", "sub/A.\($0.uppercased())"] }) {
        let file = Self.path(name)
        let candidate = PickCandidate(files: [file])
        #expect(candidate.kind == kind, "\(name)")
        for filter in [[]] + PickFilter.allCases.map({ [$0] }) as [Set<PickFilter>] {
          let list = PickCandidates(filter: filter)
          #expect(list.mayShow(file), "\(name)")
          let isShown = filter.isEmpty || kind.map(filter.contains) == true
          #expect(list.all(among: [file]) == (isShown ? [candidate] : []), "\(name)")
        }
      }
    }
  }

  @Test("A walk lists in the order of the bytes, as far as it is asked, and follows no link")
  func walk() throws {
    let scratch = TemporaryFolder()
    let files = FileManager.default
    for folder in ["a", "a/b", "c"] {
      try files.createDirectory(
        atPath: scratch.path + "/" + folder,
        withIntermediateDirectories: true
      )
    }
    func write(_ name: String, _ count: Int) throws {
      let url = URL(fileURLWithPath: scratch.path + "/" + name)
      try Data(count: count).write(to: url)
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(count))],
        ofItemAtPath: url.path
      )
    }
    for (name, count) in [
      ("a-b.jpg", 1), ("a/b/z.jpg", 2), ("a/y.HEIC", 3), ("a/y.mov", 4), ("a.jpg", 5),
      ("c/x.txt", 6), ("d.png", 7),
    ] { try write(name, count) }
    symlink("d.png", scratch.path + "/link.png")
    symlink("a", scratch.path + "/linked")
    mkfifo(scratch.path + "/pipe.jpg", 0o600)
    let root = try FileSystem.openFolder(Array(scratch.path.utf8))
    let walker = try DirectoryWalker(
      root: root,
      names: PickCandidates(filter: []),
      crossMounts: false
    )
    var list = PickList(walker)
    list.load(count: 2)
    #expect(list.items.count == 2 && !list.isComplete)
    list.load(count: 100)
    #expect(list.isComplete && list.unlistedCount == 0)
    let isCut = list.isCut()
    #expect(!isCut)
    let expected = ["a-b.jpg", "a.jpg", "a/b/z.jpg", "a/y.HEIC + a/y.mov", "d.png"]
    #expect(Self.texts(list.items) == expected)
    // Both halves are counted; the time is that of the first.
    #expect(list.items[3].size == 7 && list.items[3].modified == 3_000_000_000)
    #expect(list.items[4].size == 7 && list.items[4].modified == 7_000_000_000)
  }

  // MARK: Choosing

  private static func list() -> PickList {
    let names = [["a.jpg"], ["b.HEIC", "b.mov"], ["c.mp4"], ["sub/d.png"], ["sub/deep/e.GIF"]]
    return PickList(
      names.map { PickCandidate(files: $0.map(Self.path)) },
      unlistedCount: 3
    )
  }

  @Test("What is chosen comes in the order of choice, each once, and goes as a whole")
  func choosing() {
    var list = Self.list()
    func change(_ range: ClosedRange<Int>, takesBack: Bool = false) -> Bool {
      list.change(PickInput.Change(range: range, takesBack: takesBack))
    }
    #expect(change(4...4))
    #expect(change(1...2))
    #expect(change(2...5))
    #expect(list.chosen == [3, 0, 1, 2, 4])
    #expect(change(1...1, takesBack: true))
    #expect(change(3...4, takesBack: true))
    #expect(list.chosen == [1, 4] && list.contains(1) && !list.contains(0))
    #expect(list.chosenFiles.map(\.text) == ["b.HEIC", "b.mov", "sub/deep/e.GIF"])
    #expect(change(4...9))
    #expect(list.chosen == [1, 4, 3])
    #expect(!change(6...9))
    #expect(list.chosen == [1, 4, 3])
    list.chooseNone()
    #expect(list.chosen.isEmpty && list.chosenFiles.isEmpty && !list.contains(1))
    #expect(change(2...2) && list.chosen == [1])
  }

  @Test("Numbers are those of the names that a filter leaves, and so is all")
  func filtered() {
    var list = Self.list()
    func change(_ range: ClosedRange<Int>, takesBack: Bool = false) -> Bool {
      list.change(PickInput.Change(range: range, takesBack: takesBack))
    }
    list.filter("SUB/")
    #expect(list.filtered == [3, 4])
    #expect((0..<5).map { list.number(of: $0) } == [nil, nil, nil, 1, 2])
    #expect(change(2...2) && list.chosen == [4])
    #expect(!change(3...5))
    list.filter("mov")
    #expect(list.filtered == [1])
    list.chooseAll()
    #expect(list.chosen == [4, 1])
    list.filter("")
    #expect(list.filtered == nil && (0..<5).map { list.number(of: $0) } == [1, 2, 3, 4, 5])
    #expect(list.indexes(from: 3, count: 9) == [3, 4] && list.indexes(from: 9, count: 1).isEmpty)
    list.filter("nothing")
    list.chooseAll()
    #expect(list.filtered == [] && list.chosen == [4, 1])
    list.filter("")
    list.chooseAll()
    #expect(list.chosen == [4, 1, 0, 2, 3])
  }

  @Test("Kinds and folders narrow what a text left, and a folder has no item of those in it")
  func kinds() {
    var list = Self.list()
    list.filter(kind: .images)
    #expect(list.filtered == [0, 3, 4])
    list.filter(folder: Array("sub".utf8))
    #expect(list.filtered == [3])
    list.filter("")
    list.filter(kind: .livePhotos)
    #expect(list.filtered == [1])
    list.filter(".mp4")
    list.filter(kind: .videos)
    #expect(list.filtered == [2])
    list.filter("")
    list.filter(folder: [])
    #expect(list.filtered == [0, 1, 2])
    #expect(
      list.folders.map { String(decoding: $0.path, as: UTF8.self) } == ["", "sub", "sub/deep"]
    )
    #expect(list.folders.map(\.count) == [3, 1, 1])
    #expect(list.unlistedCount == 3 && list.isComplete)
  }

  @Test(
    "Sizes have at most three digits before the point",
    arguments: [
      (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1999, "1.9 kB"),
      (999_999, "999.9 kB"), (1_000_000, "1.0 MB"), (1_234_567_890, "1.2 GB"),
      (Int64.max, "9.2 EB"),
    ] as [(Int64, String)]
  )
  func sizes(size: Int64, expected: String) {
    #expect(PickCandidate(files: [Self.path("a.jpg")], size: size).sizeText == expected)
  }

  @Test(
    "Dates are in UTC, those before 1970 too",
    arguments: [
      (0, "1970-01-01"), (86_399_999_999_999, "1970-01-01"), (86_400_000_000_000, "1970-01-02"),
      (951_782_400_000_000_000, "2000-02-29"), (-1_000_000_000, "1969-12-31"),
    ] as [(Int64, String)]
  )
  func dates(modified: Int64, expected: String) {
    #expect(PickCandidate(files: [Self.path("a")], modified: modified).dateText == expected)
  }
}
