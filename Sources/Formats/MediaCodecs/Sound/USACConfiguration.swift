import MediaContainers

/// The configuration of a decoder of unified speech and audio, read to find where it ends.
///
/// Source: ISO/IEC 23003-3 sections 5.2 (UsacConfig to UsacConfigExtension) and 6.1.
enum USACConfiguration {
  private static let damaged = MetadataError(.damaged, "AAC configuration that ends early")
  /// The extensions of the configuration that change how loud the sound is.
  private static let loudness = 2
  /// The elements beside the sound: fill, pre-roll, and the control of dynamic range.
  private static let (fill, preroll, dynamics) = (0, 3, 4)

  /// Moves past a configuration, and returns the bits that no decoder needs.
  ///
  /// - Throws: `damaged` when it ends early; `stripUnsupported` for channels that are listed, and for
  ///   elements that are other codecs.
  static func unneeded(_ reader: inout BitReader) throws(MetadataError) -> [Range<Int>] {
    var unneeded: [Range<Int>] = []
    if try number(5, &reader) == 31 { _ = try number(24, &reader) }  // usacSamplingFrequency
    let frame = try number(3, &reader)  // coreSbrFrameLengthIndex
    guard frame <= 4 else { throw damaged }
    let hasBands = frame > 1
    guard try number(5, &reader) != 0 else {  // channelConfigurationIndex
      throw MetadataError(.stripUnsupported, "USAC with a list of channels")
    }
    for _ in 0...(try escaped(4, 8, 16, &reader)) {  // numElements
      switch try number(2, &reader) {  // usacElementType
      case 0:
        _ = try number(2, &reader)  // tw_mdct, noiseFilling
        if hasBands { try passBands(&reader) }
      case 1:
        _ = try number(2, &reader)
        guard hasBands else { continue }
        try passBands(&reader)
        let stereo = try number(2, &reader)  // stereoConfigIndex
        if stereo > 0 { try passStereo(hasResidual: stereo > 1, &reader) }
      case 2: continue
      default: if let range = try element(&reader) { unneeded.append(range) }
      }
    }
    guard try number(1, &reader) == 1 else { return unneeded }  // usacConfigExtensionPresent
    for _ in 0...(try escaped(2, 4, 8, &reader)) {  // numConfigExtensions
      let type = try escaped(4, 8, 16, &reader)
      let content = try content(try escaped(4, 8, 16, &reader), &reader)
      if type != loudness { unneeded.append(content) }
    }
    return unneeded
  }

  /// Moves past an element beside the sound; returns its configuration where no decoder needs it.
  private static func element(_ reader: inout BitReader) throws(MetadataError) -> Range<Int>? {
    let type = try escaped(4, 8, 16, &reader)
    let length = try escaped(4, 8, 16, &reader)
    // usacExtElementDefaultLengthPresent, usacExtElementDefaultLength
    if try number(1, &reader) == 1 { _ = try escaped(8, 16, 0, &reader) }
    _ = try number(1, &reader)  // usacExtElementPayloadFrag
    let content = try content(length, &reader)
    guard type == fill || type == preroll || type == dynamics || type > 4 else {
      throw MetadataError(.stripUnsupported, "USAC with another codec within")
    }
    return type == dynamics ? nil : content
  }

  private static func passBands(_ reader: inout BitReader) throws(MetadataError) {
    _ = try number(3 + 4 + 4, &reader)  // harmonicSBR to dflt_stop_freq
    let hasExtra1 = try number(1, &reader)  // dflt_header_extra1
    let hasExtra2 = try number(1, &reader)  // dflt_header_extra2
    _ = try number(5 * hasExtra1 + 6 * hasExtra2, &reader)  // dflt_freq_scale to dflt_smoothing_mode
  }

  private static func passStereo(
    hasResidual: Bool,
    _ reader: inout BitReader
  ) throws(MetadataError) {
    _ = try number(3 + 3, &reader)  // bsFreqRes, bsFixedGainDMX
    let shape = try number(2, &reader)  // bsTempShapeConfig
    _ = try number(2 + 1 + 1, &reader)  // bsDecorrConfig, bsHighRateMode, bsPhaseCoding
    if try number(1, &reader) == 1 { _ = try number(5, &reader) }  // bsOttBandsPhase
    if hasResidual { _ = try number(5 + 1, &reader) }  // bsResidualBands, bsPseudoLr
    if shape == 2 { _ = try number(1, &reader) }  // bsEnvQuantMode
  }

  private static func content(
    _ length: Int,
    _ reader: inout BitReader
  ) throws(MetadataError) -> Range<Int> {
    let start = reader.position
    guard reader.skip(8 * length) else { throw damaged }
    return start..<reader.position
  }

  private static func number(_ count: Int, _ reader: inout BitReader) throws(MetadataError) -> Int {
    guard let value = reader.read(count) else { throw damaged }
    return value
  }

  /// Reads a number that goes on in more bits where all bits of the first, or second, part are set.
  private static func escaped(
    _ first: Int,
    _ second: Int,
    _ third: Int,
    _ reader: inout BitReader
  ) throws(MetadataError) -> Int {
    let value = try number(first, &reader)
    guard value == 1 << first - 1 else { return value }
    let addend = try number(second, &reader)
    guard addend == 1 << second - 1 else { return value + addend }
    return value + addend + (try number(third, &reader))
  }
}
