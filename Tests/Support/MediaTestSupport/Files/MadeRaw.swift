/// Camera raw files of several makers, drawn: a few samples of a sensor, camera, date and a JPEG preview.
package struct MadeRaw {
  private let preview: [UInt8]
  private let make: String
  private let model: String
  /// The date of capture as Exif has it.
  private let date = "2021:05:06 07:08:09"

  /// Describes a file by its preview, and by maker and model as they are in it.
  package init(preview: [UInt8], make: String, model: String) {
    (self.preview, self.make, self.model) = (preview, make, model)
  }

  /// Sensor's samples: columns, then rows.
  private static let (columns, rows) = (160, 120)

  private typealias Entry = TinyTIFFFile.Entry

  private func short(_ tag: Int, _ value: Int) -> Entry { TinyTIFFFile.short(tag, value) }

  private func long(_ tag: Int, _ value: Int) -> Entry { TinyTIFFFile.long(tag, value) }

  private func text(_ tag: Int, _ text: String) -> Entry {
    TinyTIFFFile.undefined(tag, Array(text.utf8) + [0], type: 2)
  }

  /// A TIFF with the data of a sensor, little endian.
  ///
  /// - Parameters:
  ///   - mark: Bytes behind the header, by which some makers are told.
  ///   - more: Tags of numbers of 32 bits in the first directory.
  /// - Returns: The file.
  package func tiff(mark: String = "", more: [Int: Int] = [:]) -> [UInt8] {
    let samples = [UInt8](repeating: 100, count: 2 * Self.columns * Self.rows)
    func parts(_ exif: Int, _ second: Int, _ data: Int) -> [[UInt8]] {
      let first: [Entry] =
        [
          long(0x00FE, 0), long(0x0100, Self.columns), long(0x0101, Self.rows), short(0x0102, 16),
          short(0x0103, 1), short(0x0106, 32803), text(0x010F, make), text(0x0110, model),
          long(0x0111, data), short(0x0115, 1), long(0x0116, Self.rows), long(0x0117, samples.count),
          TinyTIFFFile.short(0x828D, 2, 2),
          TinyTIFFFile.undefined(0x828E, [0, 1, 1, 2], type: 1), long(0x8769, exif),
        ] + more.map { long($0.key, $0.value) }
      let start = 8 + mark.utf8.count
      let tail = [
        long(0x00FE, 1), short(0x0103, 6), long(0x0201, data + samples.count), long(0x0202, preview.count),
      ]
      return [
        Array("II*\0".utf8) + little(start) + Array(mark.utf8),
        TinyTIFFFile.directory(first, at: start, next: second),
        TinyTIFFFile.directory([text(0x9003, date)], at: exif),
        TinyTIFFFile.directory(tail, at: second),
      ]
    }
    // No part's length depends on an offset.
    let draft = parts(0, 0, 0)
    let exif = draft[0].count + draft[1].count
    let second = exif + draft[2].count
    return parts(exif, second, second + draft[3].count).flatMap(\.self) + samples + preview
  }

  /// A Minolta MRW: the description of the sensor, a TIFF with the preview, and samples.
  package func minolta() -> [UInt8] {
    func block(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array("\0\(name)".utf8) + big(body.count) + body
    }
    let sensor =
      Array("21810002".utf8) + big(Self.rows, 2) + big(Self.columns, 2) + big(Self.rows, 2)
      + big(Self.columns, 2) + [12, 12, 0x52, 0, 0, 0, 0, 1]
    let header = block("PRD", sensor) + block("TTW", tiff())
    return Array("\0MRM".utf8) + big(header.count) + header
      + [UInt8](repeating: 1, count: 2 * Self.columns * Self.rows)
  }

  /// A Sigma X3F: a header, the preview, and the directory; camera and date are the preview's own.
  package func sigma() -> [UInt8] {
    var bytes = Array("FOVb".utf8) + little(0x0002_0000) + [UInt8](repeating: 7, count: 16) + little(0)
    bytes += little(Self.columns) + little(Self.rows) + little(0)
    let start = bytes.count
    bytes += Array("SECi".utf8) + little(0x0002_0000) + little(2) + little(18)
    bytes += little(Self.columns) + little(Self.rows) + little(0) + preview
    let end = bytes.count
    bytes += Array("SECd".utf8) + little(0x0002_0000) + little(1)
    return bytes + little(start) + little(end - start) + Array("IMA2".utf8) + little(end)
  }

  /// A Canon CRW: a heap of camera, date, how it is turned, and the preview.
  ///
  /// - Parameters:
  ///   - seconds: The date in seconds since 1970 as the camera's clock says it.
  ///   - degrees: The turn to the right.
  /// - Returns: The file.
  package func canon(seconds: Int, degrees: Int = 0) -> [UInt8] {
    let names = Array("\(make)\0\(model)\0".utf8)
    let picture = [Self.columns, Self.rows, 0x3F80_0000, degrees, 0, 0, 0].flatMap { little($0) }
    let values: [(tag: Int, bytes: [UInt8])] = [
      (0x080A, names), (0x180E, little(seconds) + little(0) + little(0)), (0x1810, picture),
      (0x2007, preview),
    ]
    var heap: [UInt8] = []
    var records = little(values.count, 2)
    for value in values {
      records += little(value.tag, 2) + little(value.bytes.count) + little(heap.count)
      heap += value.bytes
    }
    let header = Array("II".utf8) + little(26) + Array("HEAPCCDR".utf8) + little(0x0001_0002) + little(0, 8)
    return header + heap + records + little(heap.count)
  }
}
