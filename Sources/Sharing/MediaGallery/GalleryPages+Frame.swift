internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// What is around the pictures of each page.
extension GalleryPages {
  /// No request leaves the folder, no form is sent, and no text can become a script.
  private static let policy =
    "default-src 'none'; img-src 'self'; media-src 'self'; script-src 'self'; style-src 'self'; "
    + "base-uri 'none'; form-action 'none'"

  /// The heading of what is searched and of favorites, which the scripts fill.
  var found: Markup {
    """
    <section class="found" hidden><h1><span role="status"></span></h1>\
    <button type="button" class="button tinted clear" hidden>\(words.element("clearSearch"))</button>\
    <ul class="grid"></ul><button type="button" class="button more" hidden>\(words.element("showMore"))</button></section>

    """
  }

  var none: Markup {
    """
    <div class="none empty" hidden>\(icon: "heart")<p>\(words.element("noFavorites"))</p></div>

    """
  }

  func label(_ key: String) -> Markup { words.attribute(.label, key) }
  func hint(_ key: String, _ shortcut: String? = nil) -> Markup { words.attribute(.hint, key, shortcut) }

  /// The classes of what has the pictures.
  var streamClass: String { options.grid == .squares ? "stream squares" : "stream" }

  /// The bar on top: title and month, search, view, favorites.
  func top(root: String, back: Bool, isOver: Bool) -> Markup {
    let link: Markup = """
      <a class="icon back" href="\(root)index.html"\(label("backToGallery"))>\(icon: "back")</a>

      """
    let search = back ? "searchPage" : "search"
    let sizes: Markup = "<input type=\"range\" id=\"size\" min=\"-2\" max=\"2\" step=\"0.5\" value=\"0\""
    func radio(_ name: String) -> Markup {
      "<label><input type=\"radio\" name=\"layout\" value=\"\(name)\">\(icon: name)\(words.element(name))</label>"
    }
    return """
      <header class="\(isOver ? "top over" : "top")">
      \(link, if: back)<a class="name" href="\(back ? root + "index.html" : "#content")">\
      \(isolated: options.title)<small class="where"></small></a>
      \(search: words.attribute(.place, search) + label(search), class: "field scripted")
      <label class="icon find scripted" for="search"\(hint("search"))>\(icon: "search")\
      <span class="sr">\(words.element("search"))</span></label>
      <button type="button" class="icon scripted" popovertarget="view"\(label("view"))\(hint("view"))>\
      \(icon: "sliders")</button>
      <a class="icon hearts scripted" href="\(back ? root + "index.html" : "")#favorites"\(label("favorites"))\
      \(hint("favorites"))>\(icon: "heart")<span class="num"></span></a>
      </header>
      <div class="view" id="view" popover>
      <p id="layout">\(words.element("layout"))</p>
      <div class="segments" role="radiogroup" aria-labelledby="layout">\(radio("rows"))\(radio("squares"))</div>
      <p id="sizes">\(words.element("size"))</p>
      \(sizes) aria-labelledby="sizes">
      </div>

      """
  }

  /// A page with its own files alone.
  func document(title: String, path: String, top: Markup, _ body: Markup) -> Markup {
    let root = path.contains("/") ? "../" : ""
    let scripts = GalleryParts.scripts.map { name, _ -> Markup in
      "<script defer src=\"\(root)\(name)\"></script>\n"
    }
    let head = Markup.head(
      title,
      in: words,
      metas: """
        <meta http-equiv="Content-Security-Policy" content="\(raw: Self.policy)">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">

        """,
      files: """
        <link rel="icon" href="\(root)icon.svg">
        <link rel="stylesheet" href="\(root)base.css">
        <link rel="stylesheet" href="\(root)gallery.css">
        <link rel="stylesheet" href="\(root)layout.css">
        \(languages.script(root: root))\
        \(scripts)
        """,
      body: """
         data-gallery="\(options.identifier)" data-title="\(options.title)" data-root="\(root)" \
        data-page="\(path)"\(options.choiceCount.map { " data-choose=\"\($0)\"" })\
        \(" class=\"proofing\"", if: options.isProofing)
        """,
      symbols: GalleryParts.symbolsSVG
    )
    return """
      \(head)\(top)\(body)<footer><p>\(words.element("footer"))</p></footer>
      \(viewer)\(tray)\(sheet)<section class="list" aria-hidden="true"><h1>\(words.element("selection"))</h1><p></p><ul></ul></section>
      </body>
      </html>

      """
  }
}
