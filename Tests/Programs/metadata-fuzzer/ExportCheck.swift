internal import MediaExport

/// Reads the list of the files of an export, and writes what was read again.
enum ExportCheck {
  static func check(_ input: [UInt8]) {
    guard let list = ExportList(input) else { return }
    var bytes = list.head
    let files = Self.files(of: list)
    for (path, file) in files {
      bytes += ExportList.record(path, file)
      if (try? list.file(at: path)) != file { finding("a file of a list is not found by its path") }
    }
    let again = ExportList(bytes)
    if again?.kind != list.kind || again?.state != list.state
      || again.map({ Self.files(of: $0) }) != files
    {
      finding("a list is not read again")
    }
  }

  private static func files(of list: ExportList) -> [[UInt8]: ExportList.File] {
    var files: [[UInt8]: ExportList.File] = [:]
    try? list.forEach { path, file in
      files[path] = file
      return true
    }
    return files
  }
}
