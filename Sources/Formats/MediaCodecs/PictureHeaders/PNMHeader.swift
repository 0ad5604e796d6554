package import MediaContainers
package import MediaModel

/// The header of a portable anymap: PBM, PGM, PPM (each plain or raw), PAM and PFM.
///
/// Source: netpbm's pages pbm(5), pgm(5), ppm(5), pam(5), pfm(5).
package struct PNMHeader: PictureHeader {
  package let size: PixelSize
  /// The second character of the file: a digit, or F or f.
  private let kind: Character
  /// Where the pixels begin.
  private let start: Int
  /// The number of bytes of the pixels, or in a plain kind of samples.
  private let count: Int

  /// What a header says: the size, the bytes or samples of a row, and where the pixels begin.
  private typealias Form = (width: Int, height: Int, row: Int, start: Int)

  /// The longest header that is read, in bytes: comments have no limit of their own.
  private static let maximumLength = 4096

  package init?(of source: ByteSource) {
    guard source.holds("P", at: 0), let code = source.byte(at: 1) else { return nil }
    kind = Character(Unicode.Scalar(code))
    guard let form = kind == "7" ? Self.arbitraryMap(source) : Self.map(kind, source),
      form.width > 0, form.height > 0
    else { return nil }
    (size, start) = (PixelSize(width: form.width, height: form.height), form.start)
    let product = form.row.multipliedReportingOverflow(by: form.height)
    count = product.overflow ? Int.max : product.partialValue
  }

  /// Reads a header of all kinds but PAM: numbers between white space.
  private static func map(_ kind: Character, _ source: ByteSource) -> Form? {
    var words = Words(source: source, position: 2)
    guard "123456Ff".contains(kind), words.isAtSpace, let width = words.number(),
      let height = words.number()
    else { return nil }
    let maximum: Int? =
      switch kind {
      case "1", "4": 1
      case "F", "f": words.next(of: "+-.0123456789eE", limit: 32).isEmpty ? nil : 1
      default: words.number()
      }
    let start = words.position + 1
    guard let maximum, (1...65_535).contains(maximum), words.isAtSpace,
      !"123".contains(kind) || isText(source, from: start)
    else { return nil }
    let channels = "36F".contains(kind) ? 3 : 1
    let sample = "Ff".contains(kind) ? 4 : "56".contains(kind) && maximum > 255 ? 2 : 1
    let row = kind == "4" ? (width + 7) / 8 : channels * width * sample
    return (width, height, row, start)
  }

  /// Whether the plain samples begin as such: a text that begins as a header is none.
  private static func isText(_ source: ByteSource, from start: Int) -> Bool {
    var hasDigit = false
    for position in start..<min(start + 64, source.length) {
      guard let byte = source.byte(at: position) else { break }
      if byte == UInt8(ascii: "#") { return true }
      let isDigit = byte.isASCIIDigit
      guard isDigit || Words.isSpace(byte) else { return false }
      hasDigit = hasDigit || isDigit
    }
    return hasDigit
  }

  /// Reads the lines of a PAM up to ENDHDR: a name and a number each.
  private static func arbitraryMap(_ source: ByteSource) -> Form? {
    guard source.holds("P7\n", at: 0) else { return nil }
    var values: [String: Int] = [:]
    var position = 3
    while position < min(source.length, maximumLength) {
      var line: [UInt8] = []
      while let byte = source.byte(at: position), byte != 0x0A, line.count < 256 {
        line.append(byte)
        position += 1
      }
      position += 1
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      if words.first == "ENDHDR" {
        guard let width = values["WIDTH"], let height = values["HEIGHT"],
          let depth = values["DEPTH"], let maximum = values["MAXVAL"],
          (1...16).contains(depth), (1...65_535).contains(maximum)
        else { return nil }
        return (width, height, width * depth * (maximum > 255 ? 2 : 1), position)
      }
      if words.count == 2, values[words[0]] == nil, words[1].utf8.count <= 9 {
        values[words[0]] = Int(words[1])
      }
    }
    return nil
  }

  package func missingPart(of source: ByteSource) -> String? {
    // A sample takes a byte at least.
    let isThere = source.has(count, at: start)
    return isThere && (!"123".contains(kind) || hasSamples(in: source)) ? nil : "pixels"
  }

  /// Counts the samples of a plain kind. A comment goes to the end of its line, and between the digits of
  /// a bitmap no white space need stand.
  private func hasSamples(in source: ByteSource) -> Bool {
    var (samples, isInNumber, isComment) = (0, false, false)
    for position in start..<source.length {
      guard samples < count, let byte = source.byte(at: position) else { break }
      if isComment {
        isComment = byte != 0x0A && byte != 0x0D
        continue
      }
      isComment = byte == UInt8(ascii: "#")
      let isDigit = byte.isASCIIDigit
      if isDigit, kind == "1" || !isInNumber { samples += 1 }
      isInNumber = isDigit
    }
    return samples >= count
  }

  /// The words of a header, between white space and comments.
  private struct Words {
    let source: ByteSource
    var position: Int

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    var isAtSpace: Bool {
      source.byte(at: position).map { Self.isSpace($0) || $0 == UInt8(ascii: "#") } == true
    }

    /// Returns the next characters that are among the allowed ones, at most `limit`.
    mutating func next(of allowed: String, limit: Int) -> String {
      var isComment = false
      while position < PNMHeader.maximumLength, let byte = source.byte(at: position) {
        if byte == UInt8(ascii: "#") { isComment = true }
        if byte == 0x0A || byte == 0x0D { isComment = false }
        guard isComment || Self.isSpace(byte) else { break }
        position += 1
      }
      var word: [UInt8] = []
      while word.count < limit, let byte = source.byte(at: position), allowed.utf8.contains(byte) {
        word.append(byte)
        position += 1
      }
      return String(decoding: word, as: UTF8.self)
    }

    /// Returns the next number; nil when it has more than nine digits or is none.
    mutating func number() -> Int? {
      let word = next(of: "0123456789", limit: 10)
      return word.utf8.count < 10 ? Int(word) : nil
    }
  }
}
