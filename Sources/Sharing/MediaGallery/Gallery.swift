internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// A static site of pictures: it works from a folder and from any web server, and without scripts.
package struct Gallery {
  private let pages: GalleryPages
  private let cover: Int?

  private var pictures: GalleryPictures { pages.pictures }

  /// Creates the site of pictures.
  ///
  /// - Parameters:
  ///   - options: The choices of the person.
  ///   - pictures: In the order of the options, in which they are shown.
  ///   - albums: In their order; empty ones are left out.
  ///   - cover: The position of the picture on top of the first page; nil for one without.
  ///   - downloads: The files of "Download all", ZIPs first; empty for none.
  package init(
    options: GalleryOptions,
    pictures: GalleryPictures,
    albums: [GalleryAlbum],
    cover: Int? = nil,
    downloads: [GalleryDownload] = []
  ) {
    let albums = albums.filter { !$0.pictures.isEmpty }
    pages = GalleryPages(options, pictures: pictures, albums: albums, downloads: downloads)
    self.cover = cover
  }

  /// Writes a file: takes its path below the gallery, and what fills it by calls of a function with the next bytes.
  package typealias Write = (
    _ path: String, _ fill: (_ append: ([UInt8]) throws -> Void) throws -> Void
  ) throws -> Void

  /// Writes all pages, style sheets, scripts and search data.
  ///
  /// - Parameter write: Writes a file.
  /// - Throws: What `write` and the store of the pictures throw.
  package func write(_ write: Write) throws {
    var files: [(String, [UInt8])] = [
      ("gallery.css", GalleryParts.galleryCSS), ("layout.css", Array(pages.layoutCSS.utf8)),
    ]
    // Those of one with a password are in its files that are not sealed.
    if pages.options.lock == nil {
      files += [("base.css", PageParts.stylesheet), ("icon.svg", PageParts.icon)]
      files += GalleryParts.scripts + pages.languages.files
    }
    for (path, bytes) in files { try write(path) { try $0(bytes) } }
    let all = Array(0..<pictures.count)
    var index = GalleryPages.Index(
      pictures: all,
      cover: try cover.map { try pictures[$0] },
      albums: try writeAlbums(write)
    )
    // Dates with an offset are sorted by their instant, and put into months by their local time.
    let isDated = pages.hasMonths
    let months = Dictionary(grouping: all) { isDated ? pictures.month($0) ?? "" : "" }.sorted { one, other in
      // Those without a date come last in both orders.
      if one.key.isEmpty || other.key.isEmpty { return !one.key.isEmpty }
      return pages.options.order == .oldestFirst ? one.key < other.key : one.key > other.key
    }
    if pictures.count <= GalleryOptions.indexLength {
      index.sections = months.map { section($0.key, $0.value, isDated: isDated) }
    } else {
      try writeMonths(months, isDated: isDated, to: &index, write)
    }
    let first = Array(try pages.index(index).text.utf8)
    try write("index.html") { try $0(first) }
  }

  // MARK: - Albums

  private func writeAlbums(_ write: Write) throws -> [GalleryPages.Card] {
    var names = PageNames()
    return try pages.albums.map { album in
      let name = names.name(for: album.title)
      let title = GalleryTitle(of: album)
      let section = GalleryPages.Section(title: title, pictures: album.pictures)
      try writePages(Self.pages(of: section, name), to: "albums", write)
      return GalleryPages.Card(
        title: title,
        page: "albums/\(name).html",
        count: album.pictures.count,
        tile: try album.pictures.first.map { try pictures[$0] },
        symbol: album.symbol
      )
    }
  }

  // MARK: - Months

  /// The pictures of a month; of none, those without a date.
  private func section(
    _ month: String,
    _ positions: [Int],
    isDated: Bool
  ) -> GalleryPages.Section {
    var section = GalleryPages.Section(title: .sentence("noDate"), pictures: positions)
    if !isDated {
      section.title = .sentence("allPhotos")
    } else if !month.isEmpty {
      section.title = .month(month)
      section.month = month
      section.albums = pages.memberships.most(of: positions).map { pages.albums[$0].title }
    }
    return section
  }

  /// Writes the pages and the search data of the months, undated ones last, and adds their cards and the first pictures
  /// to the first page.
  private func writeMonths(
    _ months: [(key: String, value: [Int])],
    isDated: Bool,
    to index: inout GalleryPages.Index,
    _ write: Write
  ) throws {
    var chain: [Page] = []
    for (month, positions) in months {
      let section = section(month, positions, isDated: isDated)
      let name = month.isEmpty ? "undated" : month
      let own = Self.pages(of: section, name)
      chain += own
      try writeData(own, name, write)
      let card = GalleryPages.Card(
        title: month.utf8.count == 7 ? .month("--\(month.suffix(2))") : section.title,
        page: "months/\(name).html",
        count: positions.count,
        tile: try positions.first.map { try pictures[$0] },
        data: "data/\(name).js"
      )
      let year = String(month.prefix(4))
      if index.years.last?.year != year { index.years.append((year, [])) }
      index.years[index.years.count - 1].cards.append(card)
    }
    try writePages(chain, to: "months", write)
    let first = Array((0..<pictures.count).prefix(GalleryOptions.firstLength))
    let title = !isDated ? "allPhotos" : pages.options.order == .oldestFirst ? "firstPhotos" : "newest"
    var section = GalleryPages.Section(title: .sentence(title), pictures: first)
    section.rest = chain.first.map {
      ("months/\($0.name).html", $0.section.pictures.count, $0.section.title)
    }
    index.sections = [section]
  }

  /// A script that hands the search the pictures of a month.
  private func writeData(
    _ pages: [Page],
    _ name: String,
    _ write: Write
  ) throws {
    try write("data/\(name).js") { append in
      try append(Array("gallery.addMonth([\n".utf8))
      // A month may have all pictures.
      for page in pages {
        var rows: [UInt8] = []
        for position in page.section.pictures[page.range] {
          let row = try self.pages.row(position, page: "months/\(page.name).html")
          rows += row.serialized + Array(",\n".utf8)
        }
        try append(rows)
      }
      try append(Array("]);\n".utf8))
    }
  }

  // MARK: - Pages

  /// A page of an album or a month.
  private struct Page {
    var section: GalleryPages.Section
    var name: String
    var part: Int
    var parts: Int
    /// Its pictures among those of the section.
    var range: Range<Int>
  }

  private static func pages(of section: GalleryPages.Section, _ name: String) -> [Page] {
    let length = GalleryOptions.pageLength
    let count = section.pictures.count
    let parts = (count + length - 1) / length
    return (0..<parts).map { part in
      Page(
        section: section,
        // No name of a month or an album has this character.
        name: part == 0 ? name : "\(name)_\(part + 1)",
        part: part + 1,
        parts: parts,
        range: (part * length)..<min(count, (part + 1) * length)
      )
    }
  }

  /// Writes pages that follow each other.
  private func writePages(
    _ chain: [Page],
    to folder: String,
    _ write: Write
  ) throws {
    for (index, page) in chain.enumerated() {
      func link(_ step: Int) -> GalleryPages.Link? {
        guard chain.indices.contains(index + step) else { return nil }
        let other = chain[index + step]
        let part = other.parts > 1 ? other.part : nil
        return GalleryPages.Link(title: other.section.title, part: part, page: other.name + ".html")
      }
      let content = GalleryPages.Page(
        path: "\(folder)/\(page.name).html",
        section: page.section,
        range: page.range,
        part: page.part,
        parts: page.parts,
        previous: link(-1),
        next: link(1)
      )
      let text = Array(try pages.page(content).text.utf8)
      try write(content.path) { try $0(text) }
    }
  }
}

