import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Makes zeros of any length with some bytes at ascending offsets among them, in little memory.
func sparse(length: Int, islands: [(offset: Int, bytes: [UInt8])]) -> ByteSource {
  let zeros = 1 << 24
  var base = [UInt8](repeating: 0, count: zeros)
  var ranges: [Range<Int>] = []
  var end = 0
  for island in islands + [(length, [])] {
    while end < island.offset {
      ranges.append(0..<min(zeros, island.offset - end))
      end += ranges[ranges.count - 1].count
    }
    ranges.append(base.count..<(base.count + island.bytes.count))
    base += island.bytes
    end += island.bytes.count
  }
  return ByteSource(joining: ranges, of: ByteSource(base))
}

@Suite("Movies of more than 4 GiB")
struct MovieLongTests {
  /// A movie of uncompressed pictures of `size` bytes each, in an mdat with a long header.
  private static func movie(
    count: Int,
    size: Int,
    isLong: Bool,
    behind: [UInt8] = []
  ) -> ByteSource {
    let head =
      big(0) + big(1) + [UInt8](repeating: 0, count: 16) + big(64, 2) + big(48, 2)
      + big(0x48_0000) + big(0x48_0000) + big(0) + big(1, 2) + [UInt8](repeating: 0, count: 32)
    var film = MovieFixture()
    film.tracks = [
      .init(
        number: 1,
        handler: "vide",
        entry: isoBox("2vuy", head + [0, 24, 0xFF, 0xFF]),
        samples: [[UInt8]](repeating: [0], count: count),
        isConstant: true
      )
    ]
    (film.isMovieFirst, film.isLong, film.samplesPerChunk) = (true, isLong, 1)
    var bytes = film.bytes
    let mdat = bytes.count - count - (isLong ? 16 : 8)
    let table = Array((isLong ? "co64" : "stco").utf8)
    guard let stco = bytes.indices.first(where: { bytes[$0...].starts(with: table) }),
      let stsz = bytes.indices.first(where: { bytes[$0...].starts(with: Array("stsz".utf8)) })
    else { return sparse(length: 0, islands: []) }
    bytes.replaceSubrange((stsz + 8)..<(stsz + 12), with: big(size))
    for chunk in 0..<count {
      let offset = mdat + 16 + chunk * size
      let width = isLong ? 8 : 4
      let start = stco + 12 + width * chunk
      let number = isLong ? big(offset >> 32) + big(offset & 0xFFFF_FFFF) : big(offset)
      bytes.replaceSubrange(start..<(start + width), with: number)
    }
    let length = 16 + count * size
    let start =
      bytes[..<mdat] + big(1) + Array("mdat".utf8) + big(length >> 32)
      + big(length & 0xFFFF_FFFF)
    return sparse(
      length: mdat + length + behind.count,
      islands: [(0, Array(start)), (mdat + length, behind)]
    )
  }

  @Test("Ten gigabytes cost neither time nor steps")
  func large() throws {
    let source = Self.movie(
      count: 9000,
      size: 1_200_000,
      isLong: true,
      behind: isoBox("free", Array("canary".utf8))
    )
    #expect(source.length > 10_000_000_000)
    var list = EditList(operations: [])
    let seconds = try processorSeconds {
      list = try MovieStripper.editList(of: source, options: StripOptions())
      try MovieStripper.verify(output: try ByteSource(applying: list, to: source), options: StripOptions())
    }
    #expect(seconds < 20)
    #expect(list.operations.count < 20)
    let copied = list.operations.reduce(0) { sum, operation in
      if case .copy(_, let length) = operation { return sum + Int(length) }
      return sum
    }
    #expect(copied >= 9000 * 1_200_000)
    #expect(list.removedNames == ["free box": 1])
  }

  @Test("Offsets that no longer fit 32 bits get 64")
  func longer() throws {
    let packet = XMPWriter.packet(kept: KeptMetadataTests.all, scope: .alone) ?? []
    let source = Self.movie(
      count: 4,
      size: (1 << 32 - 1200) / 3,
      isLong: false,
      behind: isoBox("uuid", MovieFile.xmpIdentifier + packet)
    )
    let options = StripOptions(except: [.caption, .copyright, .camera, .creationDate, .location])
    for (options, expected) in [(StripOptions(), "stco"), (options, "co64")] {
      let list = try MovieStripper.editList(of: source, options: options)
      let output = try ByteSource(applying: list, to: source)
      try MovieStripper.verify(output: output, options: options)
      let moov = try #require(ISOBoxes.first("moov", in: 0..<output.length, of: output)).body
      let table = try #require(
        ISOBoxes.body(
          at: ["trak", "mdia", "minf", "stbl", FourCharacterCode(stringLiteral: expected)],
          in: moov,
          of: output
        ),
        "\(expected)"
      )
      let mdat = try #require(ISOBoxes.first("mdat", in: 0..<output.length, of: output)).body
      let width = expected == "co64" ? 8 : 4
      let last = output.unsigned(at: table.lowerBound + 8 + 3 * width, count: width)
      #expect(last == UInt64(mdat.lowerBound + 3 * ((1 << 32 - 1200) / 3)))
    }
  }
}
