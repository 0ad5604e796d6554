internal import CWeb
internal import MediaPages

/// The files of `Web`.
enum WebParts {
  static let groupsJS = EmbeddedFile.bytes(cweb_groups_js)
  static let iconsSVG = EmbeddedFile.bytes(cweb_icons_svg)
  static let pageCSS = EmbeddedFile.bytes(cweb_page_css)
  static let pageJS = EmbeddedFile.bytes(cweb_page_js)
  static let pickerJS = EmbeddedFile.bytes(cweb_picker_js)
  static let picturesJS = EmbeddedFile.bytes(cweb_pictures_js)
}
