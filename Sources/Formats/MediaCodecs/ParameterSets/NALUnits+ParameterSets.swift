import MediaContainers

extension NALUnits {
  /// The longest parameter set that is read, in bytes.
  private static let maximumParameterSet = 1 << 16

  /// Returns the disposition of a parameter set: what follows its stop bit is cut.
  ///
  /// One whose fields cannot be read, such as an extension for several layers, is kept as it is: where
  /// it ends is not known.
  func judgeParameterSet(_ unit: Range<Int>, of source: ByteSource) -> UnitDisposition {
    guard let bytes = source.bytes(in: unit, limit: Self.maximumParameterSet),
      let (payload, kept, _) = try? read(bytes), payload != kept,
      payload.dropFirst(kept.count).contains(where: { $0 != 0 }) || !payload.starts(with: kept)
    else { return .kept }
    return .rewritten(bytes.prefix(headLength) + RawPayload.escaped(kept), "bytes after a parameter set")
  }

  /// Takes from a parameter set of the configuration what the messages of the samples depend on.
  mutating func learn(from set: [UInt8]) {
    guard let first = set.first else { return }
    let type = isHEVC ? first >> 1 & 0x3F : first & 0x1F
    if isHEVC, type == 32, set.count > 3 {
      // Behind six bits, six with the number of layers less one.
      layerCount = max(layerCount, Int(set[2] & 3) << 4 + Int(set[3] >> 4) + 1)
    }
    if isTimingUnknown { return }
    guard type == (isHEVC ? 33 : 7) || isHEVC && type == 32 else { return }
    guard let fields = try? read(set) else { return isTimingUnknown = true }
    // Buffers in a video parameter set, and those of several sequences, are not told apart.
    if type == 32 {
      isTimingUnknown = fields.timing != nil
    } else if let timing, timing != fields.timing {
      isTimingUnknown = true
    } else {
      timing = fields.timing
    }
  }

  /// The number of bytes of a unit's header.
  private var headLength: Int { isHEVC ? 2 : 1 }

  private typealias Reading = (
    payload: [UInt8], kept: [UInt8], timing: BufferTiming?
  )

  /// Returns the payload of a parameter set, and how much of it stays.
  ///
  /// - Throws: `damaged` when where it ends cannot be known.
  private func read(_ bytes: [UInt8]) throws(MetadataError) -> Reading {
    guard bytes.count > headLength else { throw RawPayload.damaged }
    var payload = RawPayload(RawPayload.unescaped(bytes[headLength...]))
    var timing: BufferTiming?
    if isHEVC {
      // The sets of other layers have other fields.
      guard bytes[0] & 1 == 0, bytes[1] & 0xF8 == 0 else { throw RawPayload.damaged }
      switch bytes[0] >> 1 & 0x3F {
      case 32: timing = try HEVCParameterSet.readVideo(&payload)
      case 33: timing = try HEVCParameterSet.readSequence(&payload)
      default: try HEVCParameterSet.readPicture(&payload)
      }
    } else if bytes[0] & 0x1F == 7 {
      timing = try AVCParameterSet.readSequence(&payload)
    } else {
      try AVCParameterSet.readPicture(&payload, isExtensible: !isBaseProfile, isChroma444: isChroma444)
    }
    return (payload.bytes, try payload.ended(), timing)
  }
}
