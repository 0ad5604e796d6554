import MediaContainers
import MediaModel

/// The color profile of a JPEG XL codestream: bytes that are predicted from one another, and then
/// entropy-coded.
///
/// Source: ISO/IEC 18181-1 annex E.
enum JXLProfile {
  private static let contextCount = 41
  /// The bytes that commands may take beside those of the profile.
  private static let maximumCommands = 1 << 20
  private static let damaged = MetadataError(.damaged, "a color profile of a codestream")
  private static let tags: [FourCharacterCode] = [
    "cprt", "wtpt", "bkpt", "rXYZ", "gXYZ", "bXYZ", "kXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "chad",
    "desc", "chrm", "dmnd", "dmdd", "lumi",
  ]
  private static let types: [FourCharacterCode] = [
    "XYZ ", "desc", "text", "mluc", "para", "curv", "sf32", "gbd ",
  ]
  private static let coordinates: Set<FourCharacterCode> = [
    "rXYZ", "gXYZ", "bXYZ", "kXYZ", "wtpt", "bkpt", "lumi",
  ]

  /// Reads a profile; its bits are not written.
  ///
  /// - Throws: `damaged` for what no decoder accepts; `overLimit` for more than 4 MiB.
  static func read(_ bits: inout JXLBits) throws(MetadataError) -> [UInt8] {
    bits.isTaking = true
    defer { bits.isTaking = false }
    guard let count = try bits.long(),
      count <= ICCProfile.maximumLength + maximumCommands
    else { throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB") }
    var entropy = try JXLEntropy(&bits, contextCount: contextCount)
    var bytes: [UInt8] = []
    var (last, second): (UInt8, UInt8) = (0, 0)
    for index in 0..<count {
      let context = index <= 128 ? 0 : 1 + kind(last) + 8 * secondKind(second)
      guard let byte = UInt8(exactly: try entropy.next(&bits, context: context)) else {
        throw damaged
      }
      bytes.append(byte)
      (second, last) = (last, byte)
    }
    try entropy.finish()
    var decoder = Decoder(bytes)
    return try decoder.profile()
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte == .dot || byte == .comma
  }

  private static func kind(_ byte: UInt8) -> Int {
    if byte.isASCIILetter { return 0 }
    if isDigit(byte) { return 1 }
    switch byte {
    case 0, 1: return 2 + Int(byte)
    case 2..<16: return 4
    case 241..<255: return 5
    case 255: return 6
    default: return 7
    }
  }

  private static func secondKind(_ byte: UInt8) -> Int {
    if byte.isASCIILetter { return 0 }
    if isDigit(byte) { return 1 }
    return byte < 16 ? 2 : byte > 240 ? 3 : 4
  }

  /// Returns the byte that is expected at a place of the header, which follows from what is before.
  private static func expected(at index: Int, after bytes: [UInt8], length: Int) -> UInt8 {
    switch index {
    case 0..<4: return length.bytes(4)[index]
    case 8: return 4
    case 12..<24: return Array("mntrRGB XYZ ".utf8)[index - 12]
    case 36..<40: return Array("acsp".utf8)[index - 36]
    case 41..<44:
      let makers: [[UInt8]] = ["APPL", "MSFT", "SGI ", "SUNW"].map { Array($0.utf8) }
      // The first two letters tell SGI and SUN apart.
      let count = bytes[40] == UInt8(ascii: "S") ? 2 : 1
      guard index >= 40 + count else { return 0 }
      return makers.first { $0.prefix(count) == bytes[40..<(40 + count)] }?[index - 40] ?? 0
    case 70: return 246
    case 71: return 214
    case 73: return 1
    case 78: return 211
    case 79: return 45
    case 80..<84: return bytes[index - 76]
    default: return 0
    }
  }

  /// Writes a profile in one form of the many that it may have: no prediction behind the header, and
  /// one code of 8 bits for each byte.
  static func write(_ profile: [UInt8], to bits: inout JXLBits) {
    var residuals: [UInt8] = []
    for (index, byte) in profile.prefix(128).enumerated() {
      residuals.append(byte &- expected(at: index, after: profile, length: profile.count))
    }
    // No list of tags; one command that inserts the rest.
    let commands = [0, 1] + variable(max(0, profile.count - 128))
    let bytes =
      variable(profile.count) + variable(commands.count) + commands + residuals
      + profile.dropFirst(128)
    writeLong(bytes.count, to: &bits)
    // No copies; all contexts in one cluster; a prefix code; numbers below 256 are tokens.
    for (value, count) in [(0, 1), (1, 1), (0, 2), (1, 1), (8, 4), (0, 4), (0, 4)] {
      bits.write(value, count)
    }
    // 256 symbols: 1, 7, and 7 bits for 255 - 128.
    for (value, count) in [(1, 1), (7, 4), (127, 7), (0, 2)] { bits.write(value, count) }
    // The lengths of the 18 lengths' codes: only 8, the eleventh, has one, so that each takes no bits.
    for index in 0..<18 { bits.write(index == 10 ? 1 : 0, 2) }
    for byte in bytes {
      for bit in 0..<8 { bits.write(Int(byte) >> (7 - bit) & 1, 1) }
    }
  }

  /// Returns a number in groups of seven bits.
  private static func variable(_ number: Int) -> [UInt8] {
    var (bytes, unwritten): ([UInt8], Int) = ([], number)
    while unwritten > 127 {
      bytes.append(UInt8(unwritten & 127) | 128)
      unwritten >>= 7
    }
    return bytes + [UInt8(unwritten)]
  }

  private static func writeLong(_ number: Int, to bits: inout JXLBits) {
    bits.write(3, 2)
    bits.write(number & 0xFFF, 12)
    var unwritten = number >> 12
    while unwritten > 0 {
      bits.write(1, 1)
      bits.write(unwritten & 0xFF, 8)
      unwritten >>= 8
    }
    bits.write(0, 1)
  }

  /// Follows the commands that make a profile.
  private struct Decoder {
    private let source: ByteSource
    private var command = 0
    private var commandsEnd = 0
    private var data = 0
    private var output: [UInt8] = []

    init(_ bytes: [UInt8]) { source = ByteSource(bytes) }

    private mutating func byte() throws(MetadataError) -> Int {
      guard command < commandsEnd, let byte = source.uint8(at: command) else { throw damaged }
      command += 1
      return byte
    }

    private mutating func number() throws(MetadataError) -> Int {
      var (value, shift) = (0, 0)
      while shift < 35 {
        let byte = try byte()
        value |= (byte & 127) << shift
        if byte & 128 == 0 { return value }
        shift += 7
      }
      throw damaged
    }

    private mutating func take(_ count: Int) throws(MetadataError) -> [UInt8] {
      guard source.has(count, at: data),
        let bytes = source.bytes(in: data..<(data + count), limit: source.length)
      else { throw damaged }
      data += count
      return bytes
    }

    mutating func profile() throws(MetadataError) -> [UInt8] {
      commandsEnd = source.length
      let length = try number()
      let count = try number()
      guard length >= 132, length <= ICCProfile.maximumLength, count <= source.length - command
      else { throw damaged }
      commandsEnd = command + count
      data = commandsEnd
      for (index, residual) in try take(128).enumerated() {
        output.append(residual &+ expected(at: index, after: output, length: length))
      }
      try tagList()
      while command < commandsEnd {
        try content()
        guard output.count <= length else { throw damaged }
      }
      guard data == source.length, output.count == length else { throw damaged }
      return output
    }

    private mutating func tagList() throws(MetadataError) {
      let count = try number() - 1
      guard count >= 0 else { return }
      output += count.bytes(4)
      var (start, size) = (128 + 12 * count, 0)
      func entry(_ tag: FourCharacterCode, _ start: Int, _ size: Int) -> [UInt8] {
        tag.bytes + start.bytes(4) + size.bytes(4)
      }
      while command < commandsEnd {
        let value = try byte()
        let code = value & 63
        var tag: FourCharacterCode = "rTRC"
        switch code {
        case 0: return
        case 1: tag = ByteSource(try take(4)).code(at: 0) ?? tag
        case 2: break
        case 3: tag = "rXYZ"
        default:
          guard code - 4 < tags.count else { throw damaged }
          tag = tags[code - 4]
        }
        start = value & 64 == 0 ? start + size : try number()
        if coordinates.contains(tag) { size = 20 }
        if value & 128 != 0 { size = try number() }
        guard start <= Int(UInt32.max), size <= Int(UInt32.max) else { throw damaged }
        output += entry(tag, start, size)
        if code == 2 { output += entry("gTRC", start, size) + entry("bTRC", start, size) }
        if code == 3 {
          output += entry("gXYZ", start + size, size) + entry("bXYZ", start + 2 * size, size)
        }
        guard output.count <= ICCProfile.maximumLength else { throw damaged }
      }
    }

    private mutating func content() throws(MetadataError) {
      let value = try byte()
      switch value {
      case 1: output += try take(try number())
      case 2, 3: output += shuffled(try take(try number()), width: value == 2 ? 2 : 4)
      case 4: try predicted()
      case 10: output += FourCharacterCode("XYZ ").bytes + [0, 0, 0, 0] + (try take(12))
      case 16..<24: output += types[value - 16].bytes + [0, 0, 0, 0]
      default: throw damaged
      }
    }

    /// Returns bytes that stood in columns, in rows.
    private func shuffled(_ bytes: [UInt8], width: Int) -> [UInt8] {
      let height = (bytes.count + width - 1) / width
      var (result, start, index): ([UInt8], Int, Int) = ([], 0, 0)
      for _ in bytes.indices {
        result.append(bytes[index])
        index += height
        if index >= bytes.count {
          start += 1
          index = start
        }
      }
      return result
    }

    /// Adds numbers that are expected to continue those before them.
    private mutating func predicted() throws(MetadataError) {
      let flags = try byte()
      let (width, order) = (flags & 3 + 1, flags >> 2 & 3)
      let stride = flags & 16 == 0 ? width : try number()
      guard width != 3, order < 3, stride >= width, stride * 4 < output.count else { throw damaged }
      var bytes = try take(try number())
      if width > 1 { bytes = shuffled(bytes, width: width) }
      let start = output.count
      for (index, residual) in bytes.enumerated() {
        let position = start + index / width * width
        func before(_ steps: Int) -> Int {
          output[(position - steps * stride)..<(position - steps * stride + width)].reduce(0) {
            $0 << 8 | Int($1)
          }
        }
        let expected =
          switch order {
          case 0: before(1)
          case 1: 2 * before(1) - before(2)
          default: 3 * before(1) - 3 * before(2) + before(3)
          }
        let shift = 8 * (width - 1 - index % width)
        output.append(residual &+ UInt8(truncatingIfNeeded: expected >> shift))
      }
    }
  }
}
