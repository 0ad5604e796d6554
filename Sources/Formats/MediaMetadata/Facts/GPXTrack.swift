package import MediaContainers
package import MediaModel
internal import MediaSyntax

/// Reads the points of a GPS track.
///
/// Source: GPX 1.0 and 1.1 Schema Documentation (`trkpt`, `time`); W3C XML Schema part 2, dateTime.
package enum GPXTrack {
  /// The most points of a file.
  package static let maximumPoints = 1_000_000
  private static let maximumTokens = 16_000_000

  /// Returns the points of all segments that have a time, in the order of the file.
  ///
  /// - Throws: `MetadataError`: `damaged` for what is no whole GPX file, has a document type that declares
  ///   anything, such as an entity, or has no point with a time; `overLimit` for one of more bytes, points or
  ///   tokens than the limits.
  package static func points(of source: ByteSource) throws(MetadataError) -> [TrackPoint] {
    let limit = TrackPlaces.maximumBytes
    guard let bytes = source.bytes(in: 0..<source.length, limit: limit) else {
      throw MetadataError(.overLimit, "bytes: at most \(limit) are read")
    }
    var tokenizer = XMLTokenizer(bytes, normalizesLineEnds: false, maximumTokenCount: maximumTokens)
    var reading = Reading()
    do throws(XMLError) {
      while let token = try tokenizer.next() {
        reading.take(token.content)
        if reading.points.count > maximumPoints { break }
      }
    } catch {
      throw MetadataError(.damaged, error.message)
    }
    guard reading.points.count <= maximumPoints else {
      throw MetadataError(.overLimit, "points: at most \(maximumPoints) are read")
    }
    guard reading.isWhole else { throw MetadataError(.damaged, "it is no GPX file, or is cut off") }
    guard !reading.points.isEmpty else {
      throw MetadataError(.damaged, "no point of a track has a time")
    }
    return reading.points
  }

  /// A file as far as it is read.
  private struct Reading {
    private(set) var points: [TrackPoint] = []
    private var depth = 0
    private var isGPX = false
    private var place: MediaDescription.Place?
    private var time: Int64?
    /// The text of the time that is read; nil elsewhere.
    private var text: String?

    /// Whether the root is that of a GPX file, and its end was read.
    var isWhole: Bool { isGPX && depth == 0 }

    mutating func take(_ content: XMLToken.Content) {
      switch content {
      case .start(let name, let attributes, let isEmpty):
        start(GPXTrack.local(name), attributes)
        depth += 1
        if isEmpty { end(GPXTrack.local(name)) }
      case .end(let name): end(GPXTrack.local(name))
      case .text(let part):
        if let text, text.utf8.count < 64 { self.text = text + part }
      case .comment, .instruction, .documentType: break
      }
    }

    private mutating func start(_ name: Substring, _ attributes: [(name: String, value: String)]) {
      if depth == 0 { isGPX = name == "gpx" }
      switch name {
      case "trkpt":
        func units(_ name: String) -> Int? {
          attributes.first { $0.name == name }.flatMap { GPXTrack.units($0.value) }
        }
        (place, time) = (nil, nil)
        if let latitude = units("lat"), let longitude = units("lon") {
          place = MediaDescription.Place(latitude: latitude, longitude: longitude)
        }
      case "time": text = place != nil && time == nil ? "" : nil
      default: break
      }
    }

    private mutating func end(_ name: Substring) {
      depth -= 1
      switch name {
      case "time":
        if let text { time = GPXTrack.milliseconds(text) }
        text = nil
      case "trkpt":
        if let place, let time { points.append(TrackPoint(time: time, place: place)) }
        (place, time) = (nil, nil)
      default: break
      }
    }
  }

  /// A name without its prefix.
  private static func local(_ name: String) -> Substring {
    name.utf8.firstIndex(of: UInt8.colon).map { name[$0...].dropFirst() } ?? name[...]
  }

  /// Degrees in units of 10⁻⁷ degrees; nil for what is no plain decimal number.
  static func units(_ text: String) -> Int? {
    guard text.utf8.count <= 32, text.utf8.allSatisfy({ "+-0123456789.eE".utf8.contains($0) }),
      let degrees = Double(text), abs(degrees) <= 360
    else { return nil }
    return Int((degrees * 10_000_000).rounded())
  }

  /// The milliseconds since 1970 of a time, which is UTC unless it names an offset; nil for any other text.
  private static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8.filter { $0 > 0x20 })
    guard bytes.count >= 19,
      let date = DateText.date(iso: String(decoding: bytes.prefix(19), as: UTF8.self)),
      let seconds = CivilDate.seconds(date.local)
    else { return nil }
    var suffix = bytes[19...]
    var fraction = 0
    if suffix.first == .dot {
      suffix = suffix.dropFirst()
      let digits = suffix.prefix { $0.isASCIIDigit }
      suffix = suffix.dropFirst(digits.count)
      for index in 0..<3 {
        let digit = digits.dropFirst(index).first.map { Int($0 - 0x30) } ?? 0
        fraction = fraction * 10 + digit
      }
    }
    var offset = 0
    if !suffix.isEmpty {
      guard let minutes = DateText.offsetMinutes(suffix) else { return nil }
      offset = minutes
    }
    return Int64(seconds - offset * 60) * 1000 + Int64(fraction)
  }
}
