internal import MediaFileSystem
internal import MediaModel
internal import MediaPhotosLibrary
internal import MediaPicking

/// The assets of a Photos library as a person picks them: each with its original, its movie and its edited rendition.
///
/// Only what a run would import is among them: no asset of the trash, no file that the database does not name. What the
/// library does not hold has no file.
struct PhotosCandidates {
  /// A file with its place among those of its asset; what Photos shows comes first.
  private struct File {
    var rank: Int
    var path: ItemPath
    var status: FileStatus
  }

  private let index: PhotosIndex
  private let showsHidden: Bool
  /// The titles of each asset's albums, in the order of the database, each once.
  private let albums: [UInt32: [String]]
  /// The files by what their names have in common.
  private var assets: [[UInt8]: [File]] = [:]

  /// Makes an empty list.
  ///
  /// - Parameters:
  ///   - index: What the database says.
  ///   - showsHidden: Whether hidden and shared assets are among them.
  init(of index: PhotosIndex, showsHidden: Bool) {
    (self.index, self.showsHidden) = (index, showsHidden)
    var albums: [UInt32: [String]] = [:]
    for album in index.albums {
      for member in album.members {
        let titles = albums[member] ?? []
        if titles.count < PickCandidate.maximumAlbumCount, !titles.contains(album.title) {
          albums[member, default: []].append(album.title)
        }
      }
    }
    self.albums = albums
  }

  /// Adds a file of the library, if a run would import it.
  mutating func add(_ path: ItemPath, _ status: FileStatus) {
    guard MediaFormat(fileExtension: path.fileExtension) != nil,
      let asset = index.asset(of: path), asset.reason(at: path, includesHidden: showsHidden) == nil
    else { return }
    let rank =
      switch PhotosFileName(stem: path.stem)?.part {
      case .rendition: 0
      case .renderedMovie: 1
      case .original, nil: 2
      case .pairedMovie: 3
      case .raw: 4
      }
    assets[PhotosFileName.asset(of: path), default: []].append(File(rank: rank, path: path, status: status))
  }

  /// The assets in the order of their first files' paths. One with more files than an item may have is several items.
  var all: [PickCandidate] {
    let candidates = assets.values.flatMap { files -> [PickCandidate] in
      var remaining = files.sorted { ($0.rank, $0.path) < ($1.rank, $1.path) }[...]
      var parts: [PickCandidate] = []
      while let first = remaining.first {
        let part = remaining.prefix(PickCandidate.maximumFileCount)
        remaining = remaining.dropFirst(part.count)
        var candidate = PickCandidate(files: part.map(\.path), modified: first.status.modified)
        candidate.size = PickCandidate.size(ofFiles: part.map(\.status.size))
        if let asset = index.index(of: first.path) { describe(&candidate, by: asset) }
        parts.append(candidate)
      }
      return parts
    }
    return candidates.sorted { $0.files[0] < $1.files[0] }
  }

  private func describe(_ candidate: inout PickCandidate, by number: Int) {
    let asset = index.assets[number]
    // Without a name of its own the file's stands for it: where there is a title, no folder is an album.
    let title = asset.originalName ?? asset.title ?? candidate.files[0].text
    candidate.title = Self.cut(title, to: PickCandidate.maximumTitleLength)
    if let standing = asset.standings.first { candidate.note(standing) }
    candidate.albums = (albums[UInt32(number)] ?? []).compactMap {
      Self.cut($0, to: PickCandidate.maximumTitleLength)
    }
    candidate.taken = asset.taken.flatMap { taken in
      let local = taken &+ Int64(asset.offsetMinutes ?? 0) * 60_000_000
      let (time, overflows) = local.multipliedReportingOverflow(by: 1_000)
      return overflows ? nil : time
    }
  }

  /// The beginning of a text that has at most so many bytes; nil when nothing is left.
  private static func cut(_ text: String, to length: Int) -> String? {
    var beginning = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      if count > length { break }
      beginning.append(scalar)
    }
    return beginning.isEmpty ? nil : String(beginning)
  }
}
