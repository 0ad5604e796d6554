import MediaContainers
import MediaModel

/// Tells whether a camera's raw file has what its header and directories point to.
///
/// Source: exiftool `lib/Image/ExifTool/FujiFilm.pm` (RAF); for the others see their readers.
enum RawCompleteness {
  /// Returns the part of a raw file that is missing.
  static func missingPart(of source: ByteSource, format: MediaFormat) -> String? {
    switch format {
    case .raf: missingPart(ofRAF: source)
    case .cr3: MovieCompleteness.missingPart(of: source)
    case .crw: CIFFBlock(raw: source)?.hasDirectory == false ? "a directory" : nil
    case .x3f: SigmaRaw(of: source)?.missingPart
    case .mrw:
      MinoltaRaw(of: source)?.samples.flatMap { $0.upperBound > source.length ? "picture data" : nil }
    default: TIFFCompleteness.missingPart(of: source, format: format)
    }
  }

  /// Returns the part of a Fujifilm RAF that is missing: preview, metadata or sensor data.
  private static func missingPart(ofRAF source: ByteSource) -> String? {
    for (field, name) in [(84, "preview"), (92, "metadata"), (100, "sensor data")] {
      guard let offset = source.uint32(at: field), let length = source.uint32(at: field + 4) else {
        return name
      }
      if offset > 0, !source.has(length, at: offset) { return name }
    }
    return nil
  }
}
