import CTIFF
import MediaContainers
import MediaModel

/// Decodes the first page of a TIFF: gray, palettes, RGB and CMYK of up to 16 bits per sample.
///
/// Other kinds (Lab, floating point, separate planes, old-style JPEG) are left to another decoder.
///
/// Source: TIFFReadEncodedStrip, TIFFReadScanline, TIFFReadEncodedTile (libtiff 4.5); TIFF 6.0.
final class TIFFDecoder: PictureDecoder {
  /// The maximum number of bytes of one libtiff allocation, and of one read.
  private static let maximumAllocation = 256 << 20
  /// The number of bytes of a strip above which it is read row by row.
  private static let stripByteCount = 32 << 20

  private let reducer = PixelReducer()
  private let buffer = PlaneBuffer()
  private let profiles: ProfileConverter
  private let other: any PictureDecoder

  init(profiles: ProfileConverter, other: any PictureDecoder) {
    self.profiles = profiles
    self.other = other
  }

  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
    reducer.trim(above: byteCount)
    other.trim(above: byteCount)
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    var pages = TIFFPages(ByteSource(request.bytes))
    var pageCount = 0
    while pages.next() != nil {
      pageCount += 1
      try request.limits.check(frameCount: pageCount)
    }
    guard pageCount > 0, request.acceptDamaged || pages.damage == nil else {
      throw ImagingError(.damaged, "no page, or page \(pageCount + 1) is not in the file")
    }
    if !request.acceptDamaged { try checkTags(of: ByteSource(request.bytes)) }
    let file = LibTIFFFile(request.bytes, maximumAllocation: Self.maximumAllocation)
    let page = try TIFFPage(file, limits: request.limits)
    guard page.isPlain else {
      return try other.decode(request)
    }
    let expander = try TIFFExpander(page)
    let ink =
      page.layout == .cmyk
      ? page.profile.flatMap { profiles.transform(from: $0, layout: .cmyk) } : nil
    try reducer.begin(
      size: page.size,
      layout: page.layout,
      depth: expander.depth,
      factor: PixelReducer.factor(for: request.demand.scale(for: page.size)),
      ink: ink,
      isMultiplied: page.isMultiplied
    )
    let isComplete =
      page.tile == nil
      ? try readStrips(file, page, expander, request.acceptDamaged)
      : try readTiles(file, page, expander, request.acceptDamaged)
    if !request.acceptDamaged, let error = file.error(isComplete: isComplete) { throw error }
    return DecodedPicture(
      planar: try reducer.finish(),
      size: page.size,
      profile: page.layout == .cmyk ? nil : page.profile
    )
  }

  /// Checks that the value of each tag is in the file: libtiff does without many of them, but the file
  /// was cut.
  private func checkTags(of source: ByteSource) throws(ImagingError) {
    guard let block = TIFFBlock(file: source) else { return }
    if let tag = block.incompleteTag(inDirectoryAt: block.firstDirectory) {
      throw ImagingError(.damaged, "tag \(tag) is not in the file")
    }
  }

  private func readStrips(
    _ file: LibTIFFFile,
    _ page: TIFFPage,
    _ expander: TIFFExpander,
    _ acceptDamaged: Bool
  ) throws(ImagingError) -> Bool {
    let rowsPerStrip = min(page.rowsPerStrip, page.size.height)
    let byteCount = rowsPerStrip * page.rowByteCount
    if byteCount > Self.stripByteCount {
      let row = try buffer.reserve(page.rowByteCount)
      for y in 0..<page.size.height {
        row.update(repeating: 128, count: page.rowByteCount)
        guard TIFFReadScanline(file.handle, row, UInt32(y), 0) == 1 else { return false }
        try reducer.add(expander.expand(row))
      }
      return true
    }
    let strip = try buffer.reserve(byteCount)
    var isComplete = true
    for first in stride(from: 0, to: page.size.height, by: rowsPerStrip) {
      let rowCount = min(rowsPerStrip, page.size.height - first)
      let wanted = rowCount * page.rowByteCount
      // libtiff can report a whole strip and leave bytes of the buffer unchanged.
      strip.update(repeating: 128, count: wanted)
      let read = TIFFReadEncodedStrip(file.handle, UInt32(first / rowsPerStrip), strip, Int64(wanted))
      let count = max(0, Int(read))
      if count != wanted {
        isComplete = false
        guard acceptDamaged else { return false }
        (strip + count).update(repeating: 128, count: wanted - count)
      }
      for y in 0..<rowCount { try reducer.add(expander.expand(strip + y * page.rowByteCount)) }
    }
    return isComplete
  }

  private func readTiles(
    _ file: LibTIFFFile,
    _ page: TIFFPage,
    _ expander: TIFFExpander,
    _ acceptDamaged: Bool
  ) throws(ImagingError) -> Bool {
    guard let tile = page.tile else { return false }
    let tileRow = Int(TIFFTileRowSize(file.handle))
    let across = (page.size.width + tile.width - 1) / tile.width
    let (tileBytes, overflow) = tileRow.multipliedReportingOverflow(by: tile.height)
    guard tileRow > 0, !overflow, tileBytes <= Self.maximumAllocation / across else {
      throw ImagingError(.overLimit, "pixels: tiles of \(tile.width)x\(tile.height)")
    }
    // Reserve one row of tiles side by side, followed by one row of the picture.
    let tiles = try buffer.reserve(tileBytes * across + tileRow * across)
    let row = tiles + tileBytes * across
    var isComplete = true
    for first in stride(from: 0, to: page.size.height, by: tile.height) {
      for column in 0..<across {
        let target = tiles + column * tileBytes
        let index = TIFFComputeTile(file.handle, UInt32(column * tile.width), UInt32(first), 0, 0)
        // libtiff leaves the rest of the buffer unchanged if a tile ends early.
        if acceptDamaged { target.update(repeating: 128, count: tileBytes) }
        if TIFFReadEncodedTile(file.handle, index, target, Int64(tileBytes)) != tileBytes {
          isComplete = false
          guard acceptDamaged else { return false }
        }
      }
      for y in 0..<min(tile.height, page.size.height - first) {
        for column in 0..<across {
          let source = tiles + (column * tileBytes + y * tileRow)
          (row + column * tileRow).update(from: source, count: tileRow)
        }
        try reducer.add(expander.expand(row))
      }
    }
    return isComplete
  }
}
