import MediaContainers

/// The tracks of a movie, and which of them stay.
///
/// Under strip what shows or sounds stays, and nothing else: no timed metadata, texts, time codes,
/// hints, chapters, or thumbnails. When only sound goes, every other track stays.
struct MovieSelection {
  /// More tracks are no movie that anybody made.
  private static var maximumTracks: Int { 1024 }

  /// All of them, in order.
  private(set) var tracks: [MovieTrack] = []
  /// Places in `tracks`, ascending.
  private(set) var kept: [Int] = []
  /// The numbers of the tracks that stay.
  private(set) var identifiers: Set<Int> = []
  /// The children of moov.
  let boxes: [MovieBox]
  /// By track, for a movie in fragments.
  private(set) var defaults: [Int: MovieFragmentDefaults] = [:]

  /// Reads the children of moov; `keepsAll` is for when only sound goes.
  ///
  /// - Throws: `stripUnsupported` for a codec or a structure that is not known, and when nothing would
  ///   be left; `damaged` for boxes that do not follow their format.
  init(
    _ moov: MovieBox,
    keepsAll: Bool,
    removesAudio: Bool,
    of source: ByteSource
  ) throws(MetadataError) {
    boxes = try MovieBox.children(of: "moov", in: moov.body, of: source)
    for type in ["cmov", "rmra"] as [FourCharacterCode]
    where boxes.contains(where: { $0.type == type }) {
      throw MetadataError(.stripUnsupported, "movie with \(MovieNames.name(type))")
    }
    for box in boxes where box.type == "trak" {
      guard tracks.count < Self.maximumTracks else {
        throw MetadataError(.overLimit, "too many tracks")
      }
      tracks.append(try MovieTrack(box, of: source))
    }
    guard Set(tracks.map(\.identifier)).count == tracks.count else {
      throw MetadataError(.damaged, "two tracks of one number")
    }
    if let mvex = try boxes.only("mvex") { try readDefaults(mvex, of: source) }
    let shown = keepsAll ? Set<Int>() : thumbnails
    for place in tracks.indices {
      let isKept =
        switch tracks[place].handler {
        case _ where tracks[place].isAudio:
          !removesAudio && (keepsAll || tracks[place].handler == "soun")
        // One track with sound in it.
        case "MPEG", "mux ": keepsAll
        case "musi": keepsAll && !removesAudio
        // Its packets may hold what it sends of a sound.
        case "hint": keepsAll && !removesAudio
        case "vide": !shown.contains(tracks[place].identifier)
        default: keepsAll
        }
      guard isKept else { continue }
      if removesAudio, Self.hasAudioInPictures(tracks[place]) {
        throw MetadataError(.stripUnsupported, "sound within pictures")
      }
      try tracks[place].readMedia()
      if keepsAll {
        try Self.checkPlain(tracks[place])
      } else {
        try tracks[place].readEntries()
      }
      kept.append(place)
      identifiers.insert(tracks[place].identifier)
    }
    guard !kept.isEmpty else {
      throw MetadataError(.stripUnsupported, "nothing but \(tracks.first?.name ?? "metadata")")
    }
  }

  /// Tracks of pictures that another track names its chapters' or its thumbnails', and single still
  /// pictures beside a film.
  private var thumbnails: Set<Int> {
    var found: Set<Int> = []
    for track in tracks {
      for (type, to) in track.references {
        if type == "chap" { found.formUnion(to) }
        if type == "thmb" { found.insert(track.identifier) }
      }
    }
    let isStill = { (track: MovieTrack) in
      track.codec.map { MovieVideoCodec.stills.contains($0) } ?? false
    }
    let films = tracks.filter { track in
      track.handler == "vide" && !found.contains(track.identifier)
    }
    if films.contains(where: { !isStill($0) }) {
      for track in films where isStill(track) { found.insert(track.identifier) }
    }
    return found
  }

  /// Digital video keeps its sound between its pictures.
  private static func hasAudioInPictures(_ track: MovieTrack) -> Bool {
    if track.handler == "MPEG" || track.handler == "mux " { return true }
    guard let codec = track.codec else { return false }
    let name = codec.bytes
    return track.handler == "vide"
      && (name.starts(with: "dv".utf8) || name.starts(with: "dvc".utf8))
      && !["dvh1", "dvhe", "dva1", "dvav"].contains(codec)
  }

  /// Encryption refers to places in the file from more tables than are rewritten here.
  private static func checkPlain(_ track: MovieTrack) throws(MetadataError) {
    if track.stbl.contains(where: { $0.type == "saio" })
      || track.codec.map({ MovieSampleEntry.encrypted.contains($0) }) == true
    {
      throw MetadataError(.stripUnsupported, "encrypted track")
    }
  }

  private mutating func readDefaults(
    _ mvex: MovieBox,
    of source: ByteSource
  ) throws(MetadataError) {
    for box in try MovieBox.children(of: "mvex", in: mvex.body, of: source)
    where box.type == "trex" {
      var fields = HEIFFields(source, box.body, "trex")
      _ = try fields.number(4)
      let identifier = try fields.number(4)
      let description = try fields.number(4)
      _ = try fields.number(4)
      let size = try fields.number(4)
      defaults[identifier] = MovieFragmentDefaults(description: description, size: size)
    }
  }
}
