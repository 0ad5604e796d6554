import MediaContainers
import MediaModel

/// How a HEIF picture is cropped and turned, as far as that can be done after its reduction.
///
/// Source: ISO/IEC 23008-12 sections 6.5.8 (imir), 6.5.10 (irot); ISO/IEC 14496-12 section 12.1.4
/// (clap); ISO/IEC 23000-22 section 7.3.6.7 (their order).
struct HEIFTransformation: Equatable {
  /// Of the picture as coded, in pixels.
  var left = 0
  var top = 0
  var size: PixelSize
  var orientation: Orientation

  /// - Returns: Nil when the properties stand in an order that is not this one: crop, turn, mirror.
  init?(_ items: HEIFItems, item: Int, size coded: PixelSize) {
    size = coded
    var (turn, rank) = (Turn(), 0)
    for property in items.properties(of: item) {
      let body = property.body
      switch property.type {
      case "clap":
        guard rank < 1 else { return nil }
        rank = 1
        guard let crop = Self.crop(items.source, body, coded) else { return nil }
        (left, top, size) = crop
      case "irot", "imir":
        let next = property.type == "irot" ? 2 : 3
        guard rank < next, !body.isEmpty else { return nil }
        rank = next
        turn.add(property, of: items.source)
      default: break
      }
    }
    orientation = Orientation(turn.orientation)
  }

  /// - Returns: Nil when the rectangle is empty, or not within the picture.
  private static func crop(
    _ source: ByteSource,
    _ body: Range<Int>,
    _ size: PixelSize
  ) -> (left: Int, top: Int, size: PixelSize)? {
    let numbers = (0..<8).compactMap { index in
      source.uint32(at: body.lowerBound + 4 * index)
        .map { Int(Int32(truncatingIfNeeded: $0)) }
    }
    guard body.count >= 32, numbers.count == 8, numbers[1] > 0, numbers[3] > 0, numbers[5] > 0,
      numbers[7] > 0
    else { return nil }
    let value = stride(from: 0, to: 8, by: 2).map { Double(numbers[$0]) / Double(numbers[$0 + 1]) }
    let (width, height) = (value[0].rounded(.down), value[1].rounded(.down))
    // The offset is that of the center.
    let left = (value[2] + (Double(size.width) - width) / 2).rounded(.down)
    let top = (value[3] + (Double(size.height) - height) / 2).rounded(.down)
    guard width >= 1, height >= 1, left >= 0, top >= 0, left + width <= Double(size.width),
      top + height <= Double(size.height)
    else { return nil }
    return (Int(left), Int(top), PixelSize(width: Int(width), height: Int(height)))
  }
}
