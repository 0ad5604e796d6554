import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A small movie, built box by box; not the code under test.
struct MovieFixture {
  struct Track {
    var number: Int
    var handler: String
    /// The sample entry.
    var entry: [UInt8]
    var samples: [[UInt8]]
    var handlerName: [UInt8] = []
    /// Boxes added to trak, mdia, minf and stbl.
    var inTrak: [UInt8] = []
    var inMedia: [UInt8] = []
    var inInformation: [UInt8] = []
    var inTable: [UInt8] = []
    /// Of every sample, in the track's time scale of 1,000.
    var duration = 40
    /// The url of its data; nil for this file.
    var url: [UInt8]?
    /// Whether the table says one size for all.
    var isConstant = false
  }

  enum Fragments {
    case none, fromMoof, absolute, implicit
  }

  var tracks: [Track] = []
  var brands = ["isom", "mp42"]
  var isQuickTime = false
  var hasFileType = true
  var isMovieFirst = false
  var isLong = false
  var fragments = Fragments.none
  var samplesPerChunk = 2
  /// Times in every header.
  var time = 0
  /// What stands between chunks, in moov, at the top ahead of and behind everything.
  var slack: [UInt8] = []
  var inMovie: [UInt8] = []
  var ahead: [UInt8] = []
  var behind: [UInt8] = []
  var hasIndex = false

  var bytes: [UInt8] {
    let brand = Array((isQuickTime ? "qt  " : brands[0]).utf8)
    let others = isQuickTime ? brand : brands.flatMap { Array($0.utf8) }
    let ftyp = hasFileType ? isoBox("ftyp", brand, big(0x200), others) : []
    let head = ftyp + ahead
    if fragments != .none { return head + fragmented(at: head.count) + behind }
    let (data, starts) = mediaData
    let length = isLong ? 16 : 8
    if isMovieFirst {
      let size = moov(starts).count
      let base = head.count + size + length
      return head + moov(starts.map { $0.map { $0 + base } }) + mdat(data) + behind
    }
    let base = head.count + length
    return head + mdat(data) + moov(starts.map { $0.map { $0 + base } }) + behind
  }

  private func mdat(_ data: [UInt8]) -> [UInt8] {
    if !isLong { return isoBox("mdat", data) }
    return big(1) + Array("mdat".utf8) + big(0) + big(data.count + 16) + data
  }

  /// Chunks of all tracks in turn; of each track, where its chunks start.
  private var mediaData: (bytes: [UInt8], starts: [[Int]]) {
    var data = slack
    var offsets = tracks.map { _ in [Int]() }
    var first = 0
    while tracks.contains(where: { $0.samples.count > first }) {
      for (index, track) in tracks.enumerated() where track.samples.count > first {
        offsets[index].append(data.count)
        data += track.samples[first...].prefix(samplesPerChunk).flatMap { $0 }
        data += slack
      }
      first += samplesPerChunk
    }
    return (data, offsets)
  }

  private func moov(_ starts: [[Int]]) -> [UInt8] {
    let mvhd = isoFullBox(
      "mvhd",
      big(time) + big(time) + big(1000) + big(duration),
      big(0x10000) + [1, 0] + [UInt8](repeating: 0, count: 10) + Self.matrix,
      [UInt8](repeating: 0, count: 24) + big(tracks.count + 1)
    )
    let traks = zip(tracks, starts).flatMap { trak($0, $1) }
    var mvex: [UInt8] = []
    if fragments != .none {
      mvex = isoBox(
        "mvex",
        tracks.flatMap {
          isoFullBox("trex", big($0.number) + big(1) + big($0.duration) + big(0) + big(0))
        }
      )
    }
    return isoBox("moov", mvhd, traks, mvex, inMovie)
  }

  private var duration: Int {
    fragments == .none ? (tracks.map { $0.samples.count * $0.duration }.max() ?? 0) : 0
  }

  private static let matrix =
    big(0x10000) + [UInt8](repeating: 0, count: 12) + big(0x10000)
    + [UInt8](repeating: 0, count: 12) + big(0x4000_0000)

