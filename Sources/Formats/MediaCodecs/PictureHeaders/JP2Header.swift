package import MediaContainers
package import MediaModel

/// The boxes of a JPEG 2000 file.
///
/// Source: ISO/IEC 15444-1 annex I (JP2), 15444-2 annex M (JPX), 15444-15 (JPH).
package struct JP2Header: PictureHeader {
  package let size: PixelSize
  /// The boxes at the top level, as far as they are whole.
  package let boxes: [ISOBox]
  /// The number of components of the codestream.
  package let componentCount: Int
  /// The start of the codestream; nil where it is missing.
  package let codestream: J2KHeader?
  /// Whether the component is the index of a palette's colors.
  package let isPaletted: Bool

  /// The signature box, the first of every file of the family.
  package static let signature: [UInt8] = [
    0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A,
  ]
  private static let brands: Set<FourCharacterCode> = ["jp2 ", "jpx ", "jph "]
  /// The most boxes that are read.
  package static let maximumBoxes = 4096

  /// The boxes that a file is made of. Other bytes behind the last whole box are a trailer, not a box
  /// that was cut.
  private static let types: Set<FourCharacterCode> = [
    "jp2h", "jp2c", "jp2i", "xml ", "uuid", "uinf", "rreq", "asoc", "nlst", "lbl ", "free", "jumb",
    "jpch", "jplh", "comp", "copt", "inst", "ftbl", "flst", "dtbl", "cgrp", "drep", "roid", "cref",
    "mdat", "gtso", "chck", "mp7b", "bfil",
  ]

  /// Whether the first two boxes are those of a still picture; films (mjp2) and documents (jpm ) have
  /// other brands.
  package static func isFound(in source: ByteSource) -> Bool {
    guard source.holds(signature, at: 0), source.code(at: 16) == "ftyp",
      let brand = source.code(at: 20)
    else { return false }
    return brands.contains(brand)
  }

  package init?(of source: ByteSource) {
    guard Self.isFound(in: source) else { return nil }
    boxes = Array(ISOBoxes(source, in: 0..<source.length, limit: Self.maximumBoxes))
    let header = boxes.first { $0.type == "jp2h" }
    let image = header.flatMap { ISOBoxes.first("ihdr", in: $0.body, of: source) }?.body
    isPaletted = header.flatMap { ISOBoxes.first("pclr", in: $0.body, of: source) } != nil
    // A codestream that is cut lies behind the last whole box.
    let end = boxes.last?.range.upperBound ?? 0
    let data =
      boxes.first { $0.type == "jp2c" }?.body
      ?? (source.code(at: end + 4) == "jp2c" ? (end + 8)..<source.length : nil)
    codestream = data.flatMap { J2KHeader(of: source, in: $0) }
    if let codestream {
      (size, componentCount) = (codestream.size, codestream.componentCount)
    } else if let image, let height = source.uint32(at: image.lowerBound),
      let width = source.uint32(at: image.lowerBound + 4),
      let components = source.uint16(at: image.lowerBound + 8)
    {
      (size, componentCount) = (PixelSize(width: width, height: height), components)
    } else {
      return nil
    }
  }

  package func missingPart(of source: ByteSource) -> String? {
    let end = boxes.last?.range.upperBound ?? 0
    if boxes.count < Self.maximumBoxes, let type = source.code(at: end + 4),
      Self.types.contains(type), let length = source.uint32(at: end),
      length == 1 || length > source.length - end
    {
      return "a box (\(type.displayName))"
    }
    guard boxes.contains(where: { $0.type == "jp2c" }) else { return "a codestream" }
    return codestream?.missingPart(of: source)
  }
}
