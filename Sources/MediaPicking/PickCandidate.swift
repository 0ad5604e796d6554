package import MediaModel

/// A line of a picker's list, which a person chooses as a whole.
package struct PickCandidate: Sendable, Hashable {
  /// A single file, or the still and the movie of a live photo, as far as their names tell.
  package var files: [ItemPath]
  /// The bytes that its files have together.
  package var size: Int64 = 0
  /// When the content of its first file changed, in nanoseconds since 1970.
  package var modified: Int64 = 0

  /// Makes a candidate of one or two files.
  package init(files: [ItemPath], size: Int64 = 0, modified: Int64 = 0) {
    self.files = files
    self.size = size
    self.modified = modified
  }
}

/// Finds the files of a folder that a person may choose, by their names alone: no file is opened.
///
/// A still and a movie of one folder and one name without extension (ASCII case aside) are one live
/// photo here; whether they really are is known when they are read. Under `videos` a movie stands for
/// itself, whatever stands beside it.
package struct PickCandidates {
  private static let images: Set<String> = [
    "jpg", "jpeg", "jpe", "heic", "heif", "png", "gif", "webp", "tif", "tiff", "bmp", "avif",
    "psd", "psb", "tga", "jp2", "jpf", "jpx", "j2k", "j2c", "pnm", "pbm", "pgm", "ppm", "pam",
    "pfm",
    "ico", "pcx", "sgi", "dds", "xcf", "jxl",
  ]
  private static let videos: Set<String> = ["mov", "mp4", "m4v", "qt"]
  /// A live photo's still. Source: PHAssetResourceType, photo and pairedVideo.
  private static let liveStills: Set<String> = ["jpg", "jpeg", "heic", "heif"]
  private static let liveMovies: Set<String> = ["mov", "mp4"]

  let filter: PickFilter?

  /// Finds the files that a filter leaves.
  package init(filter: PickFilter?) { self.filter = filter }

  /// Whether a name can stand in the list at all.
  func mayShow(_ name: ItemPath) -> Bool {
    guard let type = Self.fileExtension(name) else { return false }
    return Self.images.contains(type) || Self.videos.contains(type)
  }

  /// The files of one folder as the list shows them.
  ///
  /// - Parameter files: All of one folder, in the order of their bytes.
  /// - Returns: In the order of the first file of each.
  package func all(among files: [ItemPath]) -> [PickCandidate] {
    if filter == .videos {
      return files.filter { Self.has($0, Self.videos) }.map { PickCandidate(files: [$0]) }
    }
    let partners = Self.pairs(among: files)
    return files.indices.compactMap { index in
      if let partner = partners[index] {
        guard partner > index else { return nil }
        return PickCandidate(files: [files[index], files[partner]])
      }
      switch filter {
      case .livePhotos: return nil
      case .images: return Self.has(files[index], Self.images) ? single(files[index]) : nil
      case .videos, nil: return mayShow(files[index]) ? single(files[index]) : nil
      }
    }
  }

  private func single(_ file: ItemPath) -> PickCandidate { PickCandidate(files: [file]) }

  /// The index of the still for each movie of a live photo, and the reverse.
  private static func pairs(among files: [ItemPath]) -> [Int: Int] {
    var stills: [[UInt8]: Int] = [:]
    var movies: [[UInt8]: Int] = [:]
    for (index, file) in files.enumerated() {
      // If several stills, or several movies, have one name, take the first.
      if has(file, liveStills) {
        let key = stemKey(file)
        if stills[key] == nil { stills[key] = index }
      } else if has(file, liveMovies) {
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

  private static func has(_ file: ItemPath, _ types: Set<String>) -> Bool {
    fileExtension(file).map(types.contains) ?? false
  }

  private static func stemKey(_ file: ItemPath) -> [UInt8] { file.stem.map(lowercased) }

  private static func fileExtension(_ file: ItemPath) -> String? {
    let name = file.name
    let dot = name.startIndex + file.stem.count
    guard dot + 1 < name.endIndex else { return nil }
    return String(decoding: name[(dot + 1)...].map(lowercased), as: UTF8.self)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
