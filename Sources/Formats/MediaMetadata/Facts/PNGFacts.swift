package import MediaContainers
import MediaModel

/// Reads the facts of a PNG: its header, and its eXIf chunk or the older text with an Exif block.
package enum PNGFacts {
  /// Returns the facts of a PNG; `read` is those of the Exif block where it was read already.
  ///
  /// - Throws: `damaged` when there is no valid IHDR.
  static func facts(of source: ByteSource, exif read: ExifFacts?) throws(MetadataError) -> Facts {
    let header = try PNGHeader(of: source)
    let exif = read ?? exif(of: source, header: header)
    var facts = Facts(format: .png, pixelSize: header.pixelSize, exif: exif)
    header.animation.write(to: &facts)
    return facts
  }

  /// Returns the facts of the Exif block; no facts when there is none, or the file is not a PNG.
  package static func exif(of source: ByteSource) -> ExifFacts {
    guard let header = try? PNGHeader(of: source) else { return ExifFacts() }
    return exif(of: source, header: header)
  }

  private static func exif(of source: ByteSource, header: PNGHeader) -> ExifFacts {
    if let range = header.exif {
      return ExifReader.facts(of: source, in: range.prefix(TIFFBlock.maximumEmbeddedLength))
    }
    guard let chunk = header.rawProfile, let block = PNGRawProfile.block(chunk, in: source) else {
      return ExifFacts()
    }
    return block.withUnsafeBytes { bytes in
      ExifReader.facts(of: ByteSource(bytes), in: 0..<bytes.count)
    }
  }
}
