internal import MediaModel
internal import MediaSyntax

/// The pages of a gallery, as pure functions of what they show.
///
/// Every text that comes from a file or a person is escaped by ``MediaSyntax/Markup``, and isolated so that no
/// direction of writing leaks.
struct GalleryPages {
  let options: GalleryOptions

  /// A link of the first page: an album or a month.
  struct Cover {
    var title: String
    /// Below the gallery.
    var page: String
    var count: Int
    var tile: GalleryPicture?
    /// The search data of a month.
    var data: String?
  }

  /// The pictures of one page, among those of an album or a month.
  struct Section {
    var title: String
    var pictures: [GalleryPicture]
    /// Counted from 1.
    var part: Int
    var parts: Int
    /// Names of pages in the same folder.
    var previous: String?
    var next: String?
  }

  /// No request leaves the folder, no form is sent, and no text can become a script.
  private static let policy =
    "default-src 'none'; img-src 'self'; media-src 'self'; script-src 'self'; style-src 'self'; "
    + "base-uri 'none'; form-action 'none'"

  /// The first page: albums, months, and the search that its script adds.
  func index(albums: [Cover], months: [(year: String, covers: [Cover])], count: String) -> Markup {
    var body: Markup = "<header>\n<h1>\(Markup.isolated(options.title))</h1>\n"
    body += "<p class=\"faint\">\(count)</p>\n</header>\n<main id=\"content\">\n"
    if !albums.isEmpty {
      body += "<section aria-labelledby=\"albums\">\n<h2 id=\"albums\">Albums</h2>\n"
      body += covers(albums) + "</section>\n"
    }
    for (year, months) in months {
      let name = year.isEmpty ? "undated" : "year-\(year)"
      body += "<section aria-labelledby=\"\(name)\">\n<h2 id=\"\(name)\">"
      body += "\(year.isEmpty ? "Undated" : year)</h2>\n"
      body += covers(months) + "</section>\n"
    }
    body += "</main>\n"
    return page(
      title: options.title,
      root: "",
      scripts: ["element.js", "thumbhash.js", "search.js"],
      body
    )
  }

  /// A page of pictures.
  func section(_ section: Section) -> Markup {
    let root = "../"
    let part = section.parts > 1 ? ", page \(section.part) of \(section.parts)" : ""
    var links: Markup =
      "<li><a href=\"\(root)index.html\">\(Markup.isolated(options.title))</a></li>"
    if let previous = section.previous {
      links += "\n<li><a rel=\"prev\" href=\"\(previous)\">Previous page</a></li>"
    }
    if let next = section.next {
      links += "\n<li><a rel=\"next\" href=\"\(next)\">Next page</a></li>"
    }
    var body: Markup = "<header>\n<nav aria-label=\"Pages\"><ul>\(links)</ul></nav>\n"
    body += "<h1>\(Markup.isolated(section.title))\(part)</h1>\n"
    body += "<p class=\"faint\">\(Self.count(section.pictures))</p>\n</header>\n"
    body += "<main id=\"content\" class=\"pictures\">\n<ul class=\"\(gridClass)\">\n"
    for picture in section.pictures { body += item(picture, root: root) }
    body += "</ul>\n</main>\n"
    let title = "\(section.title)\(part) – \(options.title)"
    return page(
      title: title,
      root: root,
      scripts: ["element.js", "thumbhash.js", "viewer.js"],
      body
    )
  }

  /// The variables of the style sheet that the person chose.
  var layoutCSS: String {
    let columns = options.columns.map { "  --columns: \($0);\n  --tile: 0;\n" } ?? ""
    let row = options.columns.map { "calc(70vw / \($0))" } ?? "11rem"
    return ":root {\n\(columns)  --spacing: \(options.spacing)px;\n  --row: \(row);\n}\n"
  }

  var gridClass: String { options.grid == .rows ? "grid rows" : "grid" }

  /// A count such as "12 photos, 1 video".
  static func count(_ pictures: some Sequence<GalleryPicture>) -> String {
    var counts: [MediaType: Int] = [:]
    for picture in pictures { counts[picture.mediaType, default: 0] += 1 }
    let nouns: [(MediaType, String)] = [
      (.image, "photo"), (.video, "video"), (.audio, "recording"),
    ]
    let parts = nouns.compactMap { type, noun in counts[type].map { Quantity.text($0, noun) } }
    return parts.isEmpty ? "No photos" : parts.joined(separator: ", ")
  }

  // MARK: - Parts

