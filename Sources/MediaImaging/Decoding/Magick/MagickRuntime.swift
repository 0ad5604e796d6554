import CMagickWand
import MediaModel

/// The one start of ImageMagick in a process.
enum MagickRuntime {
  /// Starts the library and sets its limits, once; takes some 2 ms.
  ///
  /// Our worker processes are the parallelism, so it gets one thread; nothing may go to a disk, so a
  /// picture that does not fit in its memory is refused. The installed policy can only be stricter.
  static let isStarted: Bool = {
    MagickCoreGenesis(nil, MagickFalse)
    let limits: [(ResourceType, MagickSizeType)] = [
      (ThreadResource, 1), (MemoryResource, 1 << 30), (MapResource, 0), (DiskResource, 0),
      (WidthResource, 32_768), (HeightResource, 32_768), (AreaResource, 256_000_000),
    ]
    return limits.reduce(true) { SetMagickResourceLimit($1.0, $1.1) == MagickTrue && $0 }
  }()

  /// ImageMagick's own name of a format, or nil for what it does not decode for us.
  static func coderName(of format: MediaFormat) -> String? {
    switch format {
    case .tiff: "TIFF"
    case .bmp: "BMP"
    default: nil
    }
  }
}

/// Collects what ImageMagick says during one call, and frees it.
struct MagickExceptions: ~Copyable {
  let pointer: UnsafeMutablePointer<ExceptionInfo>

  init() { pointer = AcquireExceptionInfo() }

  deinit { DestroyExceptionInfo(pointer) }

  /// All messages so far, each with its severity.
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
