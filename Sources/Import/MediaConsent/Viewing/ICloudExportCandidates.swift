internal import MediaFileSystem
internal import MediaListing
internal import MediaModel
internal import MediaPicking

/// The candidates of an export of iCloud Photos, and what its CSV files say of them.
enum ICloudExportCandidates {
  /// Enters times and albums, and takes out what no run would import.
  ///
  /// - Parameters:
  ///   - candidates: All of the source, in any order.
  ///   - index: What the CSV files say.
  ///   - showsHidden: Whether hidden and shared pictures are among them.
  /// - Returns: Those that are left, in the order of their first files' paths.
  static func described(
    _ candidates: [PickCandidate],
    by index: ICloudExportIndex,
    showsHidden: Bool
  ) -> [PickCandidate] {
    var index = index
    let files = ListedItems(
      candidates.flatMap(\.files).sorted().map { ListedItem(path: $0, status: FileStatus(kind: .regular)) }
    )
    index.note(files)
    var titles: [ItemPath: [String]] = [:]
    for album in index.albums(of: files) {
      for member in album.members { titles[member, default: []].append(album.title) }
    }
    let shown = candidates.filter { candidate in
      candidate.files.allSatisfy { file in
        index.standing(of: file)?.reason(includesHidden: showsHidden, includesOthers: showsHidden) == nil
      }
    }
    return shown.sorted { $0.files[0] < $1.files[0] }.map { candidate in
      var candidate = candidate
      candidate.taken = index.description(of: candidate.files[0])?.dates.first?.nanosecondsSince1970
      candidate.albums = Array((titles[candidate.files[0]] ?? []).prefix(PickCandidate.maximumAlbumCount))
      return candidate
    }
  }
}
