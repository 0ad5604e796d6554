internal import CGallery
internal import MediaPages

/// The files of `Web`.
enum GalleryParts {
  static let galleryCSS = EmbeddedFile.bytes(cgallery_gallery_css)
  static let lockCSS = EmbeddedFile.bytes(cgallery_lock_css)
  static let lockJS = EmbeddedFile.bytes(cgallery_lock_js)
  static let symbolsSVG = EmbeddedFile.bytes(cgallery_symbols_svg)
  /// The scripts of a page, in the order in which they run.
  static let scripts = [
    ("gallery.js", EmbeddedFile.bytes(cgallery_gallery_js)),
    ("thumbhash.js", EmbeddedFile.bytes(cgallery_thumbhash_js)),
    ("search.js", EmbeddedFile.bytes(cgallery_search_js)),
    ("favorites.js", EmbeddedFile.bytes(cgallery_favorites_js)),
    ("viewer.js", EmbeddedFile.bytes(cgallery_viewer_js)),
  ]
}
