package import MediaModel

/// The metadata values that `except` may keep, checked for their form, to be written anew.
///
/// The type also holds the values of a single block (Exif, XMP, IPTC) before they are merged.
package struct KeptMetadata: Sendable, Hashable {
  /// The creation date, without fractions of a second; its tag is always `DateTimeOriginal`.
  package var creationDate: CaptureDate?
  /// The copyright notice.
  package var copyright: String?
  /// The creator; several are joined into one text by "; ".
  package var creator: String?
  /// The maker of the camera.
  package var make: String?
  /// The model of the camera.
  package var model: String?
  /// The title.
  package var title: String?
  /// The caption.
  package var caption: String?
  /// The rating in stars, 0 to 5.
  package var rating: Int?
  /// The position of the capture.
  package var location: Coordinate?
  /// Apple's identifier that connects the still and the movie of a live photo.
  package var contentIdentifier: String?
  /// The values in Apple's maker note that belong to a gain map of the same file.
  package var brightness: AppleBrightness?
  /// How a picture of all around is shown, which all pictures with an XMP packet but GIF keep without
  /// being asked.
  package var projection: XMPProjection?

  /// The tag under which every creation date is written.
  static let dateTag = "DateTimeOriginal"

  /// Creates empty values.
  package init() {}

  /// Whether there is no value.
  package var isEmpty: Bool { self == KeptMetadata() }

  /// Returns the values that `options` keep: only those that `except` names, with a coarse
  /// location rounded; never a content identifier or a projection.
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
  /// Whether any kept value has to be read.
  package var wantsValues: Bool {
    pairingKey != nil || except.contains { $0 != .contentCredentials }
  }
}
