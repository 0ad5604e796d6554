internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// "Download all" on the first page: links alone, which need no script.
extension GalleryPages {
  /// The button with the sizes beside it, and the originals that are in no ZIP, of files of which the ZIPs are first.
  static func downloadAll(_ downloads: [GalleryDownload]) -> Markup {
    if downloads.isEmpty { return "" }
    let zips = downloads.filter { $0.fileCount != nil }
    let alone = downloads.filter { $0.fileCount == nil }
    let bytes = zips.reduce(0) { $0 + $1.bytes }
    let label: Markup = "\(icon: "down")Download all <span class=\"num\">\(ByteCount.text(bytes))</span>"
    let parts = zips.enumerated().map { index, zip -> Markup in
      let files = Quantity.text(zip.fileCount ?? 0, "file")
      return
        "<li>\(link(zip, "Part \(index + 1) of \(zips.count)")) \(files), \(ByteCount.text(zip.bytes))</li>\n"
    }
    let button: Markup =
      switch zips.count {
      case 0: ""
      case 1: "<p>\(link(zips[0], label, isButton: true))</p>"
      default:
        "<details><summary class=\"button\">\(label)</summary>\n<ul>\n\(parts)</ul></details>"
      }
    let others = alone.map { file -> Markup in
      "<li>\(link(file, .isolated(file.name))) \(ByteCount.text(file.bytes))</li>\n"
    }
    let rest: Markup = """
      <p id="alone">\(zips.isEmpty ? "Too long for a zip" : "Not in it, since too long"):</p>
      <ul aria-labelledby="alone">
      \(others)</ul>
      """
    return "<div class=\"all\">\(button)\(rest, if: !alone.isEmpty)</div>"
  }

  private static func link(
    _ file: GalleryDownload,
    _ text: Markup,
    isButton: Bool = false
  ) -> Markup {
    """
    <a\(" class=\"button\"", if: isButton) href="\(file.path)" download="\(file.name)">\(text)</a>
    """
  }
}
