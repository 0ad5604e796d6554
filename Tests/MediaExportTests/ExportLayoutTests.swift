import MediaGallery
import MediaLibrary
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("The layout of an export")
struct ExportLayoutTests {
  private static let values = ExportLayout.Values(
    label: "IMG/1",
    number: 42,
    album: ["2019", "Rome/a", " "],
    source: "library",
    saved: "2026-11-21T01:44:39",
    created: "2019-07-04"
  )

  @Test(
    "Fields become names that are safe, and a slash of the layout begins a folder",
    arguments: [
      (ExportLayout.standard, "2026/2026-11-21/IMG-1"),
      ("{created:yyyy/MM}/{label}", "2019/07/IMG-1"),
      ("{created:yyyy-MM-dd HH.mm}/{label}", "2019-07-04/IMG-1"),
      ("{album}/{label}", "2019/Rome-a/IMG-1"),
      ("{source}/{number:6}", "library/000042"), ("{number}", "42"),
      ("/{label}", "IMG-1"), ("a//{label}", "a/IMG-1"), ("../{label}", "untitled/IMG-1"),
      ("..{label}", "IMG-1"), ("{{{label}}}", "{IMG-1}"),
      ("{saved:yyyy'/'MM}/x {label} y", "2026/11/x IMG-1 y"),
    ]
  )
  func path(text: String, expected: String) throws {
    let path = try ExportLayout(text).path(of: Self.values)
    #expect((path.folders + [path.name]).joined(separator: "/") == expected)
  }

  @Test("What is not known is one folder, or none")
  func unknown() throws {
    var values = Self.values
    (values.created, values.album) = (nil, [])
    let layout = try ExportLayout("{created:yyyy}/{created:MM}/{album}/{label}")
    #expect(layout.path(of: values).folders == ["undated"])
    #expect(layout.namesAlbums && layout.namesCreationDates)
    values.created = "nonsense"
    #expect(layout.path(of: values).folders == ["undated"])
  }

  @Test(
    "A mistake is named",
    arguments: [
      ("", "{label}"), ("{saved:yyyy}", "{label}"), ("{label}/", "{label}"),
      ("{label}/x", "{label}"), ("{lable}", "lable"), ("{label:x}", "takes no colon"),
      ("{number:0}", "1 to 9"), ("{number:10}", "1 to 9"), ("{saved:}/{label}", "pattern"),
      ("{saved:yy}/{label}", "yy"), ("{saved:'x}/{label}", "not closed"), ("{label", "without"),
      ("label}", "without"),
    ]
  )
  func mistakes(text: String, expected: String) {
    let mistake = #expect(throws: TemplateMistake.self) { try ExportLayout(text) }
    #expect(mistake?.description.contains(expected) == true, "\(mistake?.description ?? "")")
  }

  @Test(
    "No two files share a path, also where letters differ in case alone or a folder has the name"
  )
  func names() {
    var names = ExportNames()
    func take(_ folders: [String], _ name: String, _ endings: String...) -> [String] {
      let starts = names.starts(folders: folders, names: [name], endings: [endings])
      return endings.map { starts[0] + $0 }
    }
    #expect(take([], "a", ".jpg", ".mov") == ["a.jpg", "a.mov"])
    #expect(take([], "A", ".heic") == ["A (2).heic"])
    #expect(take([], "A", ".JPG", ".x") == ["A (3).JPG", "A (3).x"])
    #expect(take(["a.jpg"], "b", ".jpg") == ["a.jpg (2)/b.jpg"])
    #expect(take(["a.jpg"], "b", ".jpg") == ["a.jpg (2)/b (2).jpg"])
    #expect(take(["c.jpg", "d"], "b", ".jpg") == ["c.jpg/d/b.jpg"])
    #expect(take([], "c", ".jpg") == ["c (2).jpg"])
    #expect(take(["c.jpg"], "d", "") == ["c.jpg/d (2)"])
    // What is one name on exFAT, in Windows or on a Mac.
    #expect(take(["s"], "οδος", ".jpg") == ["s/οδος.jpg"])
    #expect(take(["s"], "ΟΔΟΣ", ".jpg") == ["s/ΟΔΟΣ (2).jpg"])
    #expect(take(["s"], "οδοσ", ".jpg") == ["s/οδοσ (3).jpg"])
    #expect(take(["s"], "caf\u{E9}", ".jpg") == ["s/caf\u{E9}.jpg"])
    #expect(take(["S"], "CAFE\u{301}", ".jpg") == ["S/CAFE\u{301} (2).jpg"])
    #expect(take(["dots.."], "a", ".jpg") == ["dots../a.jpg"])
    #expect(take(["dots"], "a", ".jpg") == ["dots/a (2).jpg"])
  }

