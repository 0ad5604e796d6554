import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A sample of the places of each file in `make test`, all of them in `make test-all`; with a corpus, also of its
/// small files.
@Suite("Texts planted by machine in each place of a file's grammar")
struct PlantedPlacesTests {
  typealias T = TinyTIFFFile
  private static let density = Amount.of(8, all: 64)

  @Test("None is left by strip but where docs say so", arguments: PlantedFiles.all)
  func places(file: PlantedFiles.File) throws {
    let grammar = FileGrammar(file.bytes, file.format)
    let clean = try strip(grammar.bytes, file.format).output
    var count = 0
    var same = 0
    for plant in Amount.some(300, of: PlantedPlaces.plants(of: grammar, density: Self.density)) {
      guard let planted = plant.make() else { continue }
      count += 1
      let (outcome, _) = PlantedPlaces.outcome(of: planted, file.format, clean: clean)
      if outcome == .same { same += 1 }
      if outcome == .left { #expect(PlantedFiles.mayStay(plant, in: file.format), "\(plant.name)") }
    }
    // The generator makes files that are read: of a format without parts few are.
    #expect(count > 50 && same > 2, "\(count), \(same)")
  }

  @Test(
    "None is left within profiles, blocks of metadata and items",
    arguments: Amount.some(12, of: PlantedInner.all)
  )
  func inner(target: PlantedTarget) throws {
    let clean = try #require(target.clean)
    var count = 0
    for plant in Amount.some(60, of: target.plants(density: Self.density)) {
      guard let planted = plant.make() else { continue }
      count += 1
      let (outcome, _) = PlantedPlaces.outcome(of: planted, target.format, target.options, clean: clean)
      #expect(outcome != .left || target.mayStay(plant), "\(plant.name)")
    }
    #expect(count > 30)
  }

  @Test("The generator plants what the search finds", arguments: PlantedFiles.all)
  func found(file: PlantedFiles.File) {
    let plants = PlantedPlaces.plants(of: FileGrammar(file.bytes, file.format), density: 1)
    let planted = Amount.some(60, of: plants).compactMap { $0.make() }
    // A page of an Ogg may end within one.
    #expect(planted.filter(PlantedPlaces.isPresent).count * 10 >= planted.count * 9)
  }

  @Test(
    "None is left in files of the corpus, beyond those parts",
    .enabled(if: Corpus.folder != nil && Amount.isAll, "no corpus")
  )
  func corpus() throws {
    var count = 0
    for path in Corpus.files(beneath: "visible") {
      let bytes = try readBytes(path)
      guard bytes.count < 24_000, let format = format(of: bytes) else { continue }
      let grammar = FileGrammar(bytes, format)
      guard let clean = try? strip(grammar.bytes, format).output else { continue }
      let plants = PlantedPlaces.plants(of: grammar, density: 8).filter { $0.operation.hasPrefix("+") }
      for index in 0..<min(500, plants.count) {
        let plant = plants[index * plants.count / min(500, plants.count)]
        guard let planted = plant.make(), !PlantedFiles.mayStay(plant, in: format) else { continue }
        count += 1
        let (outcome, _) = PlantedPlaces.outcome(of: planted, format, clean: clean)
        // Frames, slices and pages that are planted as such are coded data.
        let isCoded = ["mkv", "webm", "mka", "weba", "threeGP"].contains(format.rawValue)
        #expect(outcome != .left || isCoded, "\(path): \(plant.name)")
      }
    }
    #expect(count > 1000)
  }

  // MARK: What it found

  @Test("A sound track's entry has no boxes of pictures")
  func pictureBoxes() throws {
    for type in ["clap", "mdcv", "SmDm", "colr", "sv3d", "avcC"] {
      var film = TinyMovie.film
      let clean = try strip(film.bytes, .mp4).output
      film.tracks[1].entry = TinyMovie.mp4a(isoBox(type, PlantedPlaces.text))
      let (outcome, _) = PlantedPlaces.outcome(of: film.bytes, .mp4, clean: clean)
      #expect(outcome == .same, "\(type)")
    }
  }

  @Test("QuickTime's numbers of sound have at most 24 bits, and its constants are written")
  func soundNumbers() throws {
    var film = TinyMovie.film
    film.isQuickTime = true
    film.tracks[1].entry = PlantedFiles.quickTimeSound
    let clean = try strip(film.bytes, .mov).output
    #expect(Array(clean).contains(big(1) + big(2) + big(4) + big(2)))
    for offset in 0..<4 {
      var planted = PlantedFiles.quickTimeSound
      planted.replaceSubrange((36 + 4 * offset)..<(40 + 4 * offset), with: [1, 0, 0, 0])
      film.tracks[1].entry = planted
      let errorCode = code { _ = try strip(film.bytes, .mov) }
      #expect(errorCode == .stripUnsupported, "\(offset)")
    }
    // Version 2: size, rate, channels, a constant, bits, flags, bytes and frames of a packet.
    let head = big(0) + big(1) + big(2, 2) + [UInt8](repeating: 0, count: 6) + big(3, 2) + big(16, 2)
    let rate: [UInt8] = [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0]
    let second = { (size: Int, constant: Int) in
      isoBox(
        "lpcm",
        head + big(0xFFFE, 2) + big(0, 2) + big(0x1_0000) + big(size) + rate + big(2) + big(constant)
          + big(16)
          + big(12) + big(4) + big(1)
      )
    }
    film.tracks[1].entry = second(0x4A61_6E65, 0x2044_6F65)
    let output = try strip(film.bytes, .mov).output
    film.tracks[1].entry = second(72, 0x7F00_0000)
    #expect(output == (try strip(film.bytes, .mov).output))
    #expect(output.contains(big(72) + rate + big(2) + big(0x7F00_0000)))
  }

  @Test("A JPEG 2000 says that it is HTJ2K, and nothing of other parts or of components that it lacks")
  func codestreams() throws {
    let text = PlantedPlaces.text
    let high = TinyJ2K.segment(0x50, big(0x0002_0000) + big(3, 2))
    #expect(try strip(TinyJ2K.file(high), .j2k).output.contains(high))
    let other = TinyJ2K.segment(0x50, big(0x0003_0000) + big(3))
    let lacking = TinyJ2K.segment(0x5D, [1, 0x40] + text + text)
    for (planted, expected) in [(other, MetadataError.Code.stripUnsupported), (lacking, .damaged)] {
      let errorCode = code { _ = try strip(TinyJ2K.file(planted), .j2k) }
      #expect(errorCode == expected)
    }
  }

  @Test("A DNG's fractions have no letters of UTF-16")
  func fractions() throws {
    let letters = Array("Jane Doe, 0815-4711, 48.1371 N 11.57".utf8.prefix(36)).flatMap { [$0, UInt8(0)] }
    var file = TinyDNG()
    file.inRaw = [(50832, 10, 9, letters)]
    let output = try strip(file.bytes, .dng).output
    #expect(!output.contains(Array(letters.prefix(16))))
    #expect(try strip(output, .dng).output == output)
  }
}
