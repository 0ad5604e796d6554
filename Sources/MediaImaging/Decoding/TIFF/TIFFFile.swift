import CTIFF
import MediaContainers
import MediaModel

/// A TIFF in memory, opened by libtiff.
final class TIFFFile {
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

/// Counts a TIFF's pages without decoding them.
///
/// Source: TIFF 6.0 section 2; the BigTIFF design (libtiff).
enum TIFFPages {
  /// Returns the number of pages.
  ///
  /// - Throws: `damaged` if the pages form a loop, or one is outside the file; `overLimit` when
  ///   there are too many.
  static func count(
    _ bytes: UnsafeRawBufferPointer,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) -> Int {
    let source = ByteSource(bytes)
    let order: ByteOrder = source.holds("MM", at: 0) ? .big : .little
    func number(_ offset: Int, _ count: Int) -> Int? {
      source.number(at: offset, count: count, order: order)
    }
    let isLong = number(2, 2) == 43
    let (wordCount, countBytes, entryBytes) = isLong ? (8, 8, 20) : (4, 2, 12)
    var offset = number(isLong ? 8 : 4, wordCount) ?? 0
    var seen: Set<Int> = []
    while offset != 0 {
      guard seen.insert(offset).inserted, let entries = number(offset, countBytes),
        entries <= bytes.count / entryBytes,
        let next = number(offset + countBytes + entries * entryBytes, wordCount)
      else {
        if acceptDamaged { return seen.count }
        throw ImagingError(
          .damaged,
          "page \(seen.count) is not in the file, or its pages are a loop"
        )
      }
      try limits.check(frameCount: seen.count)
      offset = next
    }
    return seen.count
  }
}
