/// The media type of an asset.
package enum MediaType: String, CaseIterable, Sendable, Hashable, Codable {
  case image
  case video
  case audio
}

/// A container format that mediabatch recognizes by content, never by file name. What else is known of
/// each stands in its row, ``row``.
package enum MediaFormat: String, CaseIterable, Sendable, Hashable, Codable {
  case jpeg, png, gif, webp, tiff, bmp, heic, avif
  // Photoshop's documents of both sizes, Targa, JPEG 2000 with boxes and without, portable anymaps.
  case psd, psb, tga, jp2, j2k, pnm, ico, pcx, sgi, dds, xcf, jxl, qoi
  // Camera raw formats.
  case dng, cr2, cr3, nef, arw, raf, rw2, orf, crw, pef, srw
  // Hasselblad's.
  case threeFR = "3fr"
  case iiq, dcr, kdc, erf, mef, mos, mrw, x3f
  // A TIFF with the data of a sensor whose maker has no format of its own here.
  case raw
  case mp4, mov
  case threeGP = "3gp"
  case mkv, webm, avi, wmv
  // Transport streams with packets of 188 and of 192 bytes; AVCHD's `.mts` is the latter.
  case ts, m2ts
  // MPEG program streams, and MPEG video without packets; the blocks of DV tapes; Flash Video.
  case mpg, m2v, dv, flv
  case m4a, mp3, aac, wav, aiff, flac, ogg, wma
  // A 3GP, a Matroska and a WebM with sound alone.
  case threeGA = "3ga"
  case mka, weba
  // An Ogg with video.
  case ogv
}

// MARK: The registry

extension MediaFormat {
  /// The registry: a row for each case, which `docs/formats.md` shows.
  static let registry =
    rows(pictures, .image) + rows(rawPictures, .image, isRaw: true) + rows(videos, .video)
    + rows(sounds, .audio)

  /// A row without what all rows of a list have in common.
  private typealias Row = (
    format: MediaFormat, extensions: [String], mediaTypeName: String?, uniformType: String?,
    signatures: [FileSignature]
  )

  private static func rows(
    _ rows: [Row],
    _ mediaType: MediaType,
    isRaw: Bool = false
  ) -> [(MediaFormat, FormatRow)] {
    rows.map { row in
      let complete = FormatRow(
        mediaType: mediaType,
        extensions: row.extensions,
        mediaTypeName: row.mediaTypeName,
        uniformType: row.uniformType,
        signatures: row.signatures,
        isRaw: isRaw
      )
      return (row.format, complete)
    }
  }

