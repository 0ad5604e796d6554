import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaGallery

@Suite("Gallery: pages of pictures")
struct GalleryTests {
  static func picture(_ number: Int, _ date: String?, title: String? = nil) -> GalleryPicture {
    let key = "\(String(repeating: "0", count: 8 - String(number).count))\(number)-AAAA"
    var picture = GalleryPicture(key: key, title: title ?? "IMG_\(number)", date: date, mediaType: .image)
    picture.tile = GalleryPicture.File(ending: "jpg", size: PixelSize(width: 256, height: 192))
    return picture
  }

  static func files(
    options: GalleryOptions = GalleryOptions(title: "Family"),
    _ pictures: [GalleryPicture],
    _ albums: [GalleryAlbum] = [],
    cover: Int? = nil,
    downloads: [GalleryDownload] = []
  ) throws -> [String: String] {
    var files: [String: String] = [:]
    let gallery = Gallery(
      options: options,
      pictures: try packed(pictures),
      albums: albums,
      cover: cover,
      downloads: downloads
    )
    try gallery.write { path, fill in
      #expect(files[path] == nil, "\(path) is written twice")
      var bytes: [UInt8] = []
      try fill { bytes += $0 }
      files[path] = String(decoding: bytes, as: UTF8.self)
    }
    return files
  }

  /// A store in memory.
  private final class Store: GalleryStore {
    private var stored: [UInt8] = []

    func append(_ bytes: [UInt8]) -> Range<Int> {
      stored += bytes
      return (stored.count - bytes.count)..<stored.count
    }

    func bytes(in range: Range<Int>) -> [UInt8] { Array(stored[range]) }
  }

  private static func packed(_ pictures: [GalleryPicture]) throws -> GalleryPictures {
    var packed = GalleryPictures(in: Store())
    let positions = pictures.map { _ in packed.reserve() }
    // Those that wait for their tiles are set later.
    for position in positions.reversed() { try packed.set(pictures[position], at: position) }
    return packed
  }

  @Test("A picture comes back from the store as it was, whole or with little, and with other files")
  func store() throws {
    var whole = Self.picture(1, "2026-08-01T00:10:00", title: "Größe\u{0} 😀")
    whole.mediaType = .video
    (whole.badges, whole.isFavorite, whole.camera) = (["live", "0:14"], true, "A \"camera\"")
    (whole.bytes, whole.pixelSize) = (1 << 40, PixelSize(width: 0, height: 65_535))
    let hash = String(repeating: "h", count: 300)
    whole.tile = GalleryPicture.File(ending: "jpg", size: whole.pixelSize, thumbHash: hash)
    whole.view = GalleryPicture.File(ending: "", size: nil, thumbHash: "")
    (whole.original, whole.movie) = (GalleryPicture.File(ending: "mp4", size: nil), nil)
    (whole.name, whole.movieName, whole.caption, whole.keywords) = ("a.mp4", "b.mov", "", ["", "x, y"])
    let bare = GalleryPicture(key: "", title: "", date: nil, mediaType: .audio)
    var packed = try Self.packed([whole, bare, Self.picture(3, "2026-07-31")])
    #expect(try packed[0] == whole && packed[1] == bare)
    #expect(packed.month(0) == "2026-08" && packed.month(1) == nil && packed.month(2) == "2026-07")
    #expect(packed.dates == "2026-07-31"..."2026-08-01T00:10:00")
    #expect(packed.counts == [.video: 1, .audio: 1, .image: 1] && packed.bareCount == 1)
    whole.original = nil
    try packed.replace(whole, at: 0)
    #expect(try packed[0] == whole && packed[1] == bare && packed.month(0) == "2026-08")
    // What is cut ends nothing.
    for length in whole.packed.indices {
      _ = GalleryPicture(packed: Array(whole.packed[..<length]))
    }
  }

  /// Pictures of which there are too many for the first page, behind those that a test is about.
  static func many(_ pictures: [GalleryPicture], count: Int = 501) -> [GalleryPicture] {
    pictures + (1000..<(1000 + count - pictures.count)).map { picture($0, "2019-03-01") }
  }

