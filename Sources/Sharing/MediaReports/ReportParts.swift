internal import CReports
internal import MediaPages

/// The files of `Web`.
enum ReportParts {
  static let reportCSS = EmbeddedFile.bytes(creports_report_css)
  static let reportJS = EmbeddedFile.bytes(creports_report_js)
  static let symbolsSVG = EmbeddedFile.bytes(creports_symbols_svg)
}
