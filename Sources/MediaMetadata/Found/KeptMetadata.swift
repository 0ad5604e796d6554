package import MediaModel

/// What a file says about itself and `except` may keep: values, checked for their shape, to be
/// written anew.
///
/// Also what one of a file's blocks (Exif, XMP, IPTC) says, before they are put together.
package struct KeptMetadata: Sendable, Hashable {
  /// Without fractions of a second; its tag is always `DateTimeOriginal`.
  package var creationDate: CaptureDate?
  package var copyright: String?
  /// Who made it; several are one text, with "; " between them.
  package var creator: String?
  package var make: String?
  package var model: String?
  package var title: String?
  package var caption: String?
  /// Stars, 0 to 5.
  package var rating: Int?
  package var location: Coordinate?
  /// Apple's identifier that ties a live photo's two halves together.
  package var contentIdentifier: String?
  /// What Apple's maker note says of a gain map of the same file.
  package var brightness: AppleBrightness?

  /// The one tag under which a creation date is written.
  static let dateTag = "DateTimeOriginal"

  package init() {}

  package var isEmpty: Bool { self == KeptMetadata() }

  /// What of it stays under `options`: only what `except` names, a coarse location rounded; never a
  /// content identifier.
  ///
  /// Applying it twice changes nothing more.
  package func limited(to options: StripOptions) -> KeptMetadata {
    var kept = KeptMetadata()
    for exception in options.except {
      switch exception {
      case .creationDate: kept.creationDate = creationDate
      case .copyright: (kept.copyright, kept.creator) = (copyright, creator)
      case .camera: (kept.make, kept.model) = (make, model)
      case .caption: (kept.title, kept.caption) = (title, caption)
      case .rating: kept.rating = rating
      case .location: kept.location = options.isLocationCoarse ? location?.coarse : location
      case .hdrGainMap: kept.brightness = brightness
      case .contentCredentials: break
      }
    }
    return kept
  }
}

extension StripOptions {
  /// Whether anything is kept whose value has to be read.
  package var wantsValues: Bool {
    pairingKey != nil || except.contains { $0 != .contentCredentials }
  }
}
