internal import MediaLibrary
internal import MediaModel

/// The names under which the originals of a gallery are downloaded, into one folder: as those of an export they bind the
/// formats of one picture, and nothing else.
struct DownloadNames {
  private var names = ExportNames()
  /// The stems of stacks of formats, by the localIdentifiers of their covers.
  private var stems: [String: String] = [:]

  /// Takes a name.
  ///
  /// - Parameters:
  ///   - title: That of the picture.
  ///   - fileExtension: Without the dot.
  ///   - asset: The asset.
  /// - Returns: The name, with ` (2)`, ` (3)` … behind a title that another asset has.
  mutating func name(titled title: String, _ fileExtension: String, of asset: ListedAsset) -> String {
    let stack = asset.stack.flatMap { $0.kind == .formats ? $0.cover : nil }
    let shared = stack.flatMap { stems[$0] }
    let ending = "." + fileExtension
    let stem = shared ?? names.starts(folders: [], names: [title], endings: [[ending]])[0]
    if let stack { stems[stack] = stem }
    return stem + ending
  }
}
