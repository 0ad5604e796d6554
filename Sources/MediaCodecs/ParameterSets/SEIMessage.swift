import MediaContainers

/// The fields of the messages that a movie keeps, read to find where they end.
///
/// Source: ITU-T H.264 sections D.1.2, D.1.3, D.1.8, D.1.26, D.1.27; ITU-T H.265 sections D.2.2, D.2.3,
/// D.2.8, D.2.16, D.2.17, D.2.21, D.2.31.
enum SEIMessage {
  /// Returns the number of bytes that the fields of a message take: all of `body` where that is not
  /// known, 0 for a message that has no fields with this timing, which is nil where it is not known.
  static func fields(
    of body: ArraySlice<UInt8>,
    _ type: Int,
    isHEVC: Bool,
    timing: BufferTiming?
  ) -> Int {
    var payload = RawPayload(Array(body))
    do throws(MetadataError) {
      switch type {
      case 0, 1:
        guard let timing, !timing.hasParts else { return body.count }
        if type == 0 {
          if timing.counts.isEmpty { return 0 }
          try readBuffering(&payload, timing, isHEVC: isHEVC)
        } else {
          try readTiming(&payload, timing, isHEVC: isHEVC)
        }
      case 6:
        try payload.skipGolombs()
        try payload.skip(isHEVC ? 2 : 4)
      case 45: try readPacking(&payload, isHEVC: isHEVC)
      case 47:
        if try !payload.flag() {
          try payload.skip(18)
          if !isHEVC { try payload.skipGolombs() }
          try payload.skip(1)
        }
      case 129:
        try payload.skip(6)
        try payload.skipGolombs(try payload.golomb(upTo: 15) + 1)
      case 176: try readDisplays(&payload)
      default: return body.count
      }
    } catch {
      return body.count
    }
    return (payload.position + 7) / 8
  }

  private static func readBuffering(
    _ payload: inout RawPayload,
    _ timing: BufferTiming,
    isHEVC: Bool
  ) throws(MetadataError) {
    try payload.skipGolombs()
    var perBuffer = 2
    if isHEVC {
      if try payload.flag() {
        try payload.skip(timing.removalLength + timing.outputLength)
        perBuffer = 4
      }
      try payload.skip(1 + timing.removalLength)
    }
    for count in timing.counts { try payload.skip(count * perBuffer * timing.initialLength) }
  }

  private static func readTiming(
    _ payload: inout RawPayload,
    _ timing: BufferTiming,
    isHEVC: Bool
  ) throws(MetadataError) {
    if isHEVC, timing.hasPictureStructure { try payload.skip(7) }
    if !timing.counts.isEmpty { try payload.skip(timing.removalLength + timing.outputLength) }
    guard !isHEVC, timing.hasPictureStructure else { return }
    let structure = try payload.number(4)
    guard structure < 9 else { throw RawPayload.damaged }
    for _ in 0..<[1, 1, 1, 2, 2, 3, 3, 2, 3][structure] where try payload.flag() {
      try payload.skip(8)
      let isFull = try payload.flag()
      try payload.skip(10)
      if isFull {
        try payload.skip(17)
      } else if try payload.flag() {
        try payload.skip(6)
        if try payload.flag() {
          try payload.skip(6)
          if try payload.flag() { try payload.skip(5) }
        }
      }
      try payload.skip(timing.offsetLength)
    }
  }

  private static func readPacking(
    _ payload: inout RawPayload,
    isHEVC: Bool
  ) throws(MetadataError) {
    try payload.skipGolombs()
    if try !payload.flag() {
      let type = try payload.number(7)
      let isQuincunx = try payload.flag()
      try payload.skip(12)
      if !isQuincunx, type != 5 { try payload.skip(16) }
      try payload.skip(8)
      if isHEVC { try payload.skip(1) } else { try payload.skipGolombs() }
    }
    try payload.skip(1)
  }

  private static func readDisplays(_ payload: inout RawPayload) throws(MetadataError) {
    func skipMeasure(_ precision: Int) throws(MetadataError) {
      let exponent = try payload.number(6)
      try payload.skip(max(0, exponent == 0 ? precision - 30 : exponent + precision - 31))
    }
    let width = try payload.golomb(upTo: 31)
    let hasDistance = try payload.flag()
    let distance = hasDistance ? try payload.golomb(upTo: 31) : 0
    for _ in 0...(try payload.golomb(upTo: 31)) {
      try payload.skipGolombs(2)
      try skipMeasure(width)
      if hasDistance { try skipMeasure(distance) }
      if try payload.flag() { try payload.skip(10) }
    }
    try payload.skip(1)
  }
}