/// The albums that each picture is in, without smart ones: two lists, since there may be 100,000 pictures.
struct Memberships: Sendable {
  private var starts: [Int32]
  private var albums: [Int32] = []

  init(of count: Int, in listed: [GalleryAlbum]) {
    starts = Array(repeating: 0, count: count + 1)
    for album in listed where album.symbol == nil {
      for position in album.pictures { starts[position + 1] += 1 }
    }
    for position in 0..<count { starts[position + 1] += starts[position] }
    var ends = starts
    albums = Array(repeating: 0, count: Int(starts[count]))
    for (index, album) in listed.enumerated() where album.symbol == nil {
      for position in album.pictures {
        albums[Int(ends[position])] = Int32(index)
        ends[position] += 1
      }
    }
  }

  /// The positions of the albums of a picture.
  subscript(position: Int) -> ArraySlice<Int32> {
    albums[Int(starts[position])..<Int(starts[position + 1])]
  }

  /// The two albums that have the most of some pictures.
  func most(of positions: [Int]) -> [Int] {
    var counts: [Int: Int] = [:]
    for position in positions {
      for album in self[position] { counts[Int(album), default: 0] += 1 }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(2).map(\.key)
  }
}

/// Names of pages that are made of titles: ASCII, and each once.
struct PageNames {
  private var taken: Set<String> = []
  /// The last number of each name; all below are taken.
  private var numbers: [String: Int] = [:]

  /// The name for the next title: its letters and digits, with a number behind when it was given before.
  mutating func name(for title: String) -> String {
    var name = ""
    for byte in title.lowercased().utf8 {
      let isPlain = byte.isASCIIDigit || byte.isASCIILowercase
      if isPlain {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else if name.last != "-" {
        name += "-"
      }
    }
    let base = String(name.drop { $0 == "-" }.prefix(60))
    let trimmed = base.last == "-" ? String(base.dropLast()) : base
    let start = trimmed.isEmpty ? "album" : trimmed
    var number = numbers[start, default: 0] + 1
    func numbered() -> String { number == 1 ? start : "\(start)-\(number)" }
    while !taken.insert(numbered()).inserted { number += 1 }
    numbers[start] = number
    return numbered()
  }
}
