import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("A file's format, by its content")
struct FormatSnifferTests {
  static func ftyp(_ major: String, _ compatible: [String] = []) -> [UInt8] {
    isoBox("ftyp", Array(major.utf8) + [0, 0, 0, 0] + compatible.flatMap { Array($0.utf8) })
  }

  @Test(
    "The brands of an ISO base media file decide",
    arguments: [
      ("heic", ["mif1"], MediaFormat.heic), ("mif1", ["mif1", "heic"], .heic),
      ("msf1", ["hevc"], .heic), ("heix", [], .heic), ("hevc", [], .heic),
      ("avif", ["mif1"], .avif), ("mif1", ["miaf", "avif"], .avif),
      ("avis", ["msf1", "avif"], .avif),
      ("mif1", ["mif1", "miaf"], nil), ("qt  ", [], .mov), ("M4A ", ["mp42", "isom"], .m4a),
      ("M4B ", [], .m4a), ("isom", ["avc1"], .mp4), ("mp42", [], .mp4), ("iso5", [], .mp4),
      ("XAVC", ["iso6"], .mp4), ("3gp4", [], .threeGP), ("3g2a", ["mp42"], .threeGP),
      ("what", ["isom"], .mp4),
      ("what", ["qt  "], .mov),
      ("crx ", ["isom"], .cr3), ("jp2 ", [], nil), ("jxl ", [], nil), ("what", ["ever"], nil),
    ]
  )
  func brands(major: String, compatible: [String], expected: MediaFormat?) {
    #expect(format(of: Self.ftyp(major, compatible)) == expected)
  }

  @Test(
    "Each start of a file is told from the others",
    arguments: [
      ("\u{FF}\u{D8}\u{FF}", MediaFormat.jpeg), ("GIF89a", .gif), ("GIF87a", .gif), ("GIF88a", nil),
      ("RIFF\0\0\0\0WAVE", .wav), ("RIFF\0\0\0\0WEBP", .webp), ("RIFF\0\0\0\0AVI ", .avi),
      ("RF64\0\0\0\0WAVE", .wav), ("BW64\0\0\0\0WAVE", .wav), ("RF64\0\0\0\0AVI ", nil),
      ("FORM\0\0\0\0AIFF", .aiff), ("FORM\0\0\0\0AIFC", .aiff), ("FORM\0\0\0\0ILBM", nil),
      ("OggS\0", .ogg), ("OggS\u{1}", nil), ("fLaC", .flac),
      ("ID3\u{4}\0\0\0\0\0\u{3}abcfLaC", .flac),
      ("BM", nil), ("%PDF-1.4", nil), ("", nil), ("<svg xmlns", nil), ("8BPS\0\u{1}", nil),
      ("II*\0\u{8}\0\0\0\0\0", .tiff), ("MM\0*\0\0\0\u{8}\0\0", .tiff), ("II+\0\u{8}\0\0\0", nil),
      ("IIU\0\u{8}\0\0\0", .rw2), ("IIRO\u{8}\0\0\0", .orf), ("II*\0\u{10}\0\0\0CR\u{2}\0", .cr2),
    ]
  )
  func signatures(start: String, expected: MediaFormat?) {
    let bytes = start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(format(of: bytes) == expected)
  }

  @Test(
    "A bitmap needs a header of known length and one plane",
    arguments: [
      (40, 1, MediaFormat.bmp), (12, 1, .bmp), (124, 1, .bmp), (41, 1, nil), (40, 2, nil),
    ]
  )
  func bitmap(header: Int, planes: Int, expected: MediaFormat?) {
    var bytes = Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + little(header)
    bytes += header == 12 ? little(3, 2) + little(4, 2) : little(3) + little(4)
    bytes += little(planes, 2) + [UInt8](repeating: 0, count: 110)
    #expect(format(of: bytes) == expected)
    if expected != nil {
      #expect((try? facts(of: bytes))?.pixelSize == PixelSize(width: 3, height: 4))
    }
  }

