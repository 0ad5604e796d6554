internal import MediaModel

/// Patterns, indexed so that a lookup does not grow with the number of those without a wildcard.
struct PatternIndex: Sendable, Hashable {
  /// The positions of the patterns without a wildcard, by the path that each is.
  private let literals: [[UInt8]: [Int]]
  /// The others, and their positions.
  private let wildcards: [SelectionPattern]
  private let positions: [Int]

  /// - Parameters:
  ///   - patterns: The patterns, whose positions ``matching(_:)`` returns.
  ///   - isIncluded: Whether one is looked up; by default each is.
  init(_ patterns: [SelectionPattern], where isIncluded: (SelectionPattern) -> Bool = { _ in true }) {
    var literals: [[UInt8]: [Int]] = [:]
    var wildcards: [SelectionPattern] = []
    var positions: [Int] = []
    for (position, pattern) in patterns.enumerated() where isIncluded(pattern) {
      if let path = pattern.literalBytes {
        literals[path, default: []].append(position)
      } else {
        wildcards.append(pattern)
        positions.append(position)
      }
    }
    (self.literals, self.wildcards, self.positions) = (literals, wildcards, positions)
  }

  /// Whether a pattern matches the whole path.
  func contains(_ path: ItemPath) -> Bool {
    if literals[path.bytes] != nil { return true }
    if wildcards.isEmpty { return false }
    let names = SelectionPattern.split(path)
    return wildcards.contains { $0.matches(names) }
  }

  /// The positions of all patterns that match the whole path.
  func matching(_ path: ItemPath) -> [Int] {
    let names = SelectionPattern.split(path)
    return (literals[path.bytes] ?? [])
      + zip(wildcards, positions).filter { $0.0.matches(names) }.map(\.1)
  }
}
