internal import MediaCodecs
package import MediaContainers
internal import MediaModel

/// Reads the values of a movie that may be kept.
///
/// QuickTime's named metadata have precedence, because phones write them; then follow the user
/// data of QuickTime, iTunes and 3GPP, the date in a frame of DV, an XMP packet, the time in mvhd.
///
/// Source: Apple, QuickTime File Format, user data and metadata; 3GPP TS 26.244 section 8; ISO/IEC
/// 14496-12 section 8.2.2.
package struct MovieValues {
  private static var maximumBoxes: Int { 4096 }
  private static var maximumText: Int { 8192 }

  private let source: ByteSource
  private var kept = KeptMetadata()
  private var hasOnlyHeaderDate = false
  /// A date without a time of day, for which a movie has no form; it rules out a time in the header that it does not
  /// contain.
  private var statedDay: CaptureDate?
  /// The description in the movie, beside the values that may be kept; nil unless it was asked for.
  private var described: MediaDescription?

  private init(_ source: ByteSource) {
    self.source = source
  }

  /// Returns all values; those that no tag contains come from an XMP packet.
  package static func all(in source: ByteSource) -> KeptMetadata {
    var values = MovieValues(source)
    values.readAll()
    return values.kept
  }

  /// Returns all values, and what the movie says besides.
  static func described(
    in source: ByteSource
  ) -> (values: KeptMetadata, description: MediaDescription) {
    var values = MovieValues(source)
    values.described = MediaDescription()
    values.readAll()
    return (values.kept, values.described ?? MediaDescription())
  }

  private mutating func readAll() {
    var packet: Range<Int>?
    for box in ISOBoxes(source, in: 0..<source.length).prefix(Self.maximumBoxes) {
      if box.type == "moov" {
        readMoov(box.body)
        packet =
          ISOBoxes.body(at: ["udta", "XMP_"], in: box.body, of: source) ?? packet
      } else if box.type == "uuid", source.holds(MovieFile.xmpIdentifier, at: box.body.lowerBound) {
        packet = packet ?? box.body.dropFirst(16)
      } else if described != nil, box.type == "uuid",
        source.holds(HEIFContainer.credentialsIdentifier, at: box.body.lowerBound)
      {
        let store = source.bytes(in: box.body, limit: ContentCredentials.maximumLength) ?? []
        notePlace(PlaceStatements.hold(credentials: store))
      }
    }
    if let packet, let bytes = source.bytes(in: packet, limit: FoundMetadata.maximumBlockLength) {
      let properties = XMPProperties(bytes)
      complete(from: XMPValues.read(properties))
      if described != nil {
        notePlace(PlaceStatements.hold(properties))
        XMPValues.describe(properties, into: &described)
      }
    }
  }

  /// Returns the values of QuickTime's named metadata, the only ones that an output may have.
  package static func own(in source: ByteSource) -> KeptMetadata {
    var values = MovieValues(source)
    if let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source)?.body,
      let meta = ISOBoxes.first("meta", in: moov, of: source)?.body
    {
      values.readNamed(meta)
    }
    return values.kept
  }

  private mutating func complete(from other: KeptMetadata) {
    // The time in mvhd may be the clock of the program that wrote the file, so any other date
    // replaces it. A movie has no form for one without a time of day, which rules it out all the same.
    if let date = other.creationDate, hasOnlyHeaderDate,
      !date.isDateOnly || kept.creationDate.map({ !date.isRefined(by: $0) }) == true
    {
      kept.creationDate = date
    }
    kept.fill(from: other)
    if kept.creationDate?.isDateOnly == true { kept.creationDate = nil }
    kept.takeNames(of: other)
    kept.location = kept.location ?? other.location
  }

  private mutating func readMoov(_ moov: Range<Int>) {
    let boxes = Array(ISOBoxes(source, in: moov).prefix(Self.maximumBoxes))
    for box in boxes where box.type == "meta" { readNamed(box.body) }
    for box in boxes where box.type == "udta" { readUserData(box.body) }
    if described != nil { describeTracks(boxes) }
    if let date = recordingDate(boxes) {
      described?.add(DVFacts.stated(date))
      if kept.creationDate == nil, !date.isDateOnly { kept.creationDate = date }
    }
    guard kept.creationDate == nil || described != nil,
      let mvhd = boxes.first(where: { $0.type == "mvhd" })?.body
    else { return }
    let date = MovieHeader.dateOrImpossible(of: source, in: mvhd)
    described?.add(date)
    guard kept.creationDate == nil, var date, !date.isDateOnly,
      statedDay.map({ $0.isRefined(by: date) }) ?? true
    else { return }
    date.tag = KeptMetadata.dateTag
    kept.creationDate = date
    hasOnlyHeaderDate = true
  }

  /// Returns the date in the first frame of DV, which a camera recorded.
  private func recordingDate(_ boxes: [ISOBox]) -> CaptureDate? {
    for track in boxes where track.type == "trak" {
      guard let stbl = ISOBoxes.body(at: ["mdia", "minf", "stbl"], in: track.body, of: source),
        let stsd = ISOBoxes.first("stsd", in: stbl, of: source)?.body,
        let entry = ISOBoxes(source, in: stsd.dropFirst(8), limit: 1).first(where: { _ in true }),
        ISOVideoCodec.kind(of: entry, in: source) == .dv
      else { continue }
      let short = ISOBoxes.first("stco", in: stbl, of: source)?.body.lowerBound
      let long = ISOBoxes.first("co64", in: stbl, of: source)?.body.lowerBound
      let start = short.flatMap { source.uint32(at: $0 + 8) } ?? long.flatMap { source.uint64(at: $0 + 8) }
      guard let start, let file = DVFile(of: ByteSource(source, start..<max(start, source.length))) else {
        continue
      }
      return DVFacts.date(of: file)
    }
    return nil
  }

  /// Reads the keys and values of a meta box, or the tags of iTunes.
  private mutating func readNamed(_ meta: Range<Int>) {
    let isPlain = source.code(at: meta.lowerBound + 4) == "hdlr"
    let boxes = isPlain ? meta : meta.dropFirst(4)
    guard let list = ISOBoxes.first("ilst", in: boxes, of: source)?.body else { return }
    var keys: [UInt32: String] = [:]
    if let table = ISOBoxes.first("keys", in: boxes, of: source)?.body {
      for (index, box) in ISOBoxes(source, in: table.dropFirst(8)).prefix(Self.maximumBoxes)
        .enumerated() where box.type == "mdta"
      {
        guard let name = source.bytes(in: box.body, limit: 128) else { continue }
        keys[UInt32(index + 1)] = String(decoding: name, as: UTF8.self)
      }
    }
    for item in ISOBoxes(source, in: list).prefix(Self.maximumBoxes) {
      guard let data = ISOBoxes.first("data", in: item.body, of: source)?.body, data.count > 8,
        let value = source.bytes(in: data.dropFirst(8), limit: Self.maximumText)
      else { continue }
      if let key = keys[item.type.value] {
        notePlace(PlaceStatements.holds("moov/meta", key, value))
        take(MovieValue.keys[key], value)
        if described != nil { describe(key, value) }
      } else {
        notePlace(PlaceStatements.holds("moov/meta", item.type.displayName, value))
        take(MovieValue.types[item.type], value)
        if described != nil { describe(item.type, value) }
      }
    }
  }

  private mutating func take(_ value: MovieValue?, _ bytes: [UInt8]) {
    switch value {
    case .date: takeDate(bytes)
    case .device(let name):
      kept.take(name, MetadataText.checked(bytes, limit: MetadataText.maximumNameLength))
    case .title: kept.title = kept.title ?? text(bytes)
    case .caption: kept.caption = kept.caption ?? text(bytes)
    case .copyright: kept.copyright = kept.copyright ?? text(bytes)
    case .creator: kept.creator = kept.creator ?? text(bytes)
    case .rating:
      kept.rating = kept.rating ?? MetadataText.rating(String(decoding: bytes, as: UTF8.self))
    case .location: kept.location = kept.location ?? MoviePlace.read(bytes)
    case .identifier:
      kept.contentIdentifier = kept.contentIdentifier ?? ContentIdentifier.checked(bytes)
    case nil: break
    }
  }

  private mutating func readUserData(_ udta: Range<Int>) {
    let source = source
    for box in ISOBoxes(source, in: udta).prefix(Self.maximumBoxes) {
      notePlace(Self.statesPlace(box, of: source))
      switch box.type {
      case "meta": readNamed(box.body)
      case "loci": kept.location = kept.location ?? MoviePlace.read(source, loci: box.body)
      case "titl", "dscp", "cprt", "auth", "perf":
        // The version, flags and language precede the text.
        guard let value = source.bytes(in: box.body.dropFirst(6), limit: Self.maximumText) else {
          continue
        }
        take(MovieValue.types[box.type], wide(value) ?? value)
      // A text alone.
      case "date":
        guard let value = source.bytes(in: box.body, limit: 64) else { continue }
        take(.date, value)
        if described != nil { describe(box.type, value) }
      default:
        guard box.type.value >> 24 == 0xA9, let text = text(ofUserData: box),
          let value = source.bytes(in: text, limit: Self.maximumText)
        else { continue }
        take(MovieValue.types[box.type], value)
        if described != nil { describe(box.type, value) }
      }
    }
  }

  /// Returns the range of a text behind its length and language, which some programs leave out of a place; nil where it
  /// is longer than its box.
  private func text(ofUserData box: ISOBox) -> Range<Int>? {
    guard let length = source.uint16(at: box.body.lowerBound) else { return nil }
    if length <= box.body.count - 4 { return box.body.dropFirst(4).prefix(length) }
    return box.type == "©xyz" ? box.body.prefix(Self.maximumText) : nil
  }

  private mutating func notePlace(_ states: @autoclosure () -> Bool) {
    guard described?.statesPlace == false, states() else { return }
    described?.statesPlace = true
  }

  /// Returns whether user data say a place, understood or not.
  private static func statesPlace(_ box: ISOBox, of source: ByteSource) -> Bool {
    if box.type == "loci", MoviePlace.isNowhere(source, loci: box.body) { return false }
    // Length and language, or version and flags, come first.
    let text = box.body.dropFirst(4).prefix(1024)
    return PlaceStatements.holds("moov/udta", box.type.displayName, source.bytes(in: text, limit: 1024))
  }

  private mutating func describe(_ type: FourCharacterCode, _ value: [UInt8]) {
    if type == "keyw" { return addKeywords(value) }
    guard MovieValue.types[type] == .date else { return }
    for date in DateText.dates(Self.text(of: value), tag: type.displayName) { described?.add(date) }
  }

  /// Source: AVFoundation's `AVMetadataKey`; exiftool `QuickTime.pm`, Keys; Android's `MPEG4Writer`
  /// for `com.android.capture.fps`, a big-endian float.
  private mutating func describe(_ key: String, _ value: [UInt8]) {
    switch key {
    case "com.apple.quicktime.creationdate":
      for date in DateText.dates(Self.text(of: value), tag: key) { described?.add(date) }
    case "com.apple.quicktime.keywords": addKeywords(value)
    case "com.apple.photos.captureMode" where Self.text(of: value) == "Time-lapse":
      described?.subtypes.insert(.videoTimelapse)
    case "com.apple.quicktime.cinematic-video", "com.apple.quicktime.cinematic-video-intent":
      described?.subtypes.insert(.videoCinematic)
    case "com.apple.quicktime.spatial.format-version":
      described?.subtypes.insert(.spatialMedia)
    case "com.android.capture.fps" where value.count == 4:
      let rate = Float(bitPattern: value.reduce(0) { $0 << 8 | UInt32($1) })
      if rate >= 100, rate < 100_000 { described?.subtypes.insert(.videoHighFrameRate) }
    default: break
    }
  }

  private mutating func addKeywords(_ value: [UInt8]) {
    for word in Self.text(of: value).split(separator: ",") { XMPValues.add(String(word), to: &described) }
  }

  /// Looks for keys and user data that a track has of its own: Apple's cameras write the mode of a capture there.
  private mutating func describeTracks(_ boxes: [ISOBox]) {
    let source = source
    for box in boxes.prefix(64) where box.type == "trak" {
      for part in ISOBoxes(source, in: box.body).prefix(Self.maximumBoxes) {
        switch part.type {
        case "meta":
          let movieValues = kept
          readNamed(part.body)
          kept = movieValues
        case "udta":
          for value in ISOBoxes(source, in: part.body).prefix(Self.maximumBoxes) {
            notePlace(Self.statesPlace(value, of: source))
          }
        default: break
        }
      }
    }
  }

  private static func text(of value: [UInt8]) -> String {
    var text = String(decoding: value.prefix { $0 != 0 }.prefix(256), as: UTF8.self)
    while text.unicodeScalars.last?.properties.isWhitespace == true {
      text.unicodeScalars.removeLast()
    }
    return text
  }

  private mutating func takeDate(_ value: [UInt8]) {
    guard kept.creationDate == nil else { return }
    guard let local = DateText.local(exif: value) else {
      let stated = DateText.dates(Self.text(of: value), tag: KeptMetadata.dateTag)
      statedDay = statedDay ?? stated.first { $0.isDateOnly && !$0.isImpossible }
      return
    }
    kept.creationDate = CaptureDate(
      local: local,
      // A fraction of a second may precede the offset.
      offsetMinutes: DateText.offsetMinutes(value[19...].drop { $0 == .dot || $0.isASCIIDigit }),
      tag: KeptMetadata.dateTag
    )
  }

  private func text(_ bytes: [UInt8]) -> String? { MetadataText.checked(bytes) }

  /// Converts UTF-16 after its byte order mark to UTF-8.
  private func wide(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    var units: [UInt16] = []
    for index in stride(from: 2, to: bytes.count - 1, by: 2) {
      let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      if unit == 0 { break }
      units.append(unit)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
