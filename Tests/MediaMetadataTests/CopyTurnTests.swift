import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Copies are shown turned, and their pixels stay")
struct CopyTurnTests {
  private static func turn(_ degrees: Int, packet: [UInt8] = []) -> EmbeddedFacts {
    var facts = EmbeddedFacts(packet: packet)
    facts.rotation = degrees
    return facts
  }

  private func turned(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ facts: EmbeddedFacts = turn(90)
  ) throws -> [UInt8] {
    let list = try withSource(bytes) {
      try FactEmbedder.editList(of: $0, format: format, facts: facts)
    }
    return apply(list, to: bytes)
  }

  private func block(_ orientation: Int) -> [UInt8] {
    var kept = KeptMetadata()
    kept.make = "Camera"
    return ExifWriter.block(orientation: orientation, kept: kept) ?? []
  }

  private func exifSegment(_ block: [UInt8]) -> [UInt8] {
    JPEGMarker.segment(JPEGMarker.app1, Array("Exif\0\0".utf8) + block)
  }

  private func packet(_ properties: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)">\
      \(properties)</rdf:RDF></x:xmpmeta>
      """.utf8
    )
  }

  /// What a quarter turn clockwise makes of an orientation: Exif 2.32 section 4.6.5.
  private static let quarter = [1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2]

  private func expected(_ own: Int, _ degrees: Int) -> Int {
    (0..<(degrees / 90)).reduce(own) { orientation, _ in Self.quarter[orientation] ?? 0 }
  }

  // MARK: Pictures

  @Test("A picture of each orientation is turned in each way", arguments: [90, 180, 270])
  func pictures(degrees: Int) throws {
    for own in 1...8 {
      let block = block(own)
      let files: [(MediaFormat, [UInt8])] = [
        (.jpeg, TinyJPEG.file(TinyJPEG.jfif + exifSegment(block))),
        (.png, TinyPNG.file(pngChunk("eXIf", block))),
        (
          .webp,
          TinyWebP.file(
            TinyWebP.extended(0x08) + riffChunk("VP8L", TinyWebP.lossless)
              + riffChunk("EXIF", block)
          )
        ),
        (.tiff, TinyTIFFFile.file([TinyTIFFFile.short(0x0112, own)])),
      ]
      for (format, bytes) in files {
        let before = try facts(of: bytes)
        #expect(before.orientation == own, "\(format)")
        let copy = try turned(bytes, format, Self.turn(degrees))
        let after = try facts(of: copy)
        #expect(after.orientation == expected(own, degrees), "\(format) \(own)")
        #expect(after.pixelSize == before.pixelSize, "\(format) \(own)")
        #expect(after.camera == before.camera, "\(format) \(own)")
        // The rest of the turn leads back to the file.
        let back = try turned(copy, format, Self.turn(360 - degrees))
        #expect(try facts(of: back).orientation == own, "\(format) \(own)")
        guard own != 1 || format == .tiff else { continue }
        // The number, and of a PNG the sum of its chunk.
        #expect(copy.count == bytes.count, "\(format) \(own)")
        let differing = bytes.indices.filter { bytes[$0] != copy[$0] }
        #expect(differing.count <= (format == .png ? 5 : 1), "\(format) \(own)")
        #expect(back == bytes, "\(format) \(own)")
      }
    }
  }

  @Test("A picture without an Exif block gets one with the orientation alone")
  func withoutBlock() throws {
    let files: [(MediaFormat, [UInt8])] = [
      (.jpeg, TinyJPEG.file(TinyJPEG.jfif)), (.png, TinyPNG.file()), (.webp, TinyWebP.simple),
      (.webp, TinyWebP.file(TinyWebP.extended(0) + riffChunk("VP8L", TinyWebP.lossless))),
      (.tiff, TinyTIFFFile.file()),
    ]
    for (format, bytes) in files {
      let copy = try turned(bytes, format, Self.turn(270))
      #expect(try facts(of: copy).orientation == 8, "\(format)")
      #expect(try facts(of: copy).pixelSize == facts(of: bytes).pixelSize, "\(format)")
      #expect(!copy.contains("http://ns.adobe.com"), "\(format)")
      let twice = try turned(copy, format, Self.turn(180))
      #expect(try facts(of: twice).orientation == 6, "\(format)")
      #expect(twice.count == copy.count, "\(format)")
    }
  }

  @Test("The thumbnail in an Exif block is turned where it has an orientation of its own")
  func thumbnail() throws {
    let (first, second) = (block(6), 3)
    // A second directory with one entry lies behind the block.
    let tail = big(1, 2) + big(0x0112, 2) + big(3, 2) + big(1) + big(second, 2) + [0, 0] + big(0)
    let source = ByteSource(first)
    let tiff = try #require(TIFFBlock(source, 0..<first.count))
    let extent = try #require(tiff.extent(ofDirectoryAt: tiff.firstDirectory))
    var whole = first + tail
    whole.replaceSubrange(extent.upperBound..<(extent.upperBound + 4), with: big(first.count))
    let bytes = TinyJPEG.file(exifSegment(whole))
    let copy = try turned(bytes, .jpeg)
    let differing = bytes.indices.filter { bytes[$0] != copy[$0] }
    #expect(copy.count == bytes.count && differing.count == 2)
    #expect(try facts(of: copy).orientation == 3)
    // 3 becomes 8, in the two bytes ahead of four zeros and the end of the chain.
    let place = try #require(Data(copy).range(of: Data(tail.prefix(10)))).upperBound
    #expect(Array(copy[place..<(place + 2)]) == big(8, 2))
  }

  @Test("tiff:Orientation in a packet becomes that of the copy, in either form")
  func packets() throws {
    let tiff = XMPNamespace.tiff
    for properties in [
      "<rdf:Description rdf:about='' xmlns:tiff='\(tiff)' tiff:Orientation='1' tiff:Make='A'/>",
      "<rdf:Description rdf:about='' xmlns:tiff=\"\(tiff)\"><tiff:Orientation>1</tiff:Orientation>"
        + "<tiff:Make>A</tiff:Make></rdf:Description>",
    ] {
      let packet = packet(properties)
      let xmp = JPEGMarker.segment(JPEGMarker.app1, Array(JPEGMetadata.xmpIdentifier.utf8) + packet)
      let text = pngChunk("iTXt", PNGMetadata.xmpHead + packet)
      let chunks =
        TinyWebP.extended(0x04) + riffChunk("VP8L", TinyWebP.lossless) + riffChunk("XMP ", packet)
      let files: [(MediaFormat, [UInt8])] = [
        (.jpeg, TinyJPEG.file(exifSegment(block(1)) + xmp)), (.png, TinyPNG.file(text)),
        (.webp, TinyWebP.file(chunks)),
        (.tiff, TinyTIFFFile.file([TinyTIFFFile.undefined(700, packet)])),
      ]
      for (format, bytes) in files {
        let copy = try turned(bytes, format)
        #expect(try facts(of: copy).orientation == 6, "\(format)")
        let wanted = String(decoding: packet, as: UTF8.self)
          .replacingOccurrences(of: "tiff:Orientation='1'", with: "tiff:Orientation='6'")
          .replacingOccurrences(of: "<tiff:Orientation>1", with: "<tiff:Orientation>6")
        #expect(copy.contains(wanted), "\(format)")
      }
    }
    // Under another prefix it cannot be changed in its place.
    let other = packet("<rdf:Description rdf:about='' xmlns:t='\(tiff)' t:Orientation='1'/>")
    let segment = JPEGMarker.segment(JPEGMarker.app1, Array(JPEGMetadata.xmpIdentifier.utf8) + other)
    #expect(code { _ = try turned(TinyJPEG.file(segment), .jpeg) } == .stripUnsupported)
  }

  @Test("Each page of a TIFF is turned, whether it has an orientation or not")
  func pages() throws {
    typealias File = TinyTIFFFile
    for entries in [[], [File.short(0x0112, 3)]] as [[File.Entry]] {
      // A directory of nine or ten entries at 16, whose values all lie in it.
      let second = 16 + 2 + 12 * (9 + entries.count) + 4
      for own in [[], [File.short(0x0112, 8)]] as [[File.Entry]] {
        let page = File.directory(File.page(strip: 8) + own, at: second)
        let bytes = File.file(entries, after: page, next: second)
        let copy = try turned(bytes, .tiff)
        let orientations = withSource(copy) { source in
          let block = TIFFBlock(file: source)
          return TIFFPages(source).map { page in
            var value: Int?
            block?.forEachEntry(ofDirectoryAt: page) { entry in
              if entry.tag == 0x0112 { value = block?.number(entry) }
            }
            return value
          }
        }
        #expect(orientations == [entries.isEmpty ? 6 : 8, own.isEmpty ? 6 : 1])
        #expect(try facts(of: copy).frameCount == 2)
        // The pixels, and all but the pointers to directories.
        #expect(copy[8..<16] == bytes[8..<16] && copy.count >= bytes.count)
      }
    }
    #expect(code { _ = try turned(TinyBigTIFF.file(.little), .tiff) } == .stripUnsupported)
  }

  @Test("A copy is turned and gets facts at once")
  func both() throws {
    let packet = XMPWriter.packet(
      of: "<xmp:Rating>4</xmp:Rating>",
      namespaces: XMPWriter.namespaces(.besideExif, of: KeptMetadata())
    )
    var all = Self.turn(90, packet: packet)
    all.date = CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: 120, tag: "")
    all.place = MediaDescription.Place(latitude: 481_361_000, longitude: -115_000_000)
    let jpeg = try turned(TinyJPEG.file(TinyJPEG.jfif), .jpeg, all)
    let metadata = withSource(jpeg) { JPEGMetadata.find(in: $0) }
    #expect(metadata.xmp?.rating == 4 && metadata.exif?.location?.latitude == 481_361_000)
    #expect(metadata.exif?.creationDate?.local == "2019-07-04T10:15:30")
    #expect(try facts(of: jpeg).orientation == 6)
    for (format, bytes) in [
      (.png, TinyPNG.file()), (.webp, TinyWebP.simple), (.tiff, TinyTIFFFile.file()),
      (.heic, heif().bytes), (.mp4, TinyMovie.film.bytes),
    ] as [(MediaFormat, [UInt8])] {
      let copy = try turned(bytes, format, all)
      #expect(try facts(of: copy).orientation == 6, "\(format)")
      #expect(copy.contains("<xmp:Rating>4</xmp:Rating>"), "\(format)")
    }
  }

  // MARK: HEIF

  /// A picture, its thumbnail, and another one; by the numbers of their properties.
  private func heif(
    _ turns: [[UInt8]] = [],
    picture: [Int] = [1, -2],
    thumbnail: [Int] = [1, -2],
    other: [Int] = [1, -2]
  ) -> HEIFFixture {
    var fixture = HEIFFixture()
    fixture.properties = [TinyCoded.ispe(64, 48), TinyCoded.hvcC()] + turns
    for (number, properties) in [(1, picture), (2, thumbnail), (3, other)] {
      fixture.items.append(
        .init(
          number: number,
          type: "hvc1",
          data: TinyCoded.nal(19, [UInt8(number), 2, 3]),
          properties: properties,
          isHidden: number == 2
        )
      )
    }
    fixture.references = [("thmb", 2, [1])]
    return fixture
  }

  /// By item, its data, and the turn that its properties make.
  private func items(_ bytes: [UInt8]) throws -> [Int: (data: [UInt8], orientation: Int)] {
    try withSource(bytes) { source in
      let box = try #require(try HEIFContainer(of: source).meta)
      let meta = try HEIFMetaReader.read(box.body, of: source)
      return Dictionary(
        uniqueKeysWithValues: meta.items.map { item in
          var turn = Turn()
          for property in meta.properties(of: item) { turn.add(property, of: source) }
          let data = HEIFDescriptionItems.data(of: item, in: source) ?? []
          return (item.identifier, (data, turn.orientation))
        }
      )
    }
  }

  @Test("A HEIC is turned in each way from each turn and mirror", arguments: [90, 180, 270])
  func heic(degrees: Int) throws {
    for angle in [nil, 0, 1, 2, 3] as [UInt8?] {
      for axis in [nil, 0, 1] as [UInt8?] {
        for isReversed in [false, true] {
          var turns = angle.map { [isoBox("irot", [$0])] } ?? []
          turns += axis.map { [isoBox("imir", [$0])] } ?? []
          if isReversed { turns.reverse() }
          let numbers = [1, -2] + turns.indices.map { -($0 + 3) }
          let bytes = heif(turns, picture: numbers, thumbnail: numbers).bytes
          let before = try items(bytes)
          let own = try #require(before[1]?.orientation)
          let copy = try turned(bytes, .heic, Self.turn(degrees))
          let after = try items(copy)
          #expect(after[1]?.orientation == expected(own, degrees))
          #expect(after[2]?.orientation == expected(own, degrees))
          #expect(after[3]?.orientation == 1)
          #expect(after.mapValues { $0.data } == before.mapValues { $0.data })
          #expect(try facts(of: copy).pixelSize == facts(of: bytes).pixelSize)
          // One that is there already changes in its place.
          #expect((copy.count == bytes.count) == (angle != nil))
        }
      }
    }
  }

  @Test("A turn that another picture has too stays its own, and one that differs stays")
  func sharedTurn() throws {
    let turns = [isoBox("irot", [1]), isoBox("irot", [2])]
    let bytes = heif(turns, picture: [1, -2, -3], thumbnail: [1, -2, -4], other: [1, -2, -3]).bytes
    let copy = try turned(bytes, .heic)
    #expect(try items(copy).mapValues { $0.orientation } == [1: 1, 2: 3, 3: 8])
    // More properties than seven bits number.
    let many = [[UInt8]](repeating: isoBox("free", []), count: 130)
    let long = try turned(heif(many).bytes, .heic)
    #expect(try items(long).mapValues { $0.orientation } == [1: 6, 2: 6, 3: 1])
  }

  @Test("A HEIC that is cut anywhere is refused")
  func cutHEIC() throws {
    let bytes = heif().bytes
    // The data of the primary picture and ahead of it.
    for count in 0..<(bytes.count - 20) {
      #expect(code { _ = try turned(Array(bytes.prefix(count)), .heic) } != nil, "\(count)")
    }
  }

  // MARK: Films

  @Test("A film's matrix is composed with the turn, and no other byte changes")
  func movies() throws {
    let one = 0x10000
    let matrices = [
      1: [one, 0, 0, one], 6: [0, one, -one, 0], 3: [-one, 0, 0, -one], 8: [0, -one, one, 0],
    ]
    for (own, matrix) in matrices {
      let bytes = TinyHEIF.movie(matrix: matrix)
      #expect(try facts(of: bytes).orientation == own)
      for degrees in [90, 180, 270] {
        // It has an index and no samples, and so is no whole film.
        let list = try withSource(bytes) { source in
          try CopyTurn(degrees: degrees, orientation: expected(own, degrees))
            .patches(source, .mp4).editList(of: source)
        }
        let copy = apply(list, to: bytes)
        #expect(try facts(of: copy).orientation == expected(own, degrees))
        #expect(copy.count == bytes.count)
        #expect(bytes.indices.count { bytes[$0] != copy[$0] } <= 32)
      }
    }
    let film = TinyMovie.film
    let copy = try turned(film.bytes, .mp4)
    #expect(MovieReader(copy).samples == MovieReader(film.bytes).samples)
    let mirrored = TinyHEIF.movie(matrix: [-one, 0, 0, one])
    #expect(code { _ = try turned(mirrored, .mp4) } == .stripUnsupported)
  }

  // MARK: Independent readers

  private static let media = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Manifests/media/DCIM/100MEDIA/MOV_0010.MP4").path

  @Test(
    "ffprobe and exiftool read the turn of a film, and ffmpeg the same samples",
    .enabled(if: Tool.exists("ffprobe") && Tool.exists("exiftool"), "no ffprobe or exiftool")
  )
  func readersOfFilms() throws {
    let folder = TemporaryFolder()
    for (degrees, counterclockwise) in [(90, "-90"), (270, "90")] {
      let path = "\(folder.path)/\(degrees).mp4"
      try Data(try turned(try readBytes(Self.media), .mp4, Self.turn(degrees)))
        .write(to: URL(fileURLWithPath: path))
      let options = ["-v", "error", "-select_streams", "v:0", "-show_streams", path]
      let streams = try Tool.run("ffprobe", options).output
      #expect(streams.contains("rotation=\(counterclockwise)\n"), "\(streams)")
      let read = try Tool.run("exiftool", ["-s3", "-n", "-Rotation", path]).output
      #expect(read == "\(degrees)\n")
      let sums = try [Self.media, path].map { path in
        let options = ["-v", "error", "-i", path, "-map", "0", "-c", "copy"]
        return try Tool.run("ffmpeg", options + ["-f", "streamhash", "-"]).output
      }
      #expect(sums[0] == sums[1] && sums[0].contains("SHA256"))
    }
  }

  @Test(
    "ImageMagick shows a JPEG and a TIFF turned, and exiftool reads the orientation of all",
    .enabled(if: Tool.exists("convert") && Tool.exists("exiftool"), "no ImageMagick or exiftool")
  )
  func readersOfPictures() throws {
    let folder = TemporaryFolder()
    func pixels(_ path: String, _ options: String...) throws -> String {
      try Tool.run("convert", ["-quiet", path] + options + ["-format", "%wx%h %#", "info:"]).output
    }
    for (name, format) in [
      ("a.jpg", .jpeg), ("a.tif", .tiff), ("a.png", .png), ("a.webp", .webp),
    ] as [(String, MediaFormat)] {
      let own = "\(folder.path)/\(name)"
      let arguments = ["-size", "64x48", "gradient:red-blue", "-colorspace", "sRGB", own]
      #expect(try Tool.run("convert", arguments).status == 0)
      for (degrees, orientation) in [(90, 6), (180, 3), (270, 8)] {
        let path = "\(folder.path)/\(degrees)-\(name)"
        try Data(try turned(try readBytes(own), format, Self.turn(degrees)))
          .write(to: URL(fileURLWithPath: path))
        let read = try Tool.run("exiftool", ["-s3", "-n", "-IFD0:Orientation", path]).output
        #expect(read == "\(orientation)\n", "\(path)")
        #expect(try pixels(path, "+orient") == pixels(own, "+orient"), "\(path)")
        // ImageMagick reads no orientation of the other formats.
        guard format == .jpeg || format == .tiff else { continue }
        #expect(try pixels(path, "-auto-orient") == pixels(own, "-rotate", "\(degrees)"))
      }
    }
  }
}
