import MediaCodecs
import MediaContainers

/// The item properties that an output may have, each written anew from its fields.
///
/// Source: ISO/IEC 23008-12 section 6.5; ISO/IEC 14496-12 sections 12.1.4 (pasp, clap) and 12.1.5
/// (colr); AVIF 1.1 section 2.3.2; ITU-T H.273.
enum PictureProperty {
  enum Disposition: Equatable {
    /// The whole box to write.
    case kept([UInt8])
    /// A known property that is not needed.
    case removed(String)
    /// An unknown property, which the picture may need.
    case unknown
  }

  /// Properties that describe the capture or the scene: positions of cameras, lenses, times, texts.
  private static let descriptions: Set<FourCharacterCode> = [
    "udes", "crtt", "mdft", "altt", "aebr", "wbal", "fobr", "afbr", "dobr", "pano", "subs", "tols",
    "cmin", "cmex", "rref", "ccst", "itai", "clkd",
  ]

  /// Returns the disposition of `box`, a property of a kept item.
  ///
  /// - Throws: `damaged` when decoding needs it and it cannot have this form.
  static func judge(
    _ box: ISOBox,
    in source: ByteSource
  ) throws(MetadataError) -> Disposition {
    let name = box.type.displayName
    var fields = ISOFields(source, box.body, name)
    if case .copied(let lengths) = BoxAllowList.picture.rules["ipco"]?[box.type] {
      guard lengths.contains(box.body.count) else { throw fields.damaged }
      return .kept(ISOWriter.box(box.type, try fields.bytes(box.body.count)))
    }
    switch box.type {
    case "ispe", "iscl":
      _ = try fields.number(4)
      guard fields.left == 8 else { throw fields.damaged }
      return .kept(ISOWriter.full(box.type, try fields.bytes(8)))
    case "irot": return .kept(ISOWriter.box("irot", [UInt8(try fields.number(1) & 3)]))
    case "imir": return .kept(ISOWriter.box("imir", [UInt8(try fields.number(1) & 1)]))
    case "pixi":
      // The bits per channel: a decoder reads them from the coded picture, so a newer version of
      // the box can be removed.
      let head = try fields.number(4)
      let count = try fields.number(1)
      guard head == 0, fields.left == count else { return .removed("pixi") }
      let bits = try fields.bytes(count)
      // Others are no depths, and of many channels they may be a text.
      guard bits.allSatisfy({ $0 >= 1 && $0 <= 16 }) else { return .removed("pixi") }
      return .kept(ISOWriter.full("pixi", [UInt8(count)] + bits))
    case "a1lx":
      let isLong = try fields.number(1) & 1
      guard fields.left == (isLong == 1 ? 12 : 6) else { throw fields.damaged }
      return .kept(ISOWriter.box("a1lx", [UInt8(isLong)] + (try fields.bytes(fields.left))))
    case "colr": return try color(&fields)
    case "auxC":
      let urn = HEIFAuxiliary.urn(in: box.body, of: source)
      if case .other = HEIFAuxiliary(urn: urn) { return .removed("auxC") }
      // The URN is one of few; the bytes that a codec adds after it repeat its own data.
      return .kept(ISOWriter.full("auxC", urn + [0]))
    case _ where DecoderConfiguration.types.contains(box.type):
      let configuration = try DecoderConfiguration(box, of: source)
      return .kept(ISOWriter.box(box.type, configuration.body))
    case _ where descriptions.contains(box.type): return .removed(name)
    default: return .unknown
    }
  }

  /// Keeps code points as they are, and a profile without its description of a device.
  private static func color(
    _ fields: inout ISOFields
  ) throws(MetadataError) -> Disposition {
    let type = try fields.code()
    switch type {
    case "nclx":
      // Some recorders leave out the last byte, which says whether the values have their full range.
      var points = try fields.bytes(min(fields.left, 7))
      if points.count == 6 { points.append(0) }
      guard points.count == 7 else { throw fields.damaged }
      points[6] &= 0x80
      return .kept(ISOWriter.box("colr", type.bytes + points))
    case "prof", "rICC":
      guard fields.left <= ICCProfile.maximumLength else {
        throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
      }
      guard let profile = ICCProfile.cleaned(try fields.bytes(fields.left)) else {
        return .removed("colr without a profile")
      }
      return .kept(ISOWriter.box("colr", type.bytes + profile))
    default: return .removed("colr of another type")
    }
  }
}
