private typealias Tag = TIFFTag

/// Distinguishes a camera's raw file with a TIFF structure from a TIFF picture.
///
/// Source: exiftool `lib/Image/ExifTool/Exif.pm`, Compression, PhotometricInterpretation and
/// `DNGVersion`; TIFF/EP (ISO 12234-2), in which the reduced picture comes first.
package enum RawInTIFF {
  /// The compression codes of Kodak's first cameras, Sony ARW, Samsung SRW, Kodak KDC, Panasonic,
  /// Nikon NEF, Kodak DCR and Pentax PEF.
  private static let rawCompressions: Set<Int> = [
    262, 32767, 32769, 32770, 32772, 32867, 34316, 34713, 65000, 65535,
  ]
  /// The photometric interpretations of a color filter array and of linear raw data.
  private static let rawPhotometric: Set<Int> = [32803, 34892]

  /// Returns whether a Phase One's block of sensor data begins behind the TIFF header.
  ///
  /// Source: exiftool `lib/Image/ExifTool/PhaseOne.pm`, ProcessPhaseOne.
  package static func isPhaseOne(_ source: ByteSource) -> Bool {
    source.holds("IIII", at: 8) || source.holds("MMMM", at: 8)
  }

  /// Returns whether the TIFF structure is that of a camera's raw file.
  package static func isRaw(_ block: TIFFBlock) -> Bool {
    // Canon CR2 and Phase One IIQ have a signature after the TIFF header.
    if block.source.holds("CR", at: 8) || isPhaseOne(block.source) { return true }
    for (index, offset) in TIFFDirectories(block).enumerated() {
      var isRaw = false
      var isReduced = false
      var hasSubDirectories = false
      block.forEachEntry(ofDirectoryAt: offset) { entry in
        switch entry.tag {
        case Tag.dngVersion, Tag.dngPrivateData, Tag.leafData: isRaw = true
        case Tag.compression:
          if let code = block.number(entry), rawCompressions.contains(code) {
            isRaw = true
          }
        case Tag.photometricInterpretation:
          if let code = block.number(entry), rawPhotometric.contains(code) { isRaw = true }
        case Tag.newSubfileType: isReduced = block.number(entry) == 1
        case Tag.subIFDs: hasSubDirectories = true
        default: break
        }
      }
      if isRaw || (index == 0 && isReduced && hasSubDirectories) { return true }
    }
    return false
  }
}
