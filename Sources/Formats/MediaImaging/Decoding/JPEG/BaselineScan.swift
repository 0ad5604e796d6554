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
  var restartInterval = 0
  var dataOffset = 0
  var quantization = [[Int32]](repeating: [], count: 4)
  let dcTables: [HuffmanTable]
  let acTables: [HuffmanTable]

  init?(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ header: JPEGHeader,
    _ dcTables: [HuffmanTable],
    _ acTables: [HuffmanTable]
  ) {
    self.dcTables = dcTables
    self.acTables = acTables
    var (hasDC, hasAC) = (Set<Int>(), Set<Int>())
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
      let body = Array(bytes[segment.body])
      switch segment.marker {
      case JPEGMarker.dht: guard readTables(body, &hasDC, &hasAC) else { return nil }
      case JPEGMarker.dqt: guard readQuantization(body) else { return nil }
      case JPEGMarker.dri:
        guard body.count == 2 else { return nil }
        restartInterval = Int(body[0]) << 8 | Int(body[1])
      case JPEGMarker.dac, JPEGMarker.dnl: return nil
      default: break
      }
    }
    guard readScanHeader(Array(bytes[scan.body])),
      zip(components, tables).allSatisfy({ component, table in
        hasDC.contains(table.dc) && hasAC.contains(table.ac) && component.quantization < 4
          && quantization[component.quantization].count == 64
      })
    else { return nil }
    dataOffset = scan.range.upperBound
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    columns = (header.pixelSize.width + 8 * widest - 1) / (8 * widest)
    rows = (header.pixelSize.height + 8 * tallest - 1) / (8 * tallest)
  }

  private func readTables(
    _ body: [UInt8],
    _ hasDC: inout Set<Int>,
    _ hasAC: inout Set<Int>
  ) -> Bool {
    var at = 0
    while at < body.count {
      guard at + 17 <= body.count, body[at] & 0xEC == 0 else { return false }
      let (isAC, index) = (body[at] & 0x10 != 0, Int(body[at] & 3))
      let counts = body[(at + 1)..<(at + 17)].map(Int.init)
      let end = at + 17 + counts.reduce(0, +)
      guard end <= body.count else { return false }
      let table = isAC ? acTables[index] : dcTables[index]
      guard table.fill(counts: counts, values: Array(body[(at + 17)..<end]), isAC: isAC) else {
        return false
      }
      if isAC { hasAC.insert(index) } else { hasDC.insert(index) }
      at = end
    }
    return true
  }

  private mutating func readQuantization(_ body: [UInt8]) -> Bool {
    var at = 0
    while at < body.count {
      let isWide = body[at] >> 4 == 1
      let length = isWide ? 128 : 64
      guard body[at] & 0xEC == 0, at + 1 + length <= body.count else { return false }
      quantization[Int(body[at] & 3)] = (0..<64).map { index in
        isWide
          ? Int32(body[at + 1 + 2 * index]) << 8 | Int32(body[at + 2 + 2 * index])
          : Int32(body[at + 1 + index])
      }
      at += 1 + length
    }
    return true
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
