import MediaContainers
import MediaModel

/// Tells whether a TIFF, or a camera's raw file, has the strips, tiles and previews that its
/// directories point to.
///
/// Source: TIFF 6.0 sections 2, 8 and 15; TIFF/EP (ISO 12234-2); DNG 1.6; exiftool
/// `lib/Image/ExifTool/PanasonicRaw.pm` (RW2).
enum TIFFCompleteness {
  private typealias Tag = TIFFTag

  /// The most directories of a chain, and the most offsets and lengths of all strips and tiles, that
  /// are read: directories that share their values would let a small file cost any time.
  private static let maximumPages = 65_536
  private static let maximumNumbers = 1 << 22

  /// Pairs of tags with offsets and lengths: strips, tiles.
  private static let pieces = [
    (offsets: Tag.stripOffsets, lengths: Tag.stripByteCounts),
    (offsets: Tag.tileOffsets, lengths: Tag.tileByteCounts),
  ]
  private static let preview = (
    offset: Tag.jpegInterchangeFormat, length: Tag.jpegInterchangeFormatLength
  )
  private static let offsetTags = Set(
    pieces.flatMap { [$0.offsets, $0.lengths] }
      + [preview.offset, preview.length, Tag.panasonicData]
  )
  /// The tags without whose values the pixels of a raw file cannot be found. Cameras leave others
  /// broken; a TIFF has all of its values.
  private static let needed: Set<Int> = [
    Tag.stripOffsets, Tag.stripByteCounts, Tag.tileOffsets, Tag.tileByteCounts, Tag.subIFDs,
    Tag.panasonicPreview,
  ]

  /// Returns the part of a TIFF or of a raw file with its structure that is missing.
  static func missingPart(of source: ByteSource, format: MediaFormat) -> String? {
    guard let block = RawFacts.block(of: source, format: format) else { return nil }
    var left = maximumNumbers
    // Pages that share bytes would be as long as the file many times over, and are no sign of a part that is missing.
    var unread = block.range.count
    if format == .tiff {
      var pages = TIFFPages(source)
      for _ in 0..<maximumPages {
        guard let page = pages.next() else { break }
        unread -= block.extent(ofDirectoryAt: page)?.count ?? 0
        if unread < 0 { return nil }
        if let part = missingPart(ofDirectoryAt: page, of: block, format, &left) { return part }
      }
    }
    var isFirst = true
    for offset in TIFFDirectories(block) {
      // Sony's oldest raw files point to sensor data as if they were a directory.
      guard isFirst || isPlausible(offset, block) else { continue }
      isFirst = false
      if let part = missingPart(ofDirectoryAt: offset, of: block, format, &left) { return part }
    }
    return nil
  }

  /// Returns whether a value that is not within the file begins there: its end was cut off. A value of which
  /// nothing is there was never written, or is behind all that cameras write.
  private static func beginsWithin(_ block: TIFFBlock, valueOfEntryAt position: Int) -> Bool {
    let (source, form) = (block.source, block.form)
    guard
      let start = source.number(
        at: position + 4 + form.offsetLength,
        count: form.offsetLength,
        order: block.order
      )
    else { return false }
    return start >= form.headerLength && start < block.range.count
  }

  /// Returns whether the entries of a directory are in order and of known types, as far as they are
  /// there.
  private static func isPlausible(_ offset: Int, _ block: TIFFBlock) -> Bool {
    guard let extent = block.extent(ofDirectoryAt: offset) else {
      return offset > block.range.count
    }
    var last = -1
    for position in entries(of: extent, block) {
      guard let field = block.field(at: position), field.tag >= last,
        TIFFBlock.size(ofType: field.type) != nil
      else { return false }
      last = field.tag
    }
    return true
  }

  private static func entries(of extent: Range<Int>, _ block: TIFFBlock) -> StrideTo<Int> {
    stride(
      from: extent.lowerBound + block.form.countLength,
      to: extent.upperBound,
      by: block.form.entryLength
    )
  }

  private static func missingPart(
    ofDirectoryAt offset: Int,
    of block: TIFFBlock,
    _ format: MediaFormat,
    _ left: inout Int
  ) -> String? {
    let source = block.source
    guard let extent = block.extent(ofDirectoryAt: offset),
      let count = source.number(at: extent.lowerBound, count: block.form.countLength, order: block.order)
    else { return "a directory" }
    let entries = extent.lowerBound + block.form.countLength
    let room = (block.range.upperBound - entries) / block.form.entryLength
    guard count <= room else { return "a directory" }
    var numbers: [Int: [Int]] = [:]
    for position in Self.entries(of: extent, block) {
      guard let field = block.field(at: position) else { return "a directory" }
      if field.value == nil, TIFFBlock.size(ofType: field.type) != nil,
        format == .tiff || needed.contains(field.tag)
          || format == .dng && beginsWithin(block, valueOfEntryAt: position)
      {
        return "values of a directory"
      }
      guard offsetTags.contains(field.tag), numbers[field.tag] == nil else { continue }
      let values = field.numbers(of: source, order: block.order, limit: left)
      numbers[field.tag] = values
      left -= values?.count ?? 0
    }
    for (offsets, lengths) in pieces {
      guard var starts = numbers[offsets], let counts = numbers[lengths] else { continue }
      if format == .rw2, let start = numbers[Tag.panasonicData]?.first, starts.count == 1 {
        starts = [start]
      }
      for (start, count) in zip(starts, counts) where count > 0 {
        if !source.has(count, at: start) { return "strips or tiles" }
      }
    }
    if format == .tiff {
      // Some writers leave out the last offset, and none leaves a part of it. Cameras leave anything in
      // its place.
      let trailing = source.length - extent.upperBound
      if (1..<block.form.offsetLength).contains(trailing) { return "the end of a directory" }
      if let next = block.directory(after: offset), next > source.length { return "a directory" }
    }
    // The lengths of old JPEGs within a TIFF are often wrong, and no decoder goes by them.
    if format != .tiff, let start = numbers[preview.offset]?.first,
      let length = numbers[preview.length]?.first, start > 0, length > 0,
      !source.has(length, at: start)
    {
      return "a preview"
    }
    return nil
  }
}
