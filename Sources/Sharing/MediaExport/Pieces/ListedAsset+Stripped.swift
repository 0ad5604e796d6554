internal import MediaLibrary
package import MediaModel

extension ListedAsset {
  /// The asset as a library has it that was imported under a policy which strips.
  ///
  /// Where the movie of a motion photo lies stays known, since nothing shows it. Thumbnails of a HEIC or an AVIF are left
  /// out where they were made under `keep`: they may be of a picture in the file that stripping takes.
  func stripped(by policy: MetadataPolicy) -> ListedAsset {
    var asset = self
    asset.facts = facts.publishable(under: policy.stripOptions())
    asset.facts.embeddedMovie = facts.embeddedMovie
    asset.mediaSubtypes = []
    let saysPlace = policy.keeps(.location)
    asset.statesPlace = statesPlace && saysPlace
    for index in files.indices { asset.files[index].statesPlace = files[index].statesPlace && saysPlace }
    if self.policy == MetadataPolicy.keep.rawValue, [.heic, .avif].contains(facts.format) {
      asset.thumbnails = []
    }
    asset.policy = policy.rawValue
    return asset
  }
}

extension ExportedFact {
  /// The word of `except` under which a stripped copy may have it; nil where there is none.
  package var exception: MetadataException? {
    switch self {
    case .date: .creationDate
    case .place: .location
    case .caption: .caption
    case .rating: .rating
    case .copyright: .copyright
    case .keywords: nil
    }
  }
}

extension SmartAlbum {
  /// Whether a library has it whose files were stripped: what is in it, their formats tell.
  var isOfStripped: Bool { key == nil }
}
