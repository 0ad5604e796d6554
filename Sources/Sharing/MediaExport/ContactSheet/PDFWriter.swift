internal import MediaModel

/// Writes a PDF whose pages are JPEGs, one each, without dates and without a producer.
///
/// Source: ISO 32000-1 (PDF 1.4), sections 7.5 (file structure) and 8.9.5 (images, DCTDecode).
struct PDFWriter {
  /// The width of a page, that of A4, in points of 1/72 inch.
  private static let pageWidth = 595

  private let put: ([UInt8]) throws -> Void
  private var length = 0
  /// The place of each object in the file, in bytes; objects are numbered from 1.
  private var offsets: [Int] = []
  private let pageCount: Int

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages that follow.
  ///   - put: Writes bytes at the end of the file.
  /// - Throws: What `put` throws.
  init(pageCount: Int, put: @escaping ([UInt8]) throws -> Void) throws {
    self.pageCount = pageCount
    self.put = put
    // Bytes above 127 tell that the file is no text. Source: section 7.5.2.
    try write(Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
    try object("<< /Type /Catalog /Pages 2 0 R >>")
    let pages = (0..<pageCount).map { "\(3 + 3 * $0) 0 R" }.joined(separator: " ")
    try object("<< /Type /Pages /Count \(pageCount) /Kids [\(pages)] >>")
  }

  /// Writes a page with one JPEG.
  ///
  /// - Parameters:
  ///   - jpeg: A whole file, RGB.
  ///   - size: Its size, in pixels.
  /// - Throws: What `put` throws.
  mutating func addPage(_ jpeg: [UInt8], size: PixelSize) throws {
    let number = offsets.count + 1
    let (width, height) = (Self.pageWidth, Self.pageWidth * size.height / size.width)
    try object(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] "
        + "/Resources << /XObject << /Page \(number + 2) 0 R >> >> /Contents \(number + 1) 0 R >>"
    )
    try stream("", Array("\(width) 0 0 \(height) 0 0 cm /Page Do".utf8))
    try stream(
      "/Type /XObject /Subtype /Image /Width \(size.width) /Height \(size.height) "
        + "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode ",
      jpeg
    )
  }

  /// Writes the table of the objects, which ends the file.
  mutating func end() throws {
    let start = length
    // Each entry has 20 bytes. Source: section 7.5.4.
    let entries = offsets.map { PaddedNumber.text($0, width: 10) + " 00000 n \n" }
    try write(
      Array(
        ("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n" + entries.joined()
          + "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n")
          .utf8
      )
    )
  }

  private mutating func object(_ content: String) throws {
    offsets.append(length)
    try write(Array("\(offsets.count) 0 obj\n\(content)\nendobj\n".utf8))
  }

  private mutating func stream(_ entries: String, _ content: [UInt8]) throws {
    offsets.append(length)
    try write(Array("\(offsets.count) 0 obj\n<< \(entries)/Length \(content.count) >>\nstream\n".utf8))
    try write(content)
    try write(Array("\nendstream\nendobj\n".utf8))
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try put(bytes)
    length += bytes.count
  }
}