  @Test("No two assets share a stem, whatever their endings, nor a sidecar the stem of another asset's file")
  func stems() {
    var names = ExportNames()
    func take(_ name: String, _ endings: String...) -> String {
      names.starts(folders: [], names: [name], endings: [endings])[0]
    }
    #expect(take("IMG_1", ".jpg", ".xmp") == "IMG_1")
    #expect(take("IMG_1", ".nef") == "IMG_1 (2)")
    #expect(take("img_1", ".mov") == "img_1 (3)")
    // A thumbnail beside a picture is one of another asset's formats to a reader.
    #expect(take("IMG_2", ".jpg", " (grid).jpg") == "IMG_2")
    #expect(take("IMG_2 (grid)", ".nef") == "IMG_2 (grid) (2)")
    // "IMG_3.jpg.xmp" describes IMG_3.jpg, and so does darktable's "IMG_3_01.jpg.xmp".
    #expect(take("IMG_3", ".jpg") == "IMG_3")
    #expect(take("IMG_3.jpg", ".png", ".xmp") == "IMG_3.jpg (2)")
    #expect(take("IMG_3_01", ".jpg", ".jpg.xmp") == "IMG_3_01 (2)")
    // A Pixel's raw file and its motion photo are one stack by their names.
    #expect(take("PXL_1", ".dng") == "PXL_1")
    #expect(take("PXL_1.MP", ".jpg") == "PXL_1 (2).MP")
    #expect(take("caf\u{E9}", ".jpg") == "caf\u{E9}")
    #expect(take("CAFE\u{301}", ".dng") == "CAFE\u{301} (2)")
  }

