internal import MediaGallery
internal import MediaLibrary
internal import MediaModel

/// A size of pictures that a gallery needs: of thumbnails where the library has them, otherwise of pictures that are
/// made of its originals.
enum GallerySize: CaseIterable {
  /// In a page, beside others.
  case tile
  /// In the viewer.
  case view

  /// The height, in pixels, from which a thumbnail is sharp enough for a page: four fifths of a row, so that 256
  /// pixels of width are enough for 4 to 3 and for 3 to 2.
  private static let tileHeight = 170
  /// The most pixels of a tile: a page has hundreds.
  private static let mostTilePixels = 600_000
  /// The long side of a picture in the viewer, in pixels.
  static let viewSide = 1600

  var folder: GalleryPicture.Folder { self == .tile ? .tiles : .views }

  /// The settings of a picture that is made; it shows all of its original, and has no metadata.
  var spec: ThumbnailSpec {
    ThumbnailSpec(
      name: folder.rawValue,
      size: self == .tile
        ? PixelSize(width: 1024, height: 272)
        : PixelSize(width: Self.viewSide, height: Self.viewSide),
      contentMode: .aspectFit
    )
  }

  /// The thumbnails of an asset that have this size, the best one first.
  func fitting(_ asset: ListedAsset) -> [ListedAsset.Thumbnail] {
    let thumbnails = asset.thumbnails
    guard let picture = asset.facts.pixelSize else { return any(thumbnails) }
    let whole = thumbnails.filter { Self.isWhole($0.size, of: picture) }
    switch self {
    case .tile:
      return whole.filter {
        $0.size.height >= min(Self.tileHeight, picture.height)
          && $0.size.width * $0.size.height <= Self.mostTilePixels
      }
    case .view:
      let side = min(Self.viewSide, max(picture.width, picture.height))
      return whole.filter { max($0.size.width, $0.size.height) >= side }.reversed()
    }
  }

  /// The thumbnails that stand in where none has this size and none is made, the best one first.
  func any(_ thumbnails: [ListedAsset.Thumbnail]) -> [ListedAsset.Thumbnail] {
    switch self {
    case .tile:
      let (large, small) = (
        thumbnails.filter { $0.size.height >= Self.tileHeight },
        thumbnails.filter { $0.size.height < Self.tileHeight }
      )
      return large + small.reversed()
    case .view: return thumbnails.reversed()
    }
  }

  /// Whether a thumbnail shows all of a picture, within a twentieth of its ratio.
  private static func isWhole(_ size: PixelSize, of picture: PixelSize) -> Bool {
    let (one, other) = (size.width * picture.height, size.height * picture.width)
    return 20 * abs(one - other) <= max(one, other)
  }
}
