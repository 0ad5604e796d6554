import MediaFileSystem
import MediaModel
import Testing

@testable import MediaListing

/// The CSV files of an export of iCloud Photos, whose shapes public sources show.
@Suite("The CSV files of an export of iCloud Photos")
struct ICloudExportTests {
  private static let header =
    "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\n"

  private func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  private func index(_ files: [(path: String, text: String)]) -> ICloudExportIndex {
    var index = ICloudExportIndex()
    for file in files { index.read(Array(file.text.utf8), of: path(file.path)) }
    return index
  }

  private func date(_ index: ICloudExportIndex, _ file: String) -> String? {
    index.description(of: path(file))?.dates.first.map { "\($0.local)+\($0.offsetMinutes ?? -1) \($0.tag)" }
  }

  @Test(
    "A date is read in the words in which Apple writes it, and in UTC",
    arguments: [
      ("Sunday December 24,1978 12:00 PM GMT", "1978-12-24T12:00:00"),
      ("Saturday June 4,2022 12:11 AM GMT", "2022-06-04T00:11:00"),
      ("Monday January 15,2024 09:30 AM GMT", "2024-01-15T09:30:00"),
      ("Saturday June 18,2022 14:00 PM GMT", "2022-06-18T14:00:00"),
      ("June 5, 2021 at 2:48 PM", "2021-06-05T14:48:00"), ("5 June 2021 2:48 PM", "2021-06-05T14:48:00"),
      ("2021-06-05 14:48:07", "2021-06-05T14:48:07"), ("2021-06-05T14:48:07Z", "2021-06-05T14:48:07"),
      ("Sunday February 30,2022 1:00 PM GMT", nil), ("June 5,2021", nil), ("2021-06-05", nil), ("", nil),
      ("2021-06-05T14:48:07+02:00", nil), ("Saturday", nil), ("June", nil),
      ("June 99999999999999999999,1 1:1", nil),
    ] as [(String, String?)]
  )
  func dates(text: String, expected: String?) {
    let seconds = ICloudExportTable.seconds(Array(text.utf8))
    #expect(seconds.flatMap { CivilDate.local(seconds: Int($0)) } == expected)
  }

  @Test("Columns are known by their words in any order, and those of unknown words by the shape of the rows")
  func columns() {
    let row =
      "a.jpg,sum,yes,no,no,\"Sunday December 24,1978 12:00 PM GMT\",1,\"Friday June 4,2021 7:13 PM GMT\"\n"
    for text in [
      Self.header + row, "\u{FEFF}" + Self.header + row.replacing("\n", with: "\r\n"),
      "hidden,originalCreationDate,imgName,favorite\nno,\"December 24,1978 12:00 PM GMT\",a.jpg,yes\n",
      // Without quotes the date has two columns.
      Self.header + "a.jpg,sum,yes,no,no,Sunday December 24,1978 12:00 PM GMT,1,\n",
      "Bildname,Prüfsumme,Favorit,Ausgeblendet,Gelöscht,Erstellt,Aufrufe,Importiert\n" + row,
      "Bildname,Prüfsumme,Favorit,Ausgeblendet,Gelöscht,Erstellt,Aufrufe,Importiert\n"
        + row.replacing(",yes,no,no,", with: ",Ja,Nein,Nein,"),
    ] {
      let index = index([("p/Photos/Photo Details.csv", text)])
      #expect(date(index, "p/Photos/a.jpg") == "1978-12-24T12:00:00+0 originalCreationDate", "\(text)")
      #expect(index.description(of: path("p/Photos/a.jpg"))?.isFavorite == true, "\(text)")
      #expect(index.standing(of: path("p/Photos/a.jpg")) == nil && index.warnings.isEmpty, "\(text)")
    }
  }

  @Test("A header that nobody knows is named, and costs its file alone")
  func unknown() {
    var index = index([
      ("p/Photos/Photo Details.csv", "uno,dos,tres\na.jpg,b,c\n"),
      ("p/Photos/Photo Details-1.csv", Self.header + "b.jpg,x,no,yes,no,,1,\n"), ("p/Albums/x.csv", ""),
    ])
    #expect(index.warnings.count == 1)
    #expect(index.warnings.first?.contains("\"p/Photos/Photo Details.csv\"") == true)
    #expect(index.warnings.first?.contains("uno,dos,tres") == true)
    // A spreadsheet has stored it as UTF-16, whose names are none of the export's.
    let wide = "imgName,fileChecksum,hidden\na.jpg,x,yes\n".utf8.flatMap { [$0, UInt8(0)] }
    index.read([UInt8(0xFF), 0xFE] + wide, of: path("p/Photos/Photo Details-1.csv"))
    #expect(index.warnings.count == 2)
    #expect(index.standing(of: path("p/Photos/a.jpg")) == nil)
    #expect(index.standing(of: path("p/Photos/b.jpg")) == .putAway)
    #expect(index.description(of: path("p/Photos/b.jpg"))?.isHidden == true)
  }

  @Test("The movie of a hidden still is hidden, whatever its own row says")
  func movieOfHiddenStill() {
    let rows = "a.HEIC,x,no,yes,no,,1,\na.MOV,x,no,no,no,,1,\nb.HEIC,x,no,no,no,,1,\nb.MOV,x,no,no,no,,1,\n"
    let index = index([("p/Photos/Photo Details.csv", Self.header + rows)])
    #expect(index.standing(of: path("p/Photos/a.MOV")) == .putAway)
    #expect(index.standing(of: path("p/Photos/b.MOV")) == nil)
  }

