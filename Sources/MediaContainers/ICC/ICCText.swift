/// The texts that an ICC profile has to have.
enum ICCText {
  /// The description: `mluc` since version 4, `desc` before.
  ///
  /// Source: ICC.1:2022 section 10.15; ICC.1:2001-04 section 6.5.17.
  package static func description(_ text: String, isMultilingual: Bool) -> [UInt8] {
    if isMultilingual { return multilingual(text) }
    let ascii = Array(text.utf8) + [0]
    // No Unicode text, and no Macintosh text, for which 67 bytes are always set aside.
    return Array("desc".utf8) + [0, 0, 0, 0] + TIFFWriter.uint32(ascii.count) + ascii
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
  }

  /// Any other text: `mluc` since version 4, `text` before.
  static func text(_ text: String, isMultilingual: Bool) -> [UInt8] {
    if isMultilingual { return multilingual(text) }
    return Array("text".utf8) + [0, 0, 0, 0] + Array(text.utf8) + [0]
  }

  private static func multilingual(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return Array("mluc".utf8) + [0, 0, 0, 0] + TIFFWriter.uint32(1) + TIFFWriter.uint32(12)
      + Array("enUS".utf8) + TIFFWriter.uint32(units.count) + TIFFWriter.uint32(28) + units
  }
}
