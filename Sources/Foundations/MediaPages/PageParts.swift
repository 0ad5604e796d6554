internal import CPages

/// The parts that every page has: the report, the gallery, and the one that asks.
package enum PageParts {
  /// The base of the style sheets of a gallery and of the page that asks: colors in light and dark, type, icons,
  /// controls and sheets.
  ///
  /// It stands before a page's own rules.
  package static let stylesheet = EmbeddedFile.bytes(cpages_base_css)

  /// The base of the scripts: elements, and the search for words; it defines `window.gallery`.
  package static let script = EmbeddedFile.bytes(cpages_element_js)

  /// The script that chooses the language of a gallery and of the page that asks; it defines `words`.
  package static let words = EmbeddedFile.bytes(cpages_words_js)

  /// The icon, as SVG.
  package static let icon = EmbeddedFile.bytes(cpages_icon_svg)
}
