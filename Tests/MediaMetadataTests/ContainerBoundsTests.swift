import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Numbers that cannot be, in pictures of other formats")
struct ContainerBoundsTests {
  typealias T = TinyTIFFFile

  @Test("Directories in a loop, or on top of one another, are no pages")
  func directories() {
    let at = 8 + T.pixels.count
    #expect(code { _ = try strip(T.file(next: at), .tiff) } == .damaged)
    let two = T.directory(T.page(strip: 8), at: T.file().count, next: at)
    #expect(code { _ = try strip(T.file(after: two, next: T.file().count), .tiff) } == .damaged)
    #expect(code { _ = try strip(T.file(next: at + 12), .tiff) } == .damaged)
  }

  @Test("A strip that is also a directory or a value would carry it through")
  func stripOverDirectory() {
    for compression in [5, 32_773] {
      let page = T.page(strip: 8, compression: compression, count: 60)
      #expect(code { _ = try strip(T.file(page: page), .tiff) } == .damaged)
    }
  }

  @Test("Strips outside of the file, of no length, or too few are damage")
  func strips() {
    for (offset, count) in [(0, 8), (8, 0), (8, 7), (1 << 30, 8)] {
      let page = T.page(strip: offset, count: count)
      #expect(code { _ = try strip(T.file(page: page), .tiff) } == .damaged)
    }
    let rows = T.page(strip: 8).filter { $0.tag != 0x0116 } + [T.short(0x0116, 1)]
    #expect(code { _ = try strip(T.file(page: rows), .tiff) } == .damaged)
    let huge =
      T.page(strip: 8).filter { $0.tag != 0x0101 && $0.tag != 0x0116 }
      + [T.long(0x0101, 0x7FFF_FFFF), T.short(0x0116, 1)]
    #expect(code { _ = try strip(T.file(page: huge), .tiff) } == .overLimit)
  }

  @Test("A compression whose data may hold more than pixels fails closed")
  func compression() {
    for compression in [34_712, 50_001, 50_002, 12_345] {
      let page = T.page(strip: 8, compression: compression)
      #expect(code { _ = try strip(T.file(page: page), .tiff) } == .stripUnsupported)
    }
  }

  @Test("Pages that share a strip still share it")
  func shared() throws {
    let second = T.directory(T.page(strip: 8), at: T.file().count)
    let (output, list) = try strip(T.file(after: second, next: T.file().count), .tiff)
    let copies = list.operations.filter { if case .copy = $0 { true } else { false } }
    #expect(copies == [.copy(offset: 8, length: 8)])
    #expect(try strip(output, .tiff).output == output)
  }

  @Test("LZW codes that nothing defined, or too few pixels, are damage")
  func codes() {
    // Clear, then a code that nothing defined; clear and end; a larger picture.
    for data in [[2, 0x3C, 0x01], [1, 0x2C]] as [[UInt8]] {
      let image = TinyGIF.descriptor + [2] + data + [0]
      #expect(code { _ = try strip(TinyGIF.file(image: image), .gif) } == .damaged)
    }
    var large = TinyGIF.image
    large[5] = 2
    #expect(code { _ = try strip(TinyGIF.file(image: large), .gif) } == .damaged)
    #expect(code { _ = try strip(TinyGIF.file(image: []), .gif) } == .damaged)
  }

  @Test("A RIFF length that is too long, and frames of another size, are damage")
  func riff() {
    for length in [0, 11, 1 << 20, 0xFFFF_FFFF] {
      var bytes = TinyWebP.simple
      bytes.replaceSubrange(4..<8, with: little(length))
      #expect(code { _ = try strip(bytes, .webp) } == .damaged)
    }
    var wide = TinyWebP.lossless
    wide[1] = 1
    let frame = TinyWebP.frame(riffChunk("VP8L", wide))
    let anim = riffChunk("ANIM", [UInt8](repeating: 0, count: 6))
    let file = TinyWebP.file(TinyWebP.extended(2) + anim + frame)
    #expect(code { _ = try strip(file, .webp) } == .damaged)
  }

  @Test("Pixels of a BMP that lie nowhere, or end early, are damage")
  func bitmaps() {
    #expect(code { _ = try strip(TinyBMP.file(rows: Array(TinyBMP.rows.dropLast())), .bmp) } == .damaged)
    var offset = TinyBMP.file()
    offset[10] = 20
    #expect(code { _ = try strip(offset, .bmp) } == .damaged)
    let jpeg = TinyBMP.file { $0[16] = 4 }
    #expect(code { _ = try strip(jpeg, .bmp) } == .stripUnsupported)
  }

  @Test(
    "A raw file is called by its name",
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: [
      ("CanonRaw.cr2", "Canon CR2"), ("DNG.dng", "Adobe DNG"), ("FujiFilm.raf", "Fujifilm RAF"),
      ("Nikon.nef", "Nikon NEF"), ("Panasonic.rw2", "Panasonic RW2"), ("canon-r6.cr3", "Canon CR3"),
    ]
  )
  func raw(file: String, name: String) throws {
    let path = try #require(Corpus.file("visible/raw/" + file))
    try withSource(readBytes(path)) { source in
      #expect(RawFormat.name(of: source) == name)
      #expect(FormatSniffer.format(of: source)?.isRaw == true)
    }
    withSource(T.file()) { #expect(RawFormat.name(of: $0) == nil) }
  }

  @Test("Every canary is listed as removed", arguments: CanariesContainers.slots)
  func listed(slot: CanarySlot) throws {
    // What stands within or behind picture data is found by strip alone.
    let hidden = [
      "unused", "padding", "behind", "reduced", "between", "JPEG", "data", "end", "IEND", "picture",
      "VP8", "palette", "ALPH", "ANIM",
    ]
    guard !hidden.contains(where: { slot.description.contains($0) }) else { return }
    let entries = try withSource(slot.bytes) {
      try MetadataInspector.entries(of: $0, format: slot.format)
    }
    #expect(entries.contains { $0.isRemoved }, "\(slot)")
  }
}
