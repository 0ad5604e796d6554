/// Which chunks of a PNG may stand in an output, and in which shape.
///
/// All that describes colour stays; a length that the specification does not give would carry
/// anything through, and no decoder uses such a chunk.
///
/// Source: PNG (3rd edition) section 11; APNG 1.0.
enum PNGAllowList {
  /// A profile that is larger is no help to a picture.
  static let maximumProfileLength = 4 << 20

  enum Judgement: Equatable {
    case kept
    /// An ICC profile, whose name is written anew; the range is the compressed profile.
    case profile(Range<Int>)
    case removed
  }

  /// What becomes of `chunk`, by its type and shape alone.
  ///
  /// - Throws: `damaged` when decoding needs it and it cannot have this shape; `stripUnsupported`
  ///   when it is critical and its type is not known.
  static func judge<Source: ByteSource>(
    _ chunk: PNGChunk,
    colourType: Int,
    in source: Source
  ) throws(MetadataError) -> Judgement {
    let length = chunk.data.count
    switch chunk.type {
    case "IHDR":
      guard length == 13 else { throw MetadataError(.damaged, "IHDR of impossible length") }
      return .kept
    case "PLTE":
      // Grey pictures have no palette; libpng passes over one.
      guard colourType & 2 != 0 else { return .removed }
      guard length > 0, length <= 768, length % 3 == 0 else {
        throw MetadataError(.damaged, "PLTE of impossible length")
      }
      return .kept
    case "IDAT", "IEND": return .kept
    case "tRNS":
      switch colourType {
      case 0: return length == 2 ? .kept : .removed
      case 2: return length == 6 ? .kept : .removed
      case 3: return (1...256).contains(length) ? .kept : .removed
      default: return .removed
      }
    case "sBIT":
      let lengths = [0: 1, 2: 3, 3: 3, 4: 2, 6: 4]
      return lengths[colourType] == length ? .kept : .removed
    case "iCCP":
      return compressedProfile(chunk, in: source).map { .profile($0) } ?? .removed
    case "acTL": return length == 8 ? .kept : .removed
    case "fcTL": return length == 26 ? .kept : .removed
    case "fdAT": return length >= 4 ? .kept : .removed
    default:
      if let fixed = fixedLengths[chunk.type] { return length == fixed ? .kept : .removed }
      guard !chunk.isCritical else {
        throw MetadataError(.stripUnsupported, "PNG with \(PNG.name(chunk.type))")
      }
      return .removed
    }
  }

  /// Types that stand before the picture, once; mDCV and cLLI say how bright an HDR picture is.
  private static let fixedLengths: [FourCharacterCode: Int] = [
    "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24, "cLLI": 8,
  ]

  /// Whether a second one of this type means nothing to a decoder, like one after the picture.
  static func standsOnceBeforePicture(_ type: FourCharacterCode) -> Bool {
    type == "tRNS" || type == "sBIT" || type == "iCCP" || type == "acTL"
      || fixedLengths[type] != nil
  }

  /// The zlib stream of an iCCP chunk, or nil when it cannot be one: a name of 1 to 79 bytes, a NUL,
  /// method 0, a zlib header.
  private static func compressedProfile<Source: ByteSource>(
    _ chunk: PNGChunk,
    in source: Source
  ) -> Range<Int>? {
    let head = chunk.data.prefix(82)
    guard let bytes = source.bytes(in: head, limit: 82), let end = bytes.firstIndex(of: 0),
      (1...79).contains(end), end + 1 < bytes.count, bytes[end + 1] == 0
    else { return nil }
    let stream = (chunk.data.lowerBound + end + 2)..<chunk.data.upperBound
    guard stream.count > 8, stream.count <= maximumProfileLength,
      let header = source.uint16(at: stream.lowerBound), header % 31 == 0, header >> 8 & 0x0F == 8
    else { return nil }
    return stream
  }
}