  private static let pictures: [Row] = [
    (
      .jpeg,
      ["jpg", "jpeg", "jpe", "jfif", "mpo", "insp"], "image/jpeg", "public.jpeg",
      [.bytes(0xFF, 0xD8, 0xFF)]
    ),
    (
      .png,
      ["png", "apng"], "image/png", "public.png",
      [.bytes(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A)]
    ),
    (.gif, ["gif"], "image/gif", "com.compuserve.gif", [.text("GIF8")]),
    (.webp, ["webp"], "image/webp", "org.webmproject.webp", [.text("RIFF") + .text("WEBP", at: 8)]),
    (.tiff, ["tif", "tiff"], "image/tiff", "public.tiff", [.text("II"), .text("MM")]),
    (.bmp, ["bmp", "dib"], "image/bmp", "com.microsoft.bmp", [.text("BM")]),
    (.heic, ["heic", "heif", "hif"], "image/heic", "public.heic", [.text("ftyp", at: 4)]),
    (.avif, ["avif"], "image/avif", "public.avif", [.text("ftyp", at: 4)]),
    (.psd, ["psd"], Self.photoshop, "com.adobe.photoshop-image", [.text("8BPS")]),
    (.psb, ["psb"], Self.photoshop, "com.adobe.photoshop-large-image", [.text("8BPS")]),
    // No color map or one, and one of six kinds of pixels: there is no signature.
    (
      .tga,
      ["tga", "targa", "vda", "icb", "vst"], nil, "com.truevision.tga-image",
      [.anyOf([0, 1], [1, 2, 3, 9, 10, 11], at: 1)]
    ),
    (.jp2, ["jp2", "jpf", "jpx", "jph"], "image/jp2", "public.jpeg-2000", [.text("jP  ", at: 4)]),
    (.j2k, ["j2k", "j2c", "jpc"], nil, "public.jpeg-2000", [.bytes(0xFF, 0x4F, 0xFF, 0x51)]),
    (
      .pnm,
      ["pnm", "pbm", "pgm", "ppm", "pam", "pfm"], nil, "public.pbm",
      [.anyOf(Array("P".utf8), Array("1234567Ff".utf8))]
    ),
    (.ico, ["ico"], "image/vnd.microsoft.icon", "com.microsoft.ico", [.bytes(0, 0, 1, 0)]),
    (.pcx, ["pcx"], nil, "cx.zsoft.pcx-image", [.bytes(10)]),
    (.sgi, ["sgi", "bw", "rgb", "rgba"], nil, "com.sgi.sgi-image", [.bytes(0x01, 0xDA)]),
    (.dds, ["dds"], nil, "com.microsoft.dds", [.text("DDS ")]),
    (.xcf, ["xcf"], nil, "org.gimp.xcf", [.text("gimp xcf ")]),
    (.jxl, ["jxl"], "image/jxl", "public.jpeg-xl", [.text("JXL ", at: 4), .bytes(0xFF, 0x0A)]),
    // The media type is the one that the format's author recommends.
    (.qoi, ["qoi"], "image/qoi", nil, [.text("qoif")]),
  ]

  private static let rawPictures: [Row] = [
    (.dng, ["dng", "gpr"], "image/x-adobe-dng", "com.adobe.raw-image", Self.tiffHead),
    (.cr2, ["cr2"], nil, "com.canon.cr2-raw-image", Self.tiffHead),
    (.cr3, ["cr3"], nil, "com.canon.cr3-raw-image", [.text("ftyp", at: 4)]),
    (.nef, ["nef", "nrw"], nil, "com.nikon.raw-image", Self.tiffHead),
    (.arw, ["arw", "sr2", "srf", "arq"], nil, "com.sony.arw-raw-image", Self.tiffHead),
    (.raf, ["raf"], nil, "com.fuji.raw-image", [.text("FUJIFILM")]),
    (.rw2, ["rw2", "rwl"], nil, "com.panasonic.rw2-raw-image", [.text("IIU")]),
    (.orf, ["orf", "ori"], nil, "com.olympus.raw-image", Self.tiffHead),
    (.crw, ["crw"], nil, "com.canon.crw-raw-image", [.text("HEAPCCDR", at: 6)]),
    (.pef, ["pef"], nil, "com.pentax.raw-image", Self.tiffHead),
    (.srw, ["srw"], nil, "com.samsung.raw-image", Self.tiffHead),
    (.threeFR, ["3fr", "fff"], nil, "com.hasselblad.3fr-raw-image", Self.tiffHead),
    (.iiq, ["iiq"], nil, "com.phaseone.raw-image", Self.tiffHead),
    (.dcr, ["dcr", "dcs"], nil, "com.kodak.raw-image", Self.tiffHead),
    (.kdc, ["kdc", "k25"], nil, "com.kodak.raw-image", Self.tiffHead),
    (.erf, ["erf"], nil, "com.epson.raw-image", Self.tiffHead),
    (.mef, ["mef"], nil, nil, Self.tiffHead),
    (.mos, ["mos"], nil, "com.leafamerica.raw-image", Self.tiffHead),
    (.mrw, ["mrw"], nil, "com.konicaminolta.raw-image", [.bytes(0, 0x4D, 0x52, 0x4D)]),
    (.x3f, ["x3f"], nil, nil, [.text("FOVb")]),
    (.raw, ["raw"], nil, "public.camera-raw-image", Self.tiffHead),
  ]

