internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads a GPS track as a worker does, takes its messages as the coordinator does, and asks for places.
enum TrackCheck {
  static func check(_ source: ByteSource) {
    guard let points = try? GPXTrack.points(of: source) else { return }
    if points.isEmpty { finding("a track without points") }
    MessageCheck.check(.points(job: 1, Array(points.prefix(4096))))
    let places = TrackPlaces(points, maximumGap: 60)
    for point in points.prefix(64) {
      for second in -1...1 { _ = places.place(at: Int(point.time / 1000) + second * 29) }
    }
  }
}
