extension MediaFormat {
  /// Whether a file of this format can start with these bytes; always true for MP3 and AAC
  /// without a container, which have no signature.
  package func canStart(with bytes: [UInt8]) -> Bool {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    return switch self {
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .gif: has("GIF8")
    case .webp: has("RIFF") && has("WEBP", at: 8)
    case .wav: (has("RIFF") || has("RF64") || has("BW64")) && has("WAVE", at: 8)
    case .tiff: has("II") || has("MM")
    case .bmp: has("BM")
    case .psd, .psb: has("8BPS")
    // No color map or one, and one of six kinds of pixels: there is no signature.
    case .tga: bytes.count > 2 && bytes[1] <= 1 && [1, 2, 3, 9, 10, 11].contains(bytes[2])
    case .jp2: has("jP  ", at: 4)
    case .j2k: bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
    case .pnm: bytes.count > 1 && has("P") && "1234567Ff".utf8.contains(bytes[1])
    case .ico: bytes.starts(with: [0, 0, 1, 0])
    case .pcx: bytes.first == 10
    case .sgi: bytes.starts(with: [0x01, 0xDA])
    case .dds: has("DDS ")
    case .xcf: has("gimp xcf ")
    case .jxl: has("JXL ", at: 4) || bytes.starts(with: [0xFF, 0x0A])
    case .dng, .cr2, .nef, .arw, .orf: has("II") || has("MM")
    case .rw2: has("IIU")
    case .raf: has("FUJIFILM")
    case .heic, .avif, .cr3, .mp4, .threeGP, .m4a, .threeGA: has("ftyp", at: 4)
    case .mov: ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains { has($0, at: 4) }
    case .mkv, .webm, .mka, .weba: bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
    case .avi: has("RIFF") && has("AVI ", at: 8)
    case .wmv, .wma: bytes.starts(with: [0x30, 0x26, 0xB2, 0x75])
    case .ts: bytes.first == 0x47
    case .m2ts: bytes.dropFirst(4).first == 0x47
    case .aiff: has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8))
    case .flac: has("fLaC") || has("ID3")
    case .ogg, .ogv: has("OggS")
    case .mp3, .aac: true
    }
  }
}

extension MediaFormat {
  /// The format of a thumbnail's file.
  package init(_ format: ThumbnailFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .webp: self = .webp
    }
  }
}
