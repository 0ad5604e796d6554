import MediaFileSystem
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaListing

@Suite("The files that sidecars and JSON files of a Takeout describe")
struct SidecarPlaceTests {
  @Test("A sidecar is read with its one owner, and left out for the reason that it has none")
  func placed() throws {
    var items = listing([
      "1.heic", "1.mov", "1.aae", "2.jpg", "2.heic", "2.xmp", "3.xmp", "4.CR2", "4.xmp",
      "4.CR2.xmp",
      "4.cr2.XMP", "5.jpg", "5.xmp", "6.jpg", "6.xmp", "a/1.xmp",
    ])
    for (name, reason) in [("5.jpg", ItemReason.notFetched), ("6.jpg", .hardLinked)] {
      if let index = items.index(of: path(name)) { items.leaveOut(at: index, because: reason) }
    }
    items.placeSidecars(areRead: true)
    #expect(
      items.ownersByPath == [
        "1.aae": "1.heic", "2.xmp": "2.heic", "4.xmp": "4.CR2", "4.CR2.xmp": "4.CR2",
      ]
    )
    // What fits several files tells itself to which it belongs, and is read with all of them.
    let other = try #require(items.index(of: path("2.jpg")))
    #expect(items.leader(at: other) == path("2.heic"))
    let undecided = items.indices.filter { items.isUndecided(at: $0) }
    #expect(undecided.map { items.path(at: $0).text } == ["2.xmp"])
    #expect(
      items.leftOut == [
        "3.xmp": .sidecarOrphaned, "4.cr2.XMP": .sidecarAmbiguous,
        "5.jpg": .notFetched, "5.xmp": .notFetched, "6.jpg": .hardLinked, "6.xmp": .sidecarUnused,
        "a/1.xmp": .sidecarOrphaned,
      ]
    )
    #expect(Set(items.sidecars(of: path("4.CR2")).map(\.path.text)) == ["4.xmp", "4.CR2.xmp"])
    #expect(items.sidecars(of: path("1.heic")).map(\.path.text) == ["1.aae"])
    #expect(items.sidecars(of: path("1.mov")).isEmpty && items.sidecars(of: path("x")).isEmpty)
  }

  @Test("Names in NFC and NFD meet, and names with marks, where no file has the whole name")
  func otherNames() throws {
    let (composed, decomposed) = ("\u{DC}b", "U\u{308}b")
    var items = listing([
      "\(composed).jpg", "\(decomposed).jpg.xmp", "d/\(composed).jpg", "d/\(composed).jpg.xmp",
      "d/\(decomposed).jpg.xmp", "e/\(decomposed).jpg.xmp", "a.jpg", "a.jpg.xmp", "a_01.jpg.xmp",
      "b.jpg", "b_01.jpg", "b_01.jpg.xmp", "IMG_1234.HEIC", "IMG_1234.AAE", "IMG_O1234.AAE",
      "IMG_O9999.AAE",
    ])
    items.placeSidecars(areRead: true)
    #expect(
      items.ownersByPath == [
        path("\(decomposed).jpg.xmp").text: path("\(composed).jpg").text,
        path("d/\(composed).jpg.xmp").text: path("d/\(composed).jpg").text,
        "a.jpg.xmp": "a.jpg", "a_01.jpg.xmp": "a.jpg", "b_01.jpg.xmp": "b_01.jpg",
        "IMG_1234.AAE": "IMG_1234.HEIC", "IMG_O1234.AAE": "IMG_1234.HEIC",
      ]
    )
    // Two texts that Unicode calls equal would be one key.
    let second = try #require(items.index(of: path("d/\(decomposed).jpg.xmp")))
    #expect(items.reason(at: second) == .sidecarAmbiguous)
    #expect(
      items.leftOut == [
        path("e/\(decomposed).jpg.xmp").text: .sidecarOrphaned,
        "IMG_O9999.AAE": .sidecarOrphaned,
      ]
    )
    // Each comes into one batch with its file, and is found with it.
    for (sidecar, owner) in [
      ("\(decomposed).jpg.xmp", "\(composed).jpg"), ("a_01.jpg.xmp", "a.jpg"),
      ("IMG_O1234.AAE", "IMG_1234.HEIC"),
    ] {
      let indexes = try [sidecar, owner].map { try #require(items.index(of: path($0))) }
      #expect(items.groupHash(at: indexes[0]) == items.groupHash(at: indexes[1]))
      #expect(items.sidecars(of: path(owner)).contains { $0.path == path(sidecar) })
    }
  }

  @Test("Of many files of one text in other bytes the first are looked at")
  func manySpellings() {
    func names(_ count: Int, _ ending: String) -> [String] {
      (0..<count).map { number in
        let letters = (0..<16).map { number >> $0 & 1 == 0 ? "\u{E9}" : "e\u{301}" }
        return letters.joined() + ending
      }
    }
    for count in [2, 4000] {
      var items = listing(names(count, "\u{E9}.jpg") + names(count, "e\u{301}.xmp"))
      let seconds = processorSeconds { items.placeSidecars(areRead: true) }
      #expect(seconds < 10)
      let reasons = items.indices.filter { items.isSidecar(at: $0) }.map { items.reason(at: $0) }
      // The first XMP sidecar may itself say to which of them it belongs.
      let others = [ItemReason?](repeating: .sidecarAmbiguous, count: count - 1)
      #expect(reasons == [nil] + others)
    }
  }

  @Test("A clip file is a sidecar where its film is listed, and is not read where it is not kept")
  func clipFiles() throws {
    let names = [
      "C0001.MP4", "C0001M01.XML", "C0002M01.XML", "DJI_1.MP4", "DJI_1.SRT", "track.gpx", "a.xml",
      "GX1.GPX", "GX1.mp4", "GX1.xmp",
    ]
    var items = listing(names)
    let sidecars = items.indices.filter { items.isSidecar(at: $0) }.map { items.path(at: $0).text }
    #expect(Set(sidecars) == ["C0001M01.XML", "DJI_1.SRT", "GX1.GPX", "GX1.xmp"])
    items.placeSidecars(areRead: true)
    #expect(
      items.ownersByPath == [
        "C0001M01.XML": "C0001.MP4", "DJI_1.SRT": "DJI_1.MP4", "GX1.GPX": "GX1.mp4",
        "GX1.xmp": "GX1.mp4",
      ]
    )
    #expect(items.leftOut.isEmpty)
    #expect(items.sidecars(of: path("C0001.MP4")).map(\.path.text) == ["C0001M01.XML"])
    #expect(items.sidecars(of: path("DJI_1.MP4")).map(\.path.text) == ["DJI_1.SRT"])
    var stripped = listing(names)
    stripped.placeSidecars(areRead: true, keepsClipFiles: false)
    #expect(stripped.ownersByPath == ["GX1.xmp": "GX1.mp4"])
    #expect(stripped.leftOut == ["C0001M01.XML": .sidecar, "DJI_1.SRT": .sidecar, "GX1.GPX": .sidecar])
  }

  @Test("A source that reads no sidecars leaves them out, and tells what is wrong with the others")
  func unread() {
    var items = listing(["1.jpg", "1.xmp", "2.xmp"])
    items.placeSidecars(areRead: false)
    #expect(items.leftOut == ["1.xmp": .sidecar, "2.xmp": .sidecarOrphaned])
    var others = listing(["1.jpg", "1.png", "1.xmp", "2.jpg", "2.png", "2.AAE"])
    others.placeSidecars(areRead: false)
    #expect(others.leftOut["1.xmp"] == .sidecarAmbiguous)
    #expect(others.leftOut["2.AAE"] == .sidecarAmbiguous)
    #expect(items.ownersByPath.isEmpty)
  }

  @Test("What is new of an asset brings back what is not, and nothing of another asset")
  func again() {
    var items = listing([
      "1.heic", "1.mov", "1.aae", "1.xmp", "2.jpg", "2.xmp", "3.jpg", "3.jpg.xmp", "3.xmp",
      "10.jpg",
    ])
    items.placeSidecars(areRead: true)
    /// What is read again when these items are new or have changed.
    func again(_ news: Set<String>) -> Set<String> {
      let indexes = items.readAgain(
        isUnchanged: { !news.contains(items.path(at: $0).text) },
        isNews: { news.contains(items.path(at: $0).text) }
      )
      return Set(indexes.map { items.path(at: $0).text })
    }
    #expect(again([]).isEmpty)
    #expect(again(["1.aae"]) == ["1.heic", "1.mov", "1.xmp"])
    #expect(again(["1.heic"]) == ["1.aae", "1.xmp"])
    #expect(again(["1.mov"]).isEmpty)
    #expect(again(["2.jpg", "2.xmp"]).isEmpty)
    #expect(again(["3.xmp"]) == ["3.jpg", "3.jpg.xmp"])
    #expect(again(["1.xmp", "2.xmp"]) == ["1.heic", "1.mov", "1.aae", "2.jpg"])
  }

  // MARK: Takeout

  private static let takeout = [
    "one.zip/Takeout/Photos/A/IMG_1.jpg", "one.zip/Takeout/Photos/A/IMG_1-edited.jpg",
    "two.ZIP/Takeout/Photos/A/IMG_1.jpg.json", "two.ZIP/Takeout/Photos/A/IMG_2.jpg",
    "two.ZIP/Takeout/Photos/A/metadata.json", "two.ZIP/Takeout/Photos/A/notes.txt",
    "one.zip/Takeout/Photos/B/IMG_1.jpg.json", "one.zip/Takeout/Photos/B/IMG_3.jpg",
    "one.zip/Takeout/Photos/B/IMG_3.xmp",
  ]

  @Test("A JSON file describes files of its folder, also from another archive of the export")
  func takeout() throws {
    var items = listing(Self.takeout)
    #expect(items.placeTakeoutSidecars() == 2)
    let json = "two.ZIP/Takeout/Photos/A/IMG_1.jpg.json"
    let picture = "one.zip/Takeout/Photos/A/IMG_1.jpg"
    let alone = [
      "two.ZIP/Takeout/Photos/A/metadata.json", "one.zip/Takeout/Photos/B/IMG_1.jpg.json",
    ]
    #expect(items.ownersByPath == [json: picture, alone[0]: alone[0], alone[1]: alone[1]])
    let edited = try #require(items.index(of: path("one.zip/Takeout/Photos/A/IMG_1-edited.jpg")))
    #expect(items.leader(at: edited)?.text == picture)
    #expect(items.sidecars(of: path(picture)).map(\.path.text) == [json])
    #expect(items.sidecars(of: items.path(at: edited)).map(\.path.text) == [json])
    // The JSON file and all that it describes come into one batch.
    let group = try [json, picture].map {
      items.groupHash(at: try #require(items.index(of: path($0))))
    }
    #expect(Set(group + [items.groupHash(at: edited)]).count == 1)
    let other = try #require(items.index(of: path("two.ZIP/Takeout/Photos/A/IMG_2.jpg")))
    #expect(items.groupHash(at: other) != group[0] && items.leader(at: other) == nil)
    let sidecars = items.indices.filter { items.isSidecar(at: $0) }
    #expect(sidecars.count == 4)
  }

  @Test(
    "The JSON files of some files are found, also by an edited rendition alone, and are not moved"
  )
  func describing() {
    let items = listing(Self.takeout)
    func sidecars(_ names: Set<String>) -> Set<String> {
      Set(items.takeoutSidecars { names.contains($0.text) }.map(\.text))
    }
    let json = "two.ZIP/Takeout/Photos/A/IMG_1.jpg.json"
    #expect(sidecars(["one.zip/Takeout/Photos/A/IMG_1.jpg"]) == [json])
    #expect(sidecars(["one.zip/Takeout/Photos/A/IMG_1-edited.jpg"]) == [json])
    #expect(sidecars(["two.ZIP/Takeout/Photos/A/IMG_2.jpg", "x"]).isEmpty)
    #expect(items.owners.isEmpty)
  }

  @Test("Of two exports each picture has the JSON file beside it, and one that is there alone is read too")
  func twoExports() {
    let (one, two) = ("one.zip/Takeout/Photos/A/", "two.zip/Takeout/Photos/A/")
    var items = listing([
      one + "1.jpg", one + "1.jpg.json", one + "2.jpg", one + "2.jpg.json", two + "1.jpg", two + "1.jpg.json",
      two + "2.jpg.supplemental-metadata.json", two + "3.jpg.json",
    ])
    #expect(items.placeTakeoutSidecars() == 0)
    let later = two + "2.jpg.supplemental-metadata.json"
    #expect(
      items.ownersByPath == [
        one + "1.jpg.json": one + "1.jpg", two + "1.jpg.json": two + "1.jpg",
        one + "2.jpg.json": one + "2.jpg",
        later: one + "2.jpg", two + "3.jpg.json": two + "3.jpg.json",
      ]
    )
    #expect(Set(items.sidecars(of: path(one + "2.jpg")).map(\.path.text)) == [one + "2.jpg.json", later])
  }

  @Test("A picture has a JSON file also where that is not read")
  func unreadJSON() throws {
    var items = listing(["A/1.jpg", "A/1.jpg.json", "A/2.jpg"])
    items.leaveOut(at: try #require(items.index(of: path("A/1.jpg.json"))), because: .hardLinked)
    #expect(items.placeTakeoutSidecars() == 1)
    #expect(items.ownersByPath.isEmpty)
  }

  @Test("An album of a Takeout has its media, and the JSON files of pictures in other folders")
  func members() {
    var items = listing(Self.takeout)
    _ = items.placeTakeoutSidecars()
    let (first, second) = (path("Takeout/Photos/A"), path("Takeout/Photos/B"))
    let members = items.takeoutMembers(of: [first, second]).mapValues { Set($0.map(\.text)) }
    #expect(
      members == [
        first: [
          "one.zip/Takeout/Photos/A/IMG_1.jpg", "one.zip/Takeout/Photos/A/IMG_1-edited.jpg",
          "two.ZIP/Takeout/Photos/A/IMG_2.jpg", "two.ZIP/Takeout/Photos/A/metadata.json",
          "two.ZIP/Takeout/Photos/A/notes.txt",
        ],
        second: [
          "one.zip/Takeout/Photos/B/IMG_1.jpg.json", "one.zip/Takeout/Photos/B/IMG_3.jpg",
        ],
      ]
    )
    #expect(items.takeoutMembers(of: []).isEmpty)
  }

  @Test("What is read again of a Takeout follows the JSON file, and what it describes besides")
  func takeoutAgain() {
    var items = listing(Self.takeout)
    _ = items.placeTakeoutSidecars()
    func again(_ news: Set<String>) -> Set<String> {
      let indexes = items.readAgain(
        isUnchanged: { !news.contains(items.path(at: $0).text) },
        isNews: { news.contains(items.path(at: $0).text) }
      )
      return Set(indexes.map { items.path(at: $0).text })
    }
    let json = "two.ZIP/Takeout/Photos/A/IMG_1.jpg.json"
    let picture = "one.zip/Takeout/Photos/A/IMG_1.jpg"
    let edited = "one.zip/Takeout/Photos/A/IMG_1-edited.jpg"
    #expect(again([json]) == [picture, edited])
    #expect(again([picture]) == [json])
    #expect(again([edited]) == [json])
    #expect(again(["two.ZIP/Takeout/Photos/A/IMG_2.jpg"]).isEmpty)
  }

  @Test(
    "A folder of an export is one, whichever archive it lies in",
    arguments: [
      ("a.zip/Takeout/x.jpg", "Takeout"), ("a.ZIP/x.jpg", ""), ("Takeout/x.jpg", "Takeout"),
      ("sub/a.zip/T/A/x.jpg", "T/A"), ("a.zip/b.zip/x.jpg", "b.zip"), ("x.jpg", ""),
      ("azip/T/x.jpg", "azip/T"), ("a.tgz/Takeout/x.jpg", "Takeout"), ("a.Tar.GZ/x.jpg", ""),
      ("a.gz/x.jpg", "a.gz"), (".tgz/x.jpg", ".tgz"),
    ]
  )
  func folders(text: String, expected: String) {
    #expect(TakeoutNames.folder(of: path(text)) == path(expected))
  }
}
