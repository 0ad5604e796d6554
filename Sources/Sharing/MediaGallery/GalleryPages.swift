internal import MediaModel
internal import MediaSyntax

/// The pages of a gallery, as pure functions of what they show.
///
/// Every text that comes from a file or a person is escaped by ``MediaSyntax/Markup``, and isolated so that no
/// direction of writing leaks.
struct GalleryPages {
  let options: GalleryOptions
  let pictures: GalleryPictures
  let albums: [GalleryAlbum]
  let memberships: Memberships
  private let lostDates: Bool
  /// The hashes of beginnings of keys that several pictures have.
  private let ambiguousKeys: Set<UInt64>

  /// Makes pages of pictures, and of the albums that are not empty.
  init(
    _ options: GalleryOptions,
    pictures: GalleryPictures,
    albums: [GalleryAlbum],
    lostDates: Bool
  ) {
    (self.options, self.pictures, self.albums) = (options, pictures, albums)
    self.lostDates = lostDates
    memberships = Memberships(of: pictures.count, in: albums)
    ambiguousKeys = pictures.ambiguousHashes
  }

  /// A link of the first page: an album or a month.
  struct Card {
    var title: String
    /// Below the gallery.
    var page: String
    var count: Int
    var tile: GalleryPicture?
    /// The drawing of a smart album.
    var symbol: String?
    /// The search data of a month.
    var data: String?
  }

  /// Pictures under a heading.
  struct Section {
    var title: String
    /// Positions among those of the gallery.
    var pictures: [Int]
    /// Such as `2019-07`; nil of pictures without dates, and of those of several months.
    var month: String?
    /// The titles of the albums that have most of them.
    var albums: [String] = []
    /// The page that has all of the first of them, where these are not all.
    var rest: (page: String, count: Int, title: String)?
  }

  /// A page of the same folder.
  struct Link {
    var title: String
    var page: String
  }

  /// Pictures of an album or a month, all or a part of them.
  struct Page {
    /// Below the gallery.
    var path: String
    var section: Section
    /// Of the section's pictures.
    var range: Range<Int>
    /// Counted from 1.
    var part: Int
    var parts: Int
    var previous: Link?
    var next: Link?
  }

  /// The first page.
  struct Index {
    var pictures: [Int]
    var cover: GalleryPicture?
    var albums: [Card]
    var sections: [Section] = []
    /// The months of many pictures; undated ones have no year.
    var years: [(year: String, cards: [Card])] = []
  }

  // MARK: - Pages

  /// The first page: cover, albums, all pictures or the newest ones, and months.
  func index(_ index: Index) throws -> Markup {
    let isDated = pictures.dates != nil
    var body = cover(index.cover, isDated: isDated)
    body += shelf(index.albums, isDated: isDated)
    body += "<main class=\"\(streamClass)\" id=\"content\" tabindex=\"-1\">\n\(raw: Self.found)"
    for section in index.sections {
      body += try self.section(section, root: "", level: "h2", isCut: section.rest != nil)
    }
    for (year, cards) in index.years {
      // A page with the rest is all that there is to undated pictures alone.
      if !isDated { break }
      let name = year.isEmpty ? "undated" : "y\(year)"
      let title = year.isEmpty ? "No date" : year
      body += "<section class=\"month\" id=\"\(name)\" data-name=\"\(title)\">\n"
      body += "<h2>\(title)</h2>\n<ul class=\"months\">\n"
      for card in cards { body += self.card(card) }
      body += "</ul>\n</section>\n"
    }
    // The search reads undated pictures too.
    for card in isDated ? [] : index.years.flatMap(\.cards) {
      body += "<i hidden data-file=\"\(card.data ?? "")\"></i>\n"
    }
    body += "\(raw: Self.none)</main>\n"
    body += scrubber(index)
    return document(
      title: options.title,
      path: "index.html",
      top: top(root: "", back: false, isOver: index.cover != nil),
      body
    )
  }

