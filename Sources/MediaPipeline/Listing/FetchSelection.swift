internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate

/// The items of a source that a limit takes, where only open files tell which come first.
///
/// A pass over all candidates notes what it reads of each; memory grows with the limit, not with their
/// number. Files of one folder that differ only in their extension are one group, at the place of the first
/// of them.
struct FetchSelection {
  private struct Place {
    var values: [PredicateValue]
    var path: ItemPath
  }

  private let descriptors: [FetchSortDescriptor]
  private let limit: Int
  /// The first groups so far, by what their files share; some more than the limit, so that they are seldom
  /// sorted.
  private var groups: [Int: Place] = [:]
  /// The items that could not be read, or are of no media type that the source asks for: the import says so.
  private var others: Set<ItemPath> = []
  private var read: [CandidateKeys] = []

  init(_ options: FetchOptions) {
    descriptors = options.sortDescriptors
    limit = options.fetchLimit
  }

  /// The keys of a candidate's values, in their order.
  var keys: [PredicateKey] { descriptors.map(\.key) }

  /// Notes a candidate; one that does not meet the source's other fetch options is not counted.
  mutating func note(_ keys: CandidateKeys) {
    guard let values = keys.values, values.count == descriptors.count else { return }
    let place = Place(values: values, path: keys.path)
    let group = keys.path.pairingHash
    if let known = groups[group], !precedes(place, known) { return }
    groups[group] = place
    if groups.count >= 2 * limit + 1024 { groups = first() }
  }

  /// Notes what an open file has told.
  mutating func noteRead(_ keys: CandidateKeys) {
    note(keys)
    read.append(keys)
  }

  /// Takes what open files have told since the last call.
  mutating func takeRead() -> [CandidateKeys] {
    defer { read = [] }
    return read
  }

  /// Notes an item that the limit does not count.
  mutating func noteOther(_ path: ItemPath) { others.insert(path) }

  /// Ends the pass.
  ///
  /// - Returns: Whether an item is imported, or looked at again since the limit does not count it.
  func chosen() -> (ItemPath) -> Bool {
    let chosen = Set(first().keys)
    return { [others] in chosen.contains($0.pairingHash) || others.contains($0) }
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
    // Bytes: two paths of an order in which they are equal as text would come in any.
    let isBefore = first.path < second.path
    return descriptors.first { $0.key == .path }?.ascending == false ? !isBefore : isBefore
  }
}
