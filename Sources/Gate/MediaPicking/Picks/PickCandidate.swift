package import MediaModel

/// A line of a picker's list, which a person chooses as a whole.
package struct PickCandidate: Sendable, Hashable {
  /// The most files of an item: a still and a movie, as they were taken and as they were edited.
  package static let maximumFileCount = 4
  /// The most albums of an item that are known.
  package static let maximumAlbumCount = 16
  /// The most bytes of a title.
  package static let maximumTitleLength = 1024

  /// A single file, or the still and the movie of a live photo, as far as their names tell, and what was edited of
  /// them beside what was taken; the first is the one that is shown.
  package var files: [ItemPath]
  /// The bytes that its files have together.
  package var size: Int64 = 0
  /// When the content of its first file changed, in nanoseconds since 1970.
  package var modified: Int64 = 0
  /// When it was taken, by the clock of the camera, in nanoseconds since 1970 as if that clock showed UTC; nil where
  /// nothing says it.
  package var taken: Int64?
  /// What the source calls it, where its files' names are no names for a person.
  package var title: String?
  /// The titles of the source's albums that have it; where there are none, its folder stands for an album.
  package var albums: [String] = []

  /// The bytes of several files; the most that the number holds where sparse files claim more.
  package static func size(ofFiles sizes: [Int64]) -> Int64 {
    sizes.reduce(0) { sum, size in
      let (total, overflows) = sum.addingReportingOverflow(size)
      return overflows ? .max : total
    }
  }

  /// Makes a candidate of its files.
  package init(files: [ItemPath], size: Int64 = 0, modified: Int64 = 0) {
    self.files = files
    self.size = size
    self.modified = modified
  }
}

extension PickCandidate {
  /// Adds the word for its standing to what a person reads as its name.
  package mutating func note(_ standing: Standing) {
    let word = standing == .putAway ? "hidden" : "shared"
    let name = title ?? files.first.map { String(decoding: $0.name, as: UTF8.self) } ?? ""
    let noted = "\(name) (\(word))"
    if noted.utf8.count <= Self.maximumTitleLength { title = noted }
  }
}

/// Finds the files of a folder that a person may choose, by their names alone: no file is opened.
///
/// A still and a movie of one folder and one name without extension (ASCII case aside) are one live
/// photo here; whether they really are is known when they are read. Where videos alone are wanted a movie stands
/// for itself, whatever stands beside it.
package struct PickCandidates {
  /// The formats of a live photo's files. Source: PHAssetResourceType, photo and pairedVideo.
  private static let liveStills: Set<MediaFormat> = [.jpeg, .heic]
  private static let liveMovies: Set<MediaFormat> = [.mov, .mp4]

  let filter: Set<PickFilter>
  private let showsLeftOut: Bool
  private let isThere: (ItemPath) -> Bool

  /// Finds the files that any of some filters leaves; every one that can be picked where there is none.
  ///
  /// - Parameters:
  ///   - filter: The filters.
  ///   - showsLeftOut: Whether names are shown that a run leaves out by default, see ``StandingTable``.
  ///   - isThere: Whether the source has something at a path; asked for a few names alone.
  package init(
    filter: Set<PickFilter>,
    showsLeftOut: Bool = true,
    isThere: @escaping (ItemPath) -> Bool = { _ in false }
  ) {
    (self.filter, self.showsLeftOut, self.isThere) = (filter, showsLeftOut, isThere)
  }

  /// Whether a file can stand in the list at all: its name promises a format that a run imports, and no name of its
  /// path is left out.
  package func mayShow(_ file: ItemPath) -> Bool {
    Self.format(file) != nil && (showsLeftOut || StandingTable.row(ofFile: file, isThere: isThere) == nil)
  }

  /// Whether a folder can hold such files, as far as its own name tells.
  func mayEnter(_ folder: ItemPath) -> Bool {
    showsLeftOut || StandingTable.row(of: folder, isFolder: true, isThere: isThere) == nil
  }

  /// The files of one folder as the list shows them.
  ///
  /// - Parameter files: All of one folder, in the order of their bytes.
  /// - Returns: In the order of the first file of each.
  package func all(among files: [ItemPath]) -> [PickCandidate] {
    if filter == [.videos] {
      return files.filter { Self.mediaType($0) == .video }.map { PickCandidate(files: [$0]) }
    }
    let partners = Self.pairs(among: files)
    return files.indices.compactMap { index in
      if let partner = partners[index] {
        guard partner > index else { return nil }
        return PickCandidate(files: [files[index], files[partner]])
      }
      let candidate = PickCandidate(files: [files[index]])
      return mayShow(files[index]) && filter.lists(candidate.kind) ? candidate : nil
    }
  }

  /// The files of some folders as the list shows them.
  ///
  /// - Parameter files: All of each folder, in any order.
  /// - Returns: In no order.
  package func all(inFolders files: some Sequence<ItemPath>) -> [PickCandidate] {
    let folders = Dictionary(grouping: files) { Array($0.folder) }
    return folders.values.flatMap { all(among: $0.sorted()) }
  }

  /// The index of the still for each movie of a live photo, and the reverse.
  private static func pairs(among files: [ItemPath]) -> [Int: Int] {
    var stills: [[UInt8]: Int] = [:]
    var movies: [[UInt8]: Int] = [:]
    for (index, file) in files.enumerated() {
      // If several stills, or several movies, have one name, take the first.
      guard let format = format(file) else { continue }
      if liveStills.contains(format) {
        let key = stemKey(file)
        if stills[key] == nil { stills[key] = index }
      } else if liveMovies.contains(format) {
        let key = stemKey(file)
        if movies[key] == nil { movies[key] = index }
      }
    }
    var partners: [Int: Int] = [:]
    for (key, still) in stills {
      guard let movie = movies[key] else { continue }
      partners[still] = movie
      partners[movie] = still
    }
    return partners
  }

  /// The format that a name promises; nil when it is that of no media.
  private static func format(_ file: ItemPath) -> MediaFormat? {
    MediaFormat(fileExtension: file.fileExtension)
  }

  static func mediaType(_ file: ItemPath) -> MediaType? { format(file)?.mediaType }

  private static func stemKey(_ file: ItemPath) -> [UInt8] { file.stem.map(\.asciiLowercased) }
}
