internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads a file of names of places as a worker does, takes its messages as the coordinator does, and asks for names.
enum PlacesCheck {
  static func check(_ source: ByteSource) {
    var entries: [GazetteerEntry] = []
    guard (try? GeoNamesFile.forEachEntry(of: source) { entries.append($0) }) != nil else { return }
    MessageCheck.check(.places(job: 1, Array(entries.prefix(1024))))
    var names = PlaceNames()
    names.add(entries)
    names.sort()
    for place in entries.prefix(64).compactMap(\.place) where names.name(at: place) == nil {
      finding("a city without a name at its own place")
    }
  }
}
