internal import Glibc
internal import MediaCameras
internal import MediaFileSystem
internal import MediaModel
internal import MediaPhotosLibrary
internal import MediaPicking

/// Looks at a picker's answer as at anything from another process: nothing of it is believed.
enum PickedFiles {
  /// The paths in order, when each is one regular file beneath the folder and there are not too many.
  ///
  /// Files are opened as places only: nothing can be read through that. Of a path within an archive, the archive
  /// is looked at alone, and a camera is not asked: what they hold, the run finds.
  ///
  /// - Throws: `.pickerAnswer`, with what is wrong with it.
  static func checked(
    _ paths: [ItemPath],
    for request: PickerRequest
  ) throws(ConsentError) -> [ItemPath] {
    guard !paths.isEmpty else { throw ConsentError(.pickerAnswer, "it holds nothing") }
    let sorted = paths.sorted()
    for (path, next) in zip(sorted, sorted.dropFirst()) where path == next {
      throw ConsentError(.pickerAnswer, "it holds a file twice")
    }
    // The form of all before the first is looked at.
    for path in sorted {
      guard isWellFormed(path.bytes) else {
        throw ConsentError(.pickerAnswer, "it holds something that is no path beneath the folder")
      }
      guard
        !request.layout.picksByAsset
          || PhotosLibraryFiles.isMedia(path, includesShared: request.showsHidden)
      else { throw ConsentError(.pickerAnswer, "it holds something that is no photo") }
    }
    guard count(sorted, for: request) <= request.maximumCount else {
      throw ConsentError(.pickerAnswer, "it holds more than \(request.maximumCount)")
    }
    if request.camera != nil {
      guard sorted.allSatisfy({ CameraObject.isPath($0.bytes) }) else {
        throw ConsentError(.pickerAnswer, "it holds something that is no file of a camera")
      }
      return sorted
    }
    for path in sorted {
      let status: FileStatus
      do {
        status = try self.status(of: path, request)
      } catch {
        // It has gone since it was shown, which the run says of it; a path through a file never was one.
        if error.errno == ENOENT { continue }
        throw ConsentError(.pickerAnswer, "\(error)")
      }
      guard status.kind == .regular else {
        throw ConsentError(.pickerAnswer, "\"\(path.text)\" is no file")
      }
    }
    return sorted
  }

  /// The status of a file, or of the archive that holds it.
  private static func status(
    of path: ItemPath,
    _ request: PickerRequest
  ) throws(FileSystemError) -> FileStatus {
    func look(at path: ArraySlice<UInt8>) throws(FileSystemError) -> FileStatus {
      try FileSystem.openPath(beneath: request.folder, Array(path), crossMounts: request.crossMounts)
        .status()
    }
    let first = path.bytes.prefix { $0 != .slash }
    if request.layout.readsArchives, first.count < path.bytes.count,
      ArchiveFormat(ofName: first) != nil
    {
      let status = try look(at: first)
      // A folder may have such a name.
      if status.kind != .folder { return status }
    }
    return try look(at: path.bytes[...])
  }

  private static func isWellFormed(_ path: [UInt8]) -> Bool {
    guard !path.isEmpty, path.count < 4096, !path.contains(0) else { return false }
    return path.split(separator: UInt8.slash, omittingEmptySubsequences: false)
      .allSatisfy { name in
        !name.isEmpty && name != [UInt8.dot]
          && name != [UInt8.dot, UInt8.dot]
      }
  }

  /// Live photos counting once; a name that no list shows counts too.
  ///
  /// Of a Photos library all files of one identifier count once. A run regards them as one asset, whatever the picker
  /// made of them, so that no answer gives more assets than the limit.
  private static func count(_ paths: [ItemPath], for request: PickerRequest) -> Int {
    if request.layout.picksByAsset { return Set(paths.map(PhotosFileName.asset)).count }
    let candidates = PickCandidates(filter: request.pick.filter).all(inFolders: paths)
    let shownCount = candidates.reduce(0) { $0 + $1.files.count }
    return candidates.count + paths.count - shownCount
  }
}
