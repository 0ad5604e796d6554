import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

@Suite("What libexif does with the entries it is given")
struct LibexifBehaviorTests {
  private func reading<Result>(
    _ block: [UInt8],
    _ body: (borrowing ExifHandle) throws -> Result
  ) throws -> Result {
    let tiff = try #require(TIFFBlock(ByteSource(block), 0..<block.count))
    return try body(ExifHandle(tiff))
  }

  @Test("Numbers, texts and fractions read as written, in either byte order")
  func order() throws {
    for (order, mark) in [(ByteOrder.big, "MM"), (.little, "II")] {
      let exif = ExifHandle(order: order)
      exif.add(ExifTagNumber.make, "Größe", to: .image)
      exif.add(ExifTagNumber.orientation, short: 6, to: .image)
      exif.add(ExifTagNumber.rating, short: 5, to: .image)
      exif.add(ExifTagNumber.altitudeReference, bytes: [1], to: .location)
      exif.add(
        ExifTagNumber.altitude,
        [ExifValue.Fraction(above: 4_294_967_295, below: 0x0102_0304)],
        to: .location
      )
      let written = exif.block()
      let block = try #require(written)
      #expect(block.prefix(2).elementsEqual(mark.utf8))
      try reading(block) { exif in
        #expect(exif.values.make == "Größe")
        #expect(exif.values.rating == 5)
        #expect(exif.orientation == 6)
        guard case .fractions(let fractions) = exif.value(ExifTagNumber.altitude, in: .location),
          case .numbers(let below) = exif.value(ExifTagNumber.altitudeReference, in: .location)
        else {
          Issue.record("no altitude")
          return
        }
        #expect(fractions == [ExifValue.Fraction(above: 4_294_967_295, below: 0x0102_0304)])
        #expect(below == [1])
      }
    }
  }

  @Test("The first entry of a tag counts")
  func first() throws {
    let block = TinyTIFF.block([.text(0x010F, "one"), .text(0x010F, "two")])
    try reading(block) { #expect($0.values.make == "one") }
    let exif = ExifHandle()
    exif.add(ExifTagNumber.make, "one", to: .image)
    exif.add(ExifTagNumber.make, "two", to: .image)
    let fields = exif.fields(in: .image)
    #expect(fields.map(\.value) == [Array("one\0".utf8)])
  }

  @Test("A directory is read wherever it lies; exif_data_load_data ends after 65,534 bytes")
  func far() throws {
    let body = TinyTIFF.block([.short(0x0112, 6)]).dropFirst(8)
    let block = Array("MM".utf8) + [0, 42] + big(200_000) + [UInt8](repeating: 0, count: 199_992)
    try reading(block + body) { #expect($0.orientation == 6) }
  }

  @Test("An offset may have TIFF's type 13, which libexif does not know")
  func offsetType() throws {
    var block = TinyTIFF.block([], exif: [.text(0x9003, "2026:01:02 03:04:05")])
    #expect(block[10..<14].elementsEqual([0x87, 0x69, 0, 4]))
    block[13] = 13
    try reading(block) { #expect($0.values.creationDate?.local == "2026-01-02T03:04:05") }
  }

  @Test("Of a long value, its first 16,000 bytes are read, and nothing of an empty one")
  func lengths() throws {
    let long = String(repeating: "x", count: 100_000)
    let block = TinyTIFF.block(
      [.text(0x010E, long)],
      location: [TinyTIFF.Entry(tag: 2, type: 5, count: 0, value: [])]
    )
    try reading(block) { exif in
      guard case .text(let bytes) = exif.value(0x010E, in: .image) else {
        Issue.record("no text")
        return
      }
      #expect(bytes.count == 16_000)
      let hasLatitude = exif.contains(2, in: .location)
      #expect(!hasLatitude)
      #expect(exif.values.location == nil)
    }
  }

  @Test("Without an entry there is no block")
  func empty() {
    let block = ExifHandle().block()
    #expect(block == nil)
  }
}