  private static let videos: [Row] = [
    (.mp4, ["mp4", "m4v", "insv"], "video/mp4", "public.mpeg-4", [.text("ftyp", at: 4)]),
    // QuickTime's oldest files have no ftyp.
    (
      .mov,
      ["mov", "qt"], "video/quicktime", "com.apple.quicktime-movie",
      [
        .text("ftyp", at: 4), .text("moov", at: 4), .text("mdat", at: 4), .text("wide", at: 4),
        .text("free", at: 4), .text("skip", at: 4), .text("pnot", at: 4),
      ]
    ),
    (.threeGP, ["3gp", "3gpp", "3g2"], "video/3gpp", "public.3gpp", [.text("ftyp", at: 4)]),
    (.mkv, ["mkv"], "video/matroska", "org.matroska.mkv", [Self.ebml]),
    (.webm, ["webm"], "video/webm", "org.webmproject.webm", [Self.ebml]),
    (.avi, ["avi"], "video/vnd.avi", "public.avi", [.text("RIFF") + .text("AVI ", at: 8)]),
    (.wmv, ["wmv", "asf"], "video/x-ms-wmv", "com.microsoft.windows-media-wmv", [Self.asf]),
    (.ts, ["ts", "m2t", "tod"], "video/mp2t", "public.mpeg-2-transport-stream", [.bytes(0x47)]),
    (
      .m2ts,
      ["m2ts", "mts"], "video/mp2t", "public.avchd-mpeg-2-transport-stream", [.bytes(0x47, at: 4)]
    ),
    (
      .mpg,
      ["mpg", "mpeg", "mpe", "mod", "vob", "vro", "m2p"], "video/mpeg", "public.mpeg",
      [.bytes(0, 0, 1, 0xBA)]
    ),
    (.m2v, ["m2v", "m1v", "mpv"], "video/mpeg", "public.mpeg-2-video", [.bytes(0, 0, 1, 0xB3)]),
    (.dv, ["dv", "dif"], "video/x-dv", "public.dv-movie", [.bytes(0x1F, 0x07, 0)]),
    (.flv, ["flv"], "video/x-flv", "com.adobe.flash.video", [.text("FLV")]),
    (.ogv, ["ogv", "ogm"], "video/ogg", "org.xiph.ogg-video", [.text("OggS")]),
  ]

  private static let sounds: [Row] = [
    (.m4a, ["m4a", "m4b"], "audio/mp4", "com.apple.m4a-audio", [.text("ftyp", at: 4)]),
    (.mp3, ["mp3"], "audio/mpeg", "public.mp3", []),
    (.aac, ["aac"], "audio/aac", "public.aac-audio", []),
    (
      .wav,
      ["wav", "wave", "bwf"], "audio/vnd.wave", "com.microsoft.waveform-audio",
      [
        .text("RIFF") + .text("WAVE", at: 8), .text("RF64") + .text("WAVE", at: 8),
        .text("BW64") + .text("WAVE", at: 8),
      ]
    ),
    (
      .aiff,
      ["aiff", "aif", "aifc"], "audio/aiff", "public.aiff-audio",
      [.text("FORM") + .text("AIFF", at: 8), .text("FORM") + .text("AIFC", at: 8)]
    ),
    (.flac, ["flac"], "audio/flac", "org.xiph.flac", [.text("fLaC"), .text("ID3")]),
    (.ogg, ["ogg", "oga", "opus", "spx"], "audio/ogg", "org.xiph.ogg-audio", [.text("OggS")]),
    (.wma, ["wma"], "audio/x-ms-wma", "com.microsoft.windows-media-wma", [Self.asf]),
    (.threeGA, ["3ga"], "audio/3gpp", nil, [.text("ftyp", at: 4)]),
    (.mka, ["mka"], "audio/matroska", "org.matroska.mka", [Self.ebml]),
    (.weba, ["weba"], "audio/webm", nil, [Self.ebml]),
  ]

  private static let photoshop = "image/vnd.adobe.photoshop"
  private static let tiffHead: [FileSignature] = [.text("II"), .text("MM")]
  private static let ebml = FileSignature.bytes(0x1A, 0x45, 0xDF, 0xA3)
  private static let asf = FileSignature.bytes(0x30, 0x26, 0xB2, 0x75)
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
