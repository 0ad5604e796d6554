internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaModel
package import MediaSources

/// Half of a live photo whose other half was not in its batch.
package struct WaitingHalf {
  var source: SourceID
  var pending: PendingItem
  var isStill: Bool
  /// The digest of the content identifier, see ``ContentIdentifiers``.
  var digest: [UInt8]
  /// Its sidecars, which wait with it.
  package var sidecars: [PendingItem] = []
}

/// The halves of live photos that wait until all listed items were processed.
struct LateHalves {
  private struct Key: Hashable {
    var source: SourceID
    var digest: [UInt8]
  }

  /// The halves by source and content identifier; never an empty group.
  private var groups: [Key: [WaitingHalf]] = [:]
  /// The keys in the order of their first halves, those of groups that are gone too.
  private var order: ArraySlice<Key> = []

  var isEmpty: Bool { groups.isEmpty }

  /// The source of the next group.
  var source: SourceID? {
    mutating get {
      while let first = order.first, groups[first] == nil { order.removeFirst() }
      return order.first?.source
    }
  }

  mutating func add(_ halves: [WaitingHalf]) {
    for half in halves {
      let key = Key(source: half.source, digest: half.digest)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(half)
    }
  }

  /// Removes and returns the next halves that have one content identifier, at most `limit`.
  mutating func takeGroup(limit: Int) -> [WaitingHalf] {
    guard source != nil, let key = order.first, let group = groups[key] else { return [] }
    let waiting = Array(group.dropFirst(limit))
    groups[key] = waiting.isEmpty ? nil : waiting
    return Array(group.prefix(limit))
  }

  /// Drops the halves of a source that are not to be kept.
  ///
  /// - Returns: Their number.
  mutating func keep(in kind: SourceID, _ isKept: (PendingItem) -> Bool) -> Int {
    var dropped = 0
    for (key, group) in groups where key.source == kind {
      let kept = group.filter { isKept($0.pending) }.map { half in
        var half = half
        half.sidecars = half.sidecars.filter(isKept)
        return half
      }
      let count = { (halves: [WaitingHalf]) in halves.reduce(0) { $0 + 1 + $1.sidecars.count } }
      dropped += count(group) - count(kept)
      groups[key] = kept.isEmpty ? nil : kept
    }
    return dropped
  }
}

extension LateHalves {
  /// The items of a batch that publishes a group: the group, and the half that was published alone if it
  /// can be read again; each with its sidecars.
  ///
  /// - Parameters:
  ///   - group: Halves of one content identifier.
  ///   - source: Their source.
  ///   - listing: All items of the source.
  ///   - catalogue: Holds the assets that were published, by this run too.
  /// - Returns: The group's items in its order, then the published half.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  static func items(
    _ group: [WaitingHalf],
    of source: PlannedSource,
    _ listing: PendingItems,
    _ catalogue: Catalogue
  ) throws(LibraryError) -> [PendingItem] {
    var items = group.map(\.pending)
    let hasStill = group.contains(where: \.isStill)
    let sidecars = group.flatMap(\.sidecars)
    if hasStill, group.contains(where: { !$0.isStill }) {
      for index in items.indices { items[index].late = .waited }
      return items + sidecars
    }
    var published: [PublishedHalf] = []
    if let digest = group.first?.digest {
      published = try catalogue.publishedHalves(
        contentDigest: digest,
        source: source.id,
        policy: source.policy,
        mediaType: hasStill ? .video : .image
      )
    }
    let readable = source.publishesLivePhotos ? published : []
    for half in readable {
      guard let item = half.item, let listed = listing.listed(item.path), listed.reason == nil,
        item.isSameFile(as: listed.status)
      else { continue }
      for index in items.indices { items[index].late = .waited }
      var other = PendingItem(listed: listed, previousAsset: item.asset, number: 0)
      other.late = .published(label: half.label)
      let ownSidecars = listing.sidecars(of: listed.path).map { sidecar in
        var sidecar = sidecar
        (sidecar.previousAsset, sidecar.late) = (item.asset, other.late)
        return sidecar
      }
      return items + [other] + sidecars + ownSidecars
    }
    for index in items.indices {
      items[index].late = .alone(hasPublishedStill: !hasStill && !published.isEmpty)
    }
    return items + sidecars
  }
}
