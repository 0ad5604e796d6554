/// The parts that every page has: the report, the gallery, and the one that asks.
package enum PageParts {
  /// The base of the style sheets of a gallery and of the page that asks: colors in light and dark, type, icons,
  /// controls and sheets.
  ///
  /// It stands before a page's own rules.
  package static var stylesheet: [UInt8] { PackageResources.base_css }

  /// The base of the scripts: elements, and the search for words; it defines `window.gallery`.
  package static var script: [UInt8] { PackageResources.element_js }

  /// The icon, as SVG.
  package static var icon: [UInt8] { PackageResources.icon_svg }
}
