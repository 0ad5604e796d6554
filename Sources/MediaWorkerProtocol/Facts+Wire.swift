internal import MediaModel

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

  mutating func put(_ facts: Facts) {
    put(facts.format.rawValue)
    put(facts.pixelSize) { $0.put($1) }
    put(UInt8(clamping: facts.orientation))
    put(facts.creationDate) { $0.put($1) }
    put(facts.camera) { $0.put($1) }
    put(facts.hasLocation)
    put(facts.contentIdentifier) { $0.put($1) }
    put(facts.burstIdentifier) { $0.put($1) }
    put(facts.durationMilliseconds) { $0.put(Int64($1)) }
    put(facts.frameCount) { $0.putNumber($1) }
    put(UInt32(facts.tracks.count))
    for track in facts.tracks {
      put(track.kind.rawValue)
      put(track.codec)
      put(track.durationMilliseconds) { $0.put(Int64($1)) }
      put(track.pixelSize) { $0.put($1) }
      put(track.frameRateMilli) { $0.putNumber($1) }
      put(track.channelCount) { $0.putNumber($1) }
      put(track.sampleRate) { $0.putNumber($1) }
    }
    put(facts.embeddedMovie) { $0.put($1) }
    put(facts.description) { $0.put($1) }
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
  }

  mutating func put(_ description: MediaDescription) {
    put(UInt32(description.dates.count))
    for date in description.dates { put(date) }
    put(description.locationTime) { $0.put($1) }
    put(description.place) { $0.put($1) }
    put(UInt32(clamping: description.subtypes.rawValue))
    put(description.rating) { $0.putNumber($1) }
    put(description.isFavorite) { $0.put($1) }
    put(description.isHidden) { $0.put($1) }
    put(description.caption) { $0.put($1) }
    put(UInt32(description.keywords.count))
    for keyword in description.keywords { put(keyword) }
    put(UInt32(description.people?.count ?? 0))
    for person in description.people ?? [] { put(person) }
    put(description.burst) { $0.put($1) }
    put(description.isBurstPick) { $0.put($1) }
    put(description.subject) { writer, subject in
      switch subject {
      case .picture(let words):
        writer.put(false)
        writer.put(words)
      case .album(let title):
        writer.put(true)
        writer.put(title)
      }
    }
    put(description.isTrashed) { $0.put($1) }
    put(description.misstatesMovie) { $0.put($1) }
    put(description.ownerExtension) { $0.put($1) }
  }

  mutating func put(_ place: MediaDescription.Place) {
    put(Int32(clamping: place.latitude))
    put(Int32(clamping: place.longitude))
  }
}

extension WireReader {
  private mutating func optional<Value>(
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
    var facts = Facts(format: try choice())
    facts.pixelSize = try optional { (reader) throws(ProtocolError) in try reader.size() }
    facts.orientation = Int(try integer(UInt8.self))
    guard (1...8).contains(facts.orientation) else { throw ProtocolError("an orientation") }
    facts.creationDate = try optional { (reader) throws(ProtocolError) in try reader.date() }
    facts.camera = try optional { (reader) throws(ProtocolError) in try reader.text(limit: 256) }
    facts.hasLocation = try bool()
    facts.contentIdentifier = try optional { (reader) throws(ProtocolError) in
      try reader.text(limit: 128)
    }
    facts.burstIdentifier = try optional { (reader) throws(ProtocolError) in
      try reader.text(limit: 128)
    }
    facts.durationMilliseconds = try duration()
    facts.frameCount = try number()
    for _ in 0..<(try count(limit: Self.maximumTracks)) { facts.tracks.append(try track()) }
    facts.embeddedMovie = try optional { (reader) throws(ProtocolError) in
      try reader.embeddedMovie()
    }
    facts.description = try optional { (reader) throws(ProtocolError) in try reader.description() }
    return facts
  }

