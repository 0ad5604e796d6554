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
    MagickCoreGenesis(nil, MagickFalse)
    let limits: [(ResourceType, MagickSizeType)] = [
      (ThreadResource, 1), (MemoryResource, 1 << 30), (MapResource, 0), (DiskResource, 0),
      (WidthResource, 32_768), (HeightResource, 32_768), (AreaResource, 256_000_000),
    ]
    return limits.reduce(true) { SetMagickResourceLimit($1.0, $1.1) == MagickTrue && $0 }
  }()

  /// Returns ImageMagick's name of a format; nil for formats that it does not decode here.
  static func coderName(of format: MediaFormat) -> String? {
    switch format {
    case .tiff: "TIFF"
    case .bmp: "BMP"
    default: nil
    }
  }
}

/// Collects ImageMagick's messages during one call, and frees them.
struct MagickExceptions: ~Copyable {
  let pointer: UnsafeMutablePointer<ExceptionInfo>

  init() { pointer = AcquireExceptionInfo() }

  deinit { DestroyExceptionInfo(pointer) }

  /// The messages so far, each with its severity.
  var messages: [MagickMessage] {
    guard let list = pointer.pointee.exceptions.map({ OpaquePointer($0) }) else { return [] }
    var messages: [MagickMessage] = []
    ResetLinkedListIterator(list)
    while let next = GetNextValueInLinkedList(list) {
      let exception = next.assumingMemoryBound(to: ExceptionInfo.self).pointee
      messages.append(
        MagickMessage(
          severity: Int(exception.severity.rawValue),
          reason: exception.reason.map { String(cString: $0) } ?? "",
          description: exception.description.map { String(cString: $0) } ?? ""
        )
      )
    }
    return messages
  }
}
