internal import CGallery
internal import MediaPages

/// The files of `Web`.
enum GalleryParts {
  static let favoritesJS = EmbeddedFile.bytes(cgallery_favorites_js)
  static let galleryCSS = EmbeddedFile.bytes(cgallery_gallery_css)
  static let galleryJS = EmbeddedFile.bytes(cgallery_gallery_js)
  static let lockCSS = EmbeddedFile.bytes(cgallery_lock_css)
  static let lockJS = EmbeddedFile.bytes(cgallery_lock_js)
  static let searchJS = EmbeddedFile.bytes(cgallery_search_js)
  static let symbolsSVG = EmbeddedFile.bytes(cgallery_symbols_svg)
  static let thumbhashJS = EmbeddedFile.bytes(cgallery_thumbhash_js)
  static let viewerJS = EmbeddedFile.bytes(cgallery_viewer_js)
}
