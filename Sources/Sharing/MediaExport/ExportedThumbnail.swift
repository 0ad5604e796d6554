internal import MediaLibrary
internal import MediaModel

/// A thumbnail of each asset, as an export is to have it.
package struct ExportedThumbnail: Sendable, Hashable {
  /// The pixels that ``side`` may have.
  package static let sides = 16...16_384

  /// The name in the manifest.
  package let name: String
  /// The pixels of both sides of the box that shows the whole picture; nil for the size that the library's have.
  package let side: Int?

  /// Reads a name, or a name and the pixels of a side, such as `large:1600`; nil for another text.
  package init?(_ text: String) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    let side = words.count == 2 ? Int(words[1]) : nil
    guard !words[0].isEmpty, words.count == 1 || side.map(Self.sides.contains) == true else {
      return nil
    }
    (name, self.side) = (String(words[0]), side)
  }

  /// The settings by which it is made of an original; nil where the library has none of this name and no size is
  /// said.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  func spec(_ reader: CatalogueReader) throws(LibraryError) -> ThumbnailSpec? {
    if let side {
      let box = PixelSize(width: side, height: side)
      return ThumbnailSpec(name: name, size: box, contentMode: .aspectFit)
    }
    return try reader.fingerprint(ofThumbnails: name).flatMap {
      ThumbnailSpec(name: name, fingerprint: $0)
    }
  }

  /// Whether it is this thumbnail of the library, which has its size.
  func isServed(by thumbnail: ListedAsset.Thumbnail, of asset: ListedAsset) -> Bool {
    guard thumbnail.name == name else { return false }
    guard let side, let picture = asset.facts.pixelSize else { return true }
    return picture.fitting(PixelSize(width: side, height: side)).isNear(thumbnail.size)
  }
}

extension PixelSize {
  /// The size of a picture of this size within a box; it is never enlarged.
  func fitting(_ box: PixelSize) -> PixelSize {
    let isWide = width * box.height >= height * box.width
    let (side, whole) = isWide ? (box.width, width) : (box.height, height)
    if whole <= side { return self }
    func scaled(_ length: Int) -> Int { max(1, (length * side + whole / 2) / whole) }
    return PixelSize(width: scaled(width), height: scaled(height))
  }

  /// Whether two sizes differ by the rounding of a side alone.
  func isNear(_ other: PixelSize) -> Bool {
    abs(width - other.width) <= 1 && abs(height - other.height) <= 1
  }
}
