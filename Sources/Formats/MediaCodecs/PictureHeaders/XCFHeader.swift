package import MediaContainers
package import MediaModel

/// The header of a GIMP document, with the sizes of its layers.
///
/// Source: GIMP, devel-docs/xcf.txt.
package struct XCFHeader: PictureHeader {
  package let size: PixelSize
  package private(set) var layerPixelCount = 0
  /// Whether tiles are run-length encoded, as GIMP writes them unless told otherwise.
  package let isRunLength: Bool
  private var isCut = false

  private static let maximumCount = 4096
  private static let table = HeaderTable.big([
    .init("width", 14, 4), .init("height", 18, 4), .init("base_type", 22, 4, 0...2),
  ])

  package static func isFound(in source: ByteSource) -> Bool {
    source.holds("gimp xcf ", at: 0) && source.byte(at: 13) == 0
      && (source.holds("file", at: 9) || source.holds("v0", at: 9))
  }

  package init?(of source: ByteSource) {
    guard Self.isFound(in: source), let header = Self.table.read(source) else { return nil }
    size = header.size("width", "height")
    let isNumbered = source.holds("v", at: 9)
    let version = (10...12).reduce(0) { 10 * $0 + Int(source.uint8(at: $1) ?? 0) - 0x30 }
    let pointerLength = isNumbered && version >= 11 ? 8 : 4
    let properties = Self.properties(
      at: isNumbered && version >= 4 ? 30 : 26,
      of: source,
      limit: Self.maximumCount
    )
    isRunLength = properties.compression == 1
    isCut = !properties.isEnded
    var (position, count) = (properties.end, 0)
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
      let (sum, overflow) = layerPixelCount.addingReportingOverflow(layer.partialValue)
      layerPixelCount = layer.overflow || overflow ? Int.max / 2 : sum
      if Self.isCut(layerAt: pointer, pointerLength, of: source) { isCut = true }
    }
    if source.number(at: position, count: pointerLength) == nil { isCut = true }
  }

  /// Passes over properties up to the one of type 0; each has type, length and value.
  private static func properties(
    at start: Int,
    of source: ByteSource,
    limit: Int = .max
  ) -> (end: Int, isEnded: Bool, compression: Int) {
    var (position, compression, count) = (start, 0, 0)
    while count < limit, let type = source.uint32(at: position),
      let length = source.uint32(at: position + 4)
    {
      // PROP_COMPRESSION
      if type == 17 { compression = source.uint8(at: position + 8) ?? 0 }
      position += 8 + length
      count += 1
      if type == 0 { return (position, true, compression) }
    }
    return (position, false, compression)
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
    let properties = properties(at: start + 16 + nameLength, of: source)
    guard properties.isEnded, let hierarchy = pointer(properties.end),
      let level = pointer(hierarchy + 12)
    else { return true }
    var position = level + 8
    while let tile = pointer(position) {
      if tile == 0 { return false }
      position += pointerLength
    }
    return true
  }

  package func missingPart(of source: ByteSource) -> String? { isCut ? "a layer" : nil }
}
