import MediaContainers

/// The tables that the segments of a JPEG have defined so far.
///
/// Source: ITU-T T.81 B.2.4.
struct CodingTables {
  /// Reused from picture to picture; only those of ``definedDC`` and ``definedAC`` are of this one.
  let dcTables: [HuffmanTable]
  let acTables: [HuffmanTable]
  private(set) var definedDC = Set<Int>()
  private(set) var definedAC = Set<Int>()
  /// In zigzag order; empty where it is not defined.
  private(set) var quantization = [[Int32]](repeating: [], count: 4)
  /// Minimum coded units between two restart markers; 0 for none.
  private(set) var restartInterval = 0

  init(dcTables: [HuffmanTable], acTables: [HuffmanTable]) {
    (self.dcTables, self.acTables) = (dcTables, acTables)
  }

  /// Reads a segment that defines tables; of any other one nothing.
  ///
  /// - Returns: False if it is invalid, or defines what is not Huffman coding.
  mutating func read(_ marker: UInt8, _ body: [UInt8]) -> Bool {
    switch marker {
    case JPEGMarker.dht: return readTables(body)
    case JPEGMarker.dqt: return readQuantization(body)
    case JPEGMarker.dri:
      guard body.count == 2 else { return false }
      restartInterval = Int(body[0]) << 8 | Int(body[1])
      return true
    case JPEGMarker.dac, JPEGMarker.dnl: return false
    default: return true
    }
  }

  private mutating func readTables(_ body: [UInt8]) -> Bool {
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
      if isAC { definedAC.insert(index) } else { definedDC.insert(index) }
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
}
