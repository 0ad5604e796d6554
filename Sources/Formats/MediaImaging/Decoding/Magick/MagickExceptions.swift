import CMagickWand

/// Collects ImageMagick's messages during one call, and frees them.
struct MagickExceptions: ~Copyable {
  let pointer: UnsafeMutablePointer<ExceptionInfo>

  init() { pointer = AcquireExceptionInfo() }

  deinit { DestroyExceptionInfo(pointer) }

  /// The messages so far, each with its severity.
  var messages: [MagickMessage] { Self.messages(in: pointer) }

  /// Returns the messages that a list of ImageMagick's holds, in their order.
  ///
  /// Source: struct _ExceptionInfo (magick/exception.h).
  static func messages(in list: UnsafePointer<ExceptionInfo>) -> [MagickMessage] {
    guard let list = list.pointee.exceptions.map({ OpaquePointer($0) }) else { return [] }
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
