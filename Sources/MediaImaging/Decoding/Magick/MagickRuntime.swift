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

  /// Returns ImageMagick's name of a format; nil for formats that it does not decode here.
  static func coderName(of format: MediaFormat) -> String? {
    switch format {
    case .tiff: "TIFF"
    case .bmp: "BMP"
    case .psd: "PSD"
    case .psb: "PSB"
    case .tga: "TGA"
    case .jp2: "JP2"
    case .j2k: "J2K"
    case .pnm: "PNM"
    case .ico: "ICO"
    case .pcx: "PCX"
    case .sgi: "SGI"
    case .dds: "DDS"
    case .xcf: "XCF"
    default: nil
    }
  }
}
