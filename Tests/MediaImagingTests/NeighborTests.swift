import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// One thumbnailer decodes all files of a worker, so a damaged file must not change the next one.
@Suite("A file after a damaged one")
struct NeighborTests {
  @Test(
    "It has the thumbnail that it has alone, wherever the damaged one was cut or changed",
    arguments: DamageTests.pictures.indices
  )
  func cutAndChanged(index: Int) throws {
    let (format, arguments) = DamageTests.pictures[index]
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
      let scan = try #require(bytes.indices.dropLast(6).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
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

  @Test(
    "A damaged picture that is accepted shows nothing of the picture before it",
    arguments: DamageTests.pictures.indices
  )
  func accepted(index: Int) throws {
    let (format, arguments) = DamageTests.pictures[index]
    let bench = Bench()
    let name = "whole.\(format.rawValue)"
    try bench.convert(["-size", "96x64", "plasma:#203080-#f0d060", "-seed", "7"] + arguments + [name])
    let bytes = try readBytes(bench.path(name))
    // Others of the same shape, so that they use the same buffers.
    let others = try ["red", "white"].map { color in
      try bench.convert(["-size", "96x64", "xc:" + color] + arguments + ["\(color)-\(name)"])
      return try readBytes(bench.path("\(color)-\(name)"))
    }
    func thumbnails(_ bytes: [UInt8], _ thumbnailer: ImageThumbnailer, _ accepts: Bool)
      -> [Thumbnail]?
    {
      bytes.withUnsafeBytes { bytes in
        try? thumbnailer.thumbnails(
          of: bytes,
          format: format,
          orientation: 1,
          specifications: [spec(90, 60)],
          acceptDamaged: accepts
        )
      }
    }
    var generator = SeededGenerator()
    var acceptedCount = 0
    for round in 0..<Amount.of(12, all: 200) {
      var damaged = Array(bytes[..<(bytes.count * (round % 12 + 1) / 13)])
      if round % 2 == 1 {
        damaged = bytes
        for _ in 0..<3 { damaged[Int.random(in: 2..<bytes.count, using: &generator)] ^= 0xFF }
      }
      let results = others.map { other in
        let thumbnailer = ImageThumbnailer()
        _ = thumbnails(other, thumbnailer, round % 4 < 2)
        return thumbnails(damaged, thumbnailer, true)
      }
      try #require(results[0] == results[1], "\(format), round \(round)")
      if results[0] != nil { acceptedCount += 1 }
    }
    #expect(acceptedCount > 0 || format != .jpeg)
  }

  @Test(
    "A real damaged JPEG that is accepted shows nothing of the picture before it",
    .enabled(if: Corpus.folder != nil, "no corpus")
  )
  func acceptedCorpus() throws {
    let bench = Bench()
    var others: [[UInt8]] = []
    for (color, space) in [("red", "CMYK"), ("white", "CMYK"), ("red", "sRGB"), ("white", "sRGB")] {
      let name = "\(color)\(space).jpg"
      try bench.convert("-size", "640x480", "xc:" + color, "-colorspace", space, name)
      others.append(try readBytes(bench.path(name)))
    }
    func thumbnails(_ bytes: [UInt8], _ thumbnailer: ImageThumbnailer) -> [Thumbnail]? {
      bytes.withUnsafeBytes { bytes in
        try? thumbnailer.thumbnails(
          of: bytes,
          format: .jpeg,
          orientation: 1,
          specifications: [spec(64, 64, .aspectFill)],
          acceptDamaged: true
        )
      }
    }
    let files = Corpus.files(beneath: "damaged/jpeg").enumerated().filter {
      // The first was seen to show its neighbor.
      $0.element.hasSuffix("7c67e6ad7d602c18a3acc19298b250ec891863ac-1")
        || $0.offset % Amount.of(12, all: 1) == 0
    }.map(\.element)
    for file in files {
      let damaged = try readBytes(file)
      let alone = thumbnails(damaged, ImageThumbnailer())
      for other in others {
        let thumbnailer = ImageThumbnailer()
        _ = thumbnails(other, thumbnailer)
        #expect(thumbnails(damaged, thumbnailer) == alone, "\(file)")
      }
    }
  }
}
