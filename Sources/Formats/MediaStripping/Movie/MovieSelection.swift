import MediaCodecs
import MediaContainers

/// The tracks of a movie, and which of them are kept.
///
/// Strip keeps video and audio, and nothing else: no timed metadata, texts, time codes, hints,
/// chapters, or thumbnails. If only audio is removed, every other track is kept.
struct MovieSelection {
  /// The maximum number of tracks; no tool writes more.
  private static var maximumTracks: Int { 1024 }

  /// All tracks, in order.
  private(set) var tracks: [ISOTrack] = []
  /// The indices of the kept tracks in `tracks`, ascending.
  private(set) var kept: [Int] = []
  /// The IDs of the kept tracks.
  private(set) var identifiers: Set<Int> = []
  /// The children of moov.
  let boxes: [ISOBox]
  /// The defaults by track ID, for a fragmented movie.
  private(set) var defaults: [Int: MovieFragmentDefaults] = [:]

  /// Reads the children of moov; `keepsAll` means that only audio is removed.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec or structure, and when nothing would be
  ///   left; `damaged` for boxes that do not follow their format.
  init(
    _ moov: ISOBox,
    keepsAll: Bool,
    removesAudio: Bool,
    of source: ByteSource
  ) throws(MetadataError) {
    boxes = try moov.children(in: source)
    for type in ["cmov", "rmra"] as [FourCharacterCode]
    where boxes.contains(where: { $0.type == type }) {
      throw MetadataError(.stripUnsupported, "movie with \(type.displayName)")
    }
    for box in boxes where box.type == "trak" {
      guard tracks.count < Self.maximumTracks else {
        throw MetadataError(.overLimit, "too many tracks")
      }
      tracks.append(try ISOTrack(box, of: source))
    }
    guard Set(tracks.map(\.identifier)).count == tracks.count else {
      throw MetadataError(.damaged, "two tracks of one number")
    }
    if let mvex = try boxes.only("mvex") { try readDefaults(mvex, of: source) }
    let shown = keepsAll ? Set<Int>() : thumbnails.union(spatialSounds)
    for index in tracks.indices {
      let isKept =
        switch tracks[index].handler {
        case _ where tracks[index].isAudio:
          !removesAudio && (keepsAll || tracks[index].handler == "soun")
            && !shown.contains(tracks[index].identifier)
        // One track with multiplexed video and audio.
        case "MPEG", "mux ": keepsAll
        case "musi": keepsAll && !removesAudio
        // The packets of a hint track may hold data of an audio track.
        case "hint": keepsAll && !removesAudio
        case "vide": !shown.contains(tracks[index].identifier)
        default: keepsAll
        }
      guard isKept else { continue }
      if removesAudio, Self.hasAudioInPictures(tracks[index]) {
        throw MetadataError(.stripUnsupported, "sound within pictures")
      }
      try tracks[index].readMedia()
      if keepsAll {
        try Self.checkPlain(tracks[index])
      } else {
        try tracks[index].readEntries()
        if removesAudio, tracks[index].entries.contains(where: { $0.bitstream == .dv }) {
          throw MetadataError(.stripUnsupported, "sound within pictures")
        }
      }
      kept.append(index)
      identifiers.insert(tracks[index].identifier)
    }
    guard !kept.isEmpty else {
      throw MetadataError(.stripUnsupported, "nothing but \(tracks.first?.name ?? "metadata")")
    }
  }

  /// The IDs of video tracks that another track references as its chapters or thumbnails, and of
  /// single still pictures beside a video.
  private var thumbnails: Set<Int> {
    var thumbnails: Set<Int> = []
    for track in tracks {
      for (type, to) in track.references {
        if type == "chap" { thumbnails.formUnion(to) }
        if type == "thmb" { thumbnails.insert(track.identifier) }
      }
    }
    let isStill = { (track: ISOTrack) in
      track.codec.map { ISOVideoCodec.stills.contains($0) } ?? false
    }
    let films = tracks.filter { track in
      track.handler == "vide" && !thumbnails.contains(track.identifier)
    }
    if films.contains(where: { !isStill($0) }) {
      for track in films where isStill(track) { thumbnails.insert(track.identifier) }
    }
    return thumbnails
  }

  /// The IDs of sounds in a codec of which no one has published the fields, where another sound stays.
  private var spatialSounds: Set<Int> {
    let sounds = tracks.filter { $0.handler == "soun" }
    let spatial = sounds.filter { $0.codec == ISOAudioCodec.spatial }
    return spatial.count < sounds.count ? Set(spatial.map(\.identifier)) : []
  }

  /// Returns whether the samples of a video track contain audio, as those of DV do.
  private static func hasAudioInPictures(_ track: ISOTrack) -> Bool {
    if track.handler == "MPEG" || track.handler == "mux " || track.entryKinds.contains(.dv) { return true }
    guard let codec = track.codec else { return false }
    return track.handler == "vide" && codec.bytes.starts(with: "dv".utf8)
      && !["dvh1", "dvhe", "dva1", "dvav"].contains(codec)
  }

  /// Encryption uses file offsets in more tables than are rewritten here.
  private static func checkPlain(_ track: ISOTrack) throws(MetadataError) {
    if track.stbl.contains(where: { $0.type == "saio" })
      || track.codec.map({ ISOSampleEntry.encrypted.contains($0) }) == true
    {
      throw MetadataError(.stripUnsupported, "encrypted track")
    }
  }

  private mutating func readDefaults(
    _ mvex: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) {
    for box in try mvex.children(in: source)
    where box.type == "trex" {
      var fields = ISOFields(source, box.body, "trex")
      _ = try fields.number(4)
      let identifier = try fields.number(4)
      let description = try MovieFragmentDefaults.descriptionIndex(&fields)
      _ = try fields.number(4)
      let size = try fields.number(4)
      defaults[identifier] = MovieFragmentDefaults(description: description, size: size)
    }
  }
}
