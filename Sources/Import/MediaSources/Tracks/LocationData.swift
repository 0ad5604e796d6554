internal import MediaModel

extension LocationData {
  /// What they are called in a sentence.
  var plural: String {
    switch self {
    case .tracks: "tracks"
    case .placeNames: "names of places"
    }
  }

  /// The longest file in bytes.
  var maximumBytes: Int64 {
    switch self {
    case .tracks: Int64(TrackPlaces.maximumBytes)
    case .placeNames: Int64(PlaceNames.maximumBytes)
    }
  }

  /// A sentence about a file that is not used, and why.
  func notUsed(_ path: ItemPath, _ why: String) -> String {
    switch self {
    case .tracks: "The track \"\(path.text)\" is not used: \(why)."
    case .placeNames: "The names of places in \"\(path.text)\" are not used: \(why)."
    }
  }
}
