import MediaContainers

/// The parts of a picture that an output has, in order, without the tables that no scan can use: those that
/// no scan names, that another table replaces first, or that stand behind the last scan.
///
/// Source: ITU-T T.81 B.2.3 and B.2.4; libjpeg-turbo, jdmarker.c, jdinput.c (latch_quant_tables).
struct JPEGKeptParts {
  private struct Table {
    let range: Range<Int>
    var isUsed = false
  }

  private struct Part {
    let range: Range<Int>
    /// The marker and the indexes in ``tables`` of a segment of tables.
    var marker: UInt8 = 0
    var tables = 0..<0
  }

  private let frame: JPEGFrame
  private var parts: [Part] = []
  private var tables: [Table] = []
  /// The index of the table at each destination of each kind.
  private var current: [Int: Int] = [:]
  private static let (quantization, conditioning, interval) = (0x100, 0x200, 0x300)

  init(_ frame: JPEGFrame) { self.frame = frame }

  /// Whether a scan can use each table.
  var hasOnlyUsed: Bool { tables.allSatisfy(\.isUsed) }

  /// Adds a part that is no segment of tables.
  mutating func add(_ range: Range<Int>) { parts.append(Part(range: range)) }

  /// Adds a segment whose length was found to be exact.
  mutating func add(_ segment: JPEGSegment, in source: ByteSource) {
    let firstTable = tables.count
    switch segment.marker {
    case JPEGMarker.dqt, JPEGMarker.dht:
      let base = segment.marker == JPEGMarker.dqt ? Self.quantization : 0
      for range in JPEGTables.definitions(in: segment, of: source) {
        let head = Int(source.byte(at: range.lowerBound) ?? 0)
        current[base | (base > 0 ? head & 15 : head)] = tables.count
        tables.append(Table(range: range))
      }
    case JPEGMarker.dac:
      // Each segment changes some of the destinations.
      current[Self.conditioning + firstTable] = firstTable
      tables.append(Table(range: segment.body))
    case JPEGMarker.dri:
      current[Self.interval] = firstTable
      tables.append(Table(range: segment.body))
    case JPEGMarker.sos: use(segment, in: source)
    default: break
    }
    let isTable = tables.count > firstTable
    let marker = isTable ? segment.marker : 0
    parts.append(Part(range: segment.range, marker: marker, tables: firstTable..<tables.count))
  }

  /// Notes the tables that a scan can use.
  private mutating func use(_ scan: JPEGSegment, in source: ByteSource) {
    var keys = Set(current.keys.filter { $0 >= Self.conditioning })
    if !frame.isLossless {
      keys.formUnion(frame.components.map { Self.quantization | $0.quantization })
    }
    if !frame.isArithmetic {
      let bytes = source.bytes(in: scan.body.prefix(9), limit: 9) ?? []
      for offset in stride(from: 2, to: min(bytes.count, 1 + 2 * Int(bytes.first ?? 0)), by: 2) {
        // Decoders may ask for both tables, whether or not the scan has such coefficients.
        keys.formUnion([Int(bytes[offset] >> 4), 0x10 | Int(bytes[offset] & 15)])
      }
    }
    for key in keys {
      if let index = current[key] { tables[index].isUsed = true }
    }
  }

  /// Copies the parts, and notes the tables that are left out.
  func write(to builder: inout EditListBuilder, of source: ByteSource) throws(MetadataError) {
    for part in parts {
      let used = tables[part.tables].filter(\.isUsed)
      if part.marker == 0 || used.count == part.tables.count {
        try builder.copy(part.range)
        continue
      }
      builder.remove(JPEGMarker.name(part.marker), at: part.range)
      guard !used.isEmpty else { continue }
      let bytes = used.flatMap { source.bytes(in: $0.range, limit: 1 << 16) ?? [] }
      try builder.literal(JPEGMarker.segment(part.marker, bytes))
    }
  }
}
