internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// What is around the pictures of each page.
extension GalleryPages {
  /// No request leaves the folder, no form is sent, and no text can become a script.
  private static let policy =
    "default-src 'none'; img-src 'self'; media-src 'self'; script-src 'self'; style-src 'self'; "
    + "base-uri 'none'; form-action 'none'"

  private static let scripts = [
    "gallery.js", "thumbhash.js", "search.js", "favorites.js", "viewer.js",
  ]

  /// The heading of what is searched and of favorites, which the scripts fill.
  static let found: Markup = """
    <section class="found" hidden><h1><span role="status"></span></h1>\
    <button type="button" class="button tinted clear" hidden>Clear the search</button>\
    <ul class="grid"></ul><button type="button" class="button more" hidden>Show more</button></section>

    """

  static let none: Markup = """
    <div class="none empty" hidden>\(icon: "heart")\
    <p>No favorites yet. Tap the heart of a picture.</p></div>

    """

  /// The classes of what has the pictures.
  var streamClass: String { options.grid == .squares ? "stream squares" : "stream" }

  /// The bar on top: title and month, search, view, favorites.
  func top(root: String, back: Bool, isOver: Bool) -> Markup {
    let link: Markup = """
      <a class="icon back" href="\(root)index.html" aria-label="Back to the gallery">\(icon: "back")</a>

      """
    let placeholder = back ? "Search this page" : "Search"
    return """
      <header class="\(isOver ? "top over" : "top")">
      \(link, if: back)<a class="name" href="\(back ? root + "index.html" : "#content")">\
      \(isolated: options.title)<small class="where"></small></a>
      \(search: placeholder, label: placeholder, class: "field scripted")
      <label class="icon find scripted" for="search" title="Search">\(icon: "search")\
      <span class="sr">Search</span></label>
      <button type="button" class="icon scripted" popovertarget="view" aria-label="View" \
      title="View">\(icon: "sliders")</button>
      <a class="icon hearts scripted" href="\(back ? root + "index.html" : "")#favorites" aria-label="Favorites" \
      title="Favorites">\(icon: "heart")<span class="num"></span></a>
      </header>
      <div class="view" id="view" popover>
      <p id="layout">Layout</p>
      <div class="segments" role="radiogroup" aria-labelledby="layout">\
      <label><input type="radio" name="layout" value="rows">\(icon: "rows")Rows</label>\
      <label><input type="radio" name="layout" value="squares">\(icon: "squares")Squares</label></div>
      <p id="sizes">Size</p>
      <input type="range" id="size" min="-2" max="2" step="0.5" value="0" aria-labelledby="sizes">
      </div>

      """
  }

  /// A page with its own files alone.
  func document(title: String, path: String, top: Markup, _ body: Markup) -> Markup {
    let root = path.contains("/") ? "../" : ""
    let scripts = Self.scripts.map { "<script defer src=\"\(root)\($0)\"></script>\n" as Markup }
    let head = Markup.head(
      title,
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
      \(head)\(top)\(body)<footer><p>Made with mediabatch. This page loads nothing from anywhere \
      else.</p></footer>
      \(raw: String(decoding: GalleryParts.dialogsHTML, as: UTF8.self))</body>
      </html>

      """
  }
}
