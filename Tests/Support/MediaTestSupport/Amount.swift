internal import Foundation

/// How much a test does: everything under `MEDIABATCH_TEST_ALL`, which `make test-all` sets.
package enum Amount {
  package static let isAll = ProcessInfo.processInfo.environment["MEDIABATCH_TEST_ALL"] != nil

  package static func of(_ few: Int, all: Int) -> Int { isAll ? all : few }

  /// So many of the values, the first and the last among them and the others as far apart as can be;
  /// every one in `make test-all`.
  package static func some<Value>(_ few: Int, of values: [Value]) -> [Value] {
    guard !isAll, few > 1, values.count > few else { return values }
    return (0..<few).map { values[$0 * (values.count - 1) / (few - 1)] }
  }

  /// Each value of the first list with one of the second in turn, so that each of either occurs; every
  /// pair in `make test-all`.
  package static func pairs<First, Second>(_ first: [First], _ second: [Second]) -> [(
    First, Second
  )] {
    if isAll { return first.flatMap { element in second.map { (element, $0) } } }
    return (0..<max(first.count, second.count)).map { number in
      (first[number % first.count], second[number % second.count])
    }
  }
}
