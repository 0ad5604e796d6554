import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

@Suite("The movie of a motion photo")
struct MotionPhotoTests {
  static let movie: [UInt8] = {
    var film = TinyMovie.film
    film.tracks.removeLast()
    return film.bytes
  }()

  private static func xmp(_ attributes: String, _ content: String = "") -> [UInt8] {
    let packet =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
      + "xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' \(attributes)>\(content)"
      + "</rdf:Description></rdf:RDF></x:xmpmeta>"
    return TinyJPEG.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", Array(packet.utf8))
  }

  /// The first generation: how far the movie begins from the file's end.
  static func microVideo(_ offset: Int) -> [UInt8] {
    xmp("GCamera:MicroVideo='1' GCamera:MicroVideoVersion='1' GCamera:MicroVideoOffset='\(offset)'")
  }

  /// The second generation: a list of the items in the file.
  static func container(_ length: Int, padding: Int = 0) -> [UInt8] {
    func item(_ type: String, _ semantic: String, _ length: Int, _ padding: Int) -> String {
      "<rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='\(type)' "
        + "Item:Semantic='\(semantic)' Item:Length='\(length)' Item:Padding='\(padding)'/></rdf:li>"
    }
    return xmp(
      "xmlns:Container='http://ns.google.com/photos/1.0/container/' "
        + "xmlns:Item='http://ns.google.com/photos/1.0/container/item/' "
        + "GCamera:MotionPhoto='1' GCamera:MotionPhotoVersion='1'",
      "<Container:Directory><rdf:Seq>" + item("image/jpeg", "Primary", 0, padding)
        + item("video/mp4", "MotionPhoto", length, 0) + "</rdf:Seq></Container:Directory>"
    )
  }

  /// Samsung's block with a movie, and the directory behind it.
  static func samsung(_ movie: [UInt8]) -> (head: [UInt8], directory: [UInt8]) {
    let name = Array("MotionPhoto_Data".utf8)
    let type: [UInt8] = [0, 0, 0x30, 0x0A]
    let head: [UInt8] = type + little(name.count) + name
    let length = little(head.count + movie.count)
    var table = Array("SEFH".utf8) + little(106) + little(1)
    table += type + length + length
    return (head, table + little(table.count) + Array("SEFT".utf8))
  }

  /// A file of each kind, with the fuzzer's parser.
  static let seeds: [(String, [UInt8])] = {
    let block = samsung(movie)
    let heic = TinyHEIF.file(exif: [])
    return [
      ("jpeg", TinyJPEG.file(microVideo(movie.count)) + movie),
      ("jpeg", TinyJPEG.file(container(movie.count)) + movie),
      ("jpeg", TinyJPEG.file() + block.head + movie + block.directory),
      ("heif", heic + isoBox("mpvd", movie)), ("heif", heic + movie),
    ]
  }()

  private static func embedded(_ bytes: [UInt8], _ format: MediaFormat = .jpeg) -> EmbeddedMovie? {
    MotionPhoto.movie(in: ByteSource(bytes), format: format)
  }