  mutating func description() throws(ProtocolError) -> MediaDescription {
    var description = MediaDescription()
    for _ in 0..<(try count(limit: MediaDescription.maximumDates)) {
      description.dates.append(try date())
    }
    description.locationTime = try optional { (reader) throws(ProtocolError) in
      let local = try reader.text(limit: 19)
      guard local.utf8.count == 19, Self.isDate(local) else { throw ProtocolError("a GPS time") }
      return local
    }
    description.place = try optional { (reader) throws(ProtocolError) in try reader.location() }
    description.subtypes = MediaSubtypes(rawValue: Int(try integer(UInt32.self)))
    guard MediaSubtypes.all.isSuperset(of: description.subtypes) else {
      throw ProtocolError("unknown subtypes")
    }
    description.rating = try number()
    guard (0...5).contains(description.rating ?? 0) else { throw ProtocolError("a rating") }
    description.isFavorite = try optionalBool()
    description.isHidden = try optionalBool()
    description.caption = try optional { (reader) throws(ProtocolError) in
      try reader.text(limit: MediaDescription.maximumCaptionLength)
    }
    for _ in 0..<(try count(limit: MediaDescription.maximumKeywords)) {
      let keyword = try text(limit: MediaDescription.maximumKeywordLength)
      guard !keyword.isEmpty, !description.keywords.contains(keyword) else {
        throw ProtocolError("a keyword that is empty or there twice")
      }
      description.keywords.append(keyword)
    }
    for _ in 0..<(try count(limit: MediaDescription.maximumPeople)) {
      let person = try text(limit: MediaDescription.maximumNameLength)
      guard !person.isEmpty, description.people?.contains(person) != true else {
        throw ProtocolError("a person without a name or there twice")
      }
      description.add(person: person)
    }
    description.burst = try optional { (reader) throws(ProtocolError) in
      try reader.text(limit: 128)
    }
    description.isBurstPick = try optionalBool()
    description.subject = try optional { (reader) throws(ProtocolError) in
      let isAlbum = try reader.bool()
      let text = try reader.text(limit: MediaDescription.maximumSubjectLength)
      return isAlbum ? .album(text) : .picture(text)
    }
    description.isTrashed = try optionalBool()
    description.misstatesMovie = try optionalBool()
    description.ownerExtension = try optional { (reader) throws(ProtocolError) in
      try reader.text(limit: MediaDescription.maximumExtensionLength)
    }
    return description
  }

  mutating func location() throws(ProtocolError) -> MediaDescription.Place {
    let latitude = Int(try integer(Int32.self))
    let longitude = Int(try integer(Int32.self))
    guard let place = MediaDescription.Place(latitude: latitude, longitude: longitude) else {
      throw ProtocolError("a place that is not on Earth")
    }
    return place
  }

  private static let maximumTracks = 64

  private mutating func optionalBool() throws(ProtocolError) -> Bool? {
    try optional { (reader) throws(ProtocolError) in try reader.bool() }
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
      guard number <= Int32.max else { throw ProtocolError("a number") }
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
    guard movie.fits(.max), movie.soundTrackCount <= Int32.max else {
      throw ProtocolError("a movie outside of its file")
    }
    return movie
  }

  private mutating func track() throws(ProtocolError) -> TrackFacts {
    let kind: TrackKind = try choice()
    let codec = try text(limit: 32)
    guard !codec.isEmpty, codec.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw ProtocolError("a codec's name")
    }
    var track = TrackFacts(kind: kind, codec: codec)
    track.durationMilliseconds = try duration()
    track.pixelSize = try optional { (reader) throws(ProtocolError) in try reader.size() }
    track.frameRateMilli = try number()
    track.channelCount = try number()
    track.sampleRate = try number()
    return track
  }

  /// Reads a date of the form `yyyy-MM-ddTHH:mm:ss` or `yyyy-MM-dd`, each field in its range, since
  /// labels contain it.
  private mutating func date() throws(ProtocolError) -> CaptureDate {
    let local = try text(limit: 19)
    guard Self.isDate(local) else { throw ProtocolError("a date") }
    let offset = try optional { (reader) throws(ProtocolError) in try reader.integer(Int32.self) }
    guard (-1440...1440).contains(offset ?? 0) else { throw ProtocolError("an offset from UTC") }
    guard offset == nil || local.utf8.count == 19 else {
      throw ProtocolError("an offset from UTC without a time")
    }
    return CaptureDate(local: local, offsetMinutes: offset.map(Int.init), tag: try text(limit: 64))
  }

  private static func isDate(_ local: String) -> Bool {
    let shape = local.utf8.enumerated().allSatisfy { index, byte in
      switch index {
      case 4, 7: byte == UInt8(ascii: "-")
      case 10: byte == UInt8(ascii: "T")
      case 13, 16: byte == UInt8(ascii: ":")
      default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
    guard local.utf8.count == 19 || local.utf8.count == 10, shape else { return false }
    let digits = Array(local.utf8).map { Int($0) - 48 }
    func field(_ index: Int) -> Int { digits[index] * 10 + digits[index + 1] }
    guard (1...12).contains(field(5)), (1...31).contains(field(8)) else { return false }
    return digits.count == 10 || field(11) < 24 && field(14) < 60 && field(17) <= 60
  }
}
