import Foundation
import MediaContainers
import MediaMetadata
import MediaModel
import MediaTestSupport
import Testing

@Suite("Facts of camera raw files")
struct RawFactsTests {
  private func facts(_ path: String) throws -> (format: MediaFormat?, facts: Facts?) {
    try readBytes(path).withUnsafeBytes { bytes in
      let source = ByteSource(bytes)
      let format = RawFormat.format(of: source)
      return (format, try format.map { try MetadataReader.describedFacts(of: source, format: $0) })
    }
  }

  @Test("Real files: format, date, camera and orientation are what exiftool says")
  func corpus() throws {
    let paths = Corpus.files(beneath: "visible/raw")
    if paths.isEmpty { return }
    #expect(paths.count >= 6)
    for path in paths {
      let (format, parsed) = try facts(path)
      let facts = try #require(parsed, "\(path)")
      #expect(path.hasSuffix(".\(try #require(format).rawValue)"))
      let tags = ["DateTimeOriginal", "Make", "Model", "Orientation#", "GPSLatitude"]
      let values = try Tool.run(
        "exiftool",
        ["-m", "-s3", "-f", "-d", "%Y-%m-%dT%H:%M:%S"] + tags.map { "-\($0)" } + [path]
      ).output.split(separator: "\n").map(String.init)
      #expect(facts.creationDate?.local == values[0], "\(path)")
      let camera = try #require(facts.camera)
      #expect(camera.hasSuffix(values[2].trimmingCharacters(in: .whitespaces)), "\(path)")
      #expect(String(facts.orientation) == values[3], "\(path)")
      #expect((facts.description?.place != nil) == (values[4] != "-"), "\(path)")
      #expect(facts.pixelSize != nil, "\(path)")
    }
  }

  @Test("The pixel size is that of a DNG's main picture, or of the largest preview")
  func previewSize() throws {
    // Sizes of JPEGs in it: of a frame without loss, which is the sensor's, and of a preview.
    func jpeg(_ marker: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
      [0xFF, 0xD8, 0xFF, marker, 0, 11, 8] + big(height, 2) + big(width, 2)
        + [1, 1, 0x11, 0, 0xFF, 0xD9]
    }
    let (raw, preview) = (jpeg(0xC3, 4000, 3000), jpeg(0xC0, 1600, 1200))
    func directory(_ entries: [(Int, Int, Int)], next: Int) -> [UInt8] {
      little(entries.count, 2)
        + entries.flatMap { little($0.0, 2) + little($0.1, 2) + little(1, 4) + little($0.2, 4) }
        + little(next, 4)
    }
    let (first, second) = (2 + 12 * 5 + 4, 2 + 12 * 3 + 4)
    let start = 8 + first + second
    var bytes = Array("II*\0".utf8) + little(8, 4)
    bytes += directory(
      [
        (0x0100, 4, 4000), (0x0101, 4, 3000), (0x0111, 4, start), (0x0117, 4, raw.count),
        (0xC612, 4, 0x401),
      ],
      next: 8 + first
    )
    bytes += directory(
      [(0x0103, 3, 6), (0x0201, 4, start + raw.count), (0x0202, 4, preview.count)],
      next: 0
    )
    bytes += raw + preview
    try bytes.withUnsafeBytes { bytes in
      let source = ByteSource(bytes)
      #expect(RawFormat.format(of: source) == .dng)
      let main = try MetadataReader.facts(of: source, format: .dng)
      #expect(main.pixelSize == PixelSize(width: 4000, height: 3000))
      // The sensor's size of any other format is in tags of its maker.
      let facts = try MetadataReader.facts(of: source, format: .nef)
      #expect(facts.pixelSize == PixelSize(width: 1600, height: 1200))
    }
    // A preview whose length is the largest number of 64 bits ends with its file.
    var endless = bytes
    let entry = 8 + first + 2 + 2 * 12
    endless.replaceSubrange(
      entry..<(entry + 12),
      with: little(0x0202, 2) + little(16, 2) + little(1, 4) + little(bytes.count, 4)
    )
    endless += little(.max, 8)
    try endless.withUnsafeBytes { bytes in
      let facts = try MetadataReader.facts(of: ByteSource(bytes), format: .nef)
      #expect(facts.pixelSize == PixelSize(width: 1600, height: 1200))
    }
    // Without the preview, what the directory describes.
    try bytes.dropLast(preview.count).withUnsafeBytes { bytes in
      let facts = try MetadataReader.facts(of: ByteSource(bytes), format: .nef)
      #expect(facts.pixelSize == PixelSize(width: 4000, height: 3000))
    }
  }

  @Test("A rating that Canon's camera wrote into the packet of a CR3 is read")
  func packet() throws {
    var values = KeptMetadata()
    values.rating = 5
    let packet = try #require(XMPWriter.packet(kept: values))
    let image = TinyTIFF.block([.text(0x010F, "Canon"), .text(0x0110, "Canon EOS R5")])
    let identifier = [UInt8](repeating: 7, count: 16)
    let file =
      isoBox("ftyp", Array("crx ".utf8), big(1), Array("crx isom".utf8))
      + isoBox("moov", isoBox("uuid", identifier, isoBox("CMT1", image)))
      + isoBox("uuid", JP2Metadata.xmp, packet)
    let facts = try withSource(file) { try MetadataReader.describedFacts(of: $0, format: .cr3) }
    #expect(facts.camera == "Canon EOS R5" && facts.description?.rating == 5)
  }

  @Test("A file cut anywhere, or changed anywhere, gives facts or is damaged")
  func damage() throws {
    for path in Corpus.files(beneath: "visible/raw") {
      let bytes = try readBytes(path)
      let format = try #require(try facts(path).format)
      for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
        var changed = bytes
        changed[index] ^= 0xFF
        for variant in [Array(bytes.prefix(index)), changed] {
          let result = Result {
            try variant.withUnsafeBytes { bytes in
              try MetadataReader.facts(of: ByteSource(bytes), format: format)
            }
          }
          if case .failure(let error) = result { #expect(error is MetadataError) }
        }
      }
    }
  }
}
