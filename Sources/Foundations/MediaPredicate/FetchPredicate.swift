/// A condition on assets, in the subset of NSPredicate's format that PhotoKit documents.
///
/// `mediaType == image AND (mediaSubtypes & photoScreenshot) == 0 AND creationDate >= 2019-07-04`
///
/// A value that is not known equals `NULL` alone; no comparison with it by order is true. `creationDate`
/// is compared as the local time of the capture, unless the predicate's date has an offset.
///
/// Source: Apple, "Predicate Format String Syntax"; PHFetchOptions.
package struct FetchPredicate: Sendable, Hashable {
  /// In Unicode scalars.
  package static let maximumLength = 4096
  /// The most parentheses and `NOT` within each other.
  static let maximumDepth = 32
  /// The most comparisons, and values in lists.
  static let maximumCount = 512

  /// The predicate as it was written.
  package let text: String
  let root: PredicateNode

  /// Parses a predicate.
  ///
  /// - Throws: ``PredicateIssue``.
  package init(_ text: String) throws(PredicateIssue) {
    self.text = text
    var parser = try PredicateParser(text)
    root = try parser.predicate()
  }

  /// The keys that it names.
  package var keys: Set<PredicateKey> { root.keys }

  /// Whether the listing of a source decides it, so that no file has to be opened for it.
  package var isListed: Bool { keys.allSatisfy(\.isListed) }
}

/// A key of an asset and how its value is read.
struct PredicateSubject: Sendable, Hashable {
  enum Reading: Sendable, Hashable {
    case stored
    /// The bits that are in the number too.
    case masked(Int64)
    /// The instant of a local time and its offset, in seconds since 1970.
    case instant
  }

  var key: PredicateKey
  var reading = Reading.stored
}

/// A part of a predicate.
indirect enum PredicateNode: Sendable, Hashable {
  case constant(Bool)
  case not(PredicateNode)
  case all([PredicateNode])
  case any([PredicateNode])
  case comparison(PredicateSubject, PredicateRelation, PredicateValue)
  case keys(PredicateSubject, PredicateRelation, PredicateSubject)
  case among(PredicateSubject, [PredicateValue])
  case between(PredicateSubject, PredicateValue, PredicateValue)
  case text(PredicateKey, TextComparison)
  /// An element of a list is as the comparison wants it.
  case element(PredicateKey, TextComparison)

  var keys: Set<PredicateKey> {
    switch self {
    case .constant: []
    case .not(let node): node.keys
    case .all(let nodes), .any(let nodes):
      nodes.reduce(into: []) { $0.formUnion($1.keys) }
    case .comparison(let subject, _, _), .among(let subject, _), .between(let subject, _, _):
      [subject.key]
    case .keys(let first, _, let second): [first.key, second.key]
    case .text(let key, _), .element(let key, _): [key]
    }
  }
}
