internal import MediaModel
internal import MediaPages
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
  let downloads: [GalleryDownload]

  /// The sentences of the pages as they are made.
  var words: PageLanguage { languages.own }
  let languages: GalleryLanguages

  /// The hashes of beginnings of keys that several pictures have.
  private let ambiguousKeys: Set<UInt64>

  /// Makes pages of pictures, and of the albums that are not empty.
  init(
    _ options: GalleryOptions,
    pictures: GalleryPictures,
    albums: [GalleryAlbum],
    downloads: [GalleryDownload]
  ) {
    (self.options, self.pictures, self.albums, self.downloads) = (options, pictures, albums, downloads)
    languages = GalleryLanguages(options.language)
    memberships = Memberships(of: pictures.count, in: albums)
    ambiguousKeys = pictures.ambiguousHashes
  }

  /// A link of the first page: an album or a month.
  struct Card {
    var title: GalleryTitle
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
    var title: GalleryTitle
    /// Positions among those of the gallery.
    var pictures: [Int]
    /// Such as `2019-07`; nil of pictures without dates, and of those of several months.
    var month: String?
    /// The titles of the albums that have most of them.
    var albums: [String] = []
    /// The page that has all of the first of them, where these are not all.
    var rest: (page: String, count: Int, title: GalleryTitle)?
  }

  /// A page of the same folder.
  struct Link {
    var title: GalleryTitle
    /// Counted from 1; nil of the only one.
    var part: Int?
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
    let isDated = hasMonths
    let sections = try index.sections.map {
      try section($0, root: "", level: "h2", isCut: $0.rest != nil)
    }
    let years = index.years.map { year, cards -> Markup in
      return """
        <section class="month" id="\(year.isEmpty ? "undated" : "y\(year)")">
        <h2>\(year.isEmpty ? words.element("noDate") : .isolated(year))</h2>
        <ul class="months">
        \(cards.map(card))</ul>
        </section>

        """
    }
    // A page with the rest is all that there is to undated pictures alone; the search reads them too.
    let data = index.years.flatMap(\.cards).map { card -> Markup in
      "<i hidden data-file=\"\(card.data ?? "")\"></i>\n"
    }
    let body: Markup = """
      \(cover(index.cover))\(shelf(index.albums, isDated: isDated))\
      <main class="\(streamClass)" id="content" tabindex="-1">
      \(found)\(sections)\(isDated ? years : data)\(none)</main>
      \(scrubber(index))
      """
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
    let values = ["count": words.grouped(page.parts)]
    let part = page.parts > 1 ? words.element("pageOf", page.part, values) : ""
    let previous = page.previous.map { link -> Markup in
      """
      <a class="button" rel="prev" href="\(link.page)">\(icon: "back")<span>\(title(link))</span></a>

      """
    }
    let next = page.next.map { link -> Markup in
      """
      <a class="button" rel="next" href="\(link.page)"><span>\(title(link))</span>\(icon: "next")</a>

      """
    }
    let turns: Markup = "<nav class=\"turns\"\(words.attribute(.label, "pages"))>\n\(previous)\(next)</nav>\n"
    let pictures = try self.section(
      section,
      root: root,
      level: "h1",
      count: page.section.pictures.count,
      part: part
    )
    let body: Markup = """
      <div class="under"></div>
      <main class="\(streamClass)" id="content" tabindex="-1">
      \(found)\(pictures)\(none)</main>
      \(turns, if: previous != nil || next != nil)
      """
    return document(
      title: "\(page.section.title.text(words)) – \(options.title)",
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

  /// A count such as "12 photos · 1 video".
  private var count: Markup {
    let keys: [(MediaType, String)] = [
      (.image, "photoCount"), (.video, "videoCount"), (.audio, "recordingCount"),
    ]
    let parts = keys.compactMap { type, key in pictures.counts[type].map { words.element(key, $0) } }
    return parts.isEmpty ? words.element("noPhotos") : parts.joined(separator: " · ")
  }

  private func title(_ link: Link) -> Markup {
    link.title.markup(words) + (link.part.map { words.element("page", $0) } ?? "")
  }

  // MARK: - Parts of the first page

  /// Whether the pictures are in the order of their months.
  var hasMonths: Bool { options.order != .other && pictures.dates != nil }

  private func cover(_ cover: GalleryPicture?) -> Markup {
    let range = pictures.dates.flatMap { words.range($0.lowerBound, $0.upperBound) }
    let months: Markup = "<p class=\"note\">\(icon: "clock")<span>\(words.element("savedMonths"))</span></p>"
    let note = options.note.map { note -> Markup in "<p class=\"words\">\(isolated: note)</p>" }
    let text: Markup = """
      <h1 id="cover">\(isolated: options.title)</h1>\
      <p>\(count)\(range.map { "<br>\($0)" })</p>\(note)\
      \(months, if: options.months == .saved && hasMonths)\(downloadAll)
      """
    if let cover, let path = cover.viewPath {
      return """
        <section class="cover" aria-labelledby="cover"><img src="\(path)" alt="" \
        fetchpriority="high"><div>\(text)</div></section>

        """
    }
    return "<section class=\"plain-cover\" aria-labelledby=\"cover\">\(text)</section>\n"
  }

  /// The albums that people and folders made as cards, and smart albums as chips.
  private func shelf(_ albums: [Card], isDated: Bool) -> Markup {
    let chips = albums.filter { $0.symbol != nil }
    var cards = albums.filter { $0.symbol == nil }
    // One folder with all that there is says nothing.
    if !isDated, cards.count == 1, cards[0].count == pictures.count { cards = [] }
    if cards.isEmpty, chips.isEmpty { return "" }
    let drawn = chips.map { chip -> Markup in
      """
      <li><a class="chip" href="\(chip.page)">\(icon: chip.symbol ?? "photo")\(chip.title.markup(words)) \
      <span class="num">\(words.number(chip.count))</span></a></li>

      """
    }
    return """
      <section class="shelf" aria-labelledby="albums">
      <h2 id="albums"\(" class=\"sr\"", if: cards.isEmpty)>\(words.element("albums"))</h2>
      \("<ul class=\"albums\">\n\(cards.map(card))</ul>\n", if: !cards.isEmpty)\
      \("<ul class=\"chips\"\(words.attribute(.label, "kinds"))>\n\(drawn)</ul>\n", if: !chips.isEmpty)</section>

      """
  }

  private func card(_ card: Card) -> Markup {
    // The title says what the link is; the picture adds nothing for a person who does not see it.
    return """
      <li><a href="\(card.page)"\(card.data.map { " data-file=\"\($0)\"" })>\
      \(card.tile.flatMap { image($0, root: "", alt: "") } ?? "<span class=\"blank\"></span>")<b>\(card.title.markup(words))</b>\
      <span class="faint small num">\(words.number(card.count))</span></a></li>

      """
  }

  /// Links to the months of the page, or to its years; a year has its number where there is room for it.
  private func scrubber(_ index: Index) -> Markup {
    var links: [Markup] = []
    func add(_ target: String, _ title: Markup, isYear: Bool = false) {
      links.append(
        """
        <a\(" class=\"year\"", if: isYear) href="#\(target)">\("<b>\(title)</b>", if: isYear)\
        <span>\(title)</span></a>
        """
      )
    }
    var count = 0
    if index.years.isEmpty {
      var year = ""
      for section in index.sections {
        guard let month = section.month else { continue }
        let own = String(month.prefix(4))
        if own != year { add("m\(month)", .plain(own), isYear: true) }
        year = own
        // A year alone is its own title.
        if month != own { add("m\(month)", section.title.markup(words)) }
        count += 1
      }
    } else {
      let years = index.years.map(\.year).filter { !$0.isEmpty }
      let step = max(1, years.count / 10)
      for (position, year) in years.enumerated() {
        add("y\(year)", .plain(year), isYear: position % step == step / 2)
      }
      count = years.count
    }
    return count < 2 ? "" : "<nav class=\"scrubber\"\(words.attribute(.label, "months"))>\(links)</nav>\n"
  }

  // MARK: - Pictures

  /// Pictures in rows, under a heading of a level.
  private func section(
    _ section: Section,
    root: String,
    level: String,
    isCut: Bool = false,
    count: Int? = nil,
    part: Markup = ""
  ) throws -> Markup {
    let name = section.month.map { "m\($0)" } ?? "stream"
    let facts = [words.number(count ?? section.pictures.count)] + section.albums.map(Markup.isolated)
    let heading: Markup =
      isCut
      ? section.title.markup(words)
      : "\(section.title.markup(words))\(part)<span>\(facts.joined(separator: " · "))</span>"
    var day = ""
    let items = try section.pictures.map { position in
      let picture = try pictures[position]
      let own = String((picture.date ?? "").prefix(10))
      defer { day = own }
      // Pictures of other albums are not in the order of their days.
      let startsDay = options.order != .other && own != day
      return item(picture, at: position, root: root, day: startsDay ? words.day(own) : nil)
    }
    let linkToAll = section.rest.map { rest -> Markup in
      """
      <p><a class="button more" href="\(rest.page)"><span>\("\(words.element("showAll")): ", if: section.title != rest.title)\
      \(rest.title.markup(words)) (\(words.number(rest.count)))</span></a></p>

      """
    }
    return """
      <section class="month" id="\(name)">
      <\(raw: level)>\(heading)</\(raw: level)>
      <ul class="\(isCut ? "grid cut" : "grid")">
      \(items)</ul>
      \(linkToAll)</section>

      """
  }

  private func image(_ picture: GalleryPicture, root: String, alt: String) -> Markup? {
    guard let path = picture.tilePath, let size = picture.tile?.size else { return nil }
    return """
      <img \(picture.tile?.thumbHash.map { "data-hash=\"\($0)\" " })loading="lazy" decoding="async" \
      src="\(root + path)" width="\(size.width)" height="\(size.height)" alt="\(alt)">
      """
  }

  /// A picture of a grid; a link to its file, which the viewer's script opens in place.
  private func item(
    _ picture: GalleryPicture,
    at position: Int,
    root: String,
    day: Markup?
  ) -> Markup {
    let target = picture.originalPath ?? picture.viewPath
    let title = title(of: picture, at: position)
    var data: [(String, String)] = [("title", title)]
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
    add("name", picture.name)
    add("kind", picture.badges.joined(separator: ", "))
    if !picture.badges.isEmpty { add("symbol", picture.symbol) }
    add("caption", picture.caption)
    add("keywords", picture.keywords.joined(separator: ", "))
    let attributes = data.map { name, value -> Markup in " data-\(raw: name)=\"\(value)\"" }
    let content: Markup =
      if let image = image(picture, root: root, alt: title) {
        "\(image)<span class=\"label\" aria-hidden=\"true\">\(title)</span>"
      } else {
        "<span class=\"name\">\(icon: picture.symbol)\(isolated: title)</span>"
      }
    let badges = picture.tileBadges.map(badge)
    let identifier = identifier(of: picture)
    return """
      <li id="\(identifier)" class="\(Self.ratioClass(picture))">\(day)\
      <a href="\(target.map { root + $0 } ?? "#\(identifier)")"\(attributes)>\(content)\
      \("<span class=\"badges\">\(badges)</span>", if: !badges.isEmpty)</a></li>

      """
  }

  private func badge(_ text: String) -> Markup {
    switch text {
    case "live": "<span class=\"badge\">\(icon: "live")\(words.element("badge.live"))</span>"
    case "panorama":
      "<span class=\"badge\">\(icon: "pano")<span class=\"sr\">\(words.element("badge.panorama"))</span></span>"
    case _ where text.first?.isNumber == true: "<span class=\"badge\">\(icon: "play")\(text)</span>"
    default: "<span class=\"badge\">\(words.element("badge.\(text)"))</span>"
    }
  }

  /// The row of the search data: page, identifier, title, date, tile, width, height, badges, words, ThumbHash.
  func row(_ position: Int, page: String) throws -> JSONValue {
    let picture = try pictures[position]
    return .array([
      .string(page), .string(identifier(of: picture)), .string(title(of: picture, at: position)),
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

  /// The label of a picture, or what it is and its number.
  private func title(of picture: GalleryPicture, at position: Int) -> String {
    options.isNeutral ? words("neutral.\(picture.mediaType.rawValue)", position + 1) : picture.title
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

/// The title of an album, a month, or what has neither.
enum GalleryTitle: Hashable {
  /// That of a person or a folder.
  case name(String)
  /// The key of a sentence.
  case sentence(String)
  /// A month such as `2019-07`, one without its year (`--07`), or a year.
  case month(String)

  init(of album: GalleryAlbum) {
    self = album.symbol == nil ? .name(album.title) : .sentence("album.\(album.title)")
  }

  func markup(_ words: PageLanguage) -> Markup {
    switch self {
    case .name(let name): .isolated(name)
    case .sentence(let key): words.element(key)
    case .month(let month): words.month(month)
    }
  }

  func text(_ words: PageLanguage) -> String {
    switch self {
    case .name(let name): name
    case .sentence(let key): words(key)
    case .month(let month): words.monthName(month)
    }
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
      badge.first?.isNumber == true || ["live", "panorama", "slo-mo", "RAW", "rejected"].contains(badge)
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
