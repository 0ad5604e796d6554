/// The media type of an asset.
package enum MediaType: String, CaseIterable, Sendable, Hashable, Codable {
  case image
  case video
  case audio
}

/// A container format that mediabatch recognizes by content, never by file name.
package enum MediaFormat: String, CaseIterable, Sendable, Hashable, Codable {
  case jpeg, png, gif, webp, tiff, bmp, heic, avif
  // Photoshop's documents of both sizes, Targa, JPEG 2000 with boxes and without, portable anymaps.
  case psd, psb, tga, jp2, j2k, pnm, ico, pcx, sgi, dds, xcf, jxl
  // Camera raw formats.
  case dng, cr2, cr3, nef, arw, raf, rw2, orf
  case mp4, mov
  case threeGP = "3gp"
  case mkv, webm, avi, wmv
  // Transport streams with packets of 188 and of 192 bytes; AVCHD's `.mts` is the latter.
  case ts, m2ts
  case m4a, mp3, aac, wav, aiff, flac, ogg, wma
  // A 3GP, a Matroska and a WebM with sound alone.
  case threeGA = "3ga"
  case mka, weba
  // An Ogg with video.
  case ogv

  /// The media type of files in this format.
  package var mediaType: MediaType {
    switch self {
    case .jpeg, .png, .gif, .webp, .tiff, .bmp, .heic, .avif: .image
    case .psd, .psb, .tga, .jp2, .j2k, .pnm, .ico, .pcx, .sgi, .dds, .xcf, .jxl: .image
    case .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf: .image
    case .mp4, .mov, .threeGP, .mkv, .webm, .avi, .wmv, .ts, .m2ts, .ogv: .video
    case .m4a, .mp3, .aac, .wav, .aiff, .flac, .ogg, .wma, .threeGA, .mka, .weba: .audio
    }
  }

  /// Whether this is a camera raw format.
  package var isRaw: Bool {
    switch self {
    case .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf: true
    default: false
    }
  }

  /// The file extension of a published file, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
    }
  }

  /// The other file extensions that cameras and programs give to files of a format.
  private static let otherExtensions: [String: MediaFormat] = [
    "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "mpo": .jpeg, "apng": .png, "tiff": .tiff,
    "dib": .bmp, "heif": .heic, "hif": .heic, "nrw": .nef, "qt": .mov, "m4v": .mp4,
    "3gpp": .threeGP,
    "3g2": .threeGP, "asf": .wmv, "mts": .m2ts, "m4b": .m4a, "wave": .wav, "bwf": .wav,
    "aif": .aiff,
    "targa": .tga, "vda": .tga, "icb": .tga, "vst": .tga, "jpf": .jp2, "jpx": .jp2, "jph": .jp2,
    "j2c": .j2k, "jpc": .j2k, "pbm": .pnm, "pgm": .pnm, "ppm": .pnm, "pam": .pnm, "pfm": .pnm,
    "bw": .sgi, "rgb": .sgi, "rgba": .sgi,
    "aifc": .aiff, "oga": .ogg, "ogm": .ogv, "opus": .ogg, "spx": .ogg,
  ]

  /// The format that a name with this extension, in lowercase and without the dot, promises; nil for
  /// any other extension. It never decides how a file is read.
  package init?(fileExtension: String) {
    let own = Self.allCases.first { $0.fileExtension == fileExtension }
    guard let format = own ?? Self.otherExtensions[fileExtension] else { return nil }
    self = format
  }
}

/// A size in pixels: width, then height.
package struct PixelSize: Sendable, Hashable, Codable {
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int

  /// Creates a size.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The box that reduces no picture.
  ///
  /// Source: PHImageManagerMaximumSize (PhotoKit).
  package static let maximum = PixelSize(width: 65_535, height: 65_535)
}

/// The role of a file within its asset.
package enum ResourceRole: String, CaseIterable, Sendable, Hashable, Codable {
  case photo, video, audio, pairedVideo
  case fullSizePhoto, alternatePhoto, adjustmentData, sidecar

  /// Returns the role of a file that is an asset by itself.
  package init(mediaType: MediaType) {
    switch mediaType {
    case .image: self = .photo
    case .video: self = .video
    case .audio: self = .audio
    }
  }
}
