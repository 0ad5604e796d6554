extension AuditFolder {
  /// The places that the merges of a log have given to assets.
  ///
  /// - Parameter names: The files that are read; nil for all.
  /// - Returns: The places.
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func placements(of names: [AuditFileName]? = nil) throws(AuditError) -> AssetPlacements {
    var placements = AssetPlacements()
    let all = try files()
    for file in names ?? all {
      let bytes = try bytes(of: file)
      guard try Self.isOfMerge(bytes) else { continue }
      try AuditEntry.forEach(in: bytes, only: [.placed]) { entry in
        if let placement: AuditPlacement = entry.body() { placements.add(placement) }
      }
    }
    return placements
  }

  /// Whether a file's first record is that of a merge.
  private static func isOfMerge(_ bytes: any AuditBytes) throws(AuditError) -> Bool {
    var lines = AuditLines(bytes)
    guard let first = try lines.next(), first.isTerminated else { return false }
    return AuditEntry(line: first.bytes)?.beginsMerge == true
  }
}
