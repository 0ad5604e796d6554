import CTIFF

/// A TIFF in memory, opened by libtiff.
final class LibTIFFFile {
  /// The libtiff handle; nil if libtiff finds no first page.
  let handle: OpaquePointer?
  private let file: UnsafeMutablePointer<ctiff_file>

  /// Opens a file whose bytes must outlive this object.
  init(_ bytes: UnsafeRawBufferPointer, maximumAllocation: Int) {
    file = .allocate(capacity: 1)
    file.initialize(to: ctiff_file())
    file.pointee.bytes = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    file.pointee.count = bytes.count
    file.pointee.is_damage = { module, text in
      guard let module, let text else { return 0 }
      let message = TIFFMessage(
        module: String(cString: module),
        text: String(cString: text),
        isError: false
      )
      return message.isDamage ? 1 : 0
    }
    handle = ctiff_open(file, Int64(maximumAllocation))
  }

  deinit {
    if let handle { TIFFClose(handle) }
    file.deallocate()
  }

  /// Returns the error that libtiff's messages so far mean; nil if the picture is whole.
  ///
  /// Messages about tags count only if libtiff could not open the page.
  func error(isComplete: Bool) -> ImagingError? {
    for message in [text(\.error), text(\.warning)] where !message.isEmpty {
      return ImagingError(.damaged, message)
    }
    return isComplete ? nil : ImagingError(.damaged, "pixels end early")
  }

  private func text<Text>(_ path: KeyPath<ctiff_file, Text>) -> String {
    withUnsafeBytes(of: file.pointee[keyPath: path]) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
