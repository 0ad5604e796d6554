/// Writes the texts that an ICC profile must contain.
enum ICCText {
  /// Returns the description tag: `mluc` since version 4, `desc` before.
  ///
  /// Source: ICC.1:2022 section 10.15; ICC.1:2001-04 section 6.5.17.
  package static func description(_ text: String, isMultilingual: Bool) -> [UInt8] {
    if isMultilingual { return multilingual(text) }
    let ascii = Array(text.utf8) + [0]
    // The Unicode and Macintosh texts are empty; 67 bytes are always reserved for the latter.
    return Array("desc".utf8) + [0, 0, 0, 0] + ascii.count.bytes(4) + ascii
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
  }

  /// Returns any other text tag: `mluc` since version 4, `text` before.
  static func text(_ text: String, isMultilingual: Bool) -> [UInt8] {
    if isMultilingual { return multilingual(text) }
    return Array("text".utf8) + [0, 0, 0, 0] + Array(text.utf8) + [0]
  }

  private static func multilingual(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12]
      + Array("enUS".utf8) + units.count.bytes(4) + [0, 0, 0, 28] + units
  }
}
