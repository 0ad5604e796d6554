internal import MediaLibrary
internal import MediaModel
internal import MediaPicking
internal import MediaReports

/// The groups about which somebody decides, with what they are shown of each.
struct SimilarAsked {
  struct Asset {
    var localIdentifier: String
    var label: String
    /// The file by which a page shows it, below the library.
    var shown: ItemPath
    /// Whether it is in a stack with the best: a person sees both as one already.
    var isStackedWithBest: Bool
  }

  private(set) var groups: [PictureGroup] = []
  /// The assets of each group, the best first.
  private(set) var assets: [[Asset]] = []

  /// Nothing to decide about.
  init() {}

  /// Reads what is shown of groups; those that are one stack as a whole are left out.
  init(
    _ groups: [SimilarSearch.Group],
    of selection: AssetSelection,
    _ reader: CatalogueReader,
    needsThumbnails: Bool
  ) throws {
    let open = groups.filter { group in
      let cover = group.members[0].picture.stackCover
      return cover == nil || !group.members.allSatisfy { $0.picture.stackCover == cover }
    }
    try SimilarSearch.forEach(open, of: selection, reader, readsThumbnails: needsThumbnails) {
      group,
      members in
      guard members.count > 1 else { return }
      let paths = try reader.sourcePaths(ofAssets: members.map(\.asset.row))
      let cover = members[0].member.picture.stackCover
      self.groups.append(
        PictureGroup(
          isExact: group.isExact,
          reason: (group.reason ?? .earlier).rawValue,
          pictures: members.map { member, asset in
            Self.picture(asset, from: paths[asset.row], member.turn)
          }
        )
      )
      assets.append(
        members.map { member, asset in
          Asset(
            localIdentifier: asset.localIdentifier,
            label: asset.label,
            shown: Self.shownFile(of: asset),
            isStackedWithBest: cover != nil && member.picture.stackCover == cover
          )
        }
      )
    }
  }

  /// What a person reads of a picture, safe for a terminal and a page.
  private static func picture(
    _ asset: ListedAsset,
    from path: ItemPath?,
    _ turn: PictureTurn?
  ) -> PictureGroup.Picture {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    let file = asset.files.first
    let place = path.map { "\(asset.sourceName): \(safe.shortPath($0.bytes, limit: 60))" } ?? asset.sourceName
    let facts =
      [
        asset.facts.creationDate.map { $0.local.prefix(16).split(separator: "T").joined(separator: " ") },
        asset.facts.pixelSize.map { "\($0.width) × \($0.height)" },
        file.map { MediaFormat(rawValue: $0.format)?.rawValue.uppercased() ?? $0.format },
        file.map { PickCandidate(files: [], size: $0.bytes).sizeText }, place,
      ].compactMap(\.self)
    var picture = PictureGroup.Picture(
      name: safe.prose(asset.label, limit: 80).text,
      facts: safe.prose(facts.joined(separator: " · "), limit: 400, isBetweenQuotes: false).text
    )
    picture.badges = asset.badges
    picture.turn = turn
    return picture
  }

  /// The least pixels of the longer side of a thumbnail that is compared with others.
  private static let leastSide = 320

  /// The largest thumbnail that shows the whole picture as it is turned, if it is large enough, else the original.
  private static func shownFile(of asset: ListedAsset) -> ItemPath {
    let picture = asset.facts.pixelSize ?? PixelSize(width: 0, height: 0)
    let thumbnail = asset.thumbnails.last { thumbnail in
      let size = thumbnail.size
      return max(size.width, size.height) >= leastSide
        && abs(size.width * picture.height - size.height * picture.width)
          <= max(picture.width, picture.height)
    }
    let turned = asset.rotation == 0 ? nil : asset.thumbnails.last?.path
    let path = thumbnail?.path ?? turned ?? asset.files.first?.path ?? ""
    return ItemPath(bytes: [UInt8](path.utf8))
  }
}
