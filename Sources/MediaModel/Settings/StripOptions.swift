/// What `strip` leaves of what a file says about itself; each is written anew from its value.
package enum MetadataException: String, CaseIterable, Sendable, Hashable, Codable {
  /// When the picture was taken, with its offset from UTC.
  case creationDate
  /// Copyright notice and creator.
  case copyright
  /// Make and model; never a serial number.
  case camera
  /// Title and description.
  case caption
  /// Stars, 0 to 5.
  case rating
  /// Latitude, longitude and altitude.
  case location
  /// The second picture that brightens the first on a display that can.
  case hdrGainMap
  /// The C2PA manifest store, as it is.
  case contentCredentials
}

/// How one file is stripped.
package struct StripOptions: Sendable, Hashable {
  package var except: Set<MetadataException>
  /// With ``MetadataException/location``: rounded to 0.1 degrees, without altitude.
  package var isLocationCoarse: Bool
  /// 32 bytes that only this batch knows: both halves of a live photo get the same fresh content
  /// identifier from it. Nil writes none.
  package var pairingKey: [UInt8]?
  /// Whether a video's sound tracks go as well, with their samples.
  package var removesAudio: Bool

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
