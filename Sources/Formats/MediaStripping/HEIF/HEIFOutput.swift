import MediaContainers

/// Writes the boxes of the output: ftyp, meta, moov, mdat.
struct HEIFOutput {
  let container: HEIFContainer
  var plan = HEIFItemPlan()
  /// The source ranges of each coded item, by the output's item ID.
  var parts: [Int: [Range<Int>]] = [:]
  /// The bytes that take the place of some of the source.
  var patches = HEIFPatches()
  var sequence: HEIFSequence?
  /// The C2PA box of the source, which is kept as it is.
  var credentials: Range<Int>?

  init(container: HEIFContainer) {
    self.container = container
  }

  /// Writes the output.
  ///
  /// - Throws: `overLimit` when the output would have more parts than a file of this length may;
  ///   `stripUnsupported` for a sequence whose pictures overlap, and for pictures that share a rewritten unit.
  func write(
    to builder: inout EditListBuilder,
    sourceLength: Int
  ) throws(MetadataError) {
    var all = parts.values.flatMap { $0 }
    for track in sequence?.tracks ?? [] { for sample in track.parts { all += sample } }
    let coded = HEIFCodedData(all)
    let patches = try patches.checked(against: all)
    let plan = try laidOut(in: coded)
    let samples = try sampleRanges(in: coded)
    // The boxes ahead of the data are always shorter than a quarter of 1 GiB.
    let isLong = sourceLength >= 1 << 32 - 1 << 28
    let ftyp = container.ftyp(hasSequence: sequence != nil, hasToneMap: !plan.alternatives.isEmpty)
    // Copies ascend: a box after the pictures stays after them.
    let isAhead = credentials.map { $0.lowerBound < coded.ranges.first?.lowerBound ?? .max }
    let ahead = isAhead == true ? credentials : nil
    let length = plan.ahead.count + coded.length
    let mdat =
      isLong
      ? 1.bytes(4) + Array("mdat".utf8) + (16 + length).bytes(8)
      : (8 + length).bytes(4) + Array("mdat".utf8)
    let writer = HEIFMetaWriter(plan: plan, offsetSize: isLong ? 8 : 4)
    let boxes = { (start: Int) -> [UInt8] in
      let base = start + plan.ahead.count
      return (plan.items.isEmpty ? [] : writer.box(ahead: start, base: base))
        + (sequence?.box(samples, base: base, isLong: isLong) ?? [])
    }
    let start = ftyp.count + (ahead?.count ?? 0) + boxes(0).count + mdat.count
    try builder.literal(ftyp)
    if let ahead { try builder.copy(ahead) }
    try builder.literal(boxes(start) + mdat + plan.ahead)
    var unwritten = patches[...]
    for range in coded.ranges { try builder.copy(range, with: &unwritten) }
    if let credentials, ahead == nil { try builder.copy(credentials) }
  }

  private func laidOut(in coded: HEIFCodedData) throws(MetadataError) -> HEIFItemPlan {
    var plan = plan
    for index in plan.items.indices {
      guard case .coded = plan.items[index].storage else { continue }
      let ranges = coded.outputRanges(of: parts[plan.items[index].identifier] ?? [])
      guard ranges.count <= 0xFFFF else {
        throw MetadataError(.overLimit, "an item of too many extents")
      }
      plan.items[index].storage = .coded(ranges)
    }
    return plan
  }

  /// Returns the output's range of each sample of each track.
  private func sampleRanges(in coded: HEIFCodedData) throws(MetadataError) -> [[Range<Int>]] {
    var result: [[Range<Int>]] = []
    for track in sequence?.tracks ?? [] {
      var ranges: [Range<Int>] = []
      for sample in track.parts {
        let runs = coded.outputRanges(of: sample)
        guard runs.count <= 1 else {
          throw MetadataError(.stripUnsupported, "samples that lie within one another")
        }
        ranges.append(runs.first ?? 0..<0)
      }
      result.append(ranges)
    }
    return result
  }
}
