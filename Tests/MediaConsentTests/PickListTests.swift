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
    let texts = Self.texts(PickCandidates(filter: filter).all(among: files))
    // A pair stands at the place of its first file, whichever that is.
    let pairs = texts.map { $0 == "C.MP4 + c.heic" ? "c.heic + C.MP4" : $0 }
    #expect(pairs.sorted() == expected.sorted())
    #expect(texts == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
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
      Self.texts(PickCandidates(filter: [.images]).all(among: files)) == [
        "a.heic + a.mov", "a.jpg",
      ]
    )
  }

  @Test("A name stands in the list by its last extension, in any case")
  func extensions() {
    let candidates = PickCandidates(filter: [])
    for name in ["a.jpg", "a.JpEg", "a.b.png", "sub/a.QT", "\u{E9}.jxl"] {
      #expect(candidates.mayShow(Self.path(name)), "\(name)")
    }
    #expect(candidates.mayShow(ItemPath(bytes: [0xFF] + Array(".jpg".utf8))))
    for name in ["jpg", ".jpg", "a.", "a.jpg.txt", "a.jpg/b", "a.xmp", "a.pdf", "a. jpg", "a.jpg~"] {
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

  @Test("A walk lists in the order of the bytes, and follows no link")
  func walk() throws {
    let scratch = TemporaryFolder()
    let files = FileManager.default
    for folder in ["a", "a/b", "c"] {
      try files.createDirectory(atPath: scratch.path + "/" + folder, withIntermediateDirectories: true)
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
    var walker = try DirectoryWalker(root: root, names: PickCandidates(filter: []), crossMounts: false)
    let items = walker.all()
    #expect(walker.unlistedCount == 0)
    let expected = ["a-b.jpg", "a.jpg", "a/b/z.jpg", "a/y.HEIC + a/y.mov", "d.png"]
    #expect(Self.texts(items) == expected)
    // Both halves are counted; the time is that of the first.
    #expect(items[3].size == 7 && items[3].modified == 3_000_000_000)
    #expect(items[4].size == 7 && items[4].modified == 7_000_000_000)
  }

  // MARK: Order and albums

  /// Five items: taken, changed, neither, taken before 1970, changed.
  private static func dated(_ sort: PickOrder) -> PickList {
    let facts: [(name: String, taken: Int64?, modified: Int64)] = [
      ("b.jpg", 50, 900), ("C.jpg", nil, 70), ("a.jpg", nil, 0), ("x/B.jpg", -5, 800),
      ("d.jpg", nil, 70),
    ]
    let items = facts.map { facts in
      var item = PickCandidate(files: [path(facts.name)], modified: facts.modified)
      item.taken = facts.taken
      return item
    }
    return PickList(items, unlistedCount: 0, sort: sort)
  }

  @Test(
    "Items come by the time when they were taken, else changed, or by name; without a time last",
    arguments: [
      (.newestFirst, [4, 1, 0, 3, 2]), (.oldestFirst, [3, 0, 1, 4, 2]),
      (.name, [2, 0, 3, 1, 4]), (.nameReversed, [4, 1, 3, 0, 2]),
    ] as [(PickOrder, [Int])]
  )
  func order(sort: PickOrder, expected: [Int]) {
    var list = Self.dated(sort)
    #expect(list.shown == expected)
    #expect(expected.map { list.number(of: $0) } == [1, 2, 3, 4, 5])
    list.filter("b.jpg")
    #expect(list.shown == expected.filter { [0, 3].contains($0) })
    let isChosen = list.change(PickInput.Change(range: 1...1, takesBack: false))
    #expect(isChosen && list.chosen == [list.shown[0]])
    #expect(
      list.indexes(holding: [Self.path("d.jpg"), Self.path("x/B.jpg"), Self.path("gone")])
        == expected.filter { [3, 4].contains($0) }
    )
  }

  @Test("Times that come later sort a list anew, and what was chosen stays chosen")
  func updates() {
    var list = Self.dated(.newestFirst)
    list.choose([2, 0])
    list.update { $0[2].taken = 1_000 }
    #expect(list.shown == [2, 4, 1, 0, 3] && list.chosen == [2, 0] && list.number(of: 2) == 1)
  }

  @Test("Albums are by title, an item counts in each of its own, and a search finds both")
  func albums() {
    var items = ["1/a.jpg", "1/b.jpg", "2/c.jpg", "2/d.jpg"].map { name in
      PickCandidate(files: [Self.path(name)])
    }
    items[0].albums = ["summer", "Harbor", "summer"]
    items[1].albums = ["Harbor"]
    items[2].title = "Sunset.heic"
    var list = PickList(items, unlistedCount: 0, sort: .name)
    #expect(list.albums.map(\.album) == [.titled("Harbor"), .titled("summer"), .others])
    #expect(list.albums.map(\.count) == [2, 1, 2])
    list.filter(album: .titled("Harbor"))
    #expect(list.shown == [0, 1])
    list.filter("HARBOR")
    #expect(list.shown == [0, 1])
    list.filter("sunset")
    list.filter(album: .others)
    #expect(list.shown == [2])
    // The path of what has a title is no name for a person.
    list.filter("2/")
    #expect(list.shown == [3])
    for index in items.indices { items[index].albums = [] }
    list = PickList(items, unlistedCount: 0)
    #expect(list.albums.map(\.album) == [.folder(Array("1".utf8)), .folder(Array("2".utf8))])
    for index in items.indices { items[index].title = "t" }
    list = PickList(items, unlistedCount: 0)
    #expect(list.albums.map(\.album) == [.others] && list.albums.map(\.count) == [4])
  }

  @Test("A name is the title, else the files' names, and albums are named up to three")
  func names() {
    let text = TerminalText(isUTF8: true)
    var item = PickCandidate(files: [Self.path("f/a.HEIC"), Self.path("f/a.mov")])
    #expect(text.name(of: item, limit: 100) == "a.HEIC + a.mov")
    #expect(text.name(of: item, inFolder: true, limit: 100) == "f/a.HEIC + a.mov")
    #expect(text.albums(of: item) == "f" && item.kind == .livePhotos && !item.isEdited)
    item.files += [Self.path("f/a_edited.jpg")]
    #expect(item.kind == .livePhotos && item.isEdited)
    item.title = "A \"view\"\n\u{202E}of it"
    #expect(text.name(of: item, limit: 100) == #"A "view"\n\u{202E}of it"#)
    #expect(text.name(of: item, limit: 3) == #"A "..."# && text.albums(of: item).isEmpty)
    item.albums = ["1", "2", "3", "4", "5"]
    #expect(text.albums(of: item) == #""1", "2", "3" +2"#)
    // Between our quotation marks on a terminal those of a title could end it; a page has elements.
    item.albums = [#"Our "best" \ 1"#]
    #expect(text.albums(of: item) == #""Our \"best\" \\ 1""#)
    let page = TerminalText(isUTF8: true, keepsJoiners: true)
    #expect(page.albums(of: item) == #""Our "best" \ 1""#)
    let edited = PickCandidate(files: [Self.path("a.jpg"), Self.path("b.jpg")])
    #expect(edited.kind == .images && edited.isEdited)
  }

  // MARK: Choosing

  private static func list() -> PickList {
    let names = [["a.jpg"], ["b.HEIC", "b.mov"], ["c.mp4"], ["sub/d.png"], ["sub/deep/e.GIF"]]
    return PickList(
      names.map { PickCandidate(files: $0.map(Self.path)) },
      unlistedCount: 3,
      sort: .oldestFirst
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
    #expect(list.shown == [3, 4])
    #expect((0..<5).map { list.number(of: $0) } == [nil, nil, nil, 1, 2])
    #expect(change(2...2) && list.chosen == [4])
    #expect(!change(3...5))
    list.filter("mov")
    #expect(list.shown == [1])
    list.chooseAll()
    #expect(list.chosen == [4, 1])
    list.filter("")
    #expect(list.shown == [0, 1, 2, 3, 4] && (0..<5).map { list.number(of: $0) } == [1, 2, 3, 4, 5])
    #expect(list.indexes(from: 3, count: 9) == [3, 4] && list.indexes(from: 9, count: 1).isEmpty)
    list.filter("nothing")
    list.chooseAll()
    #expect(list.shown == [] && list.chosen == [4, 1])
    list.filter("")
    list.chooseAll()
    #expect(list.chosen == [4, 1, 0, 2, 3])
  }

  @Test("Kinds and folders narrow what a text left, and a folder has no item of those in it")
  func kinds() {
    var list = Self.list()
    list.filter(kind: .images)
    #expect(list.shown == [0, 3, 4])
    list.filter(album: .folder(Array("sub".utf8)))
    #expect(list.shown == [3])
    list.filter("")
    list.filter(kind: .livePhotos)
    #expect(list.shown == [1])
    list.filter(".mp4")
    list.filter(kind: .videos)
    #expect(list.shown == [2])
    list.filter("")
    list.filter(album: .folder([]))
    #expect(list.shown == [0, 1, 2])
    let folders = ["", "sub", "sub/deep"].map { PickAlbum.folder(Array($0.utf8)) }
    #expect(list.albums.map(\.album) == folders && list.albums.map(\.count) == [3, 1, 1])
    #expect(list.unlistedCount == 3 && !list.isFull)
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
    var item = PickCandidate(files: [Self.path("a")], modified: modified)
    #expect(item.dateText == expected)
    (item.taken, item.modified) = (modified, 1)
    #expect(item.dateText == expected)
  }
}
