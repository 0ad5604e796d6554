/// Writes GIMP documents of one color for each layer.
///
/// Source: GIMP, devel-docs/xcf.txt, version 0.
package enum TinyXCF {
  /// A layer; its place counts from the upper left corner of the canvas.
  package struct Layer {
    var width: Int
    var height: Int
    var x: Int
    var y: Int
    var color: [UInt8]
    var isVisible: Bool
    var stated: Int?

    /// Creates a layer of one color (R'G'B'A); `stated` is a width and height to write instead.
    package init(
      width: Int,
      height: Int,
      x: Int,
      y: Int,
      color: [UInt8],
      isVisible: Bool = true,
      stated: Int? = nil
    ) {
      (self.width, self.height, self.x, self.y) = (width, height, x, y)
      (self.color, self.isVisible, self.stated) = (color, isVisible, stated)
    }
  }

  /// Returns a document; its first layer is the topmost. `compression` 1 is run-length encoding.
  package static func file(
    width: Int,
    height: Int,
    layers: [Layer],
    compression: UInt8 = 1
  ) -> [UInt8] {
    var file = Array("gimp xcf file\0".utf8) + big(width) + big(height) + big(0)
    file += big(17) + big(1) + [compression] + big(0) + big(0)
    let pointers = file.count
    file += [UInt8](repeating: 0, count: 4 * (layers.count + 1) + 4)
    for (index, layer) in layers.enumerated() {
      file.replaceSubrange((pointers + 4 * index)..<(pointers + 4 * index + 4), with: big(file.count))
      append(layer, to: &file)
    }
    return file
  }

  private static func append(_ layer: Layer, to file: inout [UInt8]) {
    file += big(layer.stated ?? layer.width) + big(layer.stated ?? layer.height) + big(1)
    file += big(2) + Array("a\0".utf8)
    file += big(6) + big(4) + big(255) + big(8) + big(4) + big(layer.isVisible ? 1 : 0)
    file += big(15) + big(8) + big(layer.x) + big(layer.y) + big(0) + big(0)
    file += big(file.count + 8) + big(0)
    // The hierarchy with its one level, and the level with its tiles.
    file += big(layer.width) + big(layer.height) + big(4)
    file += big(file.count + 8) + big(0)
    file += big(layer.width) + big(layer.height)
    let (columns, rows) = ((layer.width + 63) / 64, (layer.height + 63) / 64)
    let pointers = file.count
    file += [UInt8](repeating: 0, count: 4 * (columns * rows + 1))
    for tile in 0..<(columns * rows) {
      let offset = pointers + 4 * tile
      file.replaceSubrange(offset..<(offset + 4), with: big(file.count))
      let width = min(64, layer.width - tile % columns * 64)
      let height = min(64, layer.height - tile / columns * 64)
      for sample in layer.color {
        var left = width * height
        while left > 0 {
          let count = min(left, 127)
          file += [UInt8(count - 1), sample]
          left -= count
        }
      }
    }
  }
}
