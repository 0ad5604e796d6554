internal import Foundation
internal import Glibc

/// Random numbers that a seed repeats.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The same numbers in every run.
  package init(seed: UInt64) { state = seed }

  /// Other numbers in every run. The seed is printed; `MEDIABATCH_TEST_SEED` repeats the run.
  package init(_ test: String = #function) {
    let wanted = ProcessInfo.processInfo.environment["MEDIABATCH_TEST_SEED"].flatMap { UInt64($0) }
    state = wanted ?? .random(in: 0...UInt64.max)
    print("\(test): MEDIABATCH_TEST_SEED=\(state)")
    // A test that ends the process must not take the seed along.
    fflush(nil)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True so often; 0 is never, 1 is always.
  package mutating func chance(_ share: Double) -> Bool {
    Double(next() >> 11) / Double(1 << 53) < share
  }

  /// Picks an element of a list that is not empty.
  package mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int(next() % UInt64(list.count))]
  }
}
