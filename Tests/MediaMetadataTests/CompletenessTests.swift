import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

/// Files that are whole, and the same files cut as an interrupted copy leaves them.
@Suite("Whole files and cut ones")
struct CompletenessTests {
  /// A file of each container that promises something about its end, small and made here.
  static let samples: [(name: String, bytes: [UInt8])] = {
    var fragments = TinyMovie.film
    fragments.fragments = .fromMoof
    var indexed = fragments
    indexed.hasIndex = true
    var first = TinyMovie.film
    first.isMovieFirst = true
    var apple = first
    apple.isQuickTime = true
    var long = TinyMovie.film
    long.isLong = true
    var phone = first
    phone.brands = ["3gp4", "isom"]
    var song = first
    song.brands = ["M4A ", "isom"]
    song.tracks = song.tracks.filter { $0.handler == "soun" }
    var heic = HEIFFixture()
    heic.properties = [TinyCoded.hvcC(), TinyCoded.ispe(64, 64)]
    heic.items = [
      .init(number: 1, type: "hvc1", data: TinyCoded.nal(19, Array(0..<200)), properties: [-1, 2])
    ]
    var avif = heic
    avif.brands = ["avif", "mif1"]
    avif.properties[0] = TinyCoded.av1C()
    avif.items[0].type = "av01"
    let second = TinyTIFFFile.directory(TinyTIFFFile.page(strip: 8), at: 8 + 8 + 114)
    let pages = TinyTIFFFile.file(after: second, next: 8 + 8 + 114)
    let dng = TinyDNG().bytes
    var nef = dng
    for (old, new) in [(50706, 50990), (50707, 50991)] {
      let entry = little(old, 2) + little(1, 2)
      if let offset = nef.indices.first(where: { nef[$0...].starts(with: entry) }) {
        nef.replaceSubrange(offset..<(offset + 2), with: little(new, 2))
      }
    }
    return [
      ("jpeg", TinyJPEG.file()), ("png", TinyPNG.file()), ("gif", TinyGIF.file()),
      ("webp", TinyWebP.simple), ("bmp", TinyBMP.file()), ("tiff", TinyTIFFFile.file()),
      ("tiff of two pages", pages), ("bigtiff", TinyBigTIFF.file(.big)), ("heic", heic.bytes),
      ("avif", avif.bytes), ("dng", dng), ("mp4", TinyMovie.film.bytes), ("mp4 fast", first.bytes),
      ("mov", apple.bytes), ("mp4 of 64 bits", long.bytes), ("mp4 in fragments", fragments.bytes),
      ("mp4 with an index", indexed.bytes), ("3gp", phone.bytes), ("m4a", song.bytes),
      ("mkv", TinyMatroska.file()), ("webm", TinyMatroska.file(TinyMatroska.header("webm"))),
      ("mkv of open length", TinyMatroska.file(isOpen: true)), ("avi", TinyAVI.file()),
      ("wav", TinyWAV.file()),
      ("wav with a list", TinyWAV.file(after: riffChunk("LIST", Array("INFOxxxxyyyy".utf8)))),
      ("rf64", TinyWAV.long("RF64")), ("aiff", TinyAIFF.file()), ("flac", TinyFLAC.file()),
      ("ogg", TinyOgg.opus()), ("vorbis", TinyOgg.vorbis()),
      ("mp3", TinyMP3.information() + TinyMP3.frames),
    ]
  }()

  /// Whether an import would refuse the bytes, by what it does before it takes any of them.
  static func isRefused(_ bytes: [UInt8]) -> Bool { reason(bytes) != nil }

  static func reason(_ bytes: [UInt8]) -> String? {
    withSource(bytes) { source in
      guard let format = FormatSniffer.format(of: source) else { return "no format" }
      do throws(MetadataError) {
        _ = try MetadataReader.facts(of: source, format: format)
      } catch { return error.description }
      return Completeness.missingPart(of: source, format: format)
    }
  }

  /// Lengths at which a file of `count` bytes is cut, all shorter than it.
  static func cuts(_ count: Int, at cutCount: Int) -> [Int] {
    Array(Set((1...cutCount).map { count * $0 / (cutCount + 1) } + [count - 1])).sorted()
  }

  @Test("A whole file is whole", arguments: samples)
  func whole(name: String, bytes: [UInt8]) {
    #expect(Self.reason(bytes) == nil, "\(name)")
  }

