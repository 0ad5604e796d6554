import MediaContainers
import MediaModel

/// Supplemental enhancement information: messages that a decoder uses are kept, texts and user data
/// are removed.
///
/// Source: ITU-T H.264 annex D; ITU-T H.265 annexes D, F and G; SMPTE ST 2094-40 for T.35 messages.
enum SEI {
  /// The lengths in bytes of each kept type of message about brightness or alpha: mastering display,
  /// light levels, transfer, ambient light, alpha.
  private static let pictureLengths: [Int: ClosedRange<Int>] = [
    137: 24...24, 144: 4...4, 147: 1...1, 148: 8...8, 165: 1...5,
  ]
  /// The maximum length in bytes of each kept message type of a movie: buffering period, picture
  /// timing, recovery point, frame packing, display orientation, active parameter sets, mastering
  /// display, light levels, transfer, ambient light, alpha, three-dimensional
  /// displays.
  private static let movieLengths: [Int: Int] = [
    0: 256, 1: 256, 6: 16, 45: 16, 47: 16, 129: 64, 137: 24, 144: 4, 147: 1, 148: 8,
    165: 5, 176: 64,
  ]
  /// The longest unit that is examined, in bytes; a longer one contains user data.
  private static let maximumUnit = 1 << 16
  private static let maximumDynamicRange = 1024

  /// The identifier of x264's user data.
  private static let x264: [UInt8] = [
    0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
  ]

  /// Returns the disposition of a NAL unit, given without its length field. Only a movie's unit is
  /// rewritten. Where pictures may be in 4:4:4 a decoder asks for the build of the encoder, to decode
  /// them as it coded them.
  static func judge(
    _ unit: Range<Int>,
    of source: ByteSource,
    _ units: NALUnits
  ) -> UnitDisposition {
    let (headLength, isMovie) = (units.isHEVC ? 2 : 1, units.isMovie)
    guard unit.count > headLength + 2,
      let bytes = source.bytes(in: unit, limit: maximumUnit)
    else { return .removed("SEI") }
    let payload = RawPayload.unescaped(bytes[headLength...])
    var kept: [UInt8] = []
    var removed: String?
    var position = 0
    while position < payload.count, !isEnd(payload[position...]) {
      let start = position
      guard let type = number(in: payload, at: &position),
        let length = number(in: payload, at: &position), length <= payload.count - position
      else { return .removed(removed ?? "SEI") }
      let body = position..<(position + length)
      position = body.upperBound
      if isKept(type, ByteSource(Array(payload[body])), isMovie: isMovie) {
        let fields =
          isMovie
          ? SEIMessage.fields(
            of: payload[body],
            type,
            isHEVC: units.isHEVC,
            timing: units.isTimingUnknown ? nil : units.timing
          ) : body.count
        if fields == body.count {
          kept += payload[start..<position]
          continue
        }
        removed = removed ?? "bytes after SEI"
        if fields > 0 {
          kept += [UInt8(type)] + [UInt8](repeating: 0xFF, count: fields / 255)
          kept += [UInt8(fields % 255)] + payload[body].prefix(fields)
        }
      } else if isMovie, !units.isHEVC, type == 5,
        let build = decidingBuild(payload[body], isChroma444: units.isChroma444)
      {
        let text = x264 + Array("x264 - core \(build)".utf8)
        kept += [5, UInt8(text.count)] + text
        if !payload[body].elementsEqual(text) { removed = "SEI user data" }
      } else {
        removed = isMovie && (type == 4 || type == 5) ? "SEI user data" : "SEI"
      }
    }
    guard !kept.isEmpty else { return .removed(removed ?? "SEI") }
    let anew = Array(bytes[..<headLength]) + RawPayload.escaped(kept + [0x80])
    if anew == bytes { return .kept }
    return isMovie ? .rewritten(anew, removed ?? "bytes after SEI") : .removed("SEI")
  }

  /// Returns the build that stands for that of an x264 whose pictures a decoder decodes in another way;
  /// nil where it does not look at it.
  ///
  /// Of builds before 151 in 4:4:4 it reads the coefficients by other contexts, of those before 34 it
  /// predicts direct blocks in another way. It looks at the text alone.
  ///
  /// Source: libavcodec, h264_sei.c (decode_unregistered_user_data), h264_cabac.c, h264_direct.c.
  private static func decidingBuild(_ body: ArraySlice<UInt8>, isChroma444: Bool) -> Int? {
    let name = Array("x264 - core ".utf8)
    let text = body.dropFirst(16)
    guard text.starts(with: name) else { return nil }
    let digits = text.dropFirst(name.count).drop { $0 == 0x20 }
    guard
      var build = Int(String(decoding: digits.prefix { $0.isASCIIDigit }, as: UTF8.self)),
      build > 0
    else { return nil }
    if build == 1, digits.starts(with: Array("0001".utf8)) { build = 67 }
    if build < 34 { return 33 }
    return build < 151 && isChroma444 ? 150 : nil
  }

  private static func isKept(_ type: Int, _ body: ByteSource, isMovie: Bool) -> Bool {
    guard isMovie else { return pictureLengths[type]?.contains(body.length) ?? false }
    if type == 4 { return isDynamicRange(0..<body.length, of: body) }
    return movieLengths[type].map { body.length <= $0 } ?? false
  }

  /// Returns whether a T.35 message is HDR10+ or Dolby Vision data.
  static func isDynamicRange(
    _ message: Range<Int>,
    of source: ByteSource
  ) -> Bool {
    message.count <= maximumDynamicRange
      && (source.holds([0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04], at: message.lowerBound)
        || source.holds([0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00], at: message.lowerBound))
  }

  /// Returns whether `trailing` is the stop bit followed by nothing but zeros.
  private static func isEnd(_ trailing: ArraySlice<UInt8>) -> Bool {
    trailing.first == 0x80 && trailing.dropFirst().allSatisfy { $0 == 0 }
  }

  /// Reads a number that continues while its bytes are 255.
  private static func number(in bytes: [UInt8], at position: inout Int) -> Int? {
    var value = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      value += Int(byte)
      if byte != 0xFF { return value }
    }
    return nil
  }
}
