import MediaContainers

/// The chunks of a PNG that an output may have, and their form.
///
/// All chunks that describe color are kept. A chunk of a length that the specification does not
/// give could carry anything, and no decoder uses it.
///
/// Source: PNG (3rd edition) section 11; APNG 1.0.
enum PNGAllowList {
  enum Disposition: Equatable {
    case kept
    /// An ICC profile: the chunk's content with a neutral name, and the profile cleaned.
    case profile([UInt8])
    case removed
  }

  /// Returns the disposition of `chunk`, by its type and form alone.
  ///
  /// - Throws: `damaged` when decoding needs it and it cannot have this form; `stripUnsupported`
  ///   when it is critical and its type is not known.
  static func judge(
    _ chunk: PNGChunk,
    colorType: Int,
    in source: ByteSource
  ) throws(MetadataError) -> Disposition {
    let length = chunk.data.count
    switch chunk.type {
    case "IHDR":
      guard length == 13 else { throw MetadataError(.damaged, "IHDR of impossible length") }
      return .kept
    case "PLTE":
      // With other color types it is only a suggestion, with room for 768 bytes of anything.
      guard colorType == 3 else { return .removed }
      guard length > 0, length <= 768, length % 3 == 0 else {
        throw MetadataError(.damaged, "PLTE of impossible length")
      }
      return .kept
    case "IDAT", "IEND": return .kept
    case "tRNS":
      switch colorType {
      case 0: return length == 2 ? .kept : .removed
      case 2: return length == 6 ? .kept : .removed
      case 3: return (1...256).contains(length) ? .kept : .removed
      default: return .removed
      }
    case "sBIT":
      let lengths = [0: 1, 2: 3, 3: 3, 4: 2, 6: 4]
      return lengths[colorType] == length ? .kept : .removed
    case "iCCP":
      return try profile(chunk, in: source)
    case "bKGD":
      let lengths = [0: 2, 2: 6, 3: 1, 4: 2, 6: 6]
      return lengths[colorType] == length ? .kept : .removed
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

  /// The lengths of chunks that occur once, before the picture; mDCV and cLLI give the brightness
  /// of an HDR picture.
  private static let fixedLengths: [FourCharacterCode: Int] = [
    "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24, "cLLI": 8,
  ]

  /// Returns whether a decoder ignores a second chunk of this type, and one after the picture.
  static func standsOnceBeforePicture(_ type: FourCharacterCode) -> Bool {
    type == "tRNS" || type == "bKGD" || type == "sBIT" || type == "iCCP" || type == "acTL"
      || fixedLengths[type] != nil
  }

  static let profileName = "icc"

  /// Returns the disposition of an iCCP chunk: a name of 1 to 79 bytes, a NUL, method 0, and a zlib
  /// stream that holds an ICC profile. Only the cleaned profile is kept, in a new stream.
  ///
  /// - Throws: `overLimit` for a chunk of more than 4 MiB.
  ///
  /// Source: PNG (3rd edition) section 11.3.2.3; ICC.1:2022 section 7.2.
  private static func profile(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) throws(MetadataError) -> Disposition {
    guard chunk.data.count <= ICCProfile.maximumLength else {
      throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
    }
    guard let name = PNGKeyword(chunk, in: source), (1..<80).contains(name.range.count),
      let profile = try? name.bytes(of: source, limit: ICCProfile.maximumLength),
      let clean = ICCProfile.cleaned(profile)
    else { return .removed }
    return .profile(Array(profileName.utf8) + [0, 0] + Zlib.stored(clean))
  }
}
