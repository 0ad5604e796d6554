/// Comparison of bytes that somebody must not learn one by one.
package enum SecretBytes {
  /// Compares in a time that depends on the lengths alone.
  package static func areEqual(
    _ one: some Collection<UInt8>,
    _ other: some Collection<UInt8>
  ) -> Bool {
    guard one.count == other.count else { return false }
    // Swift gives | and ^ one precedence: without the parentheses most wrong bytes would pass.
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