  @Test(
    "It is found behind a JPEG, whatever says that it is there",
    arguments: [
      microVideo(movie.count), container(movie.count), container(movie.count, padding: 7), [],
      // Lengths that are not true.
      microVideo(movie.count + 1), container(4), container(1 << 40), microVideo(-5),
    ]
  )
  func behindJPEG(segment: [UInt8]) throws {
    let still = TinyJPEG.file(segment)
    for padding in [0, 7] {
      let before = still + [UInt8](repeating: 0, count: padding)
      let embedded = try #require(Self.embedded(before + Self.movie))
      #expect(
        embedded
          == EmbeddedMovie(
            offset: before.count,
            length: Self.movie.count,
            stillLength: before.count,
            soundTrackCount: 1
          )
      )
    }
    let facts = try MetadataReader.facts(of: ByteSource(still + Self.movie), format: .jpeg)
    #expect(facts.embeddedMovie?.offset == still.count)
    #expect(facts.pixelSize == PixelSize(width: 8, height: 8))
  }

  @Test("What a file states of its movie is compared with the movie that is there")
  func statements() throws {
    let length = Self.movie.count
    // How the item is written as elements.
    let elements = Self.xmp(
      "xmlns:C='http://ns.google.com/photos/1.0/container/' "
        + "xmlns:I='http://ns.google.com/photos/1.0/container/item/'",
      "<GCamera:MotionPhoto>1</GCamera:MotionPhoto><C:Directory><rdf:Seq><rdf:li><C:Item "
        + "rdf:parseType='Resource'><I:Length>5</I:Length><I:Semantic>MotionPhoto</I:Semantic>"
        + "</C:Item></rdf:li></rdf:Seq></C:Directory>"
    )
    let cases: [(segment: [UInt8], movie: [UInt8], isFalse: Bool)] = [
      (Self.microVideo(length), Self.movie, false), (Self.microVideo(length), [], true),
      (Self.microVideo(length + 1), Self.movie, true), (Self.container(length), [], true),
      (Self.container(length), Self.movie, false), (Self.container(4), Self.movie, true),
      (Self.container(length, padding: 9), Self.movie, false), (elements, Self.movie, true),
      ([], Self.movie, false), (Self.xmp("GCamera:MotionPhoto='0'"), [], false),
      (Self.xmp("GCamera:MotionPhoto='1'"), [], true),
      (Self.xmp("GCamera:MotionPhoto='1'"), Self.movie, false),
      // What stands behind the movie may be counted.
      (Self.container(length + 8), Self.movie + [UInt8](repeating: 0, count: 8), false),
    ]
    for (number, file) in cases.enumerated() {
      let source = ByteSource(TinyJPEG.file(file.segment) + file.movie)
      let facts = try MetadataReader.describedFacts(of: source, format: .jpeg)
      #expect(facts.description?.misstatesMovie == (file.isFalse ? true : nil), "\(number)")
    }
  }

  @Test("Samsung's block belongs to it, and the picture ends in front of the block")
  func samsung() throws {
    let still = TinyJPEG.file()
    let (head, directory) = Self.samsung(Self.movie)
    let type: [UInt8] = [0, 0, 0x01, 0x0A]
    let other: [UInt8] = type + little(14) + Array("Image_UTC_Data1680015209995".utf8)
    let embedded = try #require(Self.embedded(still + other + head + Self.movie + directory))
    #expect(embedded.offset == still.count + other.count + head.count)
    #expect(embedded.length == Self.movie.count)
    #expect(embedded.stillLength == still.count + other.count)
  }

  @Test("A second picture in front of it stays in the still")
  func gainMap() throws {
    let pictures = TinyJPEG.file() + TinyJPEG.file()
    #expect(Self.embedded(pictures + Self.movie)?.stillLength == pictures.count)
  }

  @Test("The picture ends in front of the first movie, also of one that is cut")
  func cutMovie() throws {
    let still = TinyJPEG.file()
    for length in [Self.movie.count - 9, Self.movie.count / 2, 40] {
      let cut = Array(Self.movie.prefix(length))
      let embedded = try #require(Self.embedded(still + cut + Self.movie))
      #expect(embedded.stillLength == still.count, "\(length)")
    }
  }

  @Test("In a HEIC it is a box of its own, also with Samsung's in it, or lies behind")
  func heic() throws {
    let still = TinyHEIF.file(exif: [])
    let plain = try #require(Self.embedded(still + isoBox("mpvd", Self.movie), .heic))
    #expect(plain.offset == still.count + 8)
    #expect(plain.length == Self.movie.count)
    #expect(plain.stillLength == still.count)
    let (head, directory) = Self.samsung([])
    let samsung = isoBox("mpvd", Self.movie, isoBox("sefd", head, directory))
    #expect(Self.embedded(still + samsung, .heic) == plain)
    let behind = try #require(Self.embedded(still + Self.movie, .heic))
    #expect(behind.offset == still.count && behind.stillLength == still.count)
    let block = Self.samsung(Self.movie)
    let trailing = try #require(Self.embedded(still + block.head + Self.movie + block.directory, .heic))
    #expect(trailing.length == Self.movie.count && trailing.stillLength == still.count)
    // Data behind the box: the still cannot do without them.
    let inner = still + isoBox("mpvd", Self.movie) + isoBox("mdat", [1, 2, 3])
    let enclosed = try #require(Self.embedded(inner, .heic))
    #expect(enclosed.length == Self.movie.count && enclosed.stillLength == nil)
    #expect(Self.embedded(still, .heic) == nil)
  }

  @Test("What is no whole movie with pictures is none")
  func others() {
    let still = TinyJPEG.file()
    var sound = TinyMovie.film
    sound.tracks.removeFirst()
    let beginnings = Array(repeating: Array("\0\0\0\u{10}ftyp".utf8), count: 1000)
    let none: [[UInt8]] = [
      [], Array("a text with ftyp in it".utf8), TinyJPEG.file(), sound.bytes,
      isoBox("ftyp", Array("isom".utf8), big(0)), Array(Self.movie.prefix(40)),
      [UInt8](repeating: 0, count: 100),
      // The first ftyp is none, and so many that they are not all tried.
      beginnings.flatMap { $0 } + Self.movie,
    ]
    for bytes in none {
      #expect(Self.embedded(still + bytes) == nil, "\(bytes.prefix(24))")
      #expect(Self.embedded(TinyHEIF.file(exif: []) + bytes, .heic) == nil, "\(bytes.prefix(24))")
    }
    #expect(Self.embedded(still + Array("ftyp".utf8) + Self.movie)?.length == Self.movie.count)
    #expect(Self.embedded(Self.movie, .mp4) == nil)
  }

  @Test("Any cut and any changed length leave a movie within its file, or none")
  func hostile() {
    let bytes = TinyJPEG.file(Self.microVideo(Self.movie.count)) + Self.movie
    for end in stride(from: 0, to: bytes.count, by: Amount.isAll ? 1 : 13) {
      #expect(Self.embedded(Array(bytes[..<end]))?.fits(end) != false, "\(end)")
    }
    let still = bytes.count - Self.movie.count
    for offset in stride(from: still, to: bytes.count - 4, by: Amount.isAll ? 1 : 7) {
      var changed = bytes
      changed.replaceSubrange(offset..<(offset + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
      #expect(Self.embedded(changed)?.fits(changed.count) != false, "\(offset)")
    }
  }

  /// Files of a Pixel, of a Galaxy S22, and one that Google's library of media tests with, as exiftool and
  /// their boxes say.
  static let phones: [(name: String, offset: Int, length: Int, still: Int)] = [
    ("visible/motionphoto/PXL_20200710_061629144.MP.jpg", 2_728_123, 1_317_283, 2_728_123),
    (
      "third/g0ddest+sm_motion_photo/tests/data/photo-sg22-ultra.heic", 507_827, 2_341_602, 507_819
    ),
    (
      "third/androidx+media/libraries/test_data/src/test/assets/media/heif/sample_MP.heic", 28_869,
      28_803, 28_853
    ),
  ]

  @Test(
    "Real phones' are found",
    .enabled(if: phones.allSatisfy { Corpus.file($0.name) != nil }, "no corpus"),
    arguments: phones
  )
  func real(name: String, offset: Int, length: Int, still: Int) throws {
    let format: MediaFormat = name.hasSuffix("heic") ? .heic : .jpeg
    let bytes = try readBytes(try #require(Corpus.file(name)))
    let embedded = try #require(Self.embedded(bytes, format))
    #expect(embedded.offset == offset)
    #expect(embedded.length == length)
    #expect(embedded.stillLength == still)
  }
}
