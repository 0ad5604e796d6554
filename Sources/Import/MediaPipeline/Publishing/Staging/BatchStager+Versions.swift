internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSources

/// Items whose file has another content than an earlier run imported.
extension BatchStager {
  /// Makes an asset of new content: a newer version if its file has changed, in the place of the earlier
  /// content if that was a part of the same file, or an earlier version that the manifest replaces.
  mutating func makeVersion(
    of item: ItemWork,
    with movie: ItemWork? = nil,
    isDegraded: Bool
  ) throws {
    guard item.pending.earlierByteCount != nil, let row = item.pending.previousAsset,
      let previous = try catalogue.asset(row: row)
    else {
      try makeAsset(of: item, with: movie, isDegraded: isDegraded)
      return
    }
    let replacement = try replacement(of: previous, row: row, by: item, movie, isDegraded: isDegraded)
    if let replacement {
      try makeAsset(of: item, with: movie, isDegraded: isDegraded, replacing: previous, replacement)
    } else {
      try makeAsset(of: item, with: movie, isDegraded: isDegraded, olderVersion: previous.localIdentifier)
    }
  }

  /// Returns the part of its asset whose place an item's content may take; nil when both stay.
  ///
  /// A path, a device and an inode alone are never enough: a camera gives a name, and a file system an
  /// inode, to one photo after the other.
  private func replacement(
    of previous: KnownAsset,
    row: Int64,
    by item: ItemWork,
    _ movie: ItemWork?,
    isDegraded: Bool
  ) throws -> Replacement? {
    let members = [item] + [movie].compactMap { $0 }
    guard previous.policy == item.source.policy, previous.media.count == members.count,
      members.allSatisfy({ $0.pending.previousAsset == row }),
      try catalogue.itemCount(ofAsset: row) == members.count,
      !assets.contains(where: { $0.localIdentifier == previous.localIdentifier }),
      try members.allSatisfy({ member in
        try catalogue.isWhole(item: member.planned.path, of: member.source.id, asset: row)
      })
    else { return nil }
    if previous.degraded, movie == nil, !losesSidecar(previous, members),
      try isBeginning(previous, of: item)
    {
      return .beginning
    }
    guard onSourceChanged == .replace, !isDegraded, !members.contains(where: \.isCut),
      Set(previous.media.map(\.format)) == Set(members.compactMap { $0.facts?.format.rawValue }),
      isSameCapture(previous, item)
    else { return nil }
    return .version
  }

  /// Whether the file begins with all of the content that the asset was made of. A file that is cut is
  /// imported under `keep` alone.
  private func isBeginning(_ previous: KnownAsset, of item: ItemWork) throws -> Bool {
    guard previous.policy == .keep, let product = item.product,
      let count = item.pending.earlierByteCount, count < item.planned.status.size
    else { return false }
    let beginning = try FileDigest.of(product.file, first: count).sha256
    return previous.sourceDigests == [Hexadecimal.bytes(beginning) ?? []]
  }

  private func isSameCapture(_ previous: KnownAsset, _ item: ItemWork) -> Bool {
    guard let facts = item.facts.map({ publishable($0, of: item) }) else { return false }
    if let date = previous.creationDate, let other = facts.creationDate,
      date.isSameCapture(as: other)
    {
      return true
    }
    // The identifiers of stripped files are new ones, and say nothing of their sources.
    return !item.source.policy.strips && previous.contentIdentifier != nil
      && previous.contentIdentifier == facts.contentIdentifier
  }
}

extension CaptureDate {
  /// Whether both files state the same moment themselves: a name or a file's times are no evidence, and
  /// many photos are taken on one day.
  fileprivate func isSameCapture(as other: CaptureDate) -> Bool {
    guard isOwn, other.isOwn, !isDateOnly else { return false }
    if offsetMinutes != nil, other.offsetMinutes != nil,
      let moment = nanosecondsSince1970, moment == other.nanosecondsSince1970
    {
      return true
    }
    return local == other.local
      && (ownOffsetMinutes == nil || other.ownOffsetMinutes == nil
        || ownOffsetMinutes == other.ownOffsetMinutes)
  }

  /// The offset unless it is that of the manifest's time zone, which no file states.
  private var ownOffsetMinutes: Int? {
    tag.hasSuffix(Self.timeZoneTag) ? nil : offsetMinutes
  }
}
