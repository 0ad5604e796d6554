internal import MediaModel
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
  static let found = """
    <section class="found" hidden><h1><span role="status"></span></h1>\
    <button type="button" class="button tinted clear" hidden>Clear the search</button>\
    <ul class="grid"></ul><button type="button" class="button more" hidden>Show more</button></section>

    """

  static let none = """
    <div class="none empty" hidden><svg class="i" aria-hidden="true"><use href="#i-heart"/></svg>\
    <p>No favorites yet. Tap the heart of a picture.</p></div>

    """

  /// The classes of what has the pictures.
  var streamClass: String { options.grid == .squares ? "stream squares" : "stream" }

  /// A drawing; the page has it as a symbol, since a file of its own would not load from a folder.
  func icon(_ name: String) -> Markup {
    "<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-\(name)\"/></svg>"
  }

  /// The bar on top: title and month, search, view, favorites.
  func top(root: String, back: Bool, isOver: Bool) -> Markup {
    let link: Markup =
      back
      ? """
      <a class="icon back" href="\(root)index.html" aria-label="Back to the gallery">\(icon("back"))</a>

      """ : ""
    let placeholder = back ? "Search this page" : "Search"
    return """
      <header class="\(isOver ? "top over" : "top")">
      \(link)<a class="name" href="\(back ? root + "index.html" : "#content")">\
      \(Markup.isolated(options.title))<small class="where"></small></a>
      <div class="field scripted">\(icon("search"))<input id="search" type="search" \
      placeholder="\(placeholder)" aria-label="\(placeholder)" autocomplete="off"></div>
      <label class="icon find scripted" for="search" title="Search">\(icon("search"))\
      <span class="sr">Search</span></label>
      <button type="button" class="icon scripted" popovertarget="view" aria-label="View" \
      title="View">\(icon("sliders"))</button>
      <a class="icon hearts scripted" href="\(back ? root + "index.html" : "")#favorites" aria-label="Favorites" \
      title="Favorites">\(icon("heart"))<span class="num"></span></a>
      </header>
      <div class="view" id="view" popover>
      <p id="layout">Layout</p>
      <div class="segments" role="radiogroup" aria-labelledby="layout">\
      <label><input type="radio" name="layout" value="rows">\(icon("rows"))Rows</label>\
      <label><input type="radio" name="layout" value="squares">\(icon("squares"))Squares</label></div>
      <p id="sizes">Size</p>
      <input type="range" id="size" min="-2" max="2" step="0.5" value="0" aria-labelledby="sizes">
      </div>

      """
  }

  /// A page with its own files alone.
  func document(title: String, path: String, top: Markup, _ body: Markup) -> Markup {
    let root = path.contains("/") ? "../" : ""
    let scripts = Self.scripts.map { file -> Markup in
      "<script defer src=\"\(root)\(file)\"></script>\n"
    }.joined()
    let choice = options.choiceCount.map { count -> Markup in " data-choose=\"\(count)\"" } ?? ""
    let proofing: Markup = options.isProofing ? " class=\"proofing\"" : ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
      <meta http-equiv="Content-Security-Policy" content="\(raw: Self.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="robots" content="noindex">
      <title>\(title)</title>
      <link rel="icon" href="\(root)icon.svg">
      <link rel="stylesheet" href="\(root)base.css">
      <link rel="stylesheet" href="\(root)gallery.css">
      <link rel="stylesheet" href="\(root)layout.css">
      \(scripts)</head>
      <body data-gallery="\(options.identifier)" data-title="\(options.title)" data-root="\(root)" \
      data-page="\(path)"\(choice)\(proofing)>
      \(raw: Self.text(GalleryParts.symbolsSVG))\
      <a class="skip" href="#content">Skip to the content</a>
      \(top)\(body)<footer><p>Made with mediabatch. This page loads nothing from anywhere \
      else.</p></footer>
      \(raw: Self.text(GalleryParts.dialogsHTML))</body>
      </html>

      """
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
