package import MediaContainers
package import MediaModel

/// Detects and names camera raw formats, which cannot be stripped yet.
///
/// Decoding them depends on maker notes and private tags, so no allow-list for pictures fits them.
package enum RawFormat {
  /// Returns the name of the raw format of `source`, or nil for everything else.
  ///
  /// Source: the signatures in exiftool's `%magicNumber`; ``RawInTIFF`` for formats with a TIFF
  /// structure.
  package static func name(of source: ByteSource) -> String? {
    for (signature, offset, name) in signatures where source.holds(signature, at: offset) {
      return name
    }
    guard let block = TIFFBlock(file: source), RawInTIFF.isRaw(block) else {
      return nil
    }
    return nameInTIFF(block)
  }

  /// Returns the raw format of `source` if its previews can be read, or nil: ``name(of:)``
  /// recognizes more.
  ///
  /// Source: as ``name(of:)``.
  package static func format(of source: ByteSource) -> MediaFormat? {
    name(of: source).flatMap { formats[$0] }
  }

  private static let formats: [String: MediaFormat] = [
    "Adobe DNG": .dng, "Canon CR2": .cr2, "Canon CR3": .cr3, "Nikon NEF": .nef, "Sony ARW": .arw,
    "Fujifilm RAF": .raf, "Panasonic RW2": .rw2, "Olympus ORF": .orf,
  ]

  private static let signatures: [(signature: [UInt8], offset: Int, name: String)] = [
    (Array("FUJIFILMCCD-RAW".utf8), 0, "Fujifilm RAF"),
    (Array("II\u{1A}\0\0\0HEAPCCDR".utf8), 0, "Canon CRW"),
    (Array("IIU\0".utf8), 0, "Panasonic RW2"), (Array("IIRO".utf8), 0, "Olympus ORF"),
    (Array("IIRS".utf8), 0, "Olympus ORF"), (Array("MMOR".utf8), 0, "Olympus ORF"),
    (Array("FOVb".utf8), 0, "Sigma X3F"), ([0] + Array("MRM".utf8), 0, "Minolta MRW"),
    (Array("ftypcrx ".utf8), 4, "Canon CR3"),
  ]

  /// The names of raw formats by the start of the Make tag in any case, for files with a plain TIFF
  /// header: Nikon's cameras write it in capitals, and its scanners do not.
  private static let makers: [(prefix: String, name: String)] = [
    ("NIKON", "Nikon NEF"), ("SONY", "Sony ARW"), ("PENTAX", "Pentax PEF"),
    ("RICOH", "Pentax PEF"), ("SAMSUNG", "Samsung SRW"), ("KODAK", "Kodak DCR"),
    ("EASTMAN KODAK", "Kodak DCR"), ("Hasselblad", "Hasselblad 3FR"),
    ("Phase One", "Phase One IIQ"),
    ("Canon", "Canon raw"), ("OLYMPUS", "Olympus ORF"), ("OM Digital", "Olympus ORF"),
    ("Leaf", "Leaf MOS"),
  ]

  private static func nameInTIFF(_ block: TIFFBlock) -> String {
    let source = block.source
    if source.holds("CR", at: 8) { return "Canon CR2" }
    if source.holds("IIII", at: 8) || source.holds("MMMM", at: 8) { return "Phase One IIQ" }
    var name = "camera raw in a TIFF"
    var isDNG = false
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      if entry.tag == 0xC612 { isDNG = true }
      guard entry.tag == ExifTagNumber.make else { return }
      let text = source.bytes(in: entry.value.prefix(32), limit: 32) ?? []
      let make = String(decoding: text, as: UTF8.self).uppercased()
      for maker in makers where make.hasPrefix(maker.prefix.uppercased()) { name = maker.name }
    }
    return isDNG ? "Adobe DNG" : name
  }
}
