import MediaCodecs
package import MediaContainers
package import MediaModel

/// Tells whether a file has everything that its container promises.
///
/// A copy that was interrupted keeps its head, and with it lengths, tables and counts that point behind
/// the end. Only these are read, and no picture or sound, so the check costs little beside hashing the
/// file. A format that states nothing about its end, such as a transport stream or AAC frames, is
/// never found cut, and neither is a recording whose lengths were left open.
///
/// The check answers for the end of the file alone: damage in the middle is the decoders' to find.
package enum Completeness {
  /// Returns the name of a part that the container promises and the file does not have as a whole;
  /// nil when none is missing.
  ///
  /// A container that is too broken for its promise to be read has none.
  ///
  /// Source: the specification of each format, named where it is read.
  package static func missingPart(of source: ByteSource, format: MediaFormat) -> String? {
    switch format {
    case .jpeg: JPEGCompleteness.missingPart(of: source)
    case .png: PictureCompleteness.missingPart(ofPNG: source)
    case .gif: PictureCompleteness.missingPart(ofGIF: source)
    case .webp: PictureCompleteness.missingPart(ofWebP: source)
    case .bmp: PictureCompleteness.missingPart(ofBMP: source)
    case .heic, .avif: PictureCompleteness.missingPart(ofHEIF: source)
    case .tiff, .dng, .cr2, .nef, .arw, .rw2, .orf:
      TIFFCompleteness.missingPart(of: source, format: format)
    case .raf: TIFFCompleteness.missingPart(ofRAF: source)
    case .mp4, .mov, .threeGP, .m4a, .threeGA, .cr3: MovieCompleteness.missingPart(of: source)
    case .mkv, .webm, .mka, .weba: MatroskaCompleteness.missingPart(of: source)
    case .avi: ChunkCompleteness.missingPart(ofAVI: source)
    case .wmv, .wma: ASFCompleteness.missingPart(of: source)
    case .wav: ChunkCompleteness.missingPart(ofWAV: source)
    case .aiff: ChunkCompleteness.missingPart(ofAIFF: source)
    case .mp3: SoundCompleteness.missingPart(ofMP3: source)
    case .flac: SoundCompleteness.missingPart(ofFLAC: source)
    case .ogg, .ogv: SoundCompleteness.missingPart(ofOgg: source)
    case .psd, .psb, .tga, .jp2, .j2k, .pnm, .ico, .pcx, .sgi, .dds, .xcf, .jxl:
      format.pictureHeader?.init(of: source)?.missingPart(of: source)
    case .aac, .ts, .m2ts: nil
    }
  }
}
