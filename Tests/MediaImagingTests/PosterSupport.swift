import Foundation
import MediaModel
import MediaTestSupport

@testable import MediaImaging

/// Makes videos and sounds with ffmpeg, and posters with what is tested.
struct VideoBench {
  let bench = Bench()

  func path(_ name: String) -> String { bench.path(name) }

  func bytes(_ name: String) throws -> [UInt8] { try readBytes(path(name)) }

  func ffmpeg(_ arguments: String...) throws { try ffmpeg(arguments) }

  func ffmpeg(_ arguments: [String]) throws {
    let result = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y"] + arguments,
      in: bench.folder.path
    )
    guard result.status == 0 else { throw Complaint(text: result.error) }
  }

  /// A moving test picture, soft enough that chroma in half the size loses little of it.
  static func scene(_ width: Int = 640, _ height: Int = 360, seconds: Int = 1) -> String {
    "testsrc2=size=\(width)x\(height):rate=25:duration=\(seconds),gblur=sigma=8"
  }

  /// What ffmpeg shows of a video, as `name`.
  func frame(
    of video: String,
    at time: String = "0",
    filter: String,
    as name: String
  ) throws {
    try ffmpeg(
      "-ss",
      time,
      "-i",
      video,
      "-frames:v",
      "1",
      "-vf",
      filter + ":flags=area+accurate_rnd+full_chroma_inp",
      name
    )
  }

  /// Peak signal to noise of a thumbnail against a picture of ffmpeg's, in dB.
  func psnr(_ thumbnail: Thumbnail, _ name: String) throws -> Double {
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    return try bench.psnr("thumbnail.jpg", name)
  }

  /// Pixels of a file as ImageMagick reads them, R'G'B' of 8 bits.
  func pixels(_ name: String) throws -> [UInt8] {
    try bench.convert(name, "-depth", "8", "pixels.rgb")
    return try bytes("pixels.rgb")
  }
}

/// Thumbnails of one decoder, as a thumbnailer has them made.
func thumbnails(
  _ decoder: any MediaDecoder,
  of bytes: [UInt8],
  format: MediaFormat,
  limits: ImagingLimits = ImagingLimits(),
  _ specifications: [ThumbnailSpec]
) throws -> [Thumbnail] {
  let renderer = ThumbnailRenderer(profiles: ProfileConverter())
  return try bytes.withUnsafeBytes { bytes in
    try Result { () throws(ImagingError) in
      var thumbnails: [Thumbnail] = []
      try decoder.decode(
        DecodeRequest(
          bytes: bytes,
          format: format,
          libraryName: PictureDecoders.table[format]?.libraryName,
          demand: ThumbnailDemand(specifications: specifications, orientation: .upright),
          limits: limits,
          acceptDamaged: false
        )
      ) { (picture, demand) throws(ImagingError) in
        thumbnails += try renderer.thumbnails(of: picture, demand: demand)
      }
      return thumbnails
    }.get()
  }
}

func poster(
  of bytes: [UInt8],
  format: MediaFormat,
  limits: ImagingLimits = ImagingLimits(),
  _ specification: ThumbnailSpec = spec(256, 256, quality: 95)
) throws -> Thumbnail {
  let all = try thumbnails(PosterDecoder(), of: bytes, format: format, limits: limits, [specification])
  guard let first = all.first else { throw Complaint(text: "no thumbnail") }
  return first
}

/// The error's code, or nil when there is a poster.
func posterCode(
  of bytes: [UInt8],
  format: MediaFormat,
  limits: ImagingLimits = ImagingLimits()
) -> ImagingError.Code? {
  do {
    _ = try poster(of: bytes, format: format, limits: limits)
    return nil
  } catch {
    return (error as? ImagingError)?.code ?? .internal
  }
}
