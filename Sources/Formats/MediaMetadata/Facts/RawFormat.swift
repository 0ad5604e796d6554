package import MediaContainers
package import MediaModel

/// Detects and names camera raw formats, of which a DNG alone can be stripped.
///
/// Decoding the others depends on maker notes and private tags, so no allow-list for pictures fits them.
package enum RawFormat {
  /// Returns the name of the raw format of `source`, as messages have it; nil for everything else.
  ///
  /// Source: as ``format(of:)``.
  package static func name(of source: ByteSource) -> String? {
    format(of: source).map { name($0) }
  }

  /// The name of a raw format, as messages have it.
  package static func name(_ format: MediaFormat) -> String { names[format] ?? format.rawValue }

  /// Returns the raw format of `source`; nil for everything else.
  ///
  /// Source: the signatures in exiftool's `%magicNumber`; ``RawInTIFF`` for formats with a TIFF
  /// structure.
  package static func format(of source: ByteSource) -> MediaFormat? {
    for (signature, offset, format) in signatures where source.holds(signature, at: offset) {
      return format
    }
    if CIFFBlock(raw: source) != nil { return .crw }
    if MinoltaRaw(of: source) != nil { return .mrw }
    if SigmaRaw(of: source) != nil { return .x3f }
    guard let block = TIFFBlock(file: source), RawInTIFF.isRaw(block) else {
      return nil
    }
    return format(inTIFF: block)
  }

  private static let names: [MediaFormat: String] = [
    .dng: "Adobe DNG", .cr2: "Canon CR2", .cr3: "Canon CR3", .crw: "Canon CRW", .nef: "Nikon NEF",
    .arw: "Sony ARW", .raf: "Fujifilm RAF", .rw2: "Panasonic RW2", .orf: "Olympus ORF",
    .pef: "Pentax PEF", .srw: "Samsung SRW", .threeFR: "Hasselblad 3FR", .iiq: "Phase One IIQ",
    .dcr: "Kodak DCR", .kdc: "Kodak KDC", .erf: "Epson ERF", .mef: "Mamiya MEF", .mos: "Leaf MOS",
    .mrw: "Minolta MRW", .x3f: "Sigma X3F", .raw: "TIFF-based",
  ]

  private static let signatures: [(signature: [UInt8], offset: Int, format: MediaFormat)] = [
    (Array("FUJIFILMCCD-RAW".utf8), 0, .raf), (Array("IIU\0".utf8), 0, .rw2),
    (Array("IIRO".utf8), 0, .orf), (Array("IIRS".utf8), 0, .orf), (Array("MMOR".utf8), 0, .orf),
    (Array("ftypcrx ".utf8), 4, .cr3),
  ]

  /// Raw formats by the start of the Make tag in any case, for files with a plain TIFF header: Nikon's
  /// cameras write it in capitals, and its scanners do not.
  private static let makers: [(prefix: String, format: MediaFormat)] = [
    ("NIKON", .nef), ("SONY", .arw), ("PENTAX", .pef), ("ASAHI", .pef), ("RICOH", .pef),
    ("SAMSUNG", .srw), ("EASTMAN KODAK", .kdc), ("KODAK", .dcr), ("HASSELBLAD", .threeFR),
    ("IMACON", .threeFR), ("PHASE ONE", .iiq), ("OLYMPUS", .orf), ("OM DIGITAL", .orf),
    ("LEAF", .mos), ("SEIKO EPSON", .erf), ("EPSON", .erf), ("MAMIYA", .mef),
  ]

  private static func format(inTIFF block: TIFFBlock) -> MediaFormat {
    let source = block.source
    if source.holds("CR", at: 8) { return .cr2 }
    if RawInTIFF.isPhaseOne(source) { return .iiq }
    var (format, isDNG, isLeaf) = (MediaFormat.raw, false, false)
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      switch entry.tag {
      case TIFFTag.dngVersion: isDNG = true
      case TIFFTag.leafData: isLeaf = true
      case ExifTagNumber.make:
        let text = source.bytes(in: entry.value.prefix(32), limit: 32) ?? []
        let make = String(decoding: text, as: UTF8.self).uppercased()
        format = makers.first { make.hasPrefix($0.prefix) }?.format ?? format
      default: break
      }
    }
    return isDNG ? .dng : isLeaf ? .mos : format
  }
}