  @Test("A rendition and its original have names that the rules of stacks know, with a number too")
  func renditions() {
    var names = ExportNames()
    func take(_ name: String) -> [String] {
      names.starts(folders: [], names: [name], endings: [[".heic"], [".heic", ".dng"]])
    }
    #expect(take("IMG_E1234") == ["IMG_E1234", "IMG_1234"])
    #expect(take("IMG_E1234") == ["IMG_1234 (2)-edited", "IMG_1234 (2)"])
    #expect(take("7") == ["7-edited", "7"])
    #expect(take("PXL_1.PORTRAIT-01.COVER") == ["PXL_1.PORTRAIT-01.COVER", "PXL_1.PORTRAIT-02.ORIGINAL"])
    #expect(
      take("PXL_1.PORTRAIT-01.COVER") == ["PXL_1 (2).PORTRAIT-01.COVER", "PXL_1 (2).PORTRAIT-02.ORIGINAL"]
    )
  }

  @Test("Two pictures of one name of a Pixel phone get stems of their own, whatever their marks are")
  func pixelNames() {
    var names = ExportNames()
    func take(_ name: String) -> String {
      names.starts(folders: [], names: [name], endings: [[".jpg", ".dng"]])[0]
    }
    #expect(take("PXL_1.RAW-01.COVER") == "PXL_1.RAW-01.COVER")
    #expect(take("PXL_1.RAW-01.COVER") == "PXL_1 (2).RAW-01.COVER")
    #expect(take("PXL_1.RAW-02.ORIGINAL") == "PXL_1 (3).RAW-02.ORIGINAL")
    #expect(take("PXL_1") == "PXL_1 (4)")
    #expect(take("PXL_2.MP") == "PXL_2.MP")
    #expect(take("PXL_2.MP") == "PXL_2 (2).MP")
    #expect(take("PXL_2") == "PXL_2 (3)")
  }

  @Test("Pictures of a burst keep their names where these differ, and else have those of a burst")
  func bursts() {
    var names = ExportNames()
    func take(_ own: String...) -> [String] {
      names.starts(folders: [], names: own, .burst, endings: own.map { _ in [".jpg"] })
    }
    #expect(take("IMG_1", "IMG_2") == ["IMG_1", "IMG_2"])
    #expect(take("IMG_0", "IMG_2") == ["IMG_0 (2)", "IMG_2 (2)"])
    #expect(take("7", "7") == ["7_BURST001_COVER", "7_BURST002"])
    #expect(take("7", "7") == ["7 (2)_BURST001_COVER", "7 (2)_BURST002"])
    #expect(take("IMG_1") == ["IMG_1 (2)"])
    #expect(take("A_BURST001", "A_BURST002_COVER") == ["A_BURST001", "A_BURST002_COVER"])
    #expect(take("A_BURST001", "A_BURST002_COVER") == ["A (2)_BURST001", "A (2)_BURST002_COVER"])
    #expect(take("A_BURST001") == ["A (3)_BURST001"])
  }

  @Test("Downloads of a gallery have one stem for the files of one picture, and for nothing else")
  func downloads() {
    var names = DownloadNames()
    func name(
      _ fileExtension: String,
      _ kind: StackKind? = nil,
      cover: String = "",
      title: String = "a",
      movie: String? = nil,
      isStripped: Bool = false
    ) -> String {
      var asset = ListedAsset(
        row: 1,
        localIdentifier: "",
        label: "a",
        mediaType: .image,
        source: "library",
        policy: "keep",
        added: "",
        facts: Facts(format: .jpeg)
      )
      asset.stack = kind.map { StackMembership(kind: $0, cover: cover, count: 2) }
      var picture = GalleryPicture(key: "k", title: title, date: nil, mediaType: .image)
      picture.original = GalleryPicture.File(ending: fileExtension, size: nil)
      if let movie {
        picture.movie = GalleryPicture.File(ending: movie, size: nil)
        let file = ListedAsset.File(role: "pairedVideo", path: "m", format: "mov", bytes: 1, sha256: "")
        if !isStripped { asset.files = [file] }
      }
      names.name(&picture, of: asset, isStripped: isStripped)
      return picture.downloads.map(\.name).joined(separator: " + ")
    }
    #expect(name("jpg", .formats, cover: "one") == "a.jpg")
    #expect(name("nef") == "a (2).nef")
    #expect(name("nef", .formats, cover: "one") == "a.nef")
    #expect(name("jpg", .burst, cover: "one") == "a (3).jpg")
    #expect(name("nef", .formats, cover: "two") == "a (4).nef")
    #expect(name("jpg", movie: "mov") == "a (5).jpg + a (5).mov")
    // In Windows, names are one that differ in the case of letters; a name is not taken twice within a stack.
    #expect(name("JPG", title: "A") == "A (6).JPG")
    #expect(name("heic", .formats, cover: "three", movie: "mov") == "a (7).heic + a (7).mov")
    #expect(name("dng", .formats, cover: "three", movie: "MOV") == "a (8).dng + a (8).MOV")
    // A motion photo that is stripped has its movie beside it.
    #expect(name("jpg", title: "b", movie: "mp4", isStripped: true) == "b.jpg + b.mp4")
  }

  @Test(
    "What Windows does not take in a name is not in a download's",
    arguments: [
      ("a:b", "a_b"), (#"<>:"/\|?*"#, "_________"), ("con", "con_"), ("COM¹.old", "COM¹_.old"),
      ("con .old", "con _.old"), ("CONIN$", "CONIN$_"),
      ("CONE", "CONE"),
      ("Größe 100 %", "Größe 100 %"), ("a\u{1}b", "a_b"),
    ]
  )
  func portable(name: String, expected: String) {
    #expect(DownloadNames.portable(name) == expected)
  }

  @Test("Many files of one name get numbers without trying all before")
  func manyOfOneName() {
    var names = ExportNames()
    func start(_ folder: String, _ name: String, _ endings: String...) -> String {
      names.starts(folders: [folder], names: [name], endings: [endings])[0]
    }
    #expect(start("d", "A (3)", ".jpg") == "d/A (3)")
    var last = ""
    let seconds = processorSeconds {
      for _ in 0..<40_000 {
        last = start("d", "a", ".jpg", ".mov")
      }
    }
    #expect(seconds < 5)
    #expect(last == "d/a (40001)")
    #expect(start("D", "A", ".mov") == "D/A (40002)")
  }
}