  @Test("A file that is cut at any of 20 places is found", arguments: samples)
  func cut(name: String, bytes: [UInt8]) {
    let lengths = Self.cuts(bytes.count, at: 20)
    let missed = lengths.filter { !Self.isRefused(Array(bytes[..<$0])) }
    // No container promises the bytes between two fragments, behind the last picture or of padding.
    let allowed = Self.allowed[name] ?? []
    #expect(
      missed.allSatisfy { allowed.contains(bytes.count - $0) },
      "\(name): \(missed) of \(bytes.count)"
    )
  }

  /// The numbers of bytes that a cut may take from a made file without being found.
  private static let allowed: [String: Set<Int>] = [
    // The trailer; what fills up the last row; a whole list behind the samples.
    "gif": [1], "bmp": [1, 2, 3], "wav with a list": [20],
  ]

  @Test("AAC that ends within its last frame is cut; how many frames it has is stated nowhere")
  func cutFrame() {
    let frames = TinyAAC.frames + TinyAAC.frames
    let length = TinyAAC.frame().count
    let tag = TinyMP3.id3v1(Array("title".utf8))
    // A header of seven bytes states the length.
    for missing in 1...(length - 7) {
      let cut = Array(frames.dropLast(missing))
      #expect(Self.reason(cut) == "the end of a frame", "\(missing)")
      #expect(Self.reason(cut + tag) == "the end of a frame", "\(missing)")
    }
    #expect(Self.reason(Array(frames.dropLast(length))) == nil)
    for trailer in [tag, [0, 0, 0, 0], [UInt8](repeating: 0xFF, count: 40)] {
      #expect(Self.reason(frames + trailer) == nil, "\(trailer.prefix(4))")
    }
  }

  @Test("A DNG whose last value, such as an XMP packet behind the pictures, is cut is found")
  func valueAtTheEnd() {
    let packet = [UInt8](repeating: 0x20, count: 40)
    func file(_ offset: Int) -> [UInt8] {
      TinyDNG(inImage: [(700, 1, packet.count, little(offset))], after: packet).bytes
    }
    let whole = file(file(0).count - packet.count)
    #expect(Self.reason(whole) == nil)
    for missing in [1, 7, 39] {
      #expect(Self.reason(Array(whole.dropLast(missing))) == "values of a directory", "\(missing)")
    }
    // A value of which nothing is there may never have been written.
    #expect(Self.reason(Array(whole.dropLast(packet.count))) == nil)
    #expect(Self.reason(file(whole.count * 2)) == nil)
  }

  @Test("A recording whose lengths were left open is whole")
  func open() {
    var wav = TinyWAV.file()
    for length in [0xFFFF_FFFF, 0x7FFF_F000, 0x7FFF_FF00, 0x8000_0000] {
      wav.replaceSubrange(40..<44, with: little(length))
      wav.replaceSubrange(4..<8, with: little(min(length + 36, 0xFFFF_FFFF)))
      #expect(Self.reason(wav) == nil, "\(length)")
    }
    let clusters = TinyMatroska.cluster(isOpen: true)
    #expect(Self.reason(TinyMatroska.file(clusters: clusters, isOpen: true)) == nil)
    var avi = TinyAVI.file(index: [])
    avi.replaceSubrange(4..<8, with: little(0))
    if let movi = avi.indices.first(where: { avi[$0...].starts(with: Array("movi".utf8)) }) {
      avi.replaceSubrange((movi - 4)..<movi, with: little(0))
    }
    #expect(Self.reason(avi) == nil)
    #expect(Self.reason(Array(avi.dropLast(7))) == nil)
  }

  @Test("A length of the whole file that is wrong is no cut, and neither are bytes behind the end")
  func quirks() {
    typealias W = TinyWAV
    for extra in [8, 44, 4000] {
      var wav = W.file()
      wav.replaceSubrange(4..<8, with: little(wav.count - 8 + extra))
      #expect(Self.reason(wav) == nil, "\(extra)")
    }
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
    for (name, bytes) in Self.samples where !["dng", "avif", "heic"].contains(name) {
      for trailer in [[0, 0, 0, 0], tag, [UInt8](repeating: 0xFF, count: 40)] {
        // Frames without a container go on as long as there are any.
        guard name != "mp4 with an index" else { continue }
        #expect(Self.reason(bytes + trailer) == nil, "\(name) and \(trailer.prefix(4))")
      }
    }
  }

  @Test("An Ogg of a broadcast has no end of its stream, and a packet that goes on is missing")
  func broadcast() {
    typealias T = TinyOgg
    let head = T.page([T.opusHead], flags: 2, sequence: 0) + T.page([T.tags()], sequence: 1)
    let live = head + T.page(T.packets, granule: 4800, sequence: 2)
    #expect(Self.reason(live) == nil)
    let open = T.page(lacing: [255], [UInt8](repeating: 0xFC, count: 255), granule: -1, sequence: 3)
    #expect(Self.reason(live + open) == "the end of a packet")
  }

  @Test("An MP3 whose header counts itself is whole; one that counts more frames is cut")
  func countedFrames() throws {
    let file = TinyMP3.information() + TinyMP3.frames
    let name = try #require(
      file.indices.first {
        file[$0...].starts(with: Array("Info".utf8)) || file[$0...].starts(with: Array("Xing".utf8))
      }
    )
    let claimed = withSource(file) { $0.uint32(at: name + 8) } ?? 0
    for (extra, isWhole) in [(1, true), (2, false), (1000, false), (-1, true)] {
      var changed = file
      changed.replaceSubrange((name + 8)..<(name + 12), with: big(claimed + extra))
      #expect((Self.reason(changed) == nil) == isWhole, "\(extra)")
    }
  }

  @Test("Sound of QuickTime whose table counts samples is measured in packets")
  func soundPackets() throws {
    var movie = TinyMovie.film
    movie.isQuickTime = true
    movie.isMovieFirst = true
    movie.tracks = movie.tracks.filter { $0.handler == "soun" }
    // Version 1: 64 samples in a packet of 34 bytes, as Apple's ADPCM has them.
    let description =
      big(1, 2) + big(0, 2) + big(0) + big(1, 2) + big(16, 2) + big(0, 2) + big(0, 2)
      + big(22_050 << 16) + big(64) + big(34) + big(34) + big(2)
    movie.tracks[0].entry = isoBox("ima4", [0, 0, 0, 0, 0, 0, 0, 1], description)
    movie.tracks[0].isConstant = true
    movie.tracks[0].samples = (0..<34).map { [UInt8($0)] }
    movie.samplesPerChunk = 34
    var bytes = movie.bytes
    let sizes = Array("stsz".utf8) + big(0) + big(1) + big(34)
    let stsz = try #require(bytes.indices.first { bytes[$0...].starts(with: sizes) })
    bytes.replaceSubrange((stsz + 12)..<(stsz + 16), with: big(64))
    let runs = Array("stsc".utf8) + big(0) + big(1) + big(1) + big(34)
    let stsc = try #require(bytes.indices.first { bytes[$0...].starts(with: runs) })
    bytes.replaceSubrange((stsc + 16)..<(stsc + 20), with: big(64))
    #expect(Self.reason(bytes) == nil)
    #expect(Self.isRefused(Array(bytes.dropLast(2))))
  }

  @Test("Two thousand million samples, and tables of any numbers, cost no time")
  func hostile() throws {
    var movie = TinyMovie.film
    movie.tracks[1].isConstant = true
    var bytes = movie.bytes
    let stsz = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("stsz".utf8)) })
    for count in [0x7FFF_FFFF, 0xFFFF_FFFF] {
      bytes.replaceSubrange((stsz + 12)..<(stsz + 16), with: big(count))
      let seconds = processorSeconds { _ = Self.reason(bytes) }
      #expect(seconds < 1)
    }
  }

  @Test("Pages of a TIFF that share their entries are not read again and again")
  func overlappingPages() {
    // Each page is 4096 entries long and begins 8 bytes behind the page before it.
    let (pages, entries) = (65_536, 4096)
    let length = 2 + 12 * entries
    var bytes = Array("II*\0".utf8) + little(8, 4)
    bytes += [UInt8](repeating: 0, count: 8 * pages + length + 4)
    func put(_ value: Int, _ count: Int, at offset: Int) {
      bytes.replaceSubrange(offset..<(offset + count), with: little(value, count))
    }
    for page in 0..<pages {
      let start = 8 * (page + 1)
      put(entries, 2, at: start)
      put(page + 1 < pages ? start + 8 : 0, 4, at: start + length)
    }
    let seconds = processorSeconds {
      #expect(withSource(bytes) { Completeness.missingPart(of: $0, format: .tiff) } == nil)
    }
    #expect(seconds < 1)
  }
}
