internal import CAV
package import MediaModel

/// Converts films to H.264 and AAC in MP4, one after the other, and reuses memory and tables.
///
/// The film is upright, with square pixels, 8 bits a sample and the colors of sRGB; its index stands before its
/// data. FFmpeg's muxer and encoder leave traces in it, which stripping has to remove. An instance is not safe
/// to share between threads: each worker has its own.
package final class FilmConverter {
  /// The most pixels of a picture, those of 8K.
  private static let maximumPixels = 36_000_000

  private let buffers = PosterBuffers()

  /// Creates a converter, which takes no time.
  package init() {}

  /// Converts a film, unless browsers play it as it is.
  ///
  /// The largest track of pictures and the first one of sound are kept. Damage is passed over, as players do, as
  /// long as nine tenths of the film remain.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: The format found by content.
  ///   - height: The most pixels of the shorter side; nothing is enlarged.
  ///   - rotation: The degrees by which the upright film is turned, clockwise: 0, 90, 180 or 270.
  ///   - progress: Takes the hundredths of the film that are converted, each number from 0 to 99 once at most; not
  ///     called for one that browsers play.
  ///   - write: Takes bytes of the new film with their offset in it, in no order; not called for one that
  ///     browsers play, or that has no pictures.
  /// - Throws: ``ImagingError``: `decoderMissing` names the Debian package without which there is no encoder.
  package func convert(
    _ bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    height: Int,
    rotation: Int = 0,
    progress: (Int) -> Void = { _ in },
    write: @escaping (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(ImagingError) {
    let library = try AVLibrary.shared()
    var limits = ImagingLimits()
    limits.item.pixels = Self.maximumPixels
    let request = DecodeRequest(
      bytes: bytes,
      format: format,
      libraryName: PictureDecoders.table[format]?.libraryName,
      demand: ThumbnailDemand(specifications: [], orientation: .upright, rotation: rotation),
      limits: limits,
      acceptDamaged: true
    )
    let pictures = try AVReader.open(request, library: library)
    pictures.probe()
    guard let track = PosterDecoder.videoTrack(of: pictures) else { return }
    let sounds = pictures.streams.enumerated().filter {
      $0.element.kind == Int32(CAV_KIND_AUDIO.rawValue)
    }
    let plays = BrowserFilms.play(
      format,
      pictures: track.stream.name,
      isPlain: cav_is_plain(pictures.pointer, Int32(track.index)),
      sound: sounds.first?.element.name
    )
    if plays { return }
    try limits.check(width: Int(track.stream.width), height: Int(track.stream.height))
    try pictures.select(track.index)
    pictures.readAll()
    var sound: AVReader?
    if let first = sounds.first?.offset {
      let reader = try AVReader.open(request, library: library)
      reader.probe()
      try reader.select(first)
      reader.readAll()
      sound = reader
    }
    let orientation = request.demand.shown(pictures.orientation(of: track.index))
    try convert(pictures, track, sound, orientation, height: height, library, progress, write)
  }

  private func convert(
    _ pictures: AVReader,
    _ track: PosterDecoder.Track,
    _ sound: AVReader?,
    _ orientation: Orientation,
    height: Int,
    _ library: AVLibrary,
    _ progress: (Int) -> Void,
    _ write: @escaping AVWriter.Sink
  ) throws(ImagingError) {
    var begun: (size: PixelSize, film: AVWriter)?
    var hasSound = sound != nil
    let duration = max(1, Int(clamping: track.stream.duration_ms))
    var percent = -1
    while let picture = try pictures.nextPicture(before: .max) {
      let color = PosterColor(picture)
      if begun == nil {
        let size = FilmLayout(picture, height: height).stored
        let film = Self.film(size, orientation, color, pictures.durationMilliseconds ?? 0)
        begun = (size, try AVWriter(film, of: pictures, sound, library, write))
      }
      guard let (size, film) = begun else { break }
      // A film may be longer than it says.
      let next = min(99, Int(Double(film.writtenMilliseconds) / Double(duration) * 100))
      if next > percent {
        percent = next
        progress(next)
      }
      try add(color, size, pictures, to: film)
      while hasSound, let sound, film.soundMilliseconds < film.writtenMilliseconds {
        hasSound = try sound.nextAudio() != nil
        if hasSound { try film.addSound(of: sound) }
      }
    }
    guard let writer = begun?.film else { throw ImagingError(.damaged, "no picture decodes") }
    while hasSound, let sound, try sound.nextAudio() != nil { try writer.addSound(of: sound) }
    let written = writer.writtenMilliseconds
    guard written * 10 >= Int(track.stream.duration_ms) * 9 else {
      throw ImagingError(.damaged, "it ends after \(written / 1000) s")
    }
    try writer.finish()
  }

  private func add(
    _ color: PosterColor,
    _ size: PixelSize,
    _ pictures: AVReader,
    to film: AVWriter
  ) throws(ImagingError) {
    var pixels: UnsafeMutablePointer<UInt8>?
    if let kind = color.conversion {
      let count = size.width * size.height
      let wide = try buffers.wide.reserve(count * 8)
      try pictures.resize(
        matrix: color.matrix,
        isFullRange: color.isFullRange,
        bits: 16,
        to: size,
        into: wide
      )
      let samples = UnsafeMutableRawPointer(wide).assumingMemoryBound(to: UInt16.self)
      let narrow = try buffers.candidate.reserve(count * 4)
      buffers.conversion(kind).convert(UnsafePointer(samples), to: narrow, count: count)
      pixels = narrow
    }
    try film.addPicture(of: pictures, pixels, color)
  }

  /// The film that is made of one whose pictures have this size before they are turned.
  ///
  /// The room for its index is 32 MiB, and 16 KiB for each second, which are 240 pictures and 100 packets of
  /// sound with their offsets. What is not used is never written.
  private static func film(
    _ size: PixelSize,
    _ orientation: Orientation,
    _ color: PosterColor,
    _ milliseconds: Int
  ) -> cav_film {
    // BT.709, unless the colors stay as they are: then the matrix is that of the source.
    let isOld = color.conversion == nil && color.matrix != 1
    let code: Int32 = isOld ? 6 : 1
    return cav_film(
      width: Int32(orientation.isTransposed ? size.height : size.width),
      height: Int32(orientation.isTransposed ? size.width : size.height),
      is_transposed: orientation.isTransposed,
      flips_x: orientation.flipsX,
      flips_y: orientation.flipsY,
      primaries: code,
      transfer: code,
      matrix: code,
      index_bytes: Int64(32 << 20) + Int64(min(milliseconds, 1 << 28)) * 16
    )
  }
}

/// A film that FFmpeg writes.
final class AVWriter {
  /// Takes bytes of the film with their offset in it.
  typealias Sink = (Int64, UnsafeRawBufferPointer) -> Void

  /// Keeps the function where C can find it.
  private final class Box {
    let write: Sink
    init(_ write: @escaping Sink) { self.write = write }
  }

  private let box: Box
  private let library: AVLibrary
  private var pointer: OpaquePointer?

  /// Begins a film.
  ///
  /// - Parameters:
  ///   - film: Its size and colors.
  ///   - pictures: A reader that has a picture.
  ///   - sound: A reader that has a stream selected; nil for a silent film.
  ///   - library: Does the work.
  ///   - write: Takes bytes of the film.
  /// - Throws: `decoderMissing` without an encoder of H.264; `overLimit`, `damaged`.
  init(
    _ film: cav_film,
    of pictures: AVReader,
    _ sound: AVReader?,
    _ library: AVLibrary,
    _ write: @escaping Sink
  ) throws(ImagingError) {
    (box, self.library) = (Box(write), library)
    var film = film
    var result: Int32 = 0
    pointer = cav_create(
      library.pointer,
      pictures.pointer,
      sound?.pointer,
      &film,
      { context, offset, bytes, count in
        guard let context, let bytes else { return -1 }
        let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
        box.write(offset, UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        return 0
      },
      Unmanaged.passUnretained(box).toOpaque(),
      &result
    )
    guard pointer != nil else {
      guard result == Int32(CAV_UNSUPPORTED.rawValue) else {
        throw AVReader.error(result, "the encoder of H.264")
      }
      throw ImagingError(.decoderMissing, "\(Self.package) with libx264")
    }
  }

  deinit { if let pointer { cav_discard(pointer) } }

  /// The Debian package that has the encoders.
  private static var package: String { String(cString: cav_encoder_package()) }

  /// Adds the last picture of a reader; `pixels` has it as R'G'B'A, if its colors were converted.
  func addPicture(
    of pictures: AVReader,
    _ pixels: UnsafePointer<UInt8>?,
    _ color: PosterColor
  ) throws(ImagingError) {
    try check(
      cav_add_picture(pointer, pictures.pointer, pixels, color.matrix, color.isFullRange),
      "the encoding of its pictures"
    )
  }

  /// Adds the last sound of a reader.
  func addSound(of sound: AVReader) throws(ImagingError) {
    try check(cav_add_sound(pointer, sound.pointer), "the conversion of its sound")
  }

  /// The end of the pictures so far.
  var writtenMilliseconds: Int { Int(cav_written_ms(pointer)) }

  /// The end of the sound so far; `Int.max` of a silent film.
  var soundMilliseconds: Int { Int(cav_sound_ms(pointer)) }

  /// Writes the rest; nothing can be added any more.
  func finish() throws(ImagingError) {
    let film = pointer
    pointer = nil
    try check(cav_finish(film), "the end of the film")
  }

  private func check(_ result: Int32, _ step: String) throws(ImagingError) {
    guard result == 0 else { throw AVReader.error(result, step) }
  }
}
