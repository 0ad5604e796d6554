package import MediaModel

/// The forms of facts in the order of their lists, found once.
private enum FactForms {
  static let own = Facts.fields.map(\.form)
  /// What a worker sends.
  static let sent = MediaDescription.fields.filter { !$0.isOfRules }.map(\.form)
  static let described = MediaDescription.fields.map(\.form)
}

extension WireWriter {
  /// Writes a number that a file claims, clamped to the reader's limit.
  private mutating func putNumber(_ number: Int) {
    put(UInt32(max(0, min(number, Int(Int32.max)))))
  }

  mutating func put(_ size: PixelSize) {
    putNumber(size.width)
    putNumber(size.height)
  }

  mutating func put(_ color: RGBColor) {
    put(color.red)
    put(color.green)
    put(color.blue)
  }

  /// Writes what a worker sends.
  mutating func put(_ facts: Facts) {
    put(facts.format.rawValue)
    for form in FactForms.own { put(form, of: facts) }
    put(facts.description) { $0.put($1) }
  }

  mutating func put(_ description: MediaDescription) {
    for form in FactForms.sent { put(form, of: description) }
  }

  /// Writes all facts, also those that rules of the coordinator gave, for its own journal.
  package mutating func put(all facts: Facts) {
    put(facts.format.rawValue)
    for form in FactForms.own { put(form, of: facts) }
    put(facts.description) { writer, description in
      for form in FactForms.described { writer.put(form, of: description) }
    }
  }

  private mutating func put<Root>(_ form: FactForm<Root>, of root: Root) {
    switch form {
    case .text(let path, _), .localTime(let path): put(root[keyPath: path]) { $0.put($1) }
    case .texts(let path, _, _): put(all: root[keyPath: path]) { $0.put($1) }
    case .number(let path, let range):
      put(root[keyPath: path]) { writer, number in
        let claimed = min(max(number, range.lowerBound), range.upperBound)
        writer.put(UInt32(bitPattern: Int32(clamping: claimed)))
      }
    case .milliseconds(let path): put(root[keyPath: path]) { $0.put(Int64($1)) }
    case .orientation(let path): put(UInt8(clamping: root[keyPath: path]))
    case .flag(let path): put(root[keyPath: path])
    case .truth(let path): put(root[keyPath: path]) { $0.put($1) }
    case .size(let path): put(root[keyPath: path]) { $0.put($1) }
    case .date(let path), .moment(let path): put(root[keyPath: path]) { $0.put($1) }
    case .dates(let path, _): put(all: root[keyPath: path]) { $0.put($1) }
    case .place(let path): put(root[keyPath: path]) { $0.put($1) }
    case .placeName(let path): put(root[keyPath: path]) { $0.put($1) }
    case .subtypes(let path): put(UInt32(clamping: root[keyPath: path].rawValue))
    case .movie(let path): put(root[keyPath: path]) { $0.put($1) }
    case .tracks(let path, _): put(all: root[keyPath: path]) { $0.put($1) }
    case .subject(let path, _): put(root[keyPath: path]) { $0.put($1) }
    }
  }

  private mutating func put(_ track: TrackFacts) {
    put(track.kind.rawValue)
    put(track.codec)
    put(track.durationMilliseconds) { $0.put(Int64($1)) }
    put(track.pixelSize) { $0.put($1) }
    put(track.frameRateMilli) { $0.putNumber($1) }
    put(track.channelCount) { $0.putNumber($1) }
    put(track.sampleRate) { $0.putNumber($1) }
  }

  private mutating func put(_ name: PlaceName) {
    put(name.city)
    put(name.region) { $0.put($1) }
    put(name.country) { $0.put($1) }
  }

  private mutating func put(_ subject: SidecarSubject) {
    switch subject {
    case .picture(let words):
      put(false)
      put(words)
    case .album(let title):
      put(true)
      put(title)
    }
  }

  private mutating func put(_ movie: EmbeddedMovie) {
    put(Int64(movie.offset))
    put(Int64(movie.length))
    put(movie.stillLength) { $0.put(Int64($1)) }
    putNumber(movie.soundTrackCount)
  }

  private mutating func put(_ date: CaptureDate) {
    put(date.local)
    put(date.offsetMinutes) { $0.put(Int32(clamping: $1)) }
    put(date.tag)
    put(date.hasSeconds)
    put(date.fraction) { $0.put($1) }
  }

