/// The tables and the only scan of a baseline JPEG.
///
/// Source: ITU-T T.81 annex B.
struct BaselineScan {
  struct Component {
    var identifier: UInt8
    var horizontal: Int
    var vertical: Int
    var quantization: Int
    var dcTable = 0
    var acTable = 0
  }

  var components: [Component] = []
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
    for segment in header.segments {
      let body = Array(bytes[(segment.lowerBound + 4)..<segment.upperBound])
      switch bytes[segment.lowerBound + 1] {
      case 0xC0, 0xC1: guard readFrame(body) else { return nil }
      case 0xC4: guard readTables(body, &hasDC, &hasAC) else { return nil }
      case 0xDB: guard readQuantization(body) else { return nil }
      case 0xDD:
        guard body.count == 2 else { return nil }
        restartInterval = Int(body[0]) << 8 | Int(body[1])
      case 0xC2, 0xC9...0xCF, 0xDC: return nil
      default: break
      }
    }
    guard readScanHeader(bytes, header.scanOffset),
      components.allSatisfy({
        hasDC.contains($0.dcTable) && hasAC.contains($0.acTable)
          && quantization[$0.quantization].count == 64
      })
    else { return nil }
    if components.count == 1 {
      // Blocks of a scan of one component are not interleaved, regardless of its sampling factors.
      components[0].horizontal = 1
      components[0].vertical = 1
    }
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    columns = (header.width + 8 * widest - 1) / (8 * widest)
    rows = (header.height + 8 * tallest - 1) / (8 * tallest)
  }

  private mutating func readFrame(_ body: [UInt8]) -> Bool {
    guard body.count >= 6, body.count == 6 + 3 * Int(body[5]), body[5] == 1 || body[5] == 3,
      components.isEmpty
    else { return false }
    for index in 0..<Int(body[5]) {
      let at = 6 + 3 * index
      guard body[at + 2] < 4 else { return false }
      components.append(
        Component(
          identifier: body[at],
          horizontal: Int(body[at + 1] >> 4),
          vertical: Int(body[at + 1] & 15),
          quantization: Int(body[at + 2])
        )
      )
    }
    return true
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

  private mutating func readScanHeader(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ offset: Int
  ) -> Bool {
    let count = components.count
    let length = 6 + 2 * count
    guard count > 0, offset + 2 + length <= bytes.count, bytes[offset + 2] == 0,
      Int(bytes[offset + 3]) == length, Int(bytes[offset + 4]) == count
    else { return false }
    for index in 0..<count {
      let (identifier, tables) = (bytes[offset + 5 + 2 * index], bytes[offset + 6 + 2 * index])
      guard components[index].identifier == identifier, tables & 0xCC == 0 else { return false }
      components[index].dcTable = Int(tables >> 4)
      components[index].acTable = Int(tables & 15)
    }
    let spectral = offset + 5 + 2 * count
    guard bytes[spectral] == 0, bytes[spectral + 1] == 63, bytes[spectral + 2] == 0 else {
      return false
    }
    dataOffset = offset + 2 + length
    return true
  }
}
