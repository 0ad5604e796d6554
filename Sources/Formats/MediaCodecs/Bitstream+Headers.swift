package import MediaContainers

extension Bitstream {
  /// Returns headers without the units that are removed, and the names of those.
  ///
  /// - Throws: `damaged` for units that do not fill the bytes.
  package func cleaned(_ bytes: [UInt8]) throws(MetadataError) -> (kept: [UInt8], removed: [String]) {
    let source = ByteSource(bytes)
    var kept: [UInt8] = []
    var removed: [String] = []
    let headers =
      self == .mpeg4 || self == .mpeg2
      ? MPEGUnits.headers(in: 0..<bytes.count, of: source) : 0..<bytes.count
    if headers.lowerBound > 0 { removed.append("bytes before a header") }
    if headers.isEmpty { return (kept, removed) }
    try forEachUnit(in: headers, of: source) { unit, disposition in
      switch disposition {
      case .kept: kept += bytes[unit]
      case .removed(let name): removed.append(name)
      case .rewritten(let anew, let name):
        kept += anew
        removed.append(name)
      }
    }
    return (kept, removed)
  }
}
