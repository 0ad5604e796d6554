internal import MediaModel

/// A key by which assets are sorted: names and labels in ``NaturalOrder``, all else by value.
///
/// Source: NSSortDescriptor, PHFetchOptions.sortDescriptors.
package struct FetchSortDescriptor: Sendable, Hashable {
  package var key: PredicateKey
  package var ascending: Bool

  package init(_ key: PredicateKey, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }

  /// Reads `creationDate`, `creationDate:ascending` or `creationDate:descending`.
  ///
  /// - Throws: ``PredicateIssue``.
  package init(_ text: String) throws(PredicateIssue) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    try self.init(name: name, ascending: true)
    guard parts.count > 1 else { return }
    switch parts[1] {
    case "ascending": ascending = true
    case "descending": ascending = false
    default:
      throw PredicateIssue(
        name.unicodeScalars.count + 2,
        "ascending or descending is expected behind the colon"
      )
    }
  }

  /// Finds the key by its name.
  ///
  /// - Throws: ``PredicateIssue`` for a name that no key has, and for a list, which has no order.
  package init(name: String, ascending: Bool) throws(PredicateIssue) {
    guard let key = PredicateKey(name: name) else {
      throw .unknown(name, at: 1, among: PredicateKey.names)
    }
    if key.kind == .list { throw PredicateIssue(1, "\"\(name)\" is a list, which has no order") }
    self.init(key, ascending: ascending)
  }

  /// The descriptor as ``init(_:)`` reads it.
  package var text: String { key.rawValue + (ascending ? "" : ":descending") }

  /// Compares two values: one that is not known is behind all others in both directions.
  ///
  /// - Returns: Less than 0 when `first` comes first, 0 when neither does, otherwise more than 0.
  package func order(_ first: PredicateValue, _ second: PredicateValue) -> Int {
    let (first, second) = (compared(first), compared(second))
    if first == .null || second == .null {
      return first == second ? 0 : first == .null ? 1 : -1
    }
    if key.isNatural, case .text(let first) = first, case .text(let second) = second {
      return order(NaturalOrder.key(of: first.utf8), NaturalOrder.key(of: second.utf8))
    }
    let order = first.order(to: second) ?? 0
    return ascending ? order : -order
  }

  /// Compares what two names are sorted by.
  package func order(_ first: [UInt8], _ second: [UInt8]) -> Int {
    if first == second { return 0 }
    return first.lexicographicallyPrecedes(second) == ascending ? -1 : 1
  }

  private func compared(_ value: PredicateValue) -> PredicateValue {
    PredicateValue.compared(key) { _ in value }
  }
}

/// Which assets of a source are fetched, and in which order.
///
/// Source: PHFetchOptions.
package struct FetchOptions: Sendable, Hashable {
  /// Nil for no condition.
  package var predicate: FetchPredicate?
  package var sortDescriptors: [FetchSortDescriptor] = []
  /// The highest number of assets; 0 for no limit.
  package var fetchLimit = 0
  /// Whether assets that a person hid are fetched.
  package var includesHiddenAssets = true
  /// Whether those are fetched that a partner shares, of a source that says so.
  package var includesPartnerSharing = false
  /// Whether those pictures of a burst are fetched that are not its pick.
  package var includesAllBurstAssets = true

  package init() {}

  /// Whether only open files decide what is fetched.
  package var needsContent: Bool {
    contentPredicate != nil || !includesHiddenAssets || !includesAllBurstAssets
  }

  /// Whether a limit takes the first of what only open files tell, or of what they decide.
  package var limitsByContent: Bool {
    fetchLimit > 0 && (needsContent || sortDescriptors.contains { !$0.key.isListed })
  }

  /// Whether the descriptions that files have of themselves decide what is fetched.
  package var needsDescriptions: Bool {
    !includesHiddenAssets || !includesAllBurstAssets
      || predicate?.keys.contains(where: \.isDescribed) == true
      || fetchLimit > 0 && sortDescriptors.contains { $0.key.isDescribed }
  }

  /// The predicate, if only open files decide it.
  package var contentPredicate: FetchPredicate? {
    predicate.flatMap { $0.isListed ? nil : $0 }
  }
}
