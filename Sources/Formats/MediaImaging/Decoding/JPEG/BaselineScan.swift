import MediaContainers
import MediaModel

/// The tables and the only scan of a baseline JPEG.
///
/// Source: ITU-T T.81 annex B.
struct BaselineScan {
  let components: [JPEGFrame.Component]
  /// The numbers of the Huffman tables of each component.
  var tables: [(dc: Int, ac: Int)] = []
  /// The number of minimum coded units per row and per column.
  var columns = 0
  var rows = 0
  var dataOffset = 0
  var coding: CodingTables

  init?(_ bytes: UnsafeBufferPointer<UInt8>, _ header: JPEGHeader, _ coding: CodingTables) {
    self.coding = coding
    guard [0xC0, 0xC1].contains(header.frame.marker), let scan = header.scan,
      header.frame.components.count == 1 || header.frame.components.count == 3
    else { return nil }
    var components = header.frame.components
    if components.count == 1 {
      // Blocks of a scan of one component are not interleaved, regardless of its sampling factors.
      components[0].horizontal = 1
      components[0].vertical = 1
    }
    self.components = components
    let segments = JPEGSegments(ByteSource(UnsafeRawBufferPointer(bytes)))
    for segment in segments where JPEGMarker.isNeeded(segment.marker) {
      guard self.coding.read(segment.marker, Array(bytes[segment.body])) else { return nil }
    }
    guard readScanHeader(Array(bytes[scan.body])),
      zip(components, tables).allSatisfy({ component, table in
        self.coding.definedDC.contains(table.dc) && self.coding.definedAC.contains(table.ac)
          && component.quantization < 4 && self.coding.quantization[component.quantization].count == 64
      })
    else { return nil }
    dataOffset = scan.range.upperBound
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    columns = (header.pixelSize.width + 8 * widest - 1) / (8 * widest)
    rows = (header.pixelSize.height + 8 * tallest - 1) / (8 * tallest)
  }

  private mutating func readScanHeader(_ body: [UInt8]) -> Bool {
    let count = components.count
    guard body.count == 4 + 2 * count, Int(body[0]) == count else { return false }
    for (index, component) in components.enumerated() {
      let numbers = body[2 + 2 * index]
      guard component.identifier == body[1 + 2 * index], numbers & 0xCC == 0 else { return false }
      tables.append((dc: Int(numbers >> 4), ac: Int(numbers & 15)))
    }
    return body.suffix(3).elementsEqual([0, 63, 0])
  }
}
