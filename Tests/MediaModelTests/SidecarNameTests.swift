import MediaModel
import Testing

@Suite("Names of sidecars")
struct SidecarNameTests {
  private func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  @Test(
    "A sidecar belongs to the file whose name it has, by rules and never by chance",
    arguments: [
      ("IMG_1.CR2.xmp", ["IMG_1.CR2", "IMG_1.JPG"], "IMG_1.CR2"),
      ("IMG_1.cr2.XMP", ["IMG_1.CR2", "IMG_1.JPG"], "IMG_1.CR2"),
      ("IMG_1.JPG.xmp", ["IMG_1.CR2", "IMG_1.JPG"], "IMG_1.JPG"),
      ("IMG_1.xmp", ["IMG_1.CR2", "IMG_1.JPG"], "IMG_1.CR2"),
      ("IMG_1.xmp", ["IMG_1.HEIC", "IMG_1.MOV"], "IMG_1.HEIC"),
      ("IMG_1.AAE", ["IMG_1.HEIC", "IMG_1.MOV"], "IMG_1.HEIC"),
      ("IMG_1.aae", ["IMG_1.MOV"], "IMG_1.MOV"),
      ("a/b/IMG_1.xmp", ["a/b/IMG_1.mp3", "a/b/IMG_1.txt"], "a/b/IMG_1.mp3"),
      ("v1.2.xmp", ["v1.2.jpg"], "v1.2.jpg"),
      ("IMG_1.xmp", ["IMG_1.HEIC", "IMG_1.JPG"], nil),
      ("IMG_1.xmp", ["IMG_1.CR2", "IMG_1.DNG"], nil),
      ("IMG_1.xmp", ["img_1.CR2", "IMG_10.CR2", "IMG_1.x.CR2", "IMG_1.xmp", "a/IMG_1.CR2"], ""),
      ("IMG_1.CR2.xmp", ["IMG_1.JPG"], ""),
      ("a/IMG_1.xmp", ["IMG_1.jpg"], ""),
      // One text in NFD and NFC; a folder is compared by its bytes.
      ("U\u{308}b.jpg.xmp", ["\u{DC}b.jpg", "\u{DC}b.png"], "\u{DC}b.jpg"),
      ("a/\u{DC}b.xmp", ["a/U\u{308}b.CR2", "a/Ub.jpg"], "a/U\u{308}b.CR2"),
      ("\u{DC}/\u{DC}b.xmp", ["U\u{308}/U\u{308}b.jpg"], ""),
    ] as [(String, [String], String?)]
  )
  func owners(sidecar: String, files: [String], owner: String?) throws {
    let name = try #require(SidecarName(path(sidecar)))
    for order in [files, files.reversed()] {
      let expected: SidecarName.Owner =
        switch owner {
        case nil: .ambiguous
        case "": .none
        case let owner?: .one(try #require(order.firstIndex(of: owner)))
        }
      #expect(name.owner(among: order.map(path)) == expected)
    }
  }

  @Test(
    "A clip file belongs to the film with its stem, and to nothing else",
    arguments: [
      ("DJI_1.SRT", ["DJI_1.MP4", "DJI_1.JPG"], "DJI_1.MP4", ".srt"),
      ("a/GX1.gpx", ["a/GX1.mp4"], "a/GX1.mp4", ".gpx"),
      ("a/C0001M01.XML", ["a/C0001.MP4", "a/C0001.JPG"], "a/C0001.MP4", "M01.xml"),
      ("VID_1.srt", ["VID_1.insv"], "VID_1.insv", ".srt"), ("DJI_1.SRT", ["DJI_1.JPG"], "", nil),
      ("DJI_1.SRT", ["DJI_1.MP4", "DJI_1.MOV"], nil, nil), ("C0001M01.XML", ["C0002.MP4"], "", nil),
    ] as [(String, [String], String?, String?)]
  )
  func clipFiles(sidecar: String, files: [String], owner: String?, suffix: String?) throws {
    let name = try #require(SidecarName(path(sidecar)))
    #expect(name.format.isClipFile && !SidecarName.isSidecar(path(sidecar)))
    let match = name.owner(among: files.map(path))
    guard let owner, !owner.isEmpty else {
      #expect(match == (owner == nil ? .ambiguous : .none))
      return
    }
    #expect(match == .one(try #require(files.firstIndex(of: owner))))
    #expect(SidecarName(path(sidecar), of: path(owner))?.suffix(of: .mp4) == suffix)
    for other in ["C0001.XML", "C0001M1.XML", "M01.XML", "a.xml", "a.gpxx"] {
      #expect(SidecarName(path(other)) == nil, "\(other)")
    }
  }

  @Test(
    "A name with a mark is that of one more sidecar, and of no first one",
    arguments: [
      ("a_01.jpg.xmp", "a.jpg", "_01.jpg.xmp"), ("d/a_12.CR2.xmp", "d/a.cr2", "_12.jpg.xmp"),
      ("IMG_O1234.AAE", "IMG_1234.HEIC", ".aae"), ("d/ABC_O0001.aae", "d/ABC_0001.JPG", ".aae"),
      ("\u{DC}_01.jpg.xmp", "U\u{308}.jpg", "_01.jpg.xmp"), ("a_1.jpg.xmp", "a.jpg", nil),
      ("a_001.jpg.xmp", "a.jpg", nil), ("a_01.xmp", "a.jpg", nil), ("_01.jpg.xmp", "x.jpg", nil),
      ("IMG_O1234.xmp", "IMG_1234.HEIC", nil), ("IMG_O12345.AAE", "IMG_12345.HEIC", nil),
      ("IMG_E1234.AAE", "IMG_1234.HEIC", nil), ("a_01.jpg.xmp", "a.png", nil),
    ] as [(String, String, String?)]
  )
  func marks(sidecar: String, file: String, suffix: String?) {
    let name = SidecarName(path(sidecar), of: path(file))
    #expect(name?.suffix(of: .jpeg) == suffix)
    #expect((name?.mark.isEmpty == false) == (suffix != nil))
  }

  @Test("Of several sidecars of a file one with a mark counts last, and the longer name first")
  func order() {
    let names = ["a_01.jpg.xmp", "a.xmp", "a.jpg.xmp", "a_02.jpg.xmp"].map(path)
    let sorted = names.sorted { SidecarName.precedes($0, $1, of: path("a.jpg")) }
    #expect(sorted.map(\.text).prefix(2) == ["a.jpg.xmp", "a.xmp"])
  }

  @Test("Other files are no sidecars, nor are those that macOS writes beside them")
  func others() {
    for name in ["xmp", ".xmp", "a.xmpx", "a.jpg", "a.aa", "._IMG_1.xmp", "a/._IMG_1.AAE", "axmp"] {
      #expect(SidecarName(path(name)) == nil, "\(name)")
    }
    #expect(SidecarName(path("a.XmP"))?.format == .xmp)
    #expect(SidecarName(path("a/b.AAE"))?.format == .aae)
  }

  @Test("A format of a published file is found by its word and by its extension")
  func formats() {
    for format in MediaFormat.allCases.map(ResourceFormat.media)
      + SidecarFormat.allCases.map(ResourceFormat.sidecar)
    {
      #expect(ResourceFormat(rawValue: format.rawValue) == format)
      let published = format.media?.fileExtension ?? format.rawValue
      let isPublished = format != .sidecar(.takeout)
      #expect(ResourceFormat(publishedExtension: published) == (isPublished ? format : nil))
    }
    #expect(ResourceFormat(rawValue: "txt") == nil)
  }
}
