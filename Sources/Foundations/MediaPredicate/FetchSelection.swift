package import MediaModel

/// The items of a source that a limit takes, where only open files tell which come first.
///
/// A pass over all candidates notes what it reads of each; memory grows with the limit, not with their
/// number. Files of one group, such as the two of a live photo, count as one, at the place of the first of
/// them.
package struct FetchSelection: Sendable {
  private struct Place {
    var values: [PredicateValue]
    var name: [UInt8]
    var path: ItemPath
  }

  private let descriptors: [FetchSortDescriptor]
  private let limit: Int
  /// The first groups so far; some more than the limit, so that they are seldom sorted.
  private var groups: [Int: Place] = [:]
  /// The items that could not be read, or are of no media type that the source asks for: the import says so.
  private var others: Set<ItemPath> = []

  /// Begins a pass over the candidates of a source with these options.
  package init(_ options: FetchOptions) {
    descriptors = options.sortDescriptors
    limit = options.fetchLimit
  }

  /// The keys of a candidate's values, in their order.
  package var keys: [PredicateKey] { descriptors.map(\.key) }

  /// Notes a candidate.
  ///
  /// - Parameters:
  ///   - path: Its path in the source: equal ones are sorted by its name, then by its bytes.
  ///   - group: The same number for the files that count as one.
  ///   - values: The values of ``keys``; nil when it does not meet the source's other fetch options, and is
  ///     not counted.
  package mutating func note(_ path: ItemPath, group: Int, _ values: [PredicateValue]?) {
    guard let values, values.count == descriptors.count else { return }
    let candidate = Place(values: values, name: path.nameOrder, path: path)
    if let best = groups[group], !precedes(candidate, best) { return }
    groups[group] = candidate
    if groups.count >= 2 * limit + 1024 { groups = first() }
  }

  /// Notes an item that the limit does not count.
  package mutating func noteOther(_ path: ItemPath) { others.insert(path) }

  /// Ends the pass.
  ///
  /// - Returns: Tells of a path and its group whether the item is imported, or looked at again since the
  ///   limit does not count it.
  package func chosen() -> (ItemPath, _ group: Int) -> Bool {
    let chosen = Set(first().keys)
    return { [others] in chosen.contains($1) || others.contains($0) }
  }

  private func first() -> [Int: Place] {
    if groups.count <= limit { return groups }
    let sorted = groups.sorted { precedes($0.value, $1.value) }
    return Dictionary(uniqueKeysWithValues: sorted.prefix(limit).map { ($0.key, $0.value) })
  }

  private func precedes(_ first: Place, _ second: Place) -> Bool {
    for (index, descriptor) in descriptors.enumerated() where descriptor.key != .path {
      let order = descriptor.order(first.values[index], second.values[index])
      if order != 0 { return order < 0 }
    }
    let byPath = descriptors.first { $0.key == .path }
    guard let last = byPath ?? descriptors.last else { return first.path < second.path }
    let order = byPath == nil ? last.order(first.name, second.name) : 0
    if order != 0 { return order < 0 }
    // Bytes: two paths that are equal as text have an order too.
    return last.ascending ? first.path < second.path : second.path < first.path
  }
}