  /// A page of pictures.
  func page(_ page: Page) throws -> Markup {
    let root = "../"
    var section = page.section
    section.pictures = Array(section.pictures[page.range])
    let part = page.parts > 1 ? ", page \(page.part) of \(page.parts)" : ""
    var body: Markup = "<div class=\"under\"></div>\n"
    body += "<main class=\"\(streamClass)\" id=\"content\" tabindex=\"-1\">\n\(raw: Self.found)"
    body += try self.section(
      section,
      root: root,
      level: "h1",
      count: page.section.pictures.count,
      part: part
    )
    body += "\(raw: Self.none)</main>\n"
    var turns: Markup = ""
    if let link = page.previous {
      turns += "<a class=\"button\" rel=\"prev\" href=\"\(link.page)\">\(icon("back"))"
      turns += "\(Markup.isolated(link.title))</a>\n"
    }
    if let link = page.next {
      turns += "<a class=\"button\" rel=\"next\" href=\"\(link.page)\">"
      turns += "\(Markup.isolated(link.title))\(icon("next"))</a>\n"
    }
    if !turns.isEmpty { body += "<nav class=\"turns\" aria-label=\"Pages\">\n\(turns)</nav>\n" }
    return document(
      title: "\(page.section.title)\(part) – \(options.title)",
      path: page.path,
      top: top(root: root, back: true, isOver: false),
      body
    )
  }

  /// The variables of the style sheet that the person chose, and the ratios of pictures in steps of a twentieth.
  var layoutCSS: String {
    var css = ""
    if let columns = options.columns {
      css += ":root { --columns: \(columns); --row: calc(70vw / \(columns)); }\n"
    }
    if let spacing = options.spacing { css += ":root { --gap: \(spacing)px; }\n" }
    for step in Self.ratios {
      let digits = step % 20 * 5
      css += ".r\(step * 5) { --r: \(step / 20).\(digits < 10 ? "0" : "")\(digits); }\n"
    }
    return css
  }

  /// A count such as "12 photos, 1 video".
  static func count(_ counts: [MediaType: Int]) -> String {
    let nouns: [(MediaType, String)] = [
      (.image, "photo"), (.video, "video"), (.audio, "recording"),
    ]
    let parts = nouns.compactMap { type, noun in counts[type].map { Quantity.text($0, noun) } }
    return parts.isEmpty ? "No photos" : parts.joined(separator: ", ")
  }

  // MARK: - Parts of the first page

  private func cover(_ cover: GalleryPicture?, isDated: Bool) -> Markup {
    let range = pictures.dates.flatMap { GalleryDate.range($0.lowerBound, $0.upperBound) }
    var text: Markup = "<h1 id=\"cover\">\(Markup.isolated(options.title))</h1>"
    text += "<p>\(Self.count(pictures.counts))"
    if let range { text += "<br>\(range)" }
    text += "</p>"
    if let note = note(isDated: isDated) {
      text += "<p class=\"note\">\(icon("clock"))<span>\(note)</span></p>"
    }
    if let cover, let path = cover.viewPath {
      return """
        <section class="cover" aria-labelledby="cover"><img src="\(path)" alt="" \
        fetchpriority="high"><div>\(text)</div></section>

        """
    }
    return "<section class=\"plain-cover\" aria-labelledby=\"cover\">\(text)</section>\n"
  }

  /// Says why the months are not those in which pictures were taken.
  private func note(isDated: Bool) -> String? {
    if options.months == .saved {
      return "The months are those of the import, not of the pictures."
    }
    if isDated || pictures.isEmpty { return nil }
    let order =
      options.isNeutral ? "in the order of their import" : "in order of their names"
    return lostDates
      ? "The dates were removed from these pictures, so they stand \(order)."
      : "These pictures have no dates, so they stand \(order)."
  }

