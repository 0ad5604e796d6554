internal import MediaExport

/// Reads the list of the files of an export, and writes what was read again.
enum ExportCheck {
  static func check(_ input: [UInt8]) {
    guard let list = ExportList(input) else { return }
    var bytes = list.head
    for (path, file) in list.files { bytes += ExportList.record(path, file) }
    let again = ExportList(bytes)
    if again?.kind != list.kind || again?.state != list.state || again?.files != list.files {
      finding("a list is not read again")
    }
  }
}
