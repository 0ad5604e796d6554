import CMagickWand
import MediaModel

/// Initializes ImageMagick once per process.
enum MagickRuntime {
  /// Starts the library and sets its limits, once; this takes some 2 ms.
  ///
  /// It gets one thread, since the worker processes are the parallelism. It may not use the disk,
  /// so a picture that does not fit in its memory is refused. The installed policy can only be
  /// stricter.
  static let isStarted: Bool = {
    MagickWandGenesis()
    let limits: [(ResourceType, MagickSizeType)] = [
      (ThreadResource, 1), (MemoryResource, 1 << 30), (MapResource, 0), (DiskResource, 0),
      (WidthResource, 32_768), (HeightResource, 32_768), (AreaResource, 256_000_000),
    ]
    let areSet = limits.reduce(true) {
      MagickSetResourceLimit($1.0, $1.1) == MagickTrue && $0
    }
    return areSet && MagickHandle.givesMessages
  }()

  /// Whether ImageMagick's policy allows it to hold a picture of this size, in pixels; it ends the process
  /// when it has to refuse one later. `layers` is the number of pixels that are held at the same time.
  static func allows(_ size: PixelSize, besides layers: Int = 0) -> Bool {
    // Before the start the limits are others.
    guard isStarted else { return false }
    let pixels = size.width * size.height + layers
    // Four samples of 16 bits.
    return pixels <= MagickGetResourceLimit(MemoryResource) / 8
      && pixels <= MagickGetResourceLimit(AreaResource)
      && size.width <= MagickGetResourceLimit(WidthResource)
      && size.height <= MagickGetResourceLimit(HeightResource)
  }
}