  @Test("One MPEG audio frame alone is not yet an MP3")
  func mp3() {
    // MPEG 1, layer III, 128 kbit/s, 44,100 Hz: 417 bytes.
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    #expect(format(of: frame) == nil)
    #expect(format(of: frame + frame) == .mp3)
    #expect(format(of: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 9, 9] + frame + frame) == .mp3)
    #expect(format(of: frame + [0xFF, 0xF3, 0x90, 0x00]) == nil)
    // Zeros without a tag before them may begin anything, so a third frame must follow.
    #expect(format(of: [0] + frame + frame) == nil)
    #expect(format(of: [0, 0] + frame + frame + frame) == .mp3)
    // Other bytes may too, so nothing but frames follows: DisplacedSoundTests.
    #expect(format(of: [0, 1] + frame + frame + frame) == .mp3)
    #expect(format(of: [0, 1] + frame + frame + frame + [1]) == nil)
  }

  @Test(
    "A movie from before ftyp starts with one of its own atoms, and has a moov",
    arguments: [
      ("moov", true, MediaFormat.mov), ("wide", true, .mov), ("mdat", true, .mov),
      ("free", true, .mov),
      ("mdat", false, nil), ("abcd", true, nil),
    ]
  )
  func oldMovie(first: String, hasMovie: Bool, expected: MediaFormat?) {
    var bytes = big(8) + Array(first.utf8)
    if hasMovie, first != "moov" { bytes += big(8) + Array("moov".utf8) }
    #expect(format(of: bytes) == expected)
  }

  @Test(
    "A picture of a camera's raw kind in TIFF clothing is no TIFF",
    arguments: [
      TinyTIFF.Entry.short(0x0106, 32803), .short(0x0106, 34892), .short(0x0103, 34713),
      .short(0x0103, 32767), TinyTIFF.Entry(tag: 0xC612, type: 1, count: 4, value: [1, 4, 0, 0]),
    ]
  )
  func raw(entry: TinyTIFF.Entry) {
    let size = [TinyTIFF.Entry.short(0x0100, 8), .short(0x0101, 8)]
    #expect(format(of: TinyTIFF.block(size + [.short(0x0106, 2)])) == .tiff)
    #expect(format(of: TinyTIFF.block(size + [entry])) == (entry.tag == 0xC612 ? .dng : .raw))
  }

  @Test(
    "A raw file's maker is known in any case: Nikon's cameras and scanners write it differently",
    arguments: [
      ("NIKON CORPORATION", MediaFormat.nef), ("Nikon", .nef), ("SONY", .arw), ("Sony", .arw),
      ("OLYMPUS", .orf), ("Olympus", .orf), ("PENTAX Corporation", .pef), ("RICOH IMAGING", .pef),
      ("SAMSUNG", .srw), ("Hasselblad", .threeFR), ("Imacon", .threeFR), ("Phase One A/S", .iiq),
      ("Kodak", .dcr), ("EASTMAN KODAK COMPANY", .kdc), ("SEIKO EPSON CORP.", .erf),
      ("Mamiya-OP Co.,Ltd.", .mef), ("Leaf", .mos), ("Canon", .raw), ("Nobody", .raw),
    ]
  )
  func makers(make: String, expected: MediaFormat) {
    // A reduced RGB picture, and the whole one in a directory of its own.
    let block = TinyTIFF.block([
      .long(0x00FE, 1), .short(0x0100, 8), .short(0x0101, 8), .short(0x0106, 2),
      .text(0x010F, make), .long(0x014A, 8),
    ])
    #expect(format(of: block) == expected)
    #expect(code { _ = try strip(block, expected) } == .stripUnsupported)
  }

  @Test(
    "Every file of the corpus is what its folder says",
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: [
      ("jpeg", [MediaFormat.jpeg]), ("makernote", [.jpeg]), ("motionphoto", [.jpeg]),
      ("png", [.png]),
      ("gif", [.gif]), ("webp", [.webp]), ("tiff", [.tiff]),
      ("raw", [.dng, .cr2, .cr3, .nef, .raf, .rw2]),
      ("video", [.mp4, .mov]), ("livephoto", [.jpeg, .heic, .mov]),
      ("audio", [.mp3, .m4a, .wav, .aiff, .flac, .ogg, .wma]),
    ]
  )
  func corpus(folder: String, expected: [MediaFormat]) throws {
    let files = Corpus.files(beneath: "visible/" + folder)
    #expect(!files.isEmpty)
    for file in files {
      let format = format(of: try readBytes(file))
      #expect(format.map { expected.contains($0) } == true, "\(file)")
    }
  }
}