  /// Writes a place.
  package mutating func put(_ place: MediaDescription.Place) {
    put(Int32(clamping: place.latitude))
    put(Int32(clamping: place.longitude))
  }
}

extension WireReader {
  /// Reads whether there is a value, and then the value.
  ///
  /// - Throws: What `read` throws.
  package mutating func optional<Value>(
    _ read: (inout WireReader) throws(ProtocolError) -> Value
  ) throws(ProtocolError) -> Value? {
    try bool() ? try read(&self) : nil
  }

  mutating func size() throws(ProtocolError) -> PixelSize {
    let width = try integer(UInt32.self)
    let height = try integer(UInt32.self)
    guard width <= Int32.max, height <= Int32.max else { throw ProtocolError("a size of pixels") }
    return PixelSize(width: Int(width), height: Int(height))
  }

  mutating func color() throws(ProtocolError) -> RGBColor {
    RGBColor(red: try integer(), green: try integer(), blue: try integer())
  }

  mutating func facts() throws(ProtocolError) -> Facts {
    var facts = try ownFacts()
    facts.description = try bool() ? try description() : nil
    return facts
  }

  mutating func description() throws(ProtocolError) -> MediaDescription {
    var description = MediaDescription()
    for form in FactForms.sent { try read(form, into: &description) }
    return description
  }

  /// Reads what ``WireWriter/put(all:)`` has written.
  ///
  /// - Throws: ``ProtocolError``.
  package mutating func allFacts() throws(ProtocolError) -> Facts {
    var facts = try ownFacts()
    facts.description = try optional { (reader) throws(ProtocolError) in
      var description = MediaDescription()
      for form in FactForms.described { try reader.read(form, into: &description) }
      return description
    }
    return facts
  }

  private mutating func ownFacts() throws(ProtocolError) -> Facts {
    var facts = Facts(format: try choice())
    for form in FactForms.own { try read(form, into: &facts) }
    return facts
  }

  private mutating func read<Root>(
    _ form: FactForm<Root>,
    into root: inout Root
  ) throws(ProtocolError) {
    switch form {
    case .text(let path, let limit):
      root[keyPath: path] = try bool() ? try text(limit: limit) : nil
    case .texts(let path, let count, let limit):
      root[keyPath: path] = try texts(count, limit: limit)
    case .number(let path, let range):
      root[keyPath: path] = try optional { (reader) throws(ProtocolError) in
        let number = Int(Int32(bitPattern: try reader.integer(UInt32.self)))
        try reader.check(range.contains(number), "a number")
        return number
      }
    case .milliseconds(let path): root[keyPath: path] = try duration()
    case .orientation(let path):
      let orientation = Int(try integer(UInt8.self))
      try check((1...8).contains(orientation), "an orientation")
      root[keyPath: path] = orientation
    case .flag(let path): root[keyPath: path] = try bool()
    case .truth(let path):
      root[keyPath: path] = try bool() ? try bool() : nil
    case .size(let path):
      root[keyPath: path] = try bool() ? try size() : nil
    case .date(let path), .moment(let path):
      root[keyPath: path] = try bool() ? try date() : nil
    case .dates(let path, let limit):
      for _ in 0..<(try count(limit: limit)) { root[keyPath: path].append(try date()) }
    case .localTime(let path):
      root[keyPath: path] = try optional { (reader) throws(ProtocolError) in
        let local = try reader.text(limit: 19)
        try reader.check(local.utf8.count == 19 && Self.isDate(local), "a GPS time")
        return local
      }
    case .place(let path):
      root[keyPath: path] = try bool() ? try location() : nil
    case .placeName(let path):
      root[keyPath: path] = try bool() ? try placeName() : nil
    case .subtypes(let path):
      let subtypes = MediaSubtypes(rawValue: Int(try integer(UInt32.self)))
      try check(MediaSubtypes.all.isSuperset(of: subtypes), "unknown subtypes")
      root[keyPath: path] = subtypes
    case .movie(let path):
      root[keyPath: path] = try bool() ? try embeddedMovie() : nil
    case .tracks(let path, let limit):
      for _ in 0..<(try count(limit: limit)) { root[keyPath: path].append(try track()) }
    case .subject(let path, let limit):
      root[keyPath: path] = try optional { (reader) throws(ProtocolError) in
        let isAlbum = try reader.bool()
        let text = try reader.text(limit: limit)
        return isAlbum ? .album(text) : .picture(text)
      }
    }
  }

