internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// The languages in which a browser can show a gallery: that in which its pages are made, then the others.
struct GalleryLanguages {
  let own: PageLanguage
  private let all: [PageLanguage]

  init(_ language: PageTag) {
    own = PageLanguage(language)
    let others = PageTag.all.filter { $0 != language.tag }.compactMap { PageTag(for: [$0]) }
    all = [own] + others.map(PageLanguage.init)
  }

  /// The script that chooses one of them, and the scripts of their tables, of which a browser loads one.
  var files: [(String, [UInt8])] {
    [("words.js", PageParts.words)]
      + all.map { ("languages/\($0.tag).js", $0.script(without: ["ask.", "date.", "number."])) }
  }

  /// The element that loads the script which chooses; it stands before all others.
  func script(root: String) -> Markup {
    "<script src=\"\(root)words.js\" data-languages=\"\(all.map(\.tag).joined(separator: " "))\"></script>\n"
  }
}
