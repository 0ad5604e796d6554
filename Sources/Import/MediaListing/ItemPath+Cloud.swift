package import MediaModel

extension ItemPath {
  /// Whether its name is that of a placeholder which macOS puts in the place of a file that is only in iCloud:
  /// `.beach.jpg.icloud` for `beach.jpg`.
  package var isCloudPlaceholder: Bool {
    let end = Array(".icloud".utf8)
    return name.count > end.count + 1 && name.first == .dot
      && name.suffix(end.count).elementsEqual(end)
  }
}
