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
    handle = ctiff_open(file, Int64(maximumAllocation))
  }

  deinit {
    if let handle { TIFFClose(handle) }
    file.deallocate()
  }

  /// Returns the error that libtiff's messages so far mean; nil if the picture is whole.
  func error(isComplete: Bool) -> ImagingError? {
    let (error, warning) = (text(\.error), text(\.warning))
    // Use the severities of ImageMagick's TIFF reader, which receives the same messages.
    let judged = [
      error.isEmpty ? nil : MagickMessage(severity: 450, reason: error, description: "").error,
      warning.isEmpty ? nil : MagickMessage(severity: 350, reason: warning, description: "").error,
    ]
    if let error = judged.compactMap({ $0 }).first { return error }
    return isComplete ? nil : ImagingError(.damaged, "pixels end early")
  }

  private func text<Text>(_ path: KeyPath<ctiff_file, Text>) -> String {
    withUnsafeBytes(of: file.pointee[keyPath: path]) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
