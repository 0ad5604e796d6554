import CMagickWand
import MediaModel

/// Owns a wand: a list of pictures with the messages about them.
///
/// Source: wand/MagickWand.h, wand/magick-image.h (ImageMagick 6).
struct MagickHandle: ~Copyable {
  /// The wand, for the functions of MagickWand.
  let wand: OpaquePointer

  /// Creates a wand without pictures.
  ///
  /// - Throws: `internal` if the library does not start, `overLimit` if memory runs out.
  init() throws(ImagingError) {
    guard MagickRuntime.isStarted else { throw ImagingError(.internal, "MagickWandGenesis") }
    guard let wand = NewMagickWand() else { throw ImagingError(.overLimit, "NewMagickWand") }
    self.wand = wand
  }

  /// Takes a wand that a function of MagickWand has made, or one from before the library's start.
  private init(taking wand: OpaquePointer) { self.wand = wand }

  deinit { DestroyMagickWand(wand) }

  /// All messages of the wand's functions so far; MagickGetException gives only the gravest.
  var messages: [MagickMessage] {
    cmagick_exceptions(wand).map { MagickExceptions.messages(in: $0) } ?? []
  }

  /// The first message that is an error.
  var error: ImagingError? { messages.lazy.compactMap(\.error).first }

  /// The current picture's size in pixels.
  var size: PixelSize {
    PixelSize(
      width: Int(clamping: MagickGetImageWidth(wand)),
      height: Int(clamping: MagickGetImageHeight(wand))
    )
  }

  /// Whether the current picture has transparency.
  var hasAlpha: Bool { MagickGetImageAlphaChannel(wand) != MagickFalse }

  /// Returns a profile of the current picture by ImageMagick's name for it; empty if it has none.
  func profile(_ name: String) -> [UInt8] {
    var count = 0
    guard let start = MagickGetImageProfile(wand, name, &count) else { return [] }
    defer { MagickRelinquishMemory(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// Returns a wand with one picture of `canvas`: all pictures of this one at their places, the first
  /// one lowest, and transparency where none is.
  ///
  /// - Throws: `overLimit` if memory runs out.
  ///
  /// Source: MagickMergeImageLayers, FlattenLayer; MergeImageLayers takes the canvas's size and its
  /// background from the first picture.
  consuming func flattened(on canvas: PixelSize) throws(ImagingError) -> MagickHandle {
    MagickSetFirstIterator(wand)
    var (width, height, x, y) = (0, 0, 0, 0)
    MagickGetImagePage(wand, &width, &height, &x, &y)
    MagickSetImagePage(wand, canvas.width, canvas.height, x, y)
    guard let background = NewPixelWand() else { throw ImagingError(.overLimit, "NewPixelWand") }
    defer { DestroyPixelWand(background) }
    PixelSetColor(background, "none")
    MagickSetImageBackgroundColor(wand, background)
    guard let merged = MagickMergeImageLayers(wand, FlattenLayer) else {
      throw error ?? ImagingError(.overLimit, "MagickMergeImageLayers")
    }
    return MagickHandle(taking: merged)
  }

  /// Whether a wand's messages are where ``messages`` reads them: one that is provoked is there.
  static var givesMessages: Bool {
    guard let wand = NewMagickWand() else { return false }
    let handle = MagickHandle(taking: wand)
    guard let list = cmagick_exceptions(wand), list.pointee.signature == cmagick_signature else {
      return false
    }
    // There is no picture whose width could be told.
    _ = MagickGetImageWidth(wand)
    let severity = MagickGetExceptionType(wand)
    return severity.rawValue > 0
      && handle.messages.contains { $0.severity == Int(severity.rawValue) }
  }
}
