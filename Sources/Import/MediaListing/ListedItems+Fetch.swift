internal import MediaFileSystem
package import MediaModel
package import MediaPredicate

extension ListedItems {
  /// Leaves out the items that a source's fetch options do not want, as far as the listing tells.
  ///
  /// A limit counts files of one folder that differ only in their extension as one, at the place of the
  /// first of them: the two of a live photo are fetched together. Sidecars follow their files. A limit that
  /// only open files can apply is applied later, see ``FetchSelection``.
  package mutating func fetch(_ options: FetchOptions, of source: SourceID) {
    if let predicate = options.predicate, predicate.isListed {
      for index in indices where reason(at: index) == nil && !isSidecar(at: index) {
        if !predicate.matches({ value(of: $0, at: index, in: source) }) {
          leaveOut(at: index, because: .notFetched)
        }
      }
    }
    guard options.fetchLimit > 0, !options.limitsByContent else { return }
    let candidates = indices.filter { reason(at: $0) == nil && !isSidecar(at: $0) }
    guard candidates.count > options.fetchLimit else { return }
    var fetched: Set<Int> = []
    for index in sorted(candidates, by: options.sortDescriptors, in: source) {
      let group = path(at: index).pairingHash
      if fetched.contains(group) { continue }
      if fetched.count < options.fetchLimit {
        fetched.insert(group)
      } else {
        leaveOut(at: index, because: .notFetched)
      }
    }
  }

  /// The indexes in the order of the descriptors, then of names and paths, in the direction of the last one.
  private func sorted(
    _ candidates: [Int],
    by descriptors: [FetchSortDescriptor],
    in source: SourceID
  ) -> [Int] {
    let names = Dictionary(uniqueKeysWithValues: candidates.map { ($0, path(at: $0).nameOrder) })
    let ties = descriptors.last
    return candidates.sorted { first, second in
      for descriptor in descriptors {
        let order =
          switch descriptor.key {
          // The listing is in the order of the paths.
          case .path: descriptor.ascending ? first - second : second - first
          case .name: descriptor.order(names[first] ?? [], names[second] ?? [])
          default:
            descriptor.order(
              value(of: descriptor.key, at: first, in: source),
              value(of: descriptor.key, at: second, in: source)
            )
          }
        if order != 0 { return order < 0 }
      }
      guard let ties, let name = names[first], let other = names[second] else { return first < second }
      let order = ties.order(name, other)
      return order == 0 ? (first < second) == ties.ascending : order < 0
    }
  }

  private func value(of key: PredicateKey, at index: Int, in source: SourceID) -> PredicateValue {
    switch key {
    case .size: .integer(status(at: index).size)
    case .modificationDate: .integer(status(at: index).modified)
    case .source: .text(source.kind.rawValue)
    case .path: .text(String(decoding: path(at: index).bytes, as: UTF8.self))
    case .name: .text(String(decoding: path(at: index).name, as: UTF8.self))
    default: .null
    }
  }
}