  /// The albums that people and folders made as cards, and smart albums as chips.
  private func shelf(_ albums: [Card], isDated: Bool) -> Markup {
    let chips = albums.filter { $0.symbol != nil }
    var cards = albums.filter { $0.symbol == nil }
    // One folder with all that there is says nothing.
    if !isDated, cards.count == 1, cards[0].count == pictures.count { cards = [] }
    if cards.isEmpty, chips.isEmpty { return "" }
    var shelf: Markup = "<section class=\"shelf\" aria-labelledby=\"albums\">\n"
    shelf += "<h2 id=\"albums\"\(cards.isEmpty ? " class=\"sr\"" : "" as Markup)>Albums</h2>\n"
    if !cards.isEmpty {
      shelf += "<ul class=\"albums\">\n"
      for card in cards { shelf += self.card(card) }
      shelf += "</ul>\n"
    }
    if !chips.isEmpty {
      shelf += "<ul class=\"chips\" aria-label=\"Kinds\">\n"
      for chip in chips {
        shelf += "<li><a class=\"chip\" href=\"\(chip.page)\">\(icon(chip.symbol ?? "photo"))"
        shelf +=
          "\(chip.title) <span class=\"num\">\(Quantity.grouped(chip.count))</span></a></li>\n"
      }
      shelf += "</ul>\n"
    }
    return shelf + "</section>\n"
  }

  private func card(_ card: Card) -> Markup {
    let data = card.data.map { file -> Markup in " data-file=\"\(file)\"" } ?? ""
    var text: Markup = "<li><a href=\"\(card.page)\"\(data)>"
    // The title says what the link is; the picture adds nothing for a person who does not see it.
    text += card.tile.flatMap { image($0, root: "", alt: "") } ?? "<span class=\"blank\"></span>"
    text += "<b>\(Markup.isolated(card.title))</b>"
    return text
      + "<span class=\"faint small num\">\(Quantity.grouped(card.count))</span></a></li>\n"
  }

  /// Links to the months of the page, or to its years; a year has its number where there is room for it.
  private func scrubber(_ index: Index) -> Markup {
    var links: Markup = ""
    var count = 0
    if index.years.isEmpty {
      var year = ""
      for section in index.sections {
        guard let month = section.month else { continue }
        let own = String(month.prefix(4))
        if own != year {
          links += "<a class=\"year\" href=\"#m\(month)\"><b>\(own)</b><span>\(own)</span></a>"
          year = own
        }
        links += "<a href=\"#m\(month)\"><span>\(section.title)</span></a>"
        count += 1
      }
    } else {
      let years = index.years.map(\.year).filter { !$0.isEmpty }
      let step = max(1, years.count / 10)
      for (position, year) in years.enumerated() {
        links +=
          position % step == step / 2
          ? "<a class=\"year\" href=\"#y\(year)\"><b>\(year)</b><span>\(year)</span></a>"
          : "<a href=\"#y\(year)\"><span>\(year)</span></a>"
      }
      count = years.count
    }
    return count < 2 ? "" : "<nav class=\"scrubber\" aria-label=\"Months\">\(links)</nav>\n"
  }

  // MARK: - Pictures

  /// Pictures in rows, under a heading of a level.
  private func section(
    _ section: Section,
    root: String,
    level: String,
    isCut: Bool = false,
    count: Int? = nil,
    part: String = ""
  ) throws -> Markup {
    let name = section.month.map { "m\($0)" } ?? "stream"
    var facts: [Markup] = ["\(Quantity.grouped(count ?? section.pictures.count))"]
    facts += section.albums.map { Markup.isolated($0) }
    let heading: Markup =
      isCut
      ? "\(section.title)"
      : "\(Markup.isolated(section.title))\(part)<span>\(facts.joined(separator: " · "))</span>"
    var text: Markup = """
      <section class="month" id="\(name)" data-name="\(section.title)">
      <\(raw: level)>\(heading)</\(raw: level)>
      <ul class="\(isCut ? "grid cut" : "grid")">

      """
    var day = ""
    for position in section.pictures {
      let picture = try pictures[position]
      let own = String((picture.date ?? "").prefix(10))
      // Pictures of other albums are not in the order of their days.
      text += item(picture, at: position, root: root, day: own == day ? nil : GalleryDate.day(own))
      day = own
    }
    text += "</ul>\n"
    if let rest = section.rest {
      let of = section.title == rest.title ? rest.title : "All of \(rest.title)"
      text += "<p><a class=\"button more\" href=\"\(rest.page)\">\(of) "
      text += "(\(Quantity.grouped(rest.count)))</a></p>\n"
    }
    return text + "</section>\n"
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
  private func item(
    _ picture: GalleryPicture,
    at position: Int,
    root: String,
    day: String?
  ) -> Markup {
    let target = picture.originalPath ?? picture.viewPath
    var data: [(String, String)] = [("title", picture.title)]
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { data.append((name, text)) }
    }
    add("when", picture.date)
    if let kind = picture.viewKind { add("view", kind.rawValue) }
    if picture.original != nil { add("src", picture.viewPath.map { root + $0 }) }
    add("movie", picture.moviePath.map { root + $0 })
    add("pixels", picture.pixelSize.map { "\($0.width)x\($0.height)" })
    if picture.bytes > 0 { add("bytes", String(picture.bytes)) }
    add("camera", picture.camera)
    add("albums", memberships[position].map { albums[Int($0)].title }.joined(separator: ", "))
    add("kind", picture.badges.joined(separator: ", "))
    if !picture.badges.isEmpty { add("symbol", picture.symbol) }
    add("caption", picture.caption)
    add("keywords", picture.keywords.joined(separator: ", "))
    let attributes = data.map { name, value -> Markup in " data-\(raw: name)=\"\(value)\"" }
      .joined()
    var content: Markup
    if let image = image(picture, root: root, alt: picture.title) {
      content = "\(image)<span class=\"label\" aria-hidden=\"true\">\(picture.title)</span>"
    } else {
      content =
        "<span class=\"name\">\(icon(picture.symbol))\(Markup.isolated(picture.title))</span>"
    }
    let badges = picture.tileBadges.map(badge).joined()
    if !badges.isEmpty { content += "<span class=\"badges\">\(badges)</span>" }
    let identifier = identifier(of: picture)
    // The weekday goes where a picture is too narrow for both.
    let chip =
      day.map { day -> Markup in
        let (weekday, date) = (String(day.prefix(4)), String(day.dropFirst(5)))
        return "<span class=\"day\"><span>\(weekday) </span><span>\(date)</span></span>"
      } ?? ""
    let start: Markup = "<li id=\"\(identifier)\" class=\"\(Self.ratioClass(picture))\">\(chip)"
    guard let target else {
      return "\(start)<a href=\"#\(identifier)\"\(attributes)>\(content)</a></li>\n"
    }
    return "\(start)<a href=\"\(root + target)\"\(attributes)>\(content)</a></li>\n"
  }

  private func badge(_ text: String) -> Markup {
    switch text {
    case "live": "<span class=\"badge\">\(icon("live"))LIVE</span>"
    case "panorama":
      "<span class=\"badge\">\(icon("pano"))<span class=\"sr\">panorama</span></span>"
    case _ where text.first?.isNumber == true: "<span class=\"badge\">\(icon("play"))\(text)</span>"
    default: "<span class=\"badge\">\(text)</span>"
    }
  }

  /// The row of the search data: page, identifier, title, date, tile, width, height, badges, words, ThumbHash.
  func row(_ picture: GalleryPicture, page: String) -> JSONValue {
    .array([
      .string(page), .string(identifier(of: picture)), .string(picture.title),
      .string(picture.date ?? ""), .string(picture.tilePath ?? ""),
      .integer(Int64(picture.tile?.size?.width ?? 0)),
      .integer(Int64(picture.tile?.size?.height ?? 0)),
      .string(picture.tileBadges.joined(separator: "|")),
      .string(
        ([picture.caption, picture.camera].compactMap { $0 } + picture.badges + picture.keywords)
          .joined(separator: " ")
      ),
      .string(picture.tile?.thumbHash ?? ""),
    ])
  }

  // MARK: - Identifiers and ratios

  /// The beginning of the localIdentifier that no other picture of the gallery has, in capitals, as PhotoKit
  /// writes it.
  func identifier(of picture: GalleryPicture) -> String {
    let isAmbiguous = ambiguousKeys.contains(GalleryPictures.shortHash(picture.key))
    let short = String(picture.key.prefix(GalleryPictures.shortLength))
    return (isAmbiguous ? picture.key : short).uppercased()
  }

  /// Twentieths: from 2 to 5 upright to three times as wide as high.
  private static let ratios = 8...60

  /// The class of a picture's ratio, of which at most 2.5 % are cut away.
  static func ratioClass(_ picture: GalleryPicture) -> String {
    guard let size = picture.tile?.size ?? picture.pixelSize, size.width > 0, size.height > 0 else {
      return "r135"
    }
    let step = (40 * size.width + size.height) / (2 * size.height)
    return "r\(5 * min(ratios.upperBound, max(ratios.lowerBound, step)))"
  }
}

extension GalleryPicture {
  /// The element that plays a file in the viewer.
  enum ViewKind: String {
    case video, audio
  }

  /// Nil of a picture; a video whose file is not in the gallery is one, by its thumbnail.
  var viewKind: ViewKind? {
    guard original != nil else { return nil }
    switch mediaType {
    case .image: return nil
    case .video: return .video
    case .audio: return .audio
    }
  }

  /// The badges that lie on its tile; the viewer's details have all.
  var tileBadges: [String] {
    badges.filter { badge in
      badge.first?.isNumber == true || ["live", "panorama", "slo-mo", "RAW"].contains(badge)
    }
  }

  /// The drawing of its kind.
  var symbol: String {
    switch mediaType {
    case .video: "film"
    case .audio: "mic"
    case .image: badges.contains("live") ? "live" : badges.contains("panorama") ? "pano" : "photo"
    }
  }
}
