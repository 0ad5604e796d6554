internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// A static site of pictures: it works from a folder and from any web server, and without scripts.
package struct Gallery: Sendable {
  private let pages: GalleryPages
  private let pictures: [GalleryPicture]
  private let albums: [GalleryAlbum]

  /// Creates the site of pictures.
  ///
  /// - Parameters:
  ///   - options: The choices of the person.
  ///   - pictures: In the order in which they are shown, newest first, undated ones last.
  ///   - albums: In their order; empty ones are left out.
  package init(options: GalleryOptions, pictures: [GalleryPicture], albums: [GalleryAlbum]) {
    pages = GalleryPages(options: options)
    self.pictures = pictures
    self.albums = albums.filter { !$0.pictures.isEmpty }
  }

  /// Writes all pages, style sheets, scripts and search data.
  ///
  /// - Parameter write: Takes the path of a file below the gallery, and its bytes.
  /// - Throws: What `write` throws.
  package func write(_ write: (_ path: String, _ bytes: [UInt8]) throws -> Void) throws {
    try write("gallery.css", PageParts.plainStylesheet + PackageResources.gallery_css)
    try write("layout.css", Array(pages.layoutCSS.utf8))
    try write("icon.svg", PageParts.icon)
    try write("element.js", PageParts.script)
    try write("thumbhash.js", PackageResources.thumbhash_js)
    try write("search.js", PackageResources.search_js)
    try write("viewer.js", PackageResources.viewer_js)
    let albums = try writeAlbums(write)
    let months = try writeMonths(write)
    let page = pages.index(albums: albums, months: months, count: GalleryPages.count(pictures))
    try write("index.html", Array(page.text.utf8))
  }

  // MARK: - Albums

  private func writeAlbums(
    _ write: (String, [UInt8]) throws -> Void
  ) throws -> [GalleryPages.Cover] {
    var names = PageNames()
    return try albums.map { album in
      let name = names.name(for: album.title)
      let shown = album.pictures.map { pictures[$0] }
      try writePages(Self.pages(of: shown, title: album.title, name), to: "albums", write)
      return GalleryPages.Cover(
        title: album.title,
        page: "albums/\(name).html",
        count: shown.count,
        tile: shown.first,
        data: nil
      )
    }
  }

  // MARK: - Months

  /// Writes the pages and the search data of the months; returns their covers by year, newest first and
  /// undated ones last.
  private func writeMonths(
    _ write: (String, [UInt8]) throws -> Void
  ) throws -> [(year: String, covers: [GalleryPages.Cover])] {
    // Dates with an offset are sorted by their instant, and put into months by their local time.
    let months = Dictionary(grouping: pictures) { $0.month ?? "" }.sorted { $0.key > $1.key }
    var chain: [Page] = []
    var years: [(year: String, covers: [GalleryPages.Cover])] = []
    for (month, pictures) in months {
      let name = month.isEmpty ? "undated" : month
      let title = month.isEmpty ? "Undated" : Self.title(month)
      let own = Self.pages(of: pictures, title: title, name)
      chain += own
      try writeData(own, name, write)
      let cover = GalleryPages.Cover(
        title: title,
        page: "months/\(name).html",
        count: pictures.count,
        tile: pictures.first,
        data: "data/\(name).js"
      )
      let year = String(month.prefix(4))
      if years.last?.year != year { years.append((year, [])) }
      years[years.count - 1].covers.append(cover)
    }
    try writePages(chain, to: "months", write)
    return years
  }

  /// The name of a month such as 2019-07.
  private static func title(_ month: String) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    guard let number = Int(month.suffix(2)), names.indices.contains(number - 1) else {
      return month
    }
    return "\(names[number - 1]) \(month.prefix(4))"
  }

  /// A script that hands the search the pictures of a month.
  private func writeData(
    _ pages: [Page],
    _ name: String,
    _ write: (String, [UInt8]) throws -> Void
  ) throws {
    var script = Array("gallery.addMonth([\n".utf8)
    for page in pages {
      for picture in page.pictures {
        script += picture.row(page: "months/\(page.name).html").serialized
        script += Array(",\n".utf8)
      }
    }
    script += Array("]);\n".utf8)
    try write("data/\(name).js", script)
  }

  // MARK: - Pages

  /// A page of an album or a month.
  private struct Page {
    var title: String
    var name: String
    var part: Int
    var parts: Int
    var pictures: ArraySlice<GalleryPicture>
  }

  private static func pages(of pictures: [GalleryPicture], title: String, _ name: String) -> [Page]
  {
    let length = GalleryOptions.pageLength
    let parts = (pictures.count + length - 1) / length
    return (0..<parts).map { part in
      Page(
        title: title,
        // No name of a month or an album has this character.
        name: part == 0 ? name : "\(name)_\(part + 1)",
        part: part + 1,
        parts: parts,
        pictures: pictures[(part * length)..<min(pictures.count, (part + 1) * length)]
      )
    }
  }

  /// Writes pages that follow each other.
  private func writePages(
    _ chain: [Page],
    to folder: String,
    _ write: (String, [UInt8]) throws -> Void
  ) throws {
    for (index, page) in chain.enumerated() {
      let section = GalleryPages.Section(
        title: page.title,
        pictures: Array(page.pictures),
        part: page.part,
        parts: page.parts,
        previous: index > 0 ? chain[index - 1].name + ".html" : nil,
        next: index + 1 < chain.count ? chain[index + 1].name + ".html" : nil
      )
      try write("\(folder)/\(page.name).html", Array(pages.section(section).text.utf8))
    }
  }
}

/// Names of pages that are made of titles: ASCII, and each once.
struct PageNames {
  private var taken: Set<String> = []

  /// The name for the next title: its letters and digits, with a number behind when it was given before.
  mutating func name(for title: String) -> String {
    var name = ""
    for byte in title.lowercased().utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else if name.last != "-" {
        name += "-"
      }
    }
    let base = String(name.drop { $0 == "-" }.prefix(60))
    let trimmed = base.last == "-" ? String(base.dropLast()) : base
    let start = trimmed.isEmpty ? "album" : trimmed
    var result = start
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(start)-\(number)"
      number += 1
    }
    return result
  }
}