  @Test(
    "A row is about the file of its folder, then of the folder within, and elsewhere only if it is the only one"
  )
  func places() {
    var index = index([
      ("1/Photos/Photo Details.csv", Self.header + "a.jpg,x,no,yes,no,,1,\nfar.jpg,x,no,yes,no,,1,\n"),
      ("2/Photo Details.csv", Self.header + "b.jpg,x,no,yes,no,,1,\n"),
    ])
    var items = ListedItems()
    for name in ["1/Photos/a.jpg", "2/Photos/a.jpg", "2/Photos/b.jpg", "2/Photos/far.jpg"] {
      items.append(ListedItem(path: path(name), status: .init(kind: .regular)))
    }
    index.note(items)
    #expect(index.standing(of: path("1/Photos/a.jpg")) == .putAway)
    // Another picture of the name.
    #expect(index.standing(of: path("2/Photos/a.jpg")) == nil)
    #expect(index.standing(of: path("2/Photos/b.jpg")) == .putAway)
    #expect(index.standing(of: path("2/Photos/far.jpg")) == .putAway)
    // The movie of a hidden live photo has no row, or lies in another part.
    #expect(index.standing(of: path("1/Photos/a.MOV")) == .putAway)
    #expect(index.standing(of: path("2/Photos/far.mov")) == .putAway)
    #expect(index.standing(of: path("1/Photos/other.mov")) == nil)
  }

  @Test("Of two rows of one name what both say counts, and one of them is enough to hide")
  func twice() {
    let index = index([
      (
        "p/Photo Details.csv",
        Self.header
          + "a.mov,x,yes,no,yes,\"June 5,2021 2:48 PM GMT\",1,\na.mov,y,yes,yes,no,\"June 6,2021 2:48 PM GMT\",1,\n"
      )
    ])
    for name in ["p/a.mov", "p/a-1.mov"] {
      #expect(index.standing(of: path(name)) == .putAway)
      #expect(index.description(of: path(name))?.isFavorite == true)
      #expect(date(index, name) == nil)
    }
  }

  @Test("Folders, lists and words say what is put away")
  func standing() {
    let index = index([
      ("p/Albums/Hidden.csv", "imgName\nh.jpg\n"), ("p/Albums/Favorites.csv", "imgName\nf.jpg\n"),
      ("p/Albums/Recently Deleted.csv", "imgName\nf.jpg\n"), ("p/Memories/Day.csv", "imageName\nf.jpg\n"),
      ("p/Photos/Photo Details.csv", Self.header + "odd.jpg,x,no,peut-être,peut-être,,1,\n"),
    ])
    #expect(index.standing(of: path("p/Recently Deleted/x.jpg")) == .thrownAway)
    #expect(index.standing(of: path("p/Shared Albums/Ours/x.jpg")) == .others)
    #expect(index.standing(of: path("p/Hidden/x.jpg")) == .putAway)
    #expect(index.standing(of: path("p/Photos/h.jpg")) == .putAway)
    #expect(index.standing(of: path("p/Photos/odd.jpg")) == .putAway)
    #expect(index.standing(of: path("p/Photos/f.jpg")) == nil)
    #expect(index.description(of: path("p/Photos/f.jpg"))?.isFavorite == true)
    var items = ListedItems()
    items.append(ListedItem(path: path("p/Photos/f.jpg"), status: .init(kind: .regular)))
    #expect(index.albums(of: items).isEmpty)
  }

  @Test(
    "An album has the file of its own part where several have the name, and no file where that does not tell"
  )
  func albums() {
    let index = index([
      ("1/Albums/Trip.csv", "Images\nb.jpg\na.jpg\ntwice.jpg\nnone.jpg\n"),
      ("1/Albums/Mine.csv", "a.jpg\nb.jpg\n"),
    ])
    var items = ListedItems()
    for name in ["1/Photos/a.jpg", "10/Photos/a.jpg", "2/b.jpg", "2/twice.jpg", "3/twice.jpg"] {
      items.append(ListedItem(path: path(name), status: .init(kind: .regular)))
    }
    let albums = index.albums(of: items)
    #expect(albums.map(\.title) == ["Trip", "Mine"])
    #expect(albums[0].members == [path("2/b.jpg"), path("1/Photos/a.jpg")])
    #expect(albums[1].members == [path("1/Photos/a.jpg"), path("2/b.jpg")])
  }

  @Test("A cut or hostile file ends, and takes no more rows than are read")
  func hostile() {
    let text = Array((Self.header + "a.jpg,x,yes,no,no,\"Sunday December 24,1978 12:00 PM GMT\",1,x\n").utf8)
    for length in text.indices { _ = ICloudExportTable.content(Array(text[..<length]), limit: 5) }
    for bytes in [
      [UInt8](repeating: UInt8(ascii: ","), count: 100_000), [UInt8](repeating: 0xFF, count: 100_000),
      [UInt8](repeating: UInt8(ascii: "\""), count: 100_001), [UInt8](repeating: 0x0A, count: 100_000),
    ] {
      _ = ICloudExportTable.content(bytes, limit: 5)
    }
    let rows = Self.header + String(repeating: "a.jpg,x,no,no,no,,1,\n", count: 100)
    guard case .details(let details) = ICloudExportTable.content(Array(rows.utf8), limit: 7) else {
      Issue.record("it has details")
      return
    }
    #expect(details.count == 7)
  }
}
