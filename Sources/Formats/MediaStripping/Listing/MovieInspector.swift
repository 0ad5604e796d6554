import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

extension MovieStripper {
  /// Lists the metadata of a movie, beside its video and audio; `removed` are parts of its media data.
  static func list(
    _ file: MovieFile,
    _ removed: RemovedParts?,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var inspector = MovieInspector(source, listing.options)
    inspector.addTop(of: file)
    if let moov = file.moov { try inspector.addMoov(moov) }
    for entry in removed?.entries ?? [] { inspector.add("mdat/\(entry.name)", entry.range) }
    inspector.parts.list(into: &listing)
  }
}

/// Collects the metadata of a movie, or of the moov of a picture file.
struct MovieInspector {
  private let source: ByteSource
  private let options: StripOptions
  private let allowList: BoxAllowList
  /// The handlers of the tracks that a picture file keeps; nil for a movie.
  private let handlers: Set<FourCharacterCode>?
  private(set) var parts = ListedParts()

  /// Creates an inspector of a movie.
  init(_ source: ByteSource, _ options: StripOptions) {
    (self.source, self.options) = (source, options)
    (allowList, handlers) = (.movie, nil)
  }

  /// Creates an inspector of a picture file's moov, of which no value is kept, and no track but those
  /// of `handlers`.
  init(_ source: ByteSource, ofPictures handlers: Set<FourCharacterCode>) {
    (self.source, options) = (source, StripOptions())
    (allowList, self.handlers) = (.picture, handlers)
  }

  /// Adds a part with the exception that would keep it, and the range of its text.
  mutating func add(
    _ path: String,
    _ range: Range<Int>,
    _ exception: MetadataException? = nil,
    text: Range<Int>? = nil
  ) {
    guard !parts.isFull else { return }
    let exception = handlers == nil ? exception : nil
    parts.add(at: range.lowerBound) { [source] listing in
      let isRemoved = listing.removes(exception)
      if exception == .contentCredentials {
        listing.addCredentials(path, at: range, of: source, isRemoved: isRemoved)
      } else {
        listing.add(path, at: range, isRemoved: isRemoved, exception: exception) {
          text.flatMap { MetadataListing.text(in: $0, of: source) }
        }
      }
    }
  }

  private mutating func addPacket(_ path: String, _ range: Range<Int>) {
    guard !parts.isFull else { return }
    parts.add(at: range.lowerBound) { [source, isUsed = handlers == nil] listing in
      listing.addXMP(path, at: range, of: source, isUsed: isUsed)
    }
  }

  mutating func addTop(of file: MovieFile) {
    for part in file.parts {
      let body = part.box.body
      switch part.kind {
      case .ftyp, .moov, .moof, .mdat, .sidx: continue
      case .credentials:
        add("uuid", body, .contentCredentials)
      case .mfra, .other:
        if part.box.type == "uuid", source.holds(MovieFile.xmpIdentifier, at: body.lowerBound) {
          addPacket("uuid XMP", body.dropFirst(16))
        } else {
          add(part.box.type.displayName, body)
        }
      }
    }
    if !file.trailer.isEmpty { add("trailer", file.trailer) }
  }

  mutating func addMoov(_ moov: ISOBox) throws(MetadataError) {
    for box in try moov.children(in: source) {
      switch box.type {
      case "mvhd": addTimes(of: box, "moov", exception: .creationDate)
      case "trak": try addTrack(box)
      case "mvex": continue
      case "udta": addUserData(box, "moov/udta")
      case "meta": addNamed(box, "moov/meta")
      default: add("moov/\(box.type.displayName)", box.body)
      }
    }
  }

  private mutating func addTimes(
    of box: ISOBox,
    _ path: String,
    exception: MetadataException? = nil
  ) {
    guard ISOHeaders.hasTimes(box, of: source) else { return }
    let length = source.byte(at: box.body.lowerBound) == 1 ? 16 : 8
    let range = box.body.dropFirst(4).prefix(length)
    add("\(path)/\(box.type.displayName)/creation time", range, exception)
  }

  private mutating func addTrack(_ trak: ISOBox) throws(MetadataError) {
    let track = try ISOTrack(trak, of: source)
    let path = "track \(track.identifier)"
    let isAudio = track.handler == "soun" && !options.removesAudio
    let isKept = track.handler.map { handlers?.contains($0) ?? ($0 == "vide" || isAudio) } ?? false
    if isKept {
      for box in try trak.children(in: source) { try addTrackBox(box, in: "trak", path, isKept) }
      return
    }
    add("\(path) \(track.name)", trak.body)
    // It tells its times and names as well; what is removed may be damaged.
    for box in ISOBoxes(source, in: trak.body).prefix(64) {
      try? addTrackBox(box, in: "trak", path, isKept)
    }
  }

  private mutating func addTrackBox(
    _ box: ISOBox,
    in parent: FourCharacterCode,
    _ path: String,
    _ isKept: Bool
  ) throws(MetadataError) {
    switch box.type {
    case "udta" where parent == "trak": addUserData(box, path + "/udta")
    case "meta" where parent == "trak": addNamed(box, path + "/meta")
    case _ where !allowList.allows(box.type, in: parent):
      if isKept { add("\(path)/\(box.type.displayName)", box.body) }
    case "tkhd", "mdhd": addTimes(of: box, path)
    case "hdlr": addHandler(box, path)
    case "mdia":
      for part in try box.children(in: source) { try addTrackBox(part, in: "mdia", path, isKept) }
    case "minf":
      for part in ISOBoxes(source, in: box.body) {
        try addTrackBox(part, in: "minf", path, isKept)
      }
      addCompressor(inMedia: box.body, path)
      addCodedFile(inMedia: box.body, path)
    default: break
    }
  }