  private func trak(_ track: Track, _ starts: [Int]) -> [UInt8] {
    let isFragmented = fragments != .none
    let length = isFragmented ? 0 : track.samples.count * track.duration
    let tkhd = isoFullBox(
      "tkhd",
      big(time) + big(time) + big(track.number) + big(0) + big(length),
      [UInt8](repeating: 0, count: 16) + Self.matrix + big(64 << 16) + big(48 << 16)
    )
    let mdhd = isoFullBox("mdhd", big(time) + big(time) + big(1000) + big(length) + [0x15, 0xC7, 0, 0])
    let component = Array((isQuickTime ? "mhlr" : "\0\0\0\0").utf8)
    let maker = track.handlerName.isEmpty ? [0, 0, 0, 0] : Array(track.handlerName.prefix(4))
    let hdlr = isoFullBox(
      "hdlr",
      component + Array(track.handler.utf8) + maker + big(0) + big(0) + track.handlerName + [0]
    )
    let header =
      track.handler == "soun" ? isoFullBox("smhd", big(0)) : isoFullBox("vmhd", big(0) + big(0))
    let reference =
      track.url.map { isoFullBox("url ", $0 + [0]) } ?? isoBox("url ", [0, 0, 0, 1])
    let dinf = isoBox("dinf", isoFullBox("dref", big(1), reference))
    let minf = isoBox("minf", header, dinf, track.inInformation, table(track, starts))
    let mdia = isoBox("mdia", mdhd, hdlr, track.inMedia, minf)
    return isoBox("trak", tkhd, mdia, track.inTrak)
  }

  private func table(_ track: Track, _ starts: [Int]) -> [UInt8] {
    let samples = fragments == .none ? track.samples : []
    let stts =
      samples.isEmpty ? big(0) : big(1) + big(samples.count) + big(track.duration)
    var runs: [(Int, Int)] = []
    for index in starts.indices {
      let count = min(samplesPerChunk, samples.count - index * samplesPerChunk)
      if runs.last?.1 != count { runs.append((index + 1, count)) }
    }
    let stsc = big(runs.count) + runs.flatMap { big($0.0) + big($0.1) + big(1) }
    let size = track.isConstant ? samples.first?.count ?? 0 : 0
    let sizes = size > 0 ? [] : samples.flatMap { big($0.count) }
    let offsets = starts.flatMap { (isLong ? big(0) : []) + big($0) }
    return isoBox(
      "stbl",
      isoFullBox("stsd", big(1), track.entry),
      isoFullBox("stts", stts),
      isoFullBox("stsc", stsc),
      isoFullBox("stsz", big(size) + big(samples.count) + sizes),
      isoFullBox(isLong ? "co64" : "stco", big(starts.count) + offsets) + track.inTable
    )
  }

  /// An empty moov, then a moof and an mdat for every chunk of all tracks.
  private func fragmented(at start: Int) -> [UInt8] {
    let head = moov(tracks.map { _ in [] })
    let count = tracks.map { ($0.samples.count + samplesPerChunk - 1) / samplesPerChunk }.max() ?? 0
    var parts: [[UInt8]] = []
    let index = hasIndex ? 32 + 12 * count : 0
    var position = start + head.count + index
    for fragment in 0..<count {
      let part = self.fragment(fragment, at: position)
      parts.append(part)
      position += part.count
    }
    var sidx: [UInt8] = []
    if hasIndex {
      sidx = isoFullBox(
        "sidx",
        big(tracks[0].number) + big(1000) + big(0) + big(0) + big(count),
        parts.flatMap { big($0.count) + big(80) + big(0x9000_0000) }
      )
    }
    return head + sidx + parts.flatMap { $0 }
  }

