internal import CAV
import MediaModel

/// The films that browsers play as they are.
enum BrowserFilms {
  /// The codecs of pictures and of sound that a container may hold, by FFmpeg's names; every other film is
  /// converted, such as HEVC, ProRes, VP9 in MOV, MPEG-2, MPEG-4 part 2, DNxHD, MJPEG, AVI and WMV.
  ///
  /// Source: the HTML standard leaves formats to browsers; Chromium's media/base/mime_util_internal.cc and
  /// Firefox's dom/media/mp4/MP4Decoder.cpp have the lists. HEVC depends on the device, so it is not one of
  /// them.
  private static let table: [MediaFormat: (pictures: Set<String>, sound: Set<String>)] = [
    .mp4: (["h264", "av1", "vp9"], ["aac", "mp3", "opus", "flac"]),
    .mov: (["h264"], ["aac", "mp3"]),
    .webm: (["vp8", "vp9", "av1"], ["vorbis", "opus"]),
    .mkv: (["vp8", "vp9", "av1"], ["vorbis", "opus"]),
  ]

  /// Whether browsers play a film.
  ///
  /// - Parameters:
  ///   - format: Its container.
  ///   - pictures: FFmpeg's name of the pictures' codec.
  ///   - isPlain: Whether pictures have 8 bits a sample and colors of half the resolution, as H.264 has to have.
  ///   - sound: FFmpeg's name of the sound's codec; nil for a silent film.
  /// - Returns: Whether the table has it.
  static func play(
    _ format: MediaFormat,
    pictures: String,
    isPlain: Bool,
    sound: String?
  ) -> Bool {
    guard let row = table[format], row.pictures.contains(pictures) else { return false }
    return (isPlain || pictures != "h264") && (sound.map(row.sound.contains) ?? true)
  }
}

/// The sizes of a film that is made of another.
struct FilmLayout {
  /// The most pixels of the longer side, which decoders of H.264 in browsers take.
  private static let longest = 4096.0

  /// The size in pixels before the picture is turned, with square pixels; even.
  let stored: PixelSize

  /// - Parameters:
  ///   - picture: A picture of the film.
  ///   - height: The most pixels of the shorter side; nothing is enlarged.
  init(_ picture: cav_picture, height: Int) {
    var aspect = Double(picture.aspect_width) / Double(picture.aspect_height)
    // No camera has such an aspect ratio: the value is damaged.
    if !(0.1...10).contains(aspect) { aspect = 1 }
    let (wide, high) = (Double(picture.width) * aspect, Double(picture.height))
    let scale = min(1, Double(height) / min(wide, high), Self.longest / max(wide, high))
    func even(_ side: Double) -> Int { max(2, Int((side * scale / 2).rounded()) * 2) }
    // H.264 halves the resolution of colors, and has no odd sides; a side of 1081 becomes one of 1080.
    stored = PixelSize(width: even(wide - 0.5), height: even(high - 0.5))
  }
}