  @Test("A picture of a year or a month alone stands under it, and no month or day is made up")
  func coarseDates() throws {
    let pictures = [Self.picture(1, "1978-06-05"), Self.picture(2, "1978-06"), Self.picture(3, "1912")]
    let index = try #require(try Self.files(pictures)["index.html"])
    #expect(
      index.order(of: [
        "id=\"m1978-06\"", "June 1978</bdi><span><bdi data-number=\"2\">2</bdi></span></h2>", "00000001-AAAA",
        "00000002-AAAA",
        "id=\"m1912\"", "<h2><bdi>1912</bdi><span>", "00000003-AAAA",
      ])
    )
    #expect(
      index.contains("<bdi>1912</bdi> – <bdi data-date=\"1978-06\">June 1978</bdi>")
        && !index.contains("December")
    )
    #expect(index.count(of: "class=\"day\"") == 1)
  }

  @Test("Up to 500 pictures are on the first page, by months of local time, undated ones last")
  func fewPictures() throws {
    // Sorted by their instants, a picture of another time zone lies among those of another month.
    let pictures = [
      Self.picture(1, "2026-08-01T00:10:00"), Self.picture(2, "2026-07-31T23:50:00"),
      Self.picture(3, "2026-08-01T02:00:00"), Self.picture(4, "2026-07-01"), Self.picture(5, nil),
    ]
    let files = try Self.files(pictures)
    let index = try #require(files["index.html"])
    #expect(
      index.order(of: [
        "id=\"m2026-08\"", "00000001-AAAA", "00000003-AAAA", "id=\"m2026-07\"", "00000002-AAAA",
        "00000004-AAAA", "<bdi data-text=\"noDate\">No date</bdi><span>", "00000005-AAAA",
      ])
    )
    #expect(
      index.contains(
        "<h2><bdi data-date=\"2026-08\">August 2026</bdi><span><bdi data-number=\"2\">2</bdi></span></h2>"
      )
    )
    #expect(index.contains("data-date=\"2026-07-01/2026-08-01\">Jul 1, 2026 – Aug 1, 2026</bdi>"))
    #expect(
      index.contains(
        "<span class=\"day\" data-date=\"2026-07-31\"><span>Fri, </span><span>Jul 31</span></span>"
      )
    )
    #expect(index.count(of: "class=\"day\"") == 3)
    #expect(index.contains("<nav class=\"scrubber\""))
    #expect(!files.keys.contains { $0.hasPrefix("months/") || $0.hasPrefix("data/") })
    let most = try Self.files((0..<500).map { Self.picture($0, "2026-07-01") })
    #expect(most["index.html"]?.count(of: "<li id=") == 500)
  }

  @Test("Of more, the first page has the newest and a card for each month, and months are pages")
  func manyPictures() throws {
    let pictures = Self.many([Self.picture(1, "2026-08-01"), Self.picture(2, "2026-07-01")])
    let files = try Self.files(pictures + [Self.picture(5, nil)])
    let index = try #require(files["index.html"])
    #expect(index.count(of: "<li id=") == 60)
    #expect(
      index.contains(
        "href=\"months/2026-08.html\"><span><bdi data-text=\"showAll\">Show all</bdi>: <bdi data-date=\"2026-08\">August 2026"
      )
    )
    #expect(
      index.order(of: [
        "id=\"y2026\"", "--08\">August</bdi>", "--07\">July</bdi>", "id=\"y2019\"", "--03\">March</bdi>",
        "id=\"undated\"", "data-file=\"data/undated.js\"",
      ])
    )
    let august = try #require(files["months/2026-08.html"])
    #expect(august.contains("<a class=\"button\" rel=\"next\" href=\"2026-07.html\">"))
    #expect(!august.contains("rel=\"prev\""))
    #expect(try #require(files["months/undated.html"]).contains("rel=\"prev\" href=\"2019-03.html\""))
    #expect(try #require(files["data/2026-07.js"]).contains("00000002-AAAA"))
  }

  @Test("A page has 1,000 pictures at most, and each picture is on one page of its month")
  func pages() throws {
    let pictures = (0..<2201).map { Self.picture($0, "2026-07-01") }
    let files = try Self.files(pictures, [])
    let pages = ["2026-07", "2026-07_2", "2026-07_3"].map { files["months/\($0).html"] ?? "" }
    #expect(pages.map { $0.count(of: "<li id=") } == [1000, 1000, 201])
    #expect(pages[1].contains("rel=\"prev\" href=\"2026-07.html\""))
    #expect(pages[1].contains("rel=\"next\" href=\"2026-07_3.html\""))
    #expect(
      pages[1].contains(">July 2026</bdi><bdi data-text=\"pageOf\"")
        && pages[1].contains(">, page 2 of 3</bdi><span>")
    )
    let data = try #require(files["data/2026-07.js"])
    #expect(data.count(of: "\"months/2026-07_3.html\"") == 201)
  }

  @Test("Without dates there are no months, and nobody is told about dates")
  func noDates() throws {
    let pictures = (1...3).map { Self.picture($0, nil) }
    let undated = try #require(try Self.files(pictures)["index.html"])
    #expect(undated.contains(">All photos</bdi><span>"))
    #expect(!undated.contains("No date") && !undated.contains("scrubber"))
    #expect(!undated.contains("dates") && !undated.contains("removed"))
    let many = try Self.files((0..<501).map { Self.picture($0, nil) })
    let index = try #require(many["index.html"])
    #expect(
      index.contains("href=\"months/undated.html\"><span><bdi data-text=\"allPhotos\">All photos</bdi> (")
    )
    #expect(index.contains("data-file=\"data/undated.js\"") && !index.contains("<ul class=\"months\">"))
    var options = GalleryOptions(title: "Family")
    options.months = .saved
    let saved = try Self.files(options: options, [Self.picture(1, "2026-07-01")])
    #expect(saved["index.html"]?.contains("The months are those of the import") == true)
  }

  @Test("Oldest first, months and years are too; in another order there are none, whatever the dates")
  func orders() throws {
    let dates = ["2018-12-31", "2019-01-01", "2019-02-03", nil]
    let pictures = dates.enumerated().map { Self.picture($0 + 1, $1) }
    var options = GalleryOptions(title: "Family")
    options.order = .oldestFirst
    let oldest = try #require(try Self.files(options: options, pictures)["index.html"])
    #expect(
      oldest.order(of: [
        "id=\"m2018-12\"", "IMG_1", "id=\"m2019-01\"", "IMG_2", "id=\"m2019-02\"", "No date", "IMG_4",
      ])
    )
    let many = try Self.files(options: options, pictures + (5...600).map { Self.picture($0, "2019-03-01") })
    let first = try #require(many["index.html"])
    #expect(
      first.order(of: [
        "First photos", ">Show all</bdi>: ", ">December 2018</bdi> (", "id=\"y2018\"", "id=\"y2019\"",
        "id=\"undated\"",
      ])
    )
    #expect(many["months/2018-12.html"]?.contains("rel=\"next\" href=\"2019-01.html\"") == true)
    options.order = .other
    let other = try #require(try Self.files(options: options, pictures)["index.html"])
    #expect(other.contains(">All photos</bdi><span>") && other.contains("data-date=\"2018-12/2019-02\""))
    #expect(!other.contains("class=\"day\"") && !other.contains("id=\"m2") && !other.contains("scrubber"))
  }

  @Test("A person's own words stand on the first page alone, with nothing in them that is markup")
  func note() throws {
    var options = GalleryOptions(title: "Family")
    options.note = "<b>Prints</b> & albums\nin May"
    let files = try Self.files(
      options: options,
      [Self.picture(1, nil)],
      [GalleryAlbum(title: "A", pictures: [0])]
    )
    let words = "<p class=\"words\"><bdi>&lt;b&gt;Prints&lt;/b&gt; &amp; albums\nin May</bdi></p>"
    #expect(files["index.html"]?.contains(words) == true, "\(files["index.html"] ?? "")")
    #expect(files["albums/a.html"]?.contains("Prints") == false)
  }

  @Test("A picture has the class of its ratio, in steps of a twentieth between 2 to 5 and 3 to 1")
  func ratios() throws {
    let sizes = [(256, 192), (192, 256), (300, 200), (1000, 100), (100, 1000), (200, 200)]
    let classes = sizes.map { width, height in
      var picture = Self.picture(1, nil)
      picture.tile = GalleryPicture.File(ending: "jpg", size: PixelSize(width: width, height: height))
      return GalleryPages.ratioClass(picture)
    }
    #expect(classes == ["r135", "r75", "r150", "r300", "r40", "r100"])
    let css = try #require(try Self.files([])["layout.css"])
    #expect(css.contains(".r40 { --r: 0.40; }") && css.contains(".r135 { --r: 1.35; }"))
    #expect(css.contains(".r300 { --r: 3.00; }") && css.count(of: "--r:") == 53)
  }

  @Test("Short identifiers are 12 digits, and whole where two pictures would have the same")
  func identifiers() throws {
    let keys = [
      "d115d52f-c87b-4000-8000-000000000001", "A21DFCE2-C273-4000-8000-000000000001",
      "A21DFCE2-C273-4000-8000-000000000002",
    ]
    let pictures = keys.map {
      GalleryPicture(key: $0, title: "A", date: nil, mediaType: .image)
    }
    let index = try #require(try Self.files(pictures)["index.html"])
    #expect(index.contains("<li id=\"D115D52F-C87B\""))
    #expect(index.contains("<li id=\"\(keys[1])\"") && index.contains("<li id=\"\(keys[2])\""))
  }

  @Test(
    "People's albums are cards, smart albums are chips behind them, and a month names its albums"
  )
  func shelf() throws {
    var pictures = [Self.picture(1, "2026-07-01"), Self.picture(2, "2026-07-02")]
    pictures[0].badges = ["0:14", "live", "favorite"]
    let albums = [
      GalleryAlbum(title: "Videos", symbol: "film", pictures: [0]),
      GalleryAlbum(title: "Coast", pictures: [0, 1]), GalleryAlbum(title: "Empty", pictures: []),
    ]
    let index = try #require(try Self.files(pictures, albums, cover: 1)["index.html"])
    #expect(
      index.order(of: [
        "<section class=\"cover\"", "tiles/00/00000002-AAAA.jpg", "<bdi>Coast</bdi></b>",
        "<a class=\"chip\" href=\"albums/videos.html\">", ">July 2026</bdi>",
        " · <bdi>Coast</bdi></span>",
      ])
    )
    #expect(index.contains("data-albums=\"Coast\"") && !index.contains("Empty"))
    // A tile has the badges that tell what happens on it; the details have all.
    #expect(index.contains("data-kind=\"0:14, live, favorite\""))
    #expect(index.count(of: "class=\"badge\"") == 2)
  }

  @Test("A page that is to be chosen from says so, and says how many")
  func proofing() throws {
    var options = GalleryOptions(title: "Family")
    options.identifier = "7F3C-91AE"
    let plain = try #require(try Self.files(options: options, [])["index.html"])
    #expect(plain.contains("data-gallery=\"7F3C-91AE\"") && !plain.contains("class=\"proofing\""))
    options.isProofing = true
    options.choiceCount = 30
    let page = try #require(try Self.files(options: options, [])["index.html"])
    #expect(page.contains("data-choose=\"30\" class=\"proofing\""))
  }

  @Test("All can be downloaded by links, with sizes beside them, and what is in no zip is named")
  func downloads() throws {
    func page(_ downloads: [GalleryDownload]) throws -> String {
      let page = try Self.files([Self.picture(1, "2026-07-01")], downloads: downloads)["index.html"]
      return try #require(page)
    }
    let zips = (1...2).map { number in
      GalleryDownload(
        path: "downloads/pictures-\(number).zip",
        name: "A & B \(number) of 2.zip",
        bytes: 1_900_000_000,
        fileCount: 812
      )
    }
    let film = GalleryDownload(path: "originals/00/a.mp4", name: "<film>.mp4", bytes: 3_100_000_000)
    #expect(try !page([]).contains("Download all"))
    let one = try page([zips[0]])
    #expect(one.contains("href=\"downloads/pictures-1.zip\" download=\"A &amp; B 1 of 2.zip\">"))
    #expect(
      one.contains(
        "Download all</bdi> <span class=\"num\"><bdi data-length=\"1900000000\">1.9 GB</bdi></span></a>"
      ) && !one.contains("<details>")
    )
    let several = try page(zips + [film])
    #expect(
      several.order(of: [
        "<details>",
        "Download all</bdi> <span class=\"num\"><bdi data-length=\"3800000000\">3.8 GB</bdi></span></summary>",
        "pictures-1.zip",
        "Part 1 of 2</bdi></a>",
        "812 files</bdi>, <bdi data-length=\"1900000000\">1.9 GB</bdi>", "pictures-2.zip",
        "Not in it, because too large:",
        "href=\"originals/00/a.mp4\"",
        "<bdi>&lt;film&gt;.mp4</bdi></a> <bdi data-length=\"3100000000\">3.1 GB</bdi>",
      ])
    )
    #expect(try page([film, film]).contains("Too large for a zip:"))
  }

  @Test("The scripts are 32,700 bytes at most, a table is 10,000, and neither script nor style is in a page")
  func size() throws {
    let files = try Self.files([Self.picture(1, "2026-07-01")])
    // words.js chooses one of the tables, which holds what the other scripts say.
    let tables = files.filter { $0.key.hasPrefix("languages/") }
    let scripts = files.filter { $0.key.hasSuffix(".js") && tables[$0.key] == nil }
    #expect(scripts.values.map(\.utf8.count).reduce(0, +) <= 32_700)
    #expect(tables.count == PageTag.all.count && tables.values.allSatisfy { $0.utf8.count <= 10_000 })
    let page = try #require(files["index.html"])
    #expect(page.count(of: "<script") == scripts.count && page.count(of: "<script defer src=") == 5)
    #expect(page.contains("<script src=\"words.js\" data-languages=\"en de fr "))
    #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onclick="))
    // Each drawing is a symbol of the page, those that scripts add too.
    let used = page.components(separatedBy: "<use href=\"#i-").dropFirst()
    for name in used.compactMap({ $0.split(separator: "\"").first }) {
      #expect(page.contains("<symbol id=\"i-\(name)\""), "\(name)")
    }
  }

  @Test("Style sheets use no variable that none of them has")
  func variables() throws {
    var options = GalleryOptions(title: "Family")
    options.columns = 3
    let files = try Self.files(options: options, [])
    let styles = files.filter { $0.key.hasSuffix(".css") }.values.joined(separator: "\n")
    let used = styles.components(separatedBy: "var(").dropFirst().map { component in
      String(component.prefix { $0 == "-" || $0.isLetter || $0.isNumber })
    }
    #expect(used.count > 100)
    for name in Set(used) { #expect(styles.contains("\(name):"), "\(name)") }
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
    let options = GalleryOptions(title: names[0])
    var files = try Self.files(options: options, pictures, [album])
    let index = try #require(files["index.html"])
    files.merge(try Self.files(options: options, Self.many(pictures), [album])) { $1 }
    files["few.html"] = index
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

  @Test("many albums whose titles give one name get numbers without trying all before")
  func manyAlbums() {
    var names = PageNames()
    #expect(names.name(for: "Album 3") == "album-3")
    var last = ""
    let seconds = processorSeconds {
      for _ in 0..<40_000 { last = names.name(for: "海") }
    }
    #expect(seconds < 5)
    #expect(last == "album-40001")
    #expect(names.name(for: "album") == "album-40002")
  }

  @Test("a page reaches what it needs below the gallery, and nothing else")
  func links() throws {
    var picture = Self.picture(1, "2026-07-01")
    picture.view = GalleryPicture.File(ending: "webp", size: PixelSize(width: 1024, height: 768))
    picture.original = GalleryPicture.File(ending: "heic", size: nil)
    picture.movie = GalleryPicture.File(ending: "mov", size: nil)
    let page = try #require(try Self.files(Self.many([picture]))["months/2026-07.html"])
    #expect(page.contains("src=\"../tiles/00/00000001-AAAA.jpg\""))
    #expect(page.contains("data-src=\"../views/00/00000001-AAAA.webp\""))
    #expect(page.contains("href=\"../originals/00/00000001-AAAA.heic\""))
    #expect(page.contains("data-movie=\"../originals/00/00000001-AAAA.mov\""))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains(" src=\"/"))
  }
}

extension String {
  /// Whether parts of it follow each other.
  fileprivate func order(of parts: [String]) -> Bool {
    var remaining = self[...]
    for part in parts {
      guard let range = remaining.range(of: part) else { return false }
      remaining = remaining[range.upperBound...]
    }
    return true
  }

  fileprivate func count(of part: String) -> Int {
    var count = 0
    var remaining = self[...]
    while let range = remaining.range(of: part) {
      count += 1
      remaining = remaining[range.upperBound...]
    }
    return count
  }
}
