import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Every good file, cut at every border and with every length set wrong.
@Suite("Movies: damage")
struct MovieDamageTests {
  /// Where a box starts, by a walk that is not the one under test.
  private static func borders(of bytes: [UInt8]) -> [Int] {
    let heads = ["stsd": 8, "dref": 8, "avc1": 78, "mp4a": 28, "meta": 4]
    let parents = [
      "moov", "trak", "mdia", "minf", "stbl", "dinf", "edts", "udta", "mvex", "moof", "traf",
      "tref",
    ]
    var offsets: [Int] = []
    func walk(_ range: Range<Int>) {
      var offset = range.lowerBound
      while offset + 8 <= range.upperBound {
        var size = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
        if size == 1 { size = bytes[(offset + 8)..<(offset + 16)].reduce(0) { $0 << 8 | Int($1) } }
        guard size >= 8, offset + size <= range.upperBound else { return }
        offsets.append(offset)
        let type = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self)
        if parents.contains(type) || heads[type] != nil {
          walk(min(offset + size, offset + 8 + (heads[type] ?? 0))..<(offset + size))
        }
        offset += size
      }
    }
    walk(0..<bytes.count)
    return offsets
  }

  private static let options = StripOptions(except: [.creationDate, .location, .camera])

  /// Strips and mutes, or says why not; an output that does not pass its verification is a mistake.
  private func outcome(_ bytes: [UInt8], _ what: String) -> Bool {
    var isAccepted = false
    for isMuted in [false, true] {
      do {
        _ = isMuted ? try muteMovie(bytes) : try stripMovie(bytes, Self.options)
        isAccepted = isAccepted || !isMuted
      } catch {
        let code = (error as? MetadataError)?.code
        #expect(code != nil && code != .residue, "\(what), muted \(isMuted): \(error)")
      }
    }
    withSource(bytes) { source in
      _ = try? MovieFacts.facts(of: source, format: .mp4)
      _ = Completeness.missingPart(of: source, format: .mp4)
      var listing = MetadataListing(options: Self.options, showsValues: true)
      try? MovieStripper.list(source, into: &listing)
    }
    return isAccepted
  }

  private static var samples: [(name: String, bytes: [UInt8])] {
    var movies = MovieStripperTests.shapes.map { ($0.name, $0.movie.bytes) }
    let plant = HEIFCanaryTests.Canaries()
    movies.append(("planted", MovieCanaryTests.planted(plant).bytes))
    var fragments = MovieCanaryTests.planted(plant)
    (fragments.fragments, fragments.behind) = (.fromMoof, [])
    movies.append(("planted in fragments", fragments.bytes))
    return movies
  }

  @Test("Cut at every border, a file is refused or its output parses", arguments: samples.indices)
  func cut(sample: Int) throws {
    let (name, bytes) = Self.samples[sample]
    let borders = Self.borders(of: bytes)
    #expect(borders.count > 30)
    var accepted = 0
    for border in borders where border > 0 {
      for offset in [border, border + 4, border + 8] {
        if outcome(Array(bytes[..<min(offset, bytes.count)]), "\(name) cut at \(offset)") {
          accepted += 1
        }
      }
    }
    // Only whole fragments, and what stands behind everything, may be missing.
    #expect(accepted < borders.count, "\(name)")
  }

  @Test(
    "With each length 0, 1 and at its most, a file is refused or its output parses",
    arguments: samples.indices
  )
  func lengths(sample: Int) throws {
    let (name, bytes) = Self.samples[sample]
    let values = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF]
    for (index, border) in Self.borders(of: bytes).enumerated() {
      // Without all, each border gets one of the values, another in each sample.
      for value in Amount.isAll ? values : [values[(index + sample) % values.count]] {
        var changed = bytes
        changed.replaceSubrange(border..<(border + 4), with: big(value))
        _ = outcome(changed, "\(name): length at \(border) is \(value)")
      }
    }
  }

  @Test("Any field of four bytes at its least and most costs no crash and little time")
  func fields() throws {
    for (name, bytes) in [Self.samples[0], Self.samples[4], Self.samples[8]] {
      let seconds = processorSeconds {
        for offset in stride(from: 0, to: bytes.count - 4, by: Amount.of(279, all: 31)) {
          for value in [0, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            var changed = bytes
            changed.replaceSubrange(offset..<(offset + 4), with: big(value))
            _ = outcome(changed, "\(name): \(value) at \(offset)")
          }
        }
      }
      #expect(seconds < 120, "\(name)")
    }
  }

  @Test("Two thousand million samples of a byte are refused at once")
  func manySamples() throws {
    var movie = TinyMovie.film
    movie.tracks[1].samples = [[1], [2], [3], [4]]
    movie.tracks[1].isConstant = true
    var bytes = movie.bytes
    let table = Array("stsz".utf8) + big(0) + big(1) + big(4)
    let stsz = try #require(bytes.indices.first { bytes[$0...].starts(with: table) })
    for count in [0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
      bytes.replaceSubrange((stsz + 12)..<(stsz + 16), with: big(count))
      let seconds = processorSeconds {
        #expect(code { _ = try stripMovie(bytes) } == .damaged)
      }
      #expect(seconds < 1)
    }
  }

  @Test("Ten thousand boxes in one another, and very many beside one another, cost nothing")
  func deep() throws {
    for type in ["moov", "trak", "udta", "meta", "free"] {
      let deep = stride(from: 10_000, to: 0, by: -1).flatMap { big(8 * $0) + Array(type.utf8) }
      var movie = TinyMovie.film
      movie.inMovie = deep
      let seconds = processorSeconds { _ = outcome(movie.bytes, "deep \(type)") }
      #expect(seconds < 5, "\(type)")
    }
    var movie = TinyMovie.film
    var many = big(8) + Array("free".utf8)
    for _ in 0..<Amount.of(15, all: 20) { many += many }
    movie.ahead = many
    #expect(outcome(movie.bytes, "very many boxes"))
  }

  @Test("A table that asks for the same bytes over and over is refused")
  func loops() throws {
    var movie = TinyMovie.film
    let picture = TinyMovie.slice(String(repeating: "x", count: 4000))
    movie.samplesPerChunk = 1
    movie.tracks = [movie.tracks[0]]
    movie.tracks[0].samples = [picture] + (0..<2000).map { _ in TinyMovie.slice("y") }
    var bytes = movie.bytes
    let stco = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("stco".utf8)) })
    let stsz = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("stsz".utf8)) })
    for sample in 1...2000 {
      let (offset, size) = (stco + 12 + 4 * sample, stsz + 16 + 4 * sample)
      bytes.replaceSubrange(offset..<(offset + 4), with: bytes[(stco + 12)..<(stco + 16)])
      bytes.replaceSubrange(size..<(size + 4), with: big(picture.count))
    }
    #expect(code { _ = try stripMovie(bytes) } == .overLimit)
  }
}
