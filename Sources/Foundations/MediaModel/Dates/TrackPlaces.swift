/// A position at a moment, as a GPS receiver has noted it.
package struct TrackPoint: Sendable, Hashable {
  /// The times that a point may have: far more than the years of a calendar, and few enough to subtract any two.
  package static let times = Int64(-1 << 50)...(1 << 50)

  /// The milliseconds since 1970 in UTC.
  package var time: Int64
  package var place: MediaDescription.Place

  /// Creates a point.
  package init(time: Int64, place: MediaDescription.Place) {
    self.time = time
    self.place = place
  }
}

/// The positions of a source's tracks, by time.
package struct TrackPlaces: Sendable {
  /// The word for a place that comes from a track.
  package static let tag = "gpx"
  /// The word for a place that the file or a sidecar states in a form that gives no position: no track gives it another
  /// one.
  package static let statedTag = "stated"
  /// The longest file in bytes; a receiver that notes a point a second takes three days for it.
  package static let maximumBytes = 64 << 20
  /// The most points of all tracks of a source: 24 bytes each.
  package static let maximumPoints = 4_000_000

  /// In the order of time.
  private let points: [TrackPoint]
  /// In milliseconds.
  private let maximumGap: Int64

  /// Takes the points of all tracks.
  ///
  /// - Parameters:
  ///   - points: In any order.
  ///   - maximumGap: The seconds within which a point has to be.
  package init(_ points: [TrackPoint], maximumGap: Int) {
    self.points = points.sorted { $0.time < $1.time }
    self.maximumGap = Int64(maximumGap) * 1000
  }

  /// Returns the position at a time.
  ///
  /// Between two points that are both within the gap, or as far apart as twice the gap, it lies on the line
  /// between them; otherwise it is that of the nearer one.
  ///
  /// - Parameter seconds: The seconds since 1970 in UTC.
  /// - Returns: Nil without a point within the gap.
  package func place(at seconds: Int) -> MediaDescription.Place? {
    let time = Int64(seconds) * 1000
    let index = firstIndex(from: time)
    let after = index < points.count ? points[index] : nil
    let before = index > 0 ? points[index - 1] : nil
    let distances = [before.map { time - $0.time }, after.map { $0.time - time }]
    guard let nearest = distances.compactMap(\.self).min(), nearest <= maximumGap else {
      return nil
    }
    if let before, let after, after.time - before.time <= 2 * maximumGap {
      return Self.place(at: time, between: before, after)
    }
    return distances[0] == nearest ? before?.place : after?.place
  }

  /// The index of the first point that is not before a time.
  private func firstIndex(from time: Int64) -> Int {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func place(
    at time: Int64,
    between before: TrackPoint,
    _ after: TrackPoint
  ) -> MediaDescription.Place? {
    let whole = Double(after.time - before.time)
    guard whole > 0 else { return after.place }
    let part = Double(time - before.time) / whole
    func units(_ first: Int, _ second: Int) -> Int {
      first + Int((Double(second - first) * part).rounded())
    }
    let turn = 3_600_000_000
    var east = after.place.longitude
    // The shorter way leads over the meridian of 180 degrees.
    if abs(east - before.place.longitude) > turn / 2 { east += east < 0 ? turn : -turn }
    var longitude = units(before.place.longitude, east)
    if abs(longitude) > turn / 2 { longitude += longitude < 0 ? turn : -turn }
    return MediaDescription.Place(
      latitude: units(before.place.latitude, after.place.latitude),
      longitude: longitude
    )
  }
}

extension Facts {
  /// Takes back the place that a track gave, and the name of any place.
  package var withoutFoundPlace: Facts {
    var facts = self
    facts.description?.placeName = nil
    if facts.description?.placeTag == TrackPlaces.tag {
      facts.description?.place = nil
      facts.description?.placeTag = nil
      facts.hasLocation = false
    }
    return facts
  }

  /// Gives a file that says no place in any form the one that a track has at the moment of its capture.
  ///
  /// A date without an offset from UTC is no moment, and neither is a day.
  package func located(by tracks: TrackPlaces) -> Facts {
    guard let description, description.place == nil, description.placeTag == nil, let date = creationDate,
      let offset = date.offsetMinutes, !date.isDateOnly,
      let local = CivilDate.seconds(date.local),
      let place = tracks.place(at: local - offset * 60)
    else { return self }
    var facts = self
    facts.description?.place = place
    facts.description?.placeTag = TrackPlaces.tag
    facts.hasLocation = true
    return facts
  }
}