  private func fragment(_ number: Int, at start: Int) -> [UInt8] {
    let runs = tracks.map { track in
      Array(track.samples.dropFirst(number * samplesPerChunk).prefix(samplesPerChunk))
    }
    let moof = { (base: Int) -> [UInt8] in
      var position = base
      var previous = 0
      var trafs: [UInt8] = []
      for (track, samples) in zip(self.tracks, runs) where !samples.isEmpty {
        var flags = [UInt8](repeating: 0, count: 4)
        var header = big(track.number)
        var offset = position
        switch self.fragments {
        case .absolute:
          flags[3] = 1
          header += big(0) + big(start)
        case .fromMoof: flags[1] = 2
        case .implicit: offset = position - previous
        case .none: break
        }
        let trun =
          [0, 0, 3, 1] + big(samples.count) + big(offset)
          + samples.flatMap { big(track.duration) + big($0.count) }
        trafs += isoBox(
          "traf",
          isoBox("tfhd", flags, header),
          isoFullBox("tfdt", big(number * self.samplesPerChunk * track.duration)),
          isoBox("trun", trun),
          track.inTable
        )
        position += samples.reduce(0) { $0 + $1.count } + self.slack.count
        previous = position - self.slack.count
      }
      return isoBox("moof", isoFullBox("mfhd", big(number + 1)), trafs)
    }
    let length = moof(0).count
    let data = runs.filter { !$0.isEmpty }.flatMap { $0.flatMap { $0 } + slack }
    return moof(length + 8) + isoBox("mdat", data)
  }
}

/// Sample entries and samples.
enum TinyMovie {
  /// H.264 with one SPS and one PPS.
  static func avc1(_ boxes: [UInt8] = [], name: [UInt8] = [], maker: [UInt8] = big(0)) -> [UInt8] {
    let sets: [UInt8] = [1, 66, 0, 10, 0xFF, 0xE1, 0, 4, 0x67, 66, 0, 10, 1, 0, 3, 0x68, 1, 2]
    let head =
      big(0) + big(1) + big(0) + maker + big(0) + big(0) + big(64, 2) + big(48, 2)
      + big(0x48_0000) + big(0x48_0000) + big(0) + big(1, 2)
    let text = [UInt8(name.count)] + name + [UInt8](repeating: 0, count: 31 - name.count)
    return isoBox("avc1", head + text + [0, 24, 0xFF, 0xFF], isoBox("avcC", sets), boxes)
  }

  /// AAC at 44,100 Hz with one channel.
  static func mp4a(_ boxes: [UInt8] = [], maker: [UInt8] = big(0)) -> [UInt8] {
    let head =
      big(0) + big(1) + big(0) + maker + big(2, 2) + big(16, 2) + big(0) + big(44_100 << 16)
    let codec: [UInt8] = [4, 17, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 0x12, 0x08]
    let esds: [UInt8] = [3, UInt8(3 + codec.count + 3), 0, 1, 0] + codec + [6, 1, 2]
    return isoBox("mp4a", head, isoFullBox("esds", esds), boxes)
  }

  /// A track of anything else.
  static func entry(_ type: String, _ body: [UInt8] = []) -> [UInt8] {
    isoBox(type, big(0) + big(1), body)
  }

  /// A slice behind its length.
  static func slice(_ text: String) -> [UInt8] {
    let unit = [0x65] + Array(text.utf8)
    return big(unit.count) + unit
  }

  /// Supplemental information of H.264 behind its length: messages of a type each.
  static func sei(_ messages: [(Int, [UInt8])]) -> [UInt8] {
    var unit: [UInt8] = [6]
    for (type, message) in messages { unit += [UInt8(type), UInt8(message.count)] + message }
    unit.append(0x80)
    return big(unit.count) + unit
  }

  /// A packet that starts with neither fill nor data.
  static func packet(_ text: String) -> [UInt8] { [0x01] + Array(text.utf8) }

  static var film: MovieFixture {
    var movie = MovieFixture()
    movie.tracks = [
      .init(number: 1, handler: "vide", entry: avc1(), samples: (0..<5).map { slice("picture \($0)") }),
      .init(number: 2, handler: "soun", entry: mp4a(), samples: (0..<7).map { packet("sound \($0)") }),
      .init(
        number: 3,
        handler: "meta",
        entry: entry("gpmd"),
        samples: (0..<3).map { Array("gps \($0)".utf8) }
      ),
    ]
    return movie
  }
}
