internal import MediaGallery

extension SpooledBytes: GalleryStore {
  func bytes(in range: Range<Int>) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try read(range) { bytes += $0 }
    return bytes
  }
}

/// The pictures of a gallery, as far as they are known: those whose tiles are being made wait for them.
final class GatheredPictures {
  private(set) var pictures: GalleryPictures
  private var waiting: [Int: GalleryPicture] = [:]
  /// The rows of the assets, in the order of the pictures.
  private(set) var rows: [Int64] = []

  init(in store: SpooledBytes) { pictures = GalleryPictures(in: store) }

  /// Adds a picture without tile and view.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - row: That of its asset.
  /// - Returns: Its position.
  func begin(_ picture: GalleryPicture, row: Int64) -> Int {
    let position = pictures.reserve()
    waiting[position] = picture
    rows.append(row)
    return position
  }

  /// Gives a picture its tile and its view.
  ///
  /// - Throws: `FileSystemError` when it cannot be stored.
  func finish(_ position: Int, _ files: GalleryFiles.Files) throws {
    guard var picture = waiting.removeValue(forKey: position) else { return }
    (picture.tile, picture.view) = (files.tile, files.view)
    try pictures.set(picture, at: position)
  }

  /// Gives pictures what stands in the place of files that were not made.
  ///
  /// - Throws: `FileSystemError` when they cannot be read or stored.
  func mend(with originals: GalleryOriginals) throws {
    if originals.areAsBegun { return }
    for position in 0..<pictures.count {
      var picture = try pictures[position]
      if originals.mend(&picture) { try pictures.replace(picture, at: position) }
    }
  }
}

/// The positions of pictures by the rows of their assets: two arrays, which take a quarter of a dictionary's room.
struct RowPositions {
  private let rows: [Int64]
  /// The positions, in the order of their rows.
  private let sorted: [Int32]

  /// Creates the positions of rows that are in the order of the pictures.
  init(of rows: [Int64]) {
    self.rows = rows
    sorted = rows.indices.map { Int32($0) }.sorted { rows[Int($0)] < rows[Int($1)] }
  }

  /// The position of a row; nil of one that has no picture.
  subscript(row: Int64) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[Int(sorted[middle])] < row { low = middle + 1 } else { high = middle }
    }
    guard low < sorted.count, rows[Int(sorted[low])] == row else { return nil }
    return Int(sorted[low])
  }
}
