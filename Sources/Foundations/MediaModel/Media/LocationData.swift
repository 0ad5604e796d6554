/// Files that tell where a person was, or what is there, and are no items.
package enum LocationData: String, Sendable, Hashable {
  case tracks
  case placeNames
}
