/// Comparison of bytes that somebody must not learn one by one.
package enum SecretBytes {
  /// Compares in a time that depends on the lengths alone.
  package static func areEqual(
    _ received: some Collection<UInt8>,
    _ secret: some Collection<UInt8>
  ) -> Bool {
    guard received.count == secret.count else { return false }
    // Swift gives | and ^ one precedence: without the parentheses most wrong bytes would pass.
    return zip(received, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
