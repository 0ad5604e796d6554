import Foundation
import MediaTestSupport
import Testing

@testable import MediaModel

@Suite("What names say of a file's standing")
struct StandingTableTests {
  private func row(_ path: String, among others: [String] = []) -> StandingTable.Row? {
    StandingTable.row(ofFile: ItemPath(bytes: Array(path.utf8))) { other in
      others.contains { Array($0.utf8) == other.bytes }
    }
  }

  @Test("Every name of the table is found, at the top and in folders, in any case")
  func names() throws {
    let rows = StandingTable.rows.filter { $0.pattern != nil }
    #expect(rows.count > 60 && Set(rows).count == rows.count)
    for row in rows {
      var lists: [[String]] = []
      if case .nameBeside(_, let beside) = row.sign { lists = beside }
      let example = NameExample(of: try #require(row.pattern), beside: lists)
      for (path, others) in [
        (example.path, example.beside), ("a b/" + example.path, example.beside.map { "a b/" + $0 }),
        (example.path.uppercased(), example.beside.map { $0.replacing("IMG_9.jpg", with: "IMG_9.JPG") }),
      ] {
        #expect(self.row(path, among: others)?.standing == row.standing, "\(path)")
      }
      if !example.beside.isEmpty { #expect(self.row(example.path) == nil, "\(example.path)") }
    }
  }

  @Test(
    "A person's own names are none of the table",
    arguments: [
      "Originals/IMG_1.jpg", "Cache/IMG_1.jpg", "Proxies/IMG_1.jpg", "Thumbnails/IMG_1.jpg",
      "thumbnails/IMG_1.jpg", "thumbs/IMG_1.jpg", "profile/IMG_1.jpg", "uploads/IMG_1.jpg",
      "encoded-video/IMG_1.mp4", "i/IMG_1.jpg", "data/i/IMG_1.jpg", "CaptureOne/IMG_1.jpg",
      "CaptureOne/Output/IMG_1.jpg", "Trip.cocatalog/Originals/IMG_1.jpg", "pwg_format/IMG_1.cr2",
      "pwg_high/IMG_1.jpg", "recycle/IMG_1.jpg", "Recycle/IMG_1.jpg", "RECYCLER/IMG_1.jpg",
      "Trash/IMG_1.jpg", "trashed-1714492983-IMG_1.jpg", ".pending-IMG_1.jpg",
      ".pending-x1-IMG_1.jpg", "stversions/IMG_1.jpg", "syncthing/IMG_1.jpg", "Recently Deleted/IMG_1.jpg",
      "Hidden/IMG_1.jpg", "Archive/IMG_1.jpg", "lost+found/IMG_1.jpg", "Dropbox/IMG_1.jpg",
      "a.part/IMG_1.jpg", "Tour.tmp/IMG_1.jpg", "party.jpg", "photo.tmp.jpg", "PhotoData/Thumbnails/1.jpg",
      ".hidden/IMG_1.jpg", ".IMG_1.jpg", "@home/IMG_1.jpg", "#2/IMG_1.jpg", "~/IMG_1.jpg", "$/IMG_1.jpg",
    ]
  )
  func ownNames(_ path: String) {
    #expect(row(path) == nil, "\(path)")
  }

  @Test("A common name needs all of its signs beside it")
  func beside() {
    let (ini, twin) = (".picasa.ini", "IMG_1.jpg")
    #expect(row("Originals/IMG_1.jpg", among: [ini]) == nil)
    #expect(row("Originals/IMG_1.jpg", among: [twin]) == nil)
    #expect(row("Originals/IMG_1.jpg", among: [ini, "IMG_2.jpg", "a/IMG_1.jpg"]) == nil)
    #expect(row("Originals/IMG_1.jpg", among: ["Picasa.ini", twin])?.program == "Picasa")
    #expect(row("x/Originals/IMG_1.jpg", among: [ini, twin]) == nil)
  }

  @Test("A name takes a time that grows with its length alone")
  func hostileNames() {
    for name in [
      ".syncthing." + String(repeating: ".tm", count: 80), ".~" + String(repeating: ".~", count: 120),
      ".trashed-" + String(repeating: "9", count: 240), String(repeating: "*", count: 255), "",
    ] { _ = row(name) }
    #expect(row(".trashed-" + String(repeating: "9", count: 200) + "-a.jpg")?.standing == .thrownAway)
  }

  @Test("docs/sources.md has each name")
  func documented() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/sources.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    for name in StandingTable.rows.compactMap(\.pattern) {
      #expect(text.contains("`\(name)`"), "\(name)")
    }
  }

  @Test("What a source says is told as the table has it")
  func flags() {
    #expect(StandingTable.flags(of: .takeout).map(\.standing) == [.putAway, .putAway, .thrownAway, .others])
    var description = MediaDescription()
    #expect(description.standings == [])
    for standing in Standing.allCases { description.note(standing) }
    #expect(description.standings == [.thrownAway, .others, .putAway])
    #expect(description.isHidden == true && description.isTrashed == true && description.isOfOthers == true)
    let reasons = Standing.allCases.map { $0.reason(includesHidden: false, includesOthers: false) }
    #expect(reasons == [.notFetched, .trashed, .stillChanging, .notFetched, .unlisted])
    #expect(Standing.putAway.reason(includesHidden: true, includesOthers: false) == nil)
    #expect(Standing.others.reason(includesHidden: true, includesOthers: false) == .notFetched)
  }
}
