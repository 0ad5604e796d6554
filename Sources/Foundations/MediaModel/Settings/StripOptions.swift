/// A kind of metadata that `strip` can preserve; each is written again from its value.
package enum MetadataException: String, CaseIterable, Sendable, Hashable, Codable {
  /// The date and time at which the picture was taken, with its offset from UTC.
  case creationDate
  /// The copyright notice and the creator.
  case copyright
  /// The make and model; never a serial number.
  case camera
  /// The model of the lens; never its serial number.
  case lens
  /// The title and the description.
  case caption
  /// The rating, 0 to 5 stars, or that it is rejected.
  case rating
  /// The latitude, longitude and altitude.
  case location
  /// The gain map: a second picture that brightens the first on a high dynamic range display.
  case hdrGainMap
  /// The C2PA manifest store, unchanged.
  case contentCredentials
}

/// The options for stripping one file.
package struct StripOptions: Sendable, Hashable {
  /// The metadata that is preserved.
  package var except: Set<MetadataException>
  /// Whether a preserved ``MetadataException/location`` is rounded to 0.1 degrees, without
  /// altitude.
  package var isLocationCoarse: Bool
  /// A secret of 32 bytes of the library, from which the still and the movie of a live photo get
  /// the same fresh content identifier; with nil, none is written.
  package var pairingKey: [UInt8]?
  /// Whether a video's audio tracks are removed too, with their samples.
  package var removesAudio: Bool

  /// Creates options.
  package init(
    except: Set<MetadataException> = [],
    isLocationCoarse: Bool = false,
    pairingKey: [UInt8]? = nil,
    removesAudio: Bool = false
  ) {
    self.except = except
    self.isLocationCoarse = isLocationCoarse
    self.pairingKey = pairingKey
    self.removesAudio = removesAudio
  }
}
