import Foundation
import MediaFileSystem
import MediaListing
import MediaModel
import MediaPicking
import MediaTestSupport
import Testing

@testable import MediaConsent

@Suite("What a Takeout's JSON files say of its pictures")
struct ViewedTakeoutTests {
  private static let trip = "Takeout/Google Photos/Trip/"

  private func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  private func candidates(_ files: [[String]], _ sidecars: [String]) -> TakeoutCandidates {
    TakeoutCandidates(files.map { PickCandidate(files: $0.map(path)) }, sidecars: sidecars.map(path))
  }

  private func picture(_ words: String, isTrashed: Bool = false) -> MediaDescription {
    var description = MediaDescription()
    description.subject = .picture(words)
    description.isTrashed = isTrashed ? true : nil
    return description
  }

  private func album(_ title: String) -> MediaDescription {
    var description = MediaDescription()
    description.subject = .album(title)
    return description
  }

  @Test("A copy in an album has the standing of its picture, and the JSON files of a second export count too")
  func copies() {
    let year = "Takeout/Google Photos/Photos from 2018/"
    let files: [(String, Int64)] = [
      (year + "1.jpg", 10), (Self.trip + "1.jpg", 10), ("x/1.jpg", 11), (year + "2.jpg", 20), ("x/2.jpg", 20),
    ]
    for showsHidden in [false, true] {
      var takeout = TakeoutCandidates(
        files.map { PickCandidate(files: [path($0.0)], size: $0.1) },
        showsHidden: showsHidden,
        sidecars: ["1.jpg.json", "2.jpg.json", "2.jpg.supplemental-metadata.json"].map { path(year + $0) }
      )
      var hidden = picture("1530000000 1.jpg")
      hidden.isHidden = true
      takeout.take(hidden, of: path(year + "1.jpg.json"))
      takeout.take(picture("1530000000 2.jpg"), of: path(year + "2.jpg.json"))
      takeout.take(hidden, of: path(year + "2.jpg.supplemental-metadata.json"))
      takeout.removeLeftOut()
      let marked = takeout.candidates.filter { $0.title?.hasSuffix("(hidden)") == true }
      #expect(marked.count == (showsHidden ? 4 : 0))
      #expect(takeout.candidates.count == (showsHidden ? 5 : 1))
    }
  }

