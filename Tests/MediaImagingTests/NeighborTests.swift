import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// One thumbnailer decodes all files of a worker, so a damaged file must not change the next one.
@Suite("A file after a damaged one")
struct NeighborTests {
  @Test(
    "It has the thumbnail that it has alone, wherever the damaged one was cut or changed",
    arguments: DamageTests.made.indices
  )
  func cutAndChanged(index: Int) throws {
    let (format, arguments) = DamageTests.made[index]
    let bench = Bench()
    try bench.makeScene("scene.png", width: 64, height: 48)
    try bench.convert(["scene.png"] + arguments + ["whole.\(format.rawValue)"])
    let bytes = try readBytes(bench.path("whole.\(format.rawValue)"))
    let alone = try ImageThumbnailer().thumbnails(of: bytes, format: format, spec(20, 20))
    var generator = SeededGenerator()
    let thumbnailer = ImageThumbnailer()
    var damagedCount = 0
    // Headers are where decoders keep a state between two calls.
    let cuts = Amount.of(60, all: 700)
    for round in 0..<cuts {
      var damaged = Array(bytes[..<(min(bytes.count - 2, 700) * round / cuts)])
      if round % 2 == 1 {
        damaged = bytes
        damaged[Int.random(in: 2..<min(bytes.count, 700), using: &generator)] ^= 0xFF
      }
      if thumbnailer.code(of: damaged, format: format, spec(20, 20)) != nil { damagedCount += 1 }
      let after = try thumbnailer.thumbnails(of: bytes, format: format, spec(20, 20))
      try #require(after == alone, "\(format), round \(round)")
    }
    #expect(damagedCount > cuts / 4)
  }

  @Test("A JPEG whose scan names a component that its frame lacks does not harm the next ones")
  func scanOfAnotherComponent() throws {
    let bench = Bench()
    for (name, arguments) in [("planes", []), ("ink", ["-colorspace", "CMYK"])] {
      try bench.makeScene("scene.png", width: 64, height: 48)
      try bench.convert(["scene.png"] + arguments + ["\(name).jpg"])
      let bytes = try readBytes(bench.path("\(name).jpg"))
      let scan = try #require(
        bytes.indices.dropLast(6).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
      )
      var damaged = bytes
      damaged[scan + 5] = 77
      let thumbnailer = ImageThumbnailer()
      let alone = try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(20, 20))
      #expect(thumbnailer.code(of: damaged, format: .jpeg, spec(20, 20)) == .damaged)
      for _ in 0..<3 {
        #expect(try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(20, 20)) == alone)
      }
    }
  }
}
