internal import MediaPages
internal import MediaSyntax

/// "Download all" on the first page: links alone, which need no script.
extension GalleryPages {
  /// The button with the sizes beside it, and the originals that are in no ZIP.
  var downloadAll: Markup {
    if downloads.isEmpty { return "" }
    let zips = downloads.filter { $0.fileCount != nil }
    let alone = downloads.filter { $0.fileCount == nil }
    let bytes = zips.reduce(0) { $0 + $1.bytes }
    let label: Markup =
      "\(icon: "down")\(words.element("downloadAll")) <span class=\"num\">\(words.bytes(bytes))</span>"
    let parts = zips.enumerated().map { index, zip -> Markup in
      let part = words.element("zipPart", index + 1, ["count": words.grouped(zips.count)])
      let files = words.element("fileCount", zip.fileCount ?? 0)
      return "<li>\(link(zip, part)) \(files), \(words.bytes(zip.bytes))</li>\n"
    }
    let button: Markup =
      switch zips.count {
      case 0: ""
      case 1: "<p>\(link(zips[0], label, isButton: true))</p>"
      default:
        "<details><summary class=\"button\">\(label)</summary>\n<ul>\n\(parts)</ul></details>"
      }
    let singleFiles = alone.map { file -> Markup in
      "<li>\(link(file, .isolated(file.name))) \(words.bytes(file.bytes))</li>\n"
    }
    let singleList: Markup = """
      <p id="alone">\(words.element(zips.isEmpty ? "tooLongForZip" : "notInZip"))</p>
      <ul aria-labelledby="alone">
      \(singleFiles)</ul>
      """
    return "<div class=\"all\">\(button)\(singleList, if: !alone.isEmpty)</div>"
  }

  private func link(
    _ file: GalleryDownload,
    _ text: Markup,
    isButton: Bool = false
  ) -> Markup {
    """
    <a\(" class=\"button\"", if: isButton) href="\(file.path)" download="\(file.name)">\(text)</a>
    """
  }
}