  @Test("Parts of an export are one tree: a JSON file describes a picture in another zip file")
  func parts() {
    var takeout = candidates(
      [["b.zip/\(Self.trip)IMG_1.jpg"], ["\(Self.trip)IMG_2.jpg"], ["x/IMG_1.jpg"]],
      [
        "\(Self.trip)IMG_1.jpg.json", "c.zip/\(Self.trip)IMG_2.jpg.json", "z.json",
        "a.zip/\(Self.trip)metadata.json",
      ]
    )
    // The album's first; that of no picture's folder is not read.
    #expect(
      takeout.sidecars
        == [
          "a.zip/\(Self.trip)metadata.json", "\(Self.trip)IMG_1.jpg.json",
          "c.zip/\(Self.trip)IMG_2.jpg.json",
        ].map(path)
    )
    takeout.take(album("To Brest"), of: path("a.zip/\(Self.trip)metadata.json"))
    takeout.take(picture("1530000000 IMG_1.jpg"), of: path("\(Self.trip)IMG_1.jpg.json"))
    takeout.take(picture("-5 A harbor.jpg"), of: path("c.zip/\(Self.trip)IMG_2.jpg.json"))
    let candidates = takeout.candidates
    #expect(candidates.map { $0.files[0] } == candidates.map { $0.files[0] }.sorted())
    #expect(candidates.map(\.taken) == [-5_000_000_000, 1_530_000_000_000_000_000, nil])
    #expect(candidates.map(\.title) == ["A harbor.jpg", nil, nil])
    #expect(candidates.map(\.albums) == [["To Brest"], ["To Brest"], []])
  }

  @Test("What CSV files say is hidden or deleted is not shown, and the others have their times and albums")
  func iCloudExport() {
    let rows = """
      imgName,favorite,hidden,deleted,originalCreationDate
      IMG_1.HEIC,no,no,no,"Sunday December 24,1978 12:00 PM GMT"
      secret.JPG,no,yes,no,
      gone.JPG,no,no,yes,

      """
    var index = ICloudExportIndex()
    index.read(Array(rows.utf8), of: path("1/Photos/Photo Details.csv"))
    index.read(Array("Images\nIMG_1.HEIC\nsecret.JPG\n".utf8), of: path("1/Albums/To Brest.csv"))
    let candidates = [
      ["1/Photos/secret.JPG", "1/Photos/secret.MOV"], ["1/Photos/gone.JPG"],
      ["1/Recently Deleted/old.JPG"], ["1/Photos/plain.JPG"], ["1/Photos/IMG_1.HEIC", "1/Photos/IMG_1.MOV"],
    ].map { PickCandidate(files: $0.map(path)) }
    let shown = ICloudExportCandidates.described(candidates, by: index, showsHidden: false)
    #expect(shown.map { $0.files[0] } == ["1/Photos/IMG_1.HEIC", "1/Photos/plain.JPG"].map(path))
    #expect(shown.map(\.taken) == [283_348_800_000_000_000, nil])
    #expect(shown.map(\.albums) == [["To Brest"], []])
    let all = ICloudExportCandidates.described(candidates, by: index, showsHidden: true)
    #expect(all.map { $0.files[0].text }.contains("1/Photos/secret.JPG") && all.count == 3)
  }

  @Test("Words that are no time or title, and albums of a folder that has one, change nothing")
  func nonsense() {
    let json = Self.trip + "IMG_1.jpg.json"
    let others = ["\(Self.trip)a.json", "\(Self.trip)b.json", "\(Self.trip)c.json"]
    for words in ["", " ", "x", "0 IMG_1.jpg", "99999999999999 IMG_1.jpg", "1e3 ", "\u{0} "] {
      var takeout = candidates([["\(Self.trip)IMG_1.jpg"]], [json])
      takeout.take(picture(words), of: path(json))
      #expect(takeout.candidates.map(\.taken) == [nil], "\(words)")
      #expect(takeout.candidates.map(\.title) == [nil], "\(words)")
    }
    var takeout = candidates([["\(Self.trip)IMG_1.jpg"]], [json] + others)
    for (title, other) in zip(["", "One", "Two"], others) {
      takeout.take(album(title), of: path(other))
    }
    // A JSON file that is named after a picture is of no album, and one of no folder of nothing.
    takeout.take(album("Three"), of: path(json))
    takeout.take(album("Four"), of: path("elsewhere/d.json"))
    takeout.take(picture("7 x"), of: path("elsewhere/d.json"))
    takeout.take(MediaDescription(), of: path(json))
    #expect(takeout.candidates.map(\.albums) == [["One"]])
    #expect(takeout.candidates.map(\.taken) == [nil])
  }

  @Test("A live photo and an edited rendition have the time of the original, and no title of it")
  func others() {
    let json = Self.trip + "IMG_1.HEIC.json"
    var takeout = candidates(
      [["\(Self.trip)IMG_1.HEIC", "\(Self.trip)IMG_1.MP4"], ["\(Self.trip)IMG_1-edited.HEIC"]],
      [json]
    )
    takeout.take(picture("8 Harbor"), of: path(json))
    #expect(takeout.candidates.map(\.taken) == [8_000_000_000, 8_000_000_000])
    #expect(takeout.candidates.map(\.title) == [nil, "Harbor"])
    takeout.take(picture("8 Harbor", isTrashed: true), of: path(json))
    takeout.removeLeftOut()
    #expect(takeout.candidates.isEmpty)
  }

  @Test("What a run leaves out is not shown, and what is hidden or a partner's is shown with its word")
  func standings() {
    let names = ["hidden", "partner", "plain", "trashed"]
    for (showsHidden, showsOthers, shown) in [
      (false, false, [nil]), (true, false, ["hidden.jpg (hidden)", nil]),
      (true, true, ["hidden.jpg (hidden)", "Kiel (shared)", nil]),
    ] {
      var takeout = TakeoutCandidates(
        names.map { PickCandidate(files: [path("x/\($0).jpg")]) },
        showsHidden: showsHidden,
        showsOthers: showsOthers,
        sidecars: names.map { path("x/\($0).jpg.json") }
      )
      for (name, standing) in zip(names, [Standing.putAway, .others, nil, .thrownAway]) {
        var description = picture(name == "partner" ? "7 Kiel" : "7 \(name).jpg")
        if let standing { description.note(standing) }
        takeout.take(description, of: path("x/\(name).jpg.json"))
      }
      takeout.removeLeftOut()
      #expect(takeout.candidates.map(\.title) == shown)
    }
  }

  @Test("Of an answer in a zip file the zip file is looked at, and in a Takeout alone")
  func answers() throws {
    let folder = TemporaryFolder()
    func make(_ name: String) throws {
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    for name in ["a.zip", "a.jpg"] { try make(name) }
    for name in ["folder.zip", "sub"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name,
        withIntermediateDirectories: false
      )
      try make(name + "/b.jpg")
      try make(name + "/c.zip")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.zip",
      withDestinationPath: "a.zip"
    )
    let root = try FileSystem.openPath(Array(folder.path.utf8))
    func isTaken(_ text: String, _ layout: SourceLayout = .takeout) -> Bool {
      let request = PickerRequest(folder: root, layout: layout, clientName: "a")
      return (try? PickedFiles.checked([path(text)], for: request)) == [path(text)]
    }
    // What has gone since it was shown is the run's to report.
    let gone = ["gone.zip/x.jpg", "folder.zip/gone.jpg"]
    for text in ["a.zip/x.jpg", "a.zip/Takeout/x/y.jpg", "folder.zip/b.jpg", "a.jpg"] + gone {
      #expect(isTaken(text), "\(text)")
    }
    for text in [
      "a.zip/../a.jpg", "a.zip//x.jpg", "a.zip/", "link.zip/x.jpg", "a.jpg/x.jpg",
      "sub/c.zip/x.jpg",
    ] {
      #expect(!isTaken(text), "\(text)")
    }
    #expect(!isTaken("a.zip/x.jpg", .folder))
  }
}
