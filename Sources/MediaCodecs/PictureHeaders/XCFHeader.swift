package import MediaContainers
package import MediaModel

/// The header of a GIMP document, with the sizes of its layers.
///
/// Source: GIMP, devel-docs/xcf.txt.
package struct XCFHeader: PictureHeader {
  package let size: PixelSize
  package let layerPixelCount: Int
  /// Whether tiles are run-length encoded, as GIMP writes them unless told otherwise.
  package let isRunLength: Bool
  private let isCut: Bool

  private static let maximumCount = 4096

  package static func isFound(in source: ByteSource) -> Bool {
    source.holds("gimp xcf ", at: 0) && source.byte(at: 13) == 0
      && (source.holds("file", at: 9) || source.holds("v0", at: 9))
  }

  package init?(of source: ByteSource) {
    guard Self.isFound(in: source), let width = source.uint32(at: 14),
      let height = source.uint32(at: 18), let type = source.uint32(at: 22), type <= 2
    else { return nil }
    size = PixelSize(width: width, height: height)
    let version = (10...12).reduce(0) { 10 * $0 + Int(source.uint8(at: $1) ?? 0) - 0x30 }
    let isNumbered = source.holds("v", at: 9)
    var position = isNumbered && version >= 4 ? 30 : 26
    let pointerLength = isNumbered && version >= 11 ? 8 : 4
    var (isCut, pixels, count) = (false, 0, 0)
    var (compression, isEnded) = (0, false)
    // Properties up to the one of type 0; each has type, length and value.
    while let type = source.uint32(at: position), let length = source.uint32(at: position + 4),
      count < Self.maximumCount
    {
      if type == 17 { compression = source.uint8(at: position + 8) ?? 0 }
      position += 8 + length
      count += 1
      isEnded = type == 0
      if isEnded { break }
    }
    if !isEnded { isCut = true }
    count = 0
    while let pointer = source.number(at: position, count: pointerLength), pointer > 0,
      count < Self.maximumCount
    {
      position += pointerLength
      count += 1
      guard let width = source.uint32(at: pointer), let height = source.uint32(at: pointer + 4)
      else {
        isCut = true
        break
      }
      let layer = width.multipliedReportingOverflow(by: height)
      let (sum, overflow) = pixels.addingReportingOverflow(layer.partialValue)
      pixels = layer.overflow || overflow ? Int.max / 2 : sum
      if Self.isCut(layerAt: pointer, pointerLength, of: source) { isCut = true }
    }
    if source.number(at: position, count: pointerLength) == nil { isCut = true }
    isRunLength = compression == 1
    (self.isCut, layerPixelCount) = (isCut, pixels)
  }

  /// Whether a layer's tables or the start of a tile lie behind the end.
  private static func isCut(
    layerAt start: Int,
    _ pointerLength: Int,
    of source: ByteSource
  ) -> Bool {
    func pointer(_ offset: Int) -> Int? {
      source.number(at: offset, count: pointerLength).flatMap { $0 < source.length ? $0 : nil }
    }
    // Width, height, type, a name with its length, properties, and the hierarchy of tiles.
    guard let nameLength = source.uint32(at: start + 12) else { return true }
    var position = start + 16 + nameLength
    while true {
      guard let type = source.uint32(at: position), let length = source.uint32(at: position + 4)
      else { return true }
      position += 8 + length
      if type == 0 { break }
    }
    guard let hierarchy = pointer(position), let level = pointer(hierarchy + 12) else {
      return true
    }
    position = level + 8
    while let tile = pointer(position) {
      if tile == 0 { return false }
      position += pointerLength
    }
    return true
  }

  package func missingPart(of source: ByteSource) -> String? { isCut ? "a layer" : nil }
}