  private mutating func texts(_ most: Int, limit: Int) throws(ProtocolError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count(limit: most)) {
      let text = try text(limit: limit)
      try check(!text.isEmpty && !texts.contains(text), "a text that is empty or there twice")
      texts.append(text)
    }
    return texts
  }

  private mutating func placeName() throws(ProtocolError) -> PlaceName {
    func part(_ reader: inout WireReader) throws(ProtocolError) -> String {
      try reader.text(limit: PlaceName.maximumLength)
    }
    return PlaceName(city: try part(&self), region: try optional(part), country: try optional(part))
  }

  /// Reads a place.
  ///
  /// - Throws: ``ProtocolError`` for one that is not on Earth.
  package mutating func location() throws(ProtocolError) -> MediaDescription.Place {
    let latitude = Int(try integer(Int32.self))
    let longitude = Int(try integer(Int32.self))
    guard let place = MediaDescription.Place(latitude: latitude, longitude: longitude) else {
      throw ProtocolError("a place that is not on Earth")
    }
    return place
  }

  private mutating func duration() throws(ProtocolError) -> Int? {
    try optional { (reader) throws(ProtocolError) in
      let duration = try reader.integer(Int64.self)
      guard duration >= 0, duration < Int64.max / 2 else { throw ProtocolError("a duration") }
      return Int(duration)
    }
  }

  private mutating func number() throws(ProtocolError) -> Int? {
    try optional { (reader) throws(ProtocolError) in
      let number = try reader.integer(UInt32.self)
      try reader.check(number <= Int32.max, "a number")
      return Int(number)
    }
  }

  private mutating func embeddedMovie() throws(ProtocolError) -> EmbeddedMovie {
    let movie = EmbeddedMovie(
      offset: Int(try integer(Int64.self)),
      length: Int(try integer(Int64.self)),
      stillLength: try optional { (reader) throws(ProtocolError) in
        Int(try reader.integer(Int64.self))
      },
      soundTrackCount: Int(try integer(UInt32.self))
    )
    try check(movie.fits(.max) && movie.soundTrackCount <= Int32.max, "a movie outside of its file")
    return movie
  }

  private mutating func track() throws(ProtocolError) -> TrackFacts {
    let kind: TrackKind = try choice()
    let codec = try text(limit: 32)
    let isPlain = !codec.isEmpty && codec.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    try check(isPlain, "a codec's name")
    var track = TrackFacts(kind: kind, codec: codec)
    track.durationMilliseconds = try duration()
    track.pixelSize = try bool() ? try size() : nil
    track.frameRateMilli = try number()
    track.channelCount = try number()
    track.sampleRate = try number()
    return track
  }

  /// Reads a date of the form `yyyy-MM-ddTHH:mm:ss` or the beginning of it that is known, each field in its range,
  /// since labels contain it.
  private mutating func date() throws(ProtocolError) -> CaptureDate {
    let local = try text(limit: 19)
    try check(Self.isDate(local), "a date")
    let offset = try bool() ? try integer(Int32.self) : nil
    try check((-1440...1440).contains(offset ?? 0), "an offset from UTC")
    try check(offset == nil || local.utf8.count == 19, "an offset from UTC without a time")
    var date = CaptureDate(local: local, offsetMinutes: offset.map(Int.init), tag: try text(limit: 64))
    date.hasSeconds = try bool()
    date.fraction = try bool() ? try text(limit: CaptureDate.maximumFractionLength) : nil
    let isFraction = date.fraction.map { CaptureDate.fraction(Array($0.utf8)) == $0 } ?? true
    try check(isFraction, "a fraction of a second")
    let hasParts = local.utf8.count == 19 && date.hasSeconds || date.fraction == nil
    try check(hasParts && (date.hasSeconds || local.utf8.count == 19), "a precision")
    return date
  }

  private static func isDate(_ local: String) -> Bool {
    let shape = local.utf8.enumerated().allSatisfy { index, byte in
      switch index {
      case 4, 7: byte == .hyphen
      case 10: byte == UInt8(ascii: "T")
      case 13, 16: byte == .colon
      default: byte.isASCIIDigit
      }
    }
    guard [4, 7, 10, 19].contains(local.utf8.count), shape else { return false }
    let digits = Array(CaptureDate.beginning(ofLocal: local).utf8).map { Int($0) - 48 }
    func field(_ index: Int) -> Int { digits[index] * 10 + digits[index + 1] }
    guard (1...12).contains(field(5)), (1...31).contains(field(8)) else { return false }
    return field(11) < 24 && field(14) < 60 && field(17) <= 60
  }
}
