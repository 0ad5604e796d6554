/// What kind of thing an asset is to a person.
package enum MediaType: String, CaseIterable, Sendable, Hashable, Codable {
  case image
  case video
  case audio
}

/// A container format that mediabatch knows by its content, never by a file's name.
package enum MediaFormat: String, CaseIterable, Sendable, Hashable, Codable {
  case jpeg, png, gif, webp, tiff, bmp, heic, avif
  // What cameras write before they develop it.
  case dng, cr2, cr3, nef, arw, raf, rw2, orf
  case mp4, mov
  case threeGP = "3gp"
  case mkv, webm, avi, wmv
  case m4a, mp3, wav, aiff, flac, ogg

  package var mediaType: MediaType {
    switch self {
    case .jpeg, .png, .gif, .webp, .tiff, .bmp, .heic, .avif: .image
    case .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf: .image
    case .mp4, .mov, .threeGP, .mkv, .webm, .avi, .wmv: .video
    case .m4a, .mp3, .wav, .aiff, .flac, .ogg: .audio
    }
  }

  /// Whether it is a camera's raw file.
  package var isRaw: Bool {
    switch self {
    case .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf: true
    default: false
    }
  }

  /// The extension that a published file gets, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
    }
  }
}

/// Width, then height, in pixels.
package struct PixelSize: Sendable, Hashable, Codable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Which part of an asset a file is.
package enum ResourceRole: String, CaseIterable, Sendable, Hashable, Codable {
  case photo, video, audio, pairedVideo
  case fullSizePhoto, alternatePhoto, adjustmentData, sidecar

  /// The role of a file that is an asset by itself.
  package init(mediaType: MediaType) {
    switch mediaType {
    case .image: self = .photo
    case .video: self = .video
    case .audio: self = .audio
    }
  }
}
