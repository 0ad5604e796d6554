import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// TIFFs and bitmaps about whose tags and lengths a library complains, although no pixel is missing.
@Suite("Complaints that are no damage")
struct TIFFMessageTests {
  typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  /// An uncompressed TIFF of 20 x 10 pixels, its directory at the end.
  static func tiff(
    samples: Int = 3,
    photometric: Int = 2,
    bits: Int = 8,
    extra: [Entry] = [],
    big: Bool = false
  ) -> [UInt8] {
    let count = 20 * 10 * samples * bits / 8
    // The two high bytes of a floating point number make it 1 to 2.
    let pixels = (0..<count).map { index -> UInt8 in
      bits == 32 ? [0, 0, 0x80 | UInt8(index % 97), 0x3F][index % 4] : UInt8(index * 7 % 251)
    }
    let short = { (tag: Int, values: [Int]) -> Entry in
      (tag, 3, values.count, values.flatMap { little($0, 2) })
    }
    let (head, width) = big ? (16, 8) : (8, 4)
    let entries =
      [
        short(0x0100, [20]), short(0x0101, [10]),
        short(0x0102, [Int](repeating: bits, count: samples)), short(0x0103, [1]),
        short(0x0106, [photometric]), (0x0111, 4, 1, little(head, 4)), short(0x0115, [samples]),
        short(0x0116, [10]), (0x0117, 4, 1, little(count, 4)),
        short(0x0153, [Int](repeating: bits == 32 ? 3 : 1, count: samples)),
      ] + extra
    let start = head + count
    var directory = little(entries.count, big ? 8 : 2)
    var values: [UInt8] = []
    let end = start + directory.count + entries.count * (4 + 2 * width) + width
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      directory += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, width)
      if entry.value.count > width {
        directory += little(end + values.count, width)
        values += entry.value
      } else {
        directory += entry.value + [UInt8](repeating: 0, count: width - entry.value.count)
      }
    }
    let mark: [UInt8] = big ? [0x49, 0x49, 43, 0, 8, 0, 0, 0] : [0x49, 0x49, 42, 0]
    return mark + little(start, width) + pixels + directory + little(0, width) + values
  }

  static func text(_ tag: Int, _ text: String) -> Entry {
    (tag, 2, text.utf8.count, Array(text.utf8))
  }

  @Test(
    "A NUL within a text is none, whoever decodes the pixels",
    arguments: [8, 32],
    [0x010E, 0x010F, 0x0131, 0x0132, 0x013C]
  )
  func nul(bits: Int, tag: Int) throws {
    let bytes = Self.tiff(bits: bits, extra: [Self.text(tag, "Premature\0truncated end\0")])
    let thumbnailer = ImageThumbnailer()
    let plain = Self.tiff(bits: bits)
    let wanted = try thumbnailer.thumbnails(of: plain, format: .tiff, spec(8, 8))
    #expect(try thumbnailer.thumbnails(of: bytes, format: .tiff, spec(8, 8)) == wanted)
    // A missing strip is damage, with and without the text.
    for bytes in [bytes, plain] {
      let short = Array(bytes[..<8]) + bytes[400...]
      #expect(thumbnailer.code(of: short, format: .tiff, spec(8, 8)) == .damaged)
    }
  }

  @Test("Names of another number of inks are none")
  func inks() throws {
    let thumbnailer = ImageThumbnailer()
    for names in ["Cyan\0Magenta\0", "Cyan\0Magenta\0Yellow\0Black\0Spot\0", "C"] {
      for count in [[], [(0x014E, 3, 1, [2, 0])] as [Entry]] {
        let bytes = Self.tiff(samples: 4, photometric: 5, extra: [Self.text(0x014D, names)] + count)
        #expect(thumbnailer.code(of: bytes, format: .tiff, spec(8, 8)) == nil, "\(names)")
      }
    }
  }

  @Test("The offset of the next directory may be missing at the end")
  func noNext() {
    let thumbnailer = ImageThumbnailer()
    let bytes = Self.tiff(samples: 1, photometric: 1)
    #expect(thumbnailer.code(of: bytes, format: .tiff, spec(8, 8)) == nil)
    #expect(thumbnailer.code(of: Array(bytes.dropLast(4)), format: .tiff, spec(8, 8)) == nil)
    #expect(thumbnailer.code(of: Array(bytes.dropLast(5)), format: .tiff, spec(8, 8)) == .damaged)
  }

  @Test("A BigTIFF looks like the TIFF")
  func bigTIFF() throws {
    let thumbnailer = ImageThumbnailer()
    let wanted = try thumbnailer.thumbnails(of: Self.tiff(), format: .tiff, spec(8, 8))
    let bytes = Self.tiff(big: true)
    #expect(try thumbnailer.thumbnails(of: bytes, format: .tiff, spec(8, 8)) == wanted)
    #expect(thumbnailer.code(of: Array(bytes[..<500]), format: .tiff, spec(8, 8)) == .damaged)
  }

  @Test(
    "Rows that a fax or a JPEG lacks are damage",
    arguments: [
      ["-monochrome", "-compress", "Group4"], ["-compress", "JPEG"],
      // ImageMagick decodes this one.
      ["-interlace", "plane", "-compress", "JPEG"],
    ]
  )
  func missingRows(arguments: [String]) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 160, height: 120)
    try bench.convert(["scene.png"] + arguments + ["-define", "tiff:rows-per-strip=120", "whole.tiff"])
    var bytes = try readBytes(bench.path("whole.tiff"))
    let thumbnailer = ImageThumbnailer()
    #expect(thumbnailer.code(of: bytes, format: .tiff, spec(40, 40)) == nil)
    // The pixels stand right behind the header.
    let directory = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let middle = 8 + (directory - 8) / 2
    for index in middle..<min(middle + 400, directory) { bytes[index] = 0 }
    #expect(thumbnailer.code(of: bytes, format: .tiff, spec(40, 40)) == .damaged)
  }

  @Test("A bitmap may state another length, and bytes may follow its pixels")
  func bitmap() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 50, height: 40)
    let thumbnailer = ImageThumbnailer()
    for (name, arguments) in [
      ("true.bmp", ["BMP3:"]), ("palette.bmp", ["-colors", "20", "BMP3:"]),
      ("rle.bmp", ["-colors", "20", "-compress", "RLE", "BMP3:"]), ("old.bmp", ["BMP2:"]),
    ] {
      var all = ["scene.png"] + arguments
      all[all.count - 1] += name
      try bench.convert(all)
      let bytes = try readBytes(bench.path(name))
      let wanted = try thumbnailer.thumbnails(of: bytes, format: .bmp, spec(20, 20))
      for trailer in [0, 1, 2, 1000] {
        for length in [nil, 0, bytes.count - 10, bytes.count + 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
          var changed = bytes + [UInt8](repeating: 0x41, count: trailer)
          if let length { changed.replaceSubrange(2..<6, with: little(length, 4)) }
          let thumbnails = try thumbnailer.thumbnails(of: changed, format: .bmp, spec(20, 20))
          #expect(thumbnails == wanted, "\(name) \(trailer) \(String(describing: length))")
        }
      }
      if name == "palette.bmp" {
        var colors = bytes
        for count in [257, 0xFFFF_FFFF] {
          colors.replaceSubrange(46..<50, with: little(count, 4))
          // The pixels stand where the header says; their palette had 20 colors.
          #expect(thumbnailer.code(of: colors, format: .bmp, spec(20, 20)) == nil)
        }
      }
      let cut = Array(bytes.dropLast(60))
      #expect(thumbnailer.code(of: cut, format: .bmp, spec(20, 20)) == .damaged, "\(name)")
    }
  }
}
