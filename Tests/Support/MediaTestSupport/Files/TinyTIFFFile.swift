/// A TIFF file of little-endian order, laid out front to back: directories, values, pixels.
package enum TinyTIFFFile {
  /// An entry of a directory, with the bytes of its values.
  package typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  /// Gray, 4 × 2 pixels, one strip.
  package static let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// Numbers of 16 bits.
  package static func short(_ tag: Int, _ values: Int...) -> Entry {
    (tag, 3, values.count, values.flatMap { little($0, 2) })
  }

  /// Numbers of 32 bits.
  package static func long(_ tag: Int, _ values: Int...) -> Entry {
    (tag, 4, values.count, values.flatMap { little($0) })
  }

  /// Bytes of no type, or of another one.
  package static func undefined(_ tag: Int, _ bytes: [UInt8], type: Int = 7) -> Entry {
    (tag, type, bytes.count, bytes)
  }

  /// What a page of one strip says; 273 is where it is.
  package static func page(strip: Int, compression: Int = 1, count: Int = 8) -> [Entry] {
    [
      short(0x0100, 4), short(0x0101, 2), short(0x0102, 8), short(0x0103, compression),
      short(0x0106, 1), long(0x0111, strip), short(0x0115, 1), short(0x0116, 2),
      long(0x0117, count),
    ]
  }

  /// The directory with its values behind it.
  package static func directory(_ entries: [Entry], at offset: Int, next: Int = 0) -> [UInt8] {
    var head = little(entries.count, 2)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * entries.count + 4
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      head += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count)
      if entry.value.count > 4 {
        head += little(start + values.count)
        values += entry.value + (entry.value.count % 2 == 1 ? [0] : [])
      } else {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    return head + little(next) + values
  }

  /// One page; its strip stands right behind the header, at 8, unless `page` says otherwise.
  package static func file(
    _ entries: [Entry] = [],
    page: [Entry] = page(strip: 8),
    strip: [UInt8] = pixels,
    after: [UInt8] = [],
    next: Int = 0
  ) -> [UInt8] {
    Array("II".utf8) + [42, 0] + little(8 + strip.count) + strip
      + directory(page + entries, at: 8 + strip.count, next: next) + after
  }
}