  /// Adds the name of the compressor in the first sample description.
  private mutating func addCompressor(inMedia minf: Range<Int>, _ path: String) {
    guard let stsd = ISOBoxes.body(at: ["stbl", "stsd"], in: minf, of: source),
      let entry = ISOBoxes(source, in: stsd.dropFirst(8)).first(where: { _ in true }),
      ISOBoxes.body(at: ["vmhd"], in: minf, of: source) != nil
    else { return }
    let name = entry.body.dropFirst(42).prefix(32)
    guard source.bytes(in: name, limit: 32)?.contains(where: { $0 != 0 }) == true else { return }
    add("\(path)/compressor name", name, text: name.dropFirst(1))
  }

  /// Adds the header and the trailer of a file that a lossless coder has put into its configuration: the
  /// chunks of a WAV by what they are.
  private mutating func addCodedFile(inMedia minf: Range<Int>, _ path: String) {
    guard let stsd = ISOBoxes.body(at: ["stbl", "stsd"], in: minf, of: source),
      let entry = ISOBoxes(source, in: stsd.dropFirst(8)).first(where: { _ in true }),
      entry.type == "mp4a",
      let esds = ISOBoxes.first("esds", in: entry.body.dropFirst(28), of: source)
    else { return }
    var fields = ISOFields(source, esds.body, "esds")
    guard let stream = try? MovieElementaryStream(&fields, .plain) else { return }
    for range in stream.embedded {
      let isHead = source.holds("RIFF", at: range.lowerBound)
      parts.add(at: range.lowerBound) { [source] listing in
        let name = "\(path)/header of the coded file"
        // Nothing of it is kept.
        var inner = listing.nested(options: StripOptions())
        for chunk in RIFFChunks(source, in: isHead ? range.dropFirst(12) : range).prefix(64)
        where !["fmt ", "fact", "data", "ds64"].contains(chunk.type) {
          WAVStripper.list(chunk, of: source, into: &inner)
        }
        if inner.count == 0 { return listing.add(name, at: range, isRemoved: true) }
        listing.add(inner, path: name, at: 0)
      }
    }
  }

  private mutating func addHandler(_ box: ISOBox, _ path: String) {
    guard let name = ISOHeaders.handlerName(box, of: source) else { return }
    add("\(path)/handler name", name, text: name)
  }

  private mutating func addUserData(_ udta: ISOBox, _ path: String) {
    let isOfMovie = path.hasPrefix("moov")
    for box in ISOBoxes(source, in: udta.body).prefix(4096) where box.type.value != 0 {
      let name = "\(path)/\(box.type.displayName)"
      if box.type == "meta" {
        addNamed(box, name)
      } else if box.type == "XMP_" {
        addPacket(name, box.body)
      } else {
        let isText = box.type.value >> 24 == 0xA9
        var exception = isOfMovie ? MovieValue.types[box.type]?.exception : nil
        let text = isText ? box.body.dropFirst(4) : box.type == "date" ? box.body : nil
        if exception == .location, !isPlace(text, loci: isText ? nil : box.body) { exception = nil }
        add(name, box.body, exception, text: text)
      }
    }
  }

  /// Whether a place is understood: nothing of another one is written again, as of 0, 0.
  private func isPlace(_ text: Range<Int>?, loci body: Range<Int>? = nil) -> Bool {
    if let body { return MoviePlace.read(source, loci: body) != nil }
    let bytes = text.flatMap { source.bytes(in: $0.prefix(64), limit: 64) }
    return bytes.flatMap(MoviePlace.read) != nil
  }

  /// Adds the named values of QuickTime, or the tags of iTunes.
  private mutating func addNamed(_ meta: ISOBox, _ path: String) {
    let isPlain = source.code(at: meta.body.lowerBound + 4) == "hdlr"
    let boxes = isPlain ? meta.body : meta.body.dropFirst(4)
    guard let list = ISOBoxes.first("ilst", in: boxes, of: source)?.body else {
      return add(path, meta.body)
    }
    var keys: [UInt32: Range<Int>] = [:]
    if let table = ISOBoxes.first("keys", in: boxes, of: source)?.body {
      for (index, box) in ISOBoxes(source, in: table.dropFirst(8)).prefix(4096).enumerated() {
        keys[UInt32(index + 1)] = box.body
      }
    }
    let isOfMovie = path.hasPrefix("moov")
    for item in ISOBoxes(source, in: list).prefix(4096) {
      var name = item.type.displayName
      var exception = MovieValue.types[item.type]?.exception
      if let key = keys[item.type.value].flatMap({ source.bytes(in: $0, limit: 128) }) {
        let word = String(decoding: key, as: UTF8.self)
        exception = MovieValue.keys[word]?.exception
        name = EscapedText.printable(word, limit: 80)
      }
      // The text follows size, type, kind and locale.
      let isText = source.uint32(at: item.body.lowerBound + 8) == 1
      let text = isText ? item.body.dropFirst(16) : nil
      if exception == .location, !isPlace(text) { exception = nil }
      add("\(path)/\(name)", item.body, isOfMovie ? exception : nil, text: text)
    }
  }
}