  private func page(title: String, root: String, scripts: [String], _ body: Markup) -> Markup {
    let scripts = scripts.map { file -> Markup in
      "<script defer src=\"\(root)\(file)\"></script>\n"
    }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(raw: Self.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="robots" content="noindex">
      <title>\(title)</title>
      <link rel="icon" href="\(root)icon.svg">
      <link rel="stylesheet" href="\(root)gallery.css">
      <link rel="stylesheet" href="\(root)layout.css">
      \(scripts)</head>
      <body data-grid="\(gridClass)">
      <a class="skip" href="#content">Skip to the content</a>
      \(body)</body>
      </html>

      """
  }

  private func covers(_ covers: [Cover]) -> Markup {
    var list: Markup = "<ul class=\"covers\">\n"
    for cover in covers {
      let data = cover.data.map { file -> Markup in " data-file=\"\(file)\"" } ?? ""
      list += "<li><a href=\"\(cover.page)\"\(data)>"
      // The title says what the link is; the picture adds nothing for who does not see it.
      list += cover.tile.flatMap { image($0, root: "", alt: "") } ?? "<span class=\"blank\"></span>"
      list += "<b>\(Markup.isolated(cover.title))</b>"
      list += "<span class=\"faint\">\(Quantity.grouped(cover.count))</span></a></li>\n"
    }
    return list + "</ul>\n"
  }

  private func image(_ picture: GalleryPicture, root: String, alt: String) -> Markup? {
    guard let path = picture.tilePath, let size = picture.tile?.size else { return nil }
    let hash = picture.tile?.thumbHash.map { hash -> Markup in "data-hash=\"\(hash)\" " } ?? ""
    return """
      <img \(hash)loading="lazy" decoding="async" src="\(root + path)" width="\(size.width)" \
      height="\(size.height)" alt="\(alt)">
      """
  }

  /// A picture of a grid; a link to its file, which the viewer's script opens in place.
  private func item(_ picture: GalleryPicture, root: String) -> Markup {
    var data = [
      ("title", picture.title), ("details", details(picture)), ("view", picture.viewKind.rawValue),
    ]
    func add(_ name: String, _ path: String?) { path.map { data.append((name, root + $0)) } }
    if picture.viewKind == .image {
      add("src", picture.viewPath)
    } else {
      add("src", picture.originalPath)
    }
    add("original", picture.originalPath)
    add("movie", picture.moviePath)
    if picture.original != nil { data.append(("name", picture.name)) }
    let attributes = data.map { name, value -> Markup in " data-\(name)=\"\(value)\"" }.joined()
    var content: Markup =
      image(picture, root: root, alt: picture.title)
      ?? "<span class=\"name\">\(Markup.isolated(picture.title))</span>"
    if !picture.badges.isEmpty {
      let badges = picture.badges.map { badge -> Markup in "<span>\(badge)</span>" }.joined()
      content += "<span class=\"badges\">\(badges)</span>"
    }
    let key = picture.key
    guard let target = picture.originalPath ?? picture.viewPath else {
      return "<li id=\"\(key)\"><a href=\"#\(key)\">\(content)</a></li>\n"
    }
    return "<li id=\"\(key)\"><a href=\"\(root + target)\"\(attributes)>\(content)</a></li>\n"
  }

  /// The terms and texts that the viewer shows, as a list of pairs in JSON.
  private func details(_ picture: GalleryPicture) -> String {
    var pairs: [(String, String)] = []
    if let date = picture.date {
      pairs.append((options.months == .saved ? "Saved" : "Taken", date.substituting("T", by: " ")))
    }
    if let size = picture.pixelSize { pairs.append(("Pixels", "\(size.width) × \(size.height)")) }
    if !picture.badges.isEmpty { pairs.append(("Kind", picture.badges.joined(separator: ", "))) }
    if let caption = picture.caption { pairs.append(("Caption", caption)) }
    if !picture.keywords.isEmpty {
      pairs.append(("Keywords", picture.keywords.joined(separator: ", ")))
    }
    let list = JSONValue.array(pairs.map { .array([.string($0), .string($1)]) })
    return String(decoding: list.serialized, as: UTF8.self)
  }
}

extension GalleryPicture {
  /// The element that the viewer shows a file in.
  enum ViewKind: String {
    case image, video, audio
  }

  /// A video whose file is not in the gallery is shown by its thumbnail.
  var viewKind: ViewKind {
    guard original != nil else { return .image }
    switch mediaType {
    case .image: return .image
    case .video: return .video
    case .audio: return .audio
    }
  }

  /// The row of the search data: page, key, title, date, tile, width, height, badges, words, ThumbHash.
  func row(page: String) -> JSONValue {
    .array([
      .string(page), .string(key), .string(title), .string(date ?? ""), .string(tilePath ?? ""),
      .integer(Int64(tile?.size?.width ?? 0)), .integer(Int64(tile?.size?.height ?? 0)),
      .string(badges.joined(separator: "|")),
      .string(([caption].compactMap { $0 } + keywords).joined(separator: " ")),
      .string(tile?.thumbHash ?? ""),
    ])
  }
}
