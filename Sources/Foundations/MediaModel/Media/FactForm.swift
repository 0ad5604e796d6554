/// How the value of a fact is written and read, with what is checked of one that another process sends.
package enum FactForm<Root: Sendable>: Sendable {
  package typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

  /// A text of at most `limit` bytes.
  case text(Path<String?>, limit: Int)
  /// At most `count` texts of at most `limit` bytes, none of them empty or there twice.
  case texts(Path<[String]>, count: Int, limit: Int)
  case number(Path<Int?>, ClosedRange<Int>)
  case milliseconds(Path<Int?>)
  /// The Exif orientation, 1 to 8.
  case orientation(Path<Int>)
  case flag(Path<Bool>)
  /// True, false, or not known.
  case truth(Path<Bool?>)
  /// Its columns are the width and the height.
  case size(Path<PixelSize?>)
  /// Its columns are the local time, the offset from UTC in minutes, the tag, the precision, and the fraction of a
  /// second.
  case date(Path<CaptureDate?>)
  /// A date whose one column has the local time with its offset from UTC.
  case moment(Path<CaptureDate?>)
  case dates(Path<[CaptureDate]>, count: Int)
  /// A date with the time of day and without an offset from UTC.
  case localTime(Path<String?>)
  /// Its columns are the latitude and the longitude in degrees.
  case place(Path<MediaDescription.Place?>)
  /// Its columns are the city, the region and the country.
  case placeName(Path<PlaceName?>)
  case subtypes(Path<MediaSubtypes>)
  /// Its columns are the offset and the length of the movie, and the length of the still.
  case movie(Path<EmbeddedMovie?>)
  case tracks(Path<[TrackFacts]>, count: Int)
  case subject(Path<SidecarSubject?>, limit: Int)
}

/// What the value of a column of a fact is.
package enum FactKind: Sendable, Hashable {
  case text, localDate, number, milliseconds, degrees, flag, subtypes, list
}

extension FactForm {
  func kind(_ column: Int) -> FactKind {
    switch self {
    case .text, .moment, .localTime, .placeName, .subject: .text
    case .texts: .list
    case .number, .orientation, .size, .movie, .dates, .tracks: .number
    case .milliseconds: .milliseconds
    case .flag, .truth: .flag
    case .date: column == 0 ? .localDate : column == 1 ? .number : .text
    case .place: .degrees
    case .subtypes: .subtypes
    }
  }

  /// The value of a column, by its number among those of the fact.
  func value(_ column: Int, of root: Root) -> FactValue {
    switch self {
    case .text(let path, _), .localTime(let path): return FactValue(root[keyPath: path])
    case .texts(let path, _, _): return FactValue(root[keyPath: path])
    case .number(let path, _), .milliseconds(let path): return FactValue(root[keyPath: path])
    case .orientation(let path): return .integer(Int64(root[keyPath: path]))
    case .flag(let path): return FactValue(root[keyPath: path])
    case .truth(let path): return FactValue(root[keyPath: path])
    case .size(let path):
      let size = root[keyPath: path]
      return FactValue(column == 0 ? size?.width : size?.height)
    case .date(let path):
      let date = root[keyPath: path]
      switch column {
      case 1: return FactValue(date?.offsetMinutes)
      case 3: return FactValue(date?.precision.rawValue)
      case 4: return FactValue(date?.fraction)
      default:
        let text = column == 0 ? date?.local : date?.tag
        return text == "" ? .null : FactValue(text)
      }
    case .moment(let path): return FactValue(root[keyPath: path]?.timestamp)
    case .place(let path):
      let place = root[keyPath: path]
      return FactValue((column == 0 ? place?.latitude : place?.longitude).map(Place.degrees))
    case .placeName(let path):
      let name = root[keyPath: path]
      return FactValue(column == 0 ? name?.city : column == 1 ? name?.region : name?.country)
    case .subtypes(let path):
      let subtypes = root[keyPath: path]
      return subtypes.isEmpty ? .null : .integer(Int64(subtypes.rawValue))
    case .movie(let path):
      let movie = root[keyPath: path]
      return FactValue(column == 0 ? movie?.offset : column == 1 ? movie?.length : movie?.stillLength)
    case .dates, .tracks, .subject: return .null
    }
  }

  /// Sets the fact, which nothing has told yet, from the values of its columns, which may be those of a damaged row.
  ///
  /// Most columns of a row are NULL, and a key path costs as much for nil as for a value.
  func set(_ root: inout Root, _ value: (Int) throws -> FactValue) rethrows {
    switch self {
    case .text(let path, _), .localTime(let path):
      if let text = try value(0).text { root[keyPath: path] = text }
    case .texts(let path, _, _):
      let texts = try value(0).texts
      if !texts.isEmpty { root[keyPath: path] = texts }
    case .number(let path, _), .milliseconds(let path):
      if let number = try value(0).integer { root[keyPath: path] = number }
    case .orientation(let path):
      if let orientation = try value(0).integer { root[keyPath: path] = orientation }
    case .flag(let path): if let flag = try value(0).flag { root[keyPath: path] = flag }
    case .truth(let path): if let truth = try value(0).flag { root[keyPath: path] = truth }
    case .size(let path):
      guard let width = try value(0).integer, let height = try value(1).integer else { break }
      root[keyPath: path] = PixelSize(width: width, height: height)
    case .date(let path):
      guard let local = try value(0).text, let tag = try value(2).text else { break }
      let offset = try value(1).integer
      var date = CaptureDate(local: local, offsetMinutes: offset, tag: tag)
      date.take(precision: try value(3).text, fraction: try value(4).text)
      root[keyPath: path] = date
    case .moment(let path):
      guard let text = try value(0).text else { break }
      root[keyPath: path] = CaptureDate(timestamp: text, tag: "")
    case .place(let path):
      guard let latitude = try value(0).real, let longitude = try value(1).real else { break }
      root[keyPath: path] = Place(latitude: latitude, longitude: longitude)
    case .placeName(let path):
      guard let city = try value(0).text else { break }
      let (region, country) = (try value(1).text, try value(2).text)
      root[keyPath: path] = PlaceName(city: city, region: region, country: country)
    case .subtypes(let path):
      guard let number = try value(0).integer else { break }
      root[keyPath: path] = MediaSubtypes(rawValue: number)
    case .movie(let path):
      guard let offset = try value(0).integer, let length = try value(1).integer else { break }
      let still = try value(2).integer
      root[keyPath: path] = EmbeddedMovie(offset: offset, length: length, stillLength: still)
    case .dates, .tracks, .subject: break
    }
  }

  private typealias Place = MediaDescription.Place
}

extension MediaDescription.Place {
  private static let unitsPerDegree = 10_000_000.0

  /// The position of two columns in degrees; nil for one that is not on Earth.
  package init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.init(
      latitude: Int((latitude * Self.unitsPerDegree).rounded()),
      longitude: Int((longitude * Self.unitsPerDegree).rounded())
    )
  }

  fileprivate static func degrees(_ units: Int) -> Double { Double(units) / unitsPerDegree }
}
