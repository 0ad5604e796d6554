internal import MediaGallery
internal import MediaLibrary
internal import MediaModel

/// The names under which the originals of a gallery are downloaded, into one folder: as those of an export they bind the
/// files of one picture, and nothing else, and a folder of Windows can have them.
struct DownloadNames {
  private var names = ExportNames()
  /// The stems of stacks of formats, by the localIdentifiers of their covers.
  private var stems: [String: String] = [:]

  /// Gives the original of a picture, and the movie that is no part of it, their names: its title, with ` (2)`, ` (3)` …
  /// behind one that another asset has.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - asset: Its asset.
  ///   - isStripped: Whether the original is a stripped copy, in which a motion photo has no movie.
  mutating func name(_ picture: inout GalleryPicture, of asset: ListedAsset, isStripped: Bool = false) {
    guard let original = picture.original else { return }
    let isApart = isStripped || asset.files.contains { $0.role == "pairedVideo" }
    let movie = isApart ? picture.movie : nil
    let endings = [original, movie].compactMap { $0.map { "." + $0.ending } }
    let stem = stem(Self.portable(picture.title), endings, of: asset)
    picture.name = stem + endings[0]
    picture.movieName = endings.count > 1 ? stem + endings[1] : ""
  }

  private mutating func stem(_ title: String, _ endings: [String], of asset: ListedAsset) -> String {
    let stack = asset.stack.flatMap { $0.kind == .formats ? $0.cover : nil }
    if let stem = stack.flatMap({ stems[$0] }), names.take(endings.map { stem + $0 }) { return stem }
    let stem = names.starts(folders: [], names: [title], endings: [endings])[0]
    if let stack { stems[stack] = stem }
    return stem
  }

  /// A name, without its ending, that Windows takes: `_` in place of what it does not, and behind a device's name.
  ///
  /// Source: learn.microsoft.com, "Naming Files, Paths, and Namespaces".
  static func portable(_ name: String) -> String {
    let allowed = String(name.map { $0.isASCII && (#"<>:"/\|?*"#.contains($0) || $0 < " ") ? "_" : $0 })
    let (base, rest) = (allowed.prefix { $0 != "." }, allowed.drop { $0 != "." })
    // Windows ignores spaces there.
    let word = String(base.uppercased().reversed().drop { $0 == " " }.reversed())
    let isDevice =
      ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(word)
      || word.count == 4 && ["COM", "LPT"].contains(word.prefix(3)) && "123456789¹²³".contains(word.suffix(1))
    return isDevice ? base + "_" + rest : allowed
  }
}
