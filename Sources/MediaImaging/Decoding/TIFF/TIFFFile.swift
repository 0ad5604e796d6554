import CTIFF
import MediaContainers
import MediaModel

/// A TIFF in memory that libtiff has open.
final class TIFFFile {
  /// Nil when libtiff finds no first page.
  let handle: OpaquePointer?
  private let file: UnsafeMutablePointer<ctiff_file>

  /// The bytes must outlive this.
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

  /// What is wrong, by what libtiff said so far; nil when the picture is whole.
  func error(isComplete: Bool) -> ImagingError? {
    let (error, warning) = (text(\.error), text(\.warning))
    // The severities of ImageMagick's own TIFF reader, which hears the same texts.
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

/// Walks a TIFF's pages without reading them.
///
/// Source: TIFF 6.0 section 2; the BigTIFF design (libtiff).
enum TIFFPages {
  /// - Throws: `damaged` when the pages make a loop, or one is not in the file; `overLimit` when
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
