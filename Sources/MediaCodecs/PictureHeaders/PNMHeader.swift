package import MediaContainers
package import MediaModel

/// The header of a portable anymap: PBM, PGM, PPM (each plain or raw), PAM and PFM.
///
/// Source: netpbm's pages pbm(5), pgm(5), ppm(5), pam(5), pfm(5).
package struct PNMHeader: PictureHeader {
  package let size: PixelSize
  /// Where the pixels begin, and how many bytes or, in a plain kind, numbers they have.
  private let start: Int
  private let pixels: Pixels

  private enum Pixels {
    case bytes(Int)
    /// Decimal numbers between white space.
    case numbers(Int)
    /// The digits of a plain bitmap, between which white space need not stand.
    case digits(Int)
  }

  /// The longest header that is read, in bytes: comments have no limit of their own.
  private static let maximumLength = 4096

  package init?(of source: ByteSource) {
    guard source.byte(at: 0) == UInt8(ascii: "P"), let kind = source.byte(at: 1) else { return nil }
    if kind == UInt8(ascii: "7") {
      guard let map = Self.arbitraryMap(source) else { return nil }
      (size, start, pixels) = (map.size, map.start, .bytes(map.length))
      return
    }
    guard "123456Ff".utf8.contains(kind) else { return nil }
    var tokens = Tokens(source, from: 2)
    guard tokens.isAtSpace, let width = tokens.number(), let height = tokens.number(), width > 0,
      height > 0
    else { return nil }
    size = PixelSize(width: width, height: height)
    var sample = 1
    switch kind {
    case UInt8(ascii: "1"), UInt8(ascii: "4"): break
    case UInt8(ascii: "F"), UInt8(ascii: "f"):
      guard tokens.real() else { return nil }
    default:
      guard let maximum = tokens.number(), (1...65_535).contains(maximum) else { return nil }
      if maximum > 255 { sample = 2 }
    }
    start = tokens.position + 1
    guard tokens.isAtSpace else { return nil }
    let isPlain = "123".utf8.contains(kind)
    guard !isPlain || Self.isText(source, from: start) else { return nil }
    let row: Int =
      switch kind {
      case UInt8(ascii: "1"), UInt8(ascii: "2"): width
      case UInt8(ascii: "3"): 3 * width
      case UInt8(ascii: "4"): (width + 7) / 8
      case UInt8(ascii: "5"): width * sample
      case UInt8(ascii: "6"): 3 * width * sample
      case UInt8(ascii: "F"): 12 * width
      default: 4 * width
      }
    let product = row.multipliedReportingOverflow(by: height)
    let count = product.overflow ? Int.max : product.partialValue
    pixels =
      !isPlain ? .bytes(count) : kind == UInt8(ascii: "1") ? .digits(count) : .numbers(count)
  }

  /// Whether the plain samples begin as such: a text that begins as a header is none.
  private static func isText(_ source: ByteSource, from start: Int) -> Bool {
    var hasDigit = false
    for position in start..<min(start + 64, source.length) {
      guard let byte = source.byte(at: position) else { break }
      if byte == UInt8(ascii: "#") { return true }
      guard (0x30...0x39).contains(byte) || Tokens.isSpace(byte) else { return false }
      if !Tokens.isSpace(byte) { hasDigit = true }
    }
    return hasDigit
  }

  /// Reads the lines of a PAM up to ENDHDR.
  private static func arbitraryMap(
    _ source: ByteSource
  ) -> (size: PixelSize, start: Int, length: Int)? {
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
      let words = line.split(separator: 0x20, omittingEmptySubsequences: true)
      guard let name = words.first.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
      if name == "ENDHDR" {
        guard let width = values["WIDTH"], let height = values["HEIGHT"],
          let depth = values["DEPTH"], let maximum = values["MAXVAL"], width > 0, height > 0,
          (1...16).contains(depth), (1...65_535).contains(maximum)
        else { return nil }
        let row = width * depth * (maximum > 255 ? 2 : 1)
        let length = row.multipliedReportingOverflow(by: height)
        return (
          PixelSize(width: width, height: height), position,
          length.overflow ? Int.max : length.partialValue
        )
      }
      if words.count == 2, values[name] == nil, words[1].count <= 9 {
        values[name] = Int(String(decoding: words[1], as: UTF8.self))
      }
    }
    return nil
  }

  package func missingPart(of source: ByteSource) -> String? {
    let isWhole =
      switch pixels {
      case .bytes(let count): source.has(count, at: start)
      case .numbers(let count): hasSamples(count, in: source, areDigits: false)
      case .digits(let count): hasSamples(count, in: source, areDigits: true)
      }
    return isWhole ? nil : "pixels"
  }

  /// Counts the samples of a plain kind; a comment goes to the end of its line.
  private func hasSamples(_ count: Int, in source: ByteSource, areDigits: Bool) -> Bool {
    // Each takes a byte at least.
    guard source.has(count, at: start) else { return false }
    var (samples, isInNumber, isComment) = (0, false, false)
    for position in start..<source.length {
      guard samples < count, let byte = source.byte(at: position) else { break }
      if isComment {
        isComment = byte != 0x0A && byte != 0x0D
        continue
      }
      isComment = byte == UInt8(ascii: "#")
      let isDigit = (0x30...0x39).contains(byte)
      if isDigit, areDigits || !isInNumber { samples += 1 }
      isInNumber = isDigit
    }
    return samples >= count
  }

  /// The words of a header, between white space and comments.
  private struct Tokens {
    let source: ByteSource
    var position: Int

    init(_ source: ByteSource, from position: Int) {
      (self.source, self.position) = (source, position)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    var isAtSpace: Bool {
      source.byte(at: position).map { Self.isSpace($0) || $0 == UInt8(ascii: "#") } == true
    }

    private mutating func skipSpace() {
      var isComment = false
      while position < PNMHeader.maximumLength, let byte = source.byte(at: position) {
        if byte == UInt8(ascii: "#") { isComment = true }
        if byte == 0x0A || byte == 0x0D { isComment = false }
        guard isComment || Self.isSpace(byte) else { return }
        position += 1
      }
    }

    /// Returns the next number; nil when it has more than nine digits or is none.
    mutating func number() -> Int? {
      skipSpace()
      var (value, count) = (0, 0)
      while let byte = source.byte(at: position), (0x30...0x39).contains(byte), count < 10 {
        value = 10 * value + Int(byte - 0x30)
        position += 1
        count += 1
      }
      return (1...9).contains(count) ? value : nil
    }

    /// Skips a decimal fraction with its sign.
    mutating func real() -> Bool {
      skipSpace()
      let start = position
      while let byte = source.byte(at: position), "+-.0123456789eE".utf8.contains(byte),
        position < start + 32
      { position += 1 }
      return position > start
    }
  }
}
