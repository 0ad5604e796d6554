internal import MediaCodecs
internal import MediaContainers
internal import MediaMetadata

/// Reads the configuration of a decoder with its parameter sets, and what was written of it again.
enum ParametersCheck {
  private static let types: [FourCharacterCode] = ["avcC", "hvcC", "av1C", "hvcC"]

  /// Checks an input whose first byte says by its lowest two bits which coding the configuration after it
  /// belongs to, and by the others how many bytes behind the configuration, in fours, are a unit of a sample.
  static func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let type = types[Int(first & 3)]
    let unitLength = 4 * Int(first >> 2)
    let body = Array(input.dropFirst().dropLast(unitLength))
    guard let written = read(type, body) else { return }
    guard let again = read(type, written.body) else {
      return finding("a configuration is not read again")
    }
    if again.body != written.body { finding("a second reading changes a configuration") }
    guard case .nal(var units) = written.bitstream else { return }
    let unit = Array(input.dropFirst().suffix(unitLength))
    for isMovie in [false, true] {
      units.isMovie = isMovie
      judge(unit, units)
    }
  }

  private static func read(_ type: FourCharacterCode, _ body: [UInt8]) -> DecoderConfiguration? {
    try? DecoderConfiguration(type, 0..<body.count, of: ByteSource(body))
  }

  /// Judges bytes as one unit of a sample, after what the configuration says.
  private static func judge(_ unit: [UInt8], _ units: NALUnits) {
    guard case .rewritten(let anew, _) = units.judge(0..<unit.count, of: ByteSource(unit)) else {
      return
    }
    switch units.judge(0..<anew.count, of: ByteSource(anew)) {
    case .kept: return
    case .rewritten(let again, _) where again == anew: return
    default: finding("a unit that was written anew does not stay")
    }
  }
}

/// Reads the names in content credentials: the input as a store, and as the CBOR and the JSON of one.
enum CredentialsCheck {
  static func check(_ input: [UInt8]) {
    names(in: input)
    for type in ["cbor", "json"] { names(in: box("jumb", box(type, input))) }
  }

  private static func names(in store: [UInt8]) {
    let names = ContentCredentials.names(in: store)
    if zip(names, names.dropFirst()).contains(where: { $0 >= $1 }) {
      finding("names that are not sorted, or not each once")
    }
  }

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    (8 + body.count).bytes(4) + Array(type.utf8) + body
  }
}
