import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaGallery

@Suite("Gallery: pages of pictures")
struct GalleryTests {
  static func picture(_ number: Int, _ date: String?, title: String? = nil) -> GalleryPicture {
    let key = "\(String(repeating: "0", count: 8 - String(number).count))\(number)-AAAA"
    var picture = GalleryPicture(
      key: key,
      title: title ?? "IMG_\(number)",
      date: date,
      mediaType: .image
    )
    picture.tile = GalleryPicture.File(ending: "jpg", size: PixelSize(width: 256, height: 192))
    return picture
  }

  static func files(
    options: GalleryOptions = GalleryOptions(title: "Family"),
    _ pictures: [GalleryPicture],
    _ albums: [GalleryAlbum] = []
  ) throws -> [String: String] {
    var files: [String: String] = [:]
    try Gallery(options: options, pictures: pictures, albums: albums).write { path, bytes in
      #expect(files[path] == nil, "\(path) is written twice")
      files[path] = String(decoding: bytes, as: UTF8.self)
    }
    return files
  }

  @Test("months are pages by local time, newest first, and undated pictures come last")
  func months() throws {
    // Sorted by their instants, a picture of another time zone lies among those of another month.
    let pictures = [
      Self.picture(1, "2026-08-01T00:10:00"), Self.picture(2, "2026-07-31T23:50:00"),
      Self.picture(3, "2026-08-01T02:00:00"), Self.picture(4, "2026-07-01"), Self.picture(5, nil),
    ]
    let files = try Self.files(pictures)
    let index = try #require(files["index.html"])
    let places = ["August 2026", "July 2026", "Undated"].compactMap {
      index.range(of: $0)?.lowerBound
    }
    #expect(places.count == 3 && places == places.sorted())
    #expect(index.contains("<bdi>August 2026</bdi></b><span class=\"faint\">2</span>"))
    let august = try #require(files["months/2026-08.html"])
    #expect(august.contains("00000001-AAAA") && august.contains("00000003-AAAA"))
    #expect(august.contains("<a rel=\"next\" href=\"2026-07.html\">"))
    #expect(!august.contains("rel=\"prev\""))
    #expect(try #require(files["months/undated.html"]).contains("href=\"2026-07.html\">Previous"))
    #expect(try #require(files["data/2026-07.js"]).contains("00000004-AAAA"))
  }

  @Test("a page has 500 pictures at most, and each picture is on one page of its month")
  func pages() throws {
    let pictures = (0..<1201).map { Self.picture($0, "2026-07-01") }
    let files = try Self.files(pictures, [])
    let pages = ["2026-07", "2026-07_2", "2026-07_3"].map { files["months/\($0).html"] ?? "" }
    #expect(pages.map { $0.count(of: "<li id=") } == [500, 500, 201])
    #expect(pages[1].contains("rel=\"prev\" href=\"2026-07.html\""))
    #expect(pages[1].contains("rel=\"next\" href=\"2026-07_3.html\""))
    let data = try #require(files["data/2026-07.js"])
    #expect(data.count(of: "\"months/2026-07_3.html\"") == 201)
  }

  @Test("names with markup, quotes and directions stay text, in pages and in data")
  func markup() throws {
    let names = [
      "</script><script>alert(1)</script>", "\" onload=\"alert(1)", "' onclick='x", "a&amp;b<b>",
      "\u{202E}gpj.exe", "]);alert(1);//", "\u{2028}line",
    ]
    var pictures = names.enumerated().map { Self.picture($0, "2026-07-01", title: $1) }
    for index in pictures.indices {
      pictures[index].caption = names[index]
      pictures[index].original = GalleryPicture.File(ending: "jpg", size: nil)
      pictures[index].name = names[index]
    }
    let album = GalleryAlbum(title: names[0], pictures: Array(names.indices))
    let files = try Self.files(options: GalleryOptions(title: names[0]), pictures, [album])
    for (path, text) in files where path.hasSuffix(".html") {
      #expect(!text.contains("alert(1)</script>"), "\(path)")
      #expect(!text.contains("\" onload=\"") && !text.contains("' onclick='"), "\(path)")
      #expect(!text.contains("<b>\u{202E}") && !text.contains("b<b>\""), "\(path)")
    }
    // Each row of the data is one value of JSON, which is a value of JavaScript too.
    let data = try #require(files["data/2026-07.js"])
    let rows = data.split(separator: "\n").filter { $0.hasPrefix("[") }
    #expect(rows.count == names.count)
    for (row, name) in zip(rows, names) {
      let list = try JSONSerialization.jsonObject(with: Data(row.dropLast().utf8)) as? [Any]
      #expect(list?[2] as? String == name)
    }
  }

  @Test("albums of one title, or of none in ASCII, have pages of their own")
  func albums() throws {
    let albums = ["Été 2019", "ete 2019", "海", "Sea 2", "Sea", "Sea", "../../etc"].map {
      GalleryAlbum(title: $0, pictures: [0])
    }
    let files = try Self.files([Self.picture(1, "2026-07-01")], albums)
    let pages = files.keys.filter { $0.hasPrefix("albums/") }.sorted()
    #expect(
      pages == [
        "albums/album.html", "albums/etc.html", "albums/ete-2019.html", "albums/sea-2.html",
        "albums/sea-3.html", "albums/sea.html", "albums/t-2019.html",
      ]
    )
  }

  @Test("a page reaches what it needs below the gallery, and nothing else")
  func links() throws {
    var picture = Self.picture(1, "2026-07-01")
    picture.view = GalleryPicture.File(ending: "webp", size: PixelSize(width: 1024, height: 768))
    picture.original = GalleryPicture.File(ending: "heic", size: nil)
    picture.movie = GalleryPicture.File(ending: "mov", size: nil)
    let page = try #require(try Self.files([picture])["months/2026-07.html"])
    #expect(page.contains("src=\"../tiles/00/00000001-AAAA.jpg\""))
    #expect(page.contains("data-src=\"../views/00/00000001-AAAA.webp\""))
    #expect(page.contains("href=\"../originals/00/00000001-AAAA.heic\""))
    #expect(page.contains("data-movie=\"../originals/00/00000001-AAAA.mov\""))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains(" src=\"/"))
  }
}

extension String {
  fileprivate func count(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.range(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
