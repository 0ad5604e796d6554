package import MediaModel

extension PickCandidate {
  /// The size with at most three digits before the point: `999 B`, `1.2 MB`.
  package var sizeText: String {
    if size < 1000 { return "\(max(size, 0)) B" }
    var tenths = size / 100
    var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    while tenths >= 10_000, units.count > 1 {
      tenths /= 1000
      units.removeFirst()
    }
    return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
  }

  /// The date of ``modified``, such as `2026-11-21`, in UTC.
  package var dateText: String {
    let time = CalendarTime(microsecondsSince1970: modified / 1000)
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }
    return "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
  }

  /// The kind of item, as far as its names tell; nil for sound, which no filter leaves.
  package var kind: PickFilter? {
    let types = files.map(PickCandidates.mediaType)
    if types.contains(.image), types.contains(.video) { return .livePhotos }
    return switch files.first.flatMap(PickCandidates.mediaType) {
    case .video: .videos
    case .audio: nil
    case .image, nil: .images
    }
  }
}
