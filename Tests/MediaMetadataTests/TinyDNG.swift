import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A DNG of little-endian order: a JPEG preview in the first directory, and the sensor's data, an
/// Exif and a GPS directory beneath it.
///
/// Source: Digital Negative Specification 1.6; TIFF 6.0 section 2.
struct TinyDNG {
  typealias T = TinyTIFFFile
  typealias Entry = TinyTIFFFile.Entry

  /// Tags added to the first directory and to that of the sensor's data.
  var inImage: [Entry] = []
  var inRaw: [Entry] = []
  var exif: [Entry] = []
  var location: [Entry] = []
  /// Further directories of SubIFDs, without data of their own: their strip is the preview's.
  var others: [[Entry]] = []
  var preview = TinyJPEG.file()
  /// The kind of the sensor's picture.
  var photometric = 32_803
  var after: [UInt8] = []
  /// The number that replaces the sensor's compression, and its data.
  var compression = 1
  var data: [UInt8]?

  static let size = (width: 128, height: 96)

  static func text(_ tag: Int, _ text: String) -> Entry {
    (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
  }

  static func fractions(_ tag: Int, _ type: Int, _ values: [Int], _ below: Int = 10_000) -> Entry {
    var bytes: [UInt8] = []
    for value in values {
      bytes += little(value & 0xFFFF_FFFF)
      bytes += little(below)
    }
    return (tag, type, values.count, bytes)
  }

  /// A filter of red, green and blue, and a slope, so that each sample counts.
  static let samples: [UInt8] = {
    var samples: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = y % 2 == x % 2 ? 24_000 : 13_000
        samples += little(color + 100 * x + 37 * y, 2)
      }
    }
    return samples
  }()

  /// What a developer needs beyond the picture's size.
  private static let matrix = [32_406, -15_372, -4986, -9689, 18_758, 415, 557, -2040, 10_570]
  static let camera: [Entry] = [
    (50706, 1, 4, [1, 4, 0, 0]), (50707, 1, 4, [1, 1, 0, 0]), text(50708, "Example One"),
    fractions(50721, 10, matrix),
    fractions(50728, 5, [4500, 10_000, 5400]), T.short(50778, 21), T.short(0x0112, 6),
  ]

  var bytes: [UInt8] {
    let first = file([Int](repeating: 0, count: 5 + others.count))
    return file(first.offsets).bytes
  }

  private func file(_ offsets: [Int]) -> (bytes: [UInt8], offsets: [Int]) {
    let (width, height) = Self.size
    let data = self.data ?? Self.samples
    let preview = { (offset: Int) -> [Entry] in
      let tags: [Entry] = [
        T.short(0x0100, 8), T.short(0x0101, 8), T.short(0x0102, 8), T.short(0x0103, 7),
        T.short(0x0106, 1), T.long(0x0111, offset), T.short(0x0115, 1), T.short(0x0116, 8),
        T.long(0x0117, self.preview.count),
      ]
      return tags
    }
    var offset = 8
    var body: [UInt8] = []
    func add(_ entries: [Entry]) -> Int {
      let start = offset
      let bytes = T.directory(entries, at: offset)
      offset += bytes.count
      body += bytes
      return start
    }
    let raw: [Entry] = [
      T.long(0x00FE, 0), T.long(0x0100, width), T.long(0x0101, height), T.short(0x0102, 16),
      T.short(0x0103, compression), T.short(0x0106, photometric), T.long(0x0111, offsets[1]),
      T.short(0x0115, 1), T.long(0x0116, height), T.long(0x0117, data.count),
      T.short(0x828D, 2, 2), (0x828E, 1, 4, [0, 1, 1, 2]), T.long(50717, 65_535),
    ]
    var subOffsets = little(offsets[2])
    for index in others.indices { subOffsets += little(offsets[5 + index]) }
    let subs: Entry = (0x014A, 4, 1 + others.count, subOffsets)
    var pointers: [Entry] = [subs]
    if !exif.isEmpty { pointers.append(T.long(0x8769, offsets[3])) }
    if !location.isEmpty { pointers.append(T.long(0x8825, offsets[4])) }
    _ = add(Self.camera + [T.long(0x00FE, 1)] + preview(offsets[0]) + pointers + inImage)
    let rawOffset = add(raw + inRaw)
    let exifOffset = exif.isEmpty ? 0 : add(exif)
    let locationOffset = location.isEmpty ? 0 : add(location)
    let otherOffsets = others.map { add(preview(offsets[0]) + $0) }
    var bytes: [UInt8] = Array("II".utf8) + [42, 0] + little(8)
    bytes += body + self.preview + data + after
    let fixed = [offset, offset + self.preview.count, rawOffset, exifOffset, locationOffset]
    return (bytes, fixed + otherOffsets)
  }
}
